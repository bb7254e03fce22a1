import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { deviceTypes } from '@everscan/contract/rules/device-names.ts'
import type { SimulatedAnswer, SimulatedVisitor } from '@everscan/contract/rules/rule-trials.ts'
import type { RuleInput } from '@everscan/contract/rules/rules.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { leadOf } from '../codes/lead.tsx'
import { api } from '../session/api.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { problemText } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { rulesWords } from '../words/rules-words.ts'
import { conditionInWords } from './condition-words.ts'
import { localOf, momentOf } from './time-fields.tsx'
import { countryValues, languageValues } from './value-names.ts'

const text = rulesWords.trial

type Props = { orgId: string; codeId: string; type: QrCodeType; rules: () => RuleInput[] }

const systems = ['iOS', 'Android', 'Windows', 'macOS', 'Linux', 'ChromeOS', 'HarmonyOS']

/** Asks what a visitor would get with the rules of the form. */
export function TrialPanel({ orgId, codeId, type, rules }: Props) {
  const [at, setAt] = useState(() => localOf(new Date().toISOString()))
  const [visitor, setVisitor] = useState({ country: '', language: '', device: '', os: '', query: '' })
  const trial = useMutation({
    mutationFn: async () => {
      const asked = { rules: rules(), visitor: visitorOf(visitor, at) }
      return { asked, answer: await api.qrCodes.simulateRules(orgId, codeId, asked) }
    },
  })
  // An answer to other rules, or about another visitor, would mislead.
  const now = { rules: rules(), visitor: visitorOf(visitor, at) }
  const answer = isDeepEqual(trial.data?.asked, now) ? trial.data?.answer : undefined
  const choice = (
    name: keyof typeof visitor,
    label: string,
    options: readonly (readonly [string, string])[],
  ) => (
    <ChoiceField
      label={label}
      value={visitor[name]}
      options={[['', text.any], ...options]}
      onChoose={(value) => setVisitor({ ...visitor, [name]: value })}
    />
  )
  return (
    <div className="grid gap-3">
      <p className="text-sm text-soft">{text.text}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Field
          label={text.at}
          type="datetime-local"
          value={at}
          onChange={({ target }) => setAt(target.value)}
        />
        {choice('country', text.country, countryValues)}
        {choice('language', text.language, languageValues)}
        {choice(
          'device',
          text.device,
          deviceTypes.map((device) => [device, rulesWords.devices[device]] as const),
        )}
        {choice(
          'os',
          text.os,
          systems.map((one) => [one, one] as const),
        )}
        <Field
          label={text.query}
          hint={text.queryHint}
          autoComplete="off"
          autoCapitalize="none"
          value={visitor.query}
          onChange={({ target }) => setVisitor({ ...visitor, query: target.value })}
        />
      </div>
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

/** Both are made by this page, with keys in the same order. */
const isDeepEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function visitorOf(
  {
    country,
    language,
    device,
    os,
    query,
  }: Record<'country' | 'language' | 'device' | 'os' | 'query', string>,
  at: string,
): SimulatedVisitor {
  const moment = momentOf(at)
  const known = deviceTypes.find((one) => one === device)
  const parameters = Object.fromEntries(new URLSearchParams(query.replace(/^\?/, '')))
  return {
    ...(country !== '' && { country }),
    ...(language !== '' && { languages: [language] }),
    ...(known !== undefined && { device: known }),
    ...(os !== '' && { os }),
    ...(moment !== undefined && { at: moment }),
    ...(Object.keys(parameters).length > 0 && { query: parameters }),
  }
}

function Answer({ answer: { name, arm, data, steps }, type }: { answer: SimulatedAnswer; type: QrCodeType }) {
  const lead = leadOf({ type, data })
  return (
    <div role="status" className="grid gap-2 rounded-control border border-brand p-3 text-sm">
      <p className="wrap-anywhere">
        {text.gets} <strong>{name ?? text.own}</strong>
        {arm !== null && `, ${text.arm(arm)}`}
        {lead !== undefined && ` ${rulesWords.leadsTo} ${lead.shown}`}
      </p>
      {steps.length > 0 && (
        <>
          <p className="font-medium">{text.steps}</p>
          <ol className="grid gap-1">
            {steps.map(({ index, name: rule, matched, failed }) => (
              <li key={index} className="wrap-anywhere">
                <span className="text-soft">{rulesWords.number(index + 1)}</span> {rule}:{' '}
                {matched ? text.fits : text.fitsNot(failed.map(conditionInWords).join(', '))}
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
