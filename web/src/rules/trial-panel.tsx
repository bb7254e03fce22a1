import type { Access } from '@everscan/contract/access/access.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { browserNames, deviceTypes, osNames } from '@everscan/contract/rules/device-names.ts'
import type { SimulatedAnswer, SimulatedVisitor } from '@everscan/contract/rules/rule-trials.ts'
import type { RuleInput } from '@everscan/contract/rules/rules.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { leadOf } from '../codes/lead.tsx'
import { api } from '../session/api.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { problemText } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { rulesWords } from '../words/rules-words.ts'
import { conditionInWords } from './condition-words.ts'
import { localOf, momentOf } from './time-fields.tsx'
import { countryValues, languageValues } from './value-names.ts'
import { commonWords } from '../words/common-words.ts'

const text = rulesWords.trial

type Props = {
  orgId: string
  codeId: string
  type: QrCodeType
  rules: () => RuleInput[]
  /** The saved access of the code. */
  access: Access | null
}

const offered = (names: ReadonlySet<string>) => [...names].map((name) => [name, name] as const)
const systems = offered(osNames)
const browsers = offered(browserNames)

/** Asks what a visitor would get with the rules of the form. */
export function TrialPanel({ orgId, codeId, type, rules, access }: Props) {
  const [at, setAt] = useState(() => localOf(new Date().toISOString()))
  const [visitor, setVisitor] = useState(anyVisitor)
  const trial = useMutation({
    mutationFn: async () => {
      const asked = { rules: rules(), visitor: visitorOf(visitor, at) }
      return { asked, access, answer: await api.qrCodes.simulateRules(orgId, codeId, asked) }
    },
  })
  // An answer to other rules or access, or about another visitor, would mislead.
  const now = { rules: rules(), visitor: visitorOf(visitor, at) }
  const isCurrent = isDeepEqual(trial.data?.asked, now) && isDeepEqual(trial.data?.access, access)
  const answer = isCurrent ? trial.data?.answer : undefined
  return (
    <div className="grid gap-3">
      <p className="text-sm text-soft">{text.text}</p>
      <VisitorFields visitor={visitor} at={at} onVisitor={setVisitor} onAt={setAt} />
      <div>
        <Button look="primary" busy={trial.isPending} onClick={() => trial.mutate()}>
          {text.run}
        </Button>
      </div>
      {trial.isError && <Notice kind="problem">{problemText(trial.error)}</Notice>}
      {answer !== undefined && <Answer answer={answer} type={type} />}
    </div>
  )
}

type Visitor = Record<'country' | 'language' | 'device' | 'os' | 'browser' | 'query', string>

const anyVisitor: Visitor = { country: '', language: '', device: '', os: '', browser: '', query: '' }

type FieldsProps = {
  visitor: Visitor
  /** Time of the scan, in the time of this device. */
  at: string
  onVisitor: (visitor: Visitor) => void
  onAt: (at: string) => void
}

function VisitorFields({ visitor, at, onVisitor, onAt }: FieldsProps) {
  const devices = deviceTypes.map((device) => [device, rulesWords.devices[device]] as const)
  const choice = (name: keyof Visitor, label: string, options: readonly (readonly [string, string])[]) => (
    <ChoiceField
      label={label}
      value={visitor[name]}
      options={[['', text.any], ...options]}
      onChoose={(value) => onVisitor({ ...visitor, [name]: value })}
    />
  )
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label={text.at} type="datetime-local" value={at} onChange={({ target }) => onAt(target.value)} />
      {choice('country', text.country, countryValues)}
      {choice('language', text.language, languageValues)}
      {choice('device', text.device, devices)}
      {choice('os', text.os, systems)}
      {choice('browser', text.browser, browsers)}
      <Field
        label={text.query}
        hint={text.queryHint}
        autoComplete="off"
        autoCapitalize="none"
        value={visitor.query}
        onChange={({ target }) => onVisitor({ ...visitor, query: target.value })}
      />
    </div>
  )
}

/** Both are made by this page, with keys in the same order. */
const isDeepEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function visitorOf({ country, language, device, os, browser, query }: Visitor, at: string): SimulatedVisitor {
  const moment = momentOf(at)
  const known = deviceTypes.find((one) => one === device)
  const parameters = Object.fromEntries(new URLSearchParams(query.replace(/^\?/, '')))
  return {
    ...(country !== '' && { country }),
    ...(language !== '' && { languages: [language] }),
    ...(known !== undefined && { device: known }),
    ...(os !== '' && { os }),
    ...(browser !== '' && { browser }),
    ...(moment !== undefined && { at: moment }),
    ...(Object.keys(parameters).length > 0 && { query: parameters }),
  }
}

function Answer({
  answer: { access, name, arm, data, steps },
  type,
}: {
  answer: SimulatedAnswer
  type: QrCodeType
}) {
  const lead = leadOf({ type, data })
  const isOpen = access.state === 'LIVE'
  return (
    <div role="status" className="grid gap-2 rounded-control border border-brand p-3 text-sm">
      {!isOpen && <p className="wrap-anywhere">{closedInWords(access)}</p>}
      {isOpen && access.asksPassword && <p>{text.asksPassword}</p>}
      {isOpen && access.answersLeft !== null && <p>{text.answersLeft(formatNumber(access.answersLeft))}</p>}
      <p className="wrap-anywhere">
        {isOpen ? text.gets : text.wouldGet} <strong>{name ?? text.own}</strong>
        {arm !== null && `, ${text.arm(arm)}`}
        {lead !== undefined && ` ${rulesWords.leadsTo} ${lead.shown}`}
      </p>
      {steps.length > 0 && (
        <>
          <p className="font-medium">{text.steps}</p>
          <ol className="grid gap-1">
            {steps.map(({ index, name: rule, matched, failed }) => (
              <li key={index} className="wrap-anywhere">
                <span className="text-soft">{rulesWords.number(index + 1)}</span> {rule}
                {commonWords.colon}{' '}
                {matched ? text.fits : text.fitsNot(failed.map(conditionInWords).join(', '))}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}

/** Returns why the code is closed, and what visitors get instead. */
function closedInWords({ state, closed }: SimulatedAnswer['access']): string {
  const why = state === 'LIVE' ? '' : text.closed[state]
  if (closed?.url !== undefined) return `${why} ${text.closedUrl(closed.url)}`
  return `${why} ${closed?.message === undefined ? text.closedPage : text.closedMessage(closed.message)}`
}
