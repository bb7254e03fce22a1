import { EverscanError, type CreatedApiKey } from '@everscan/client/create-client.ts'
import type { KeyScope } from '@everscan/contract/resources/api-keys.ts'
import { roles } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { fieldProblem } from '../ui/problems.ts'
import { developersWords } from '../words/developers-words.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Folded, Options } from '../ui/options.tsx'
import { FormProblem, Notice } from '../ui/surfaces.tsx'
import {
  blankKey,
  chosenScopes,
  lifetimes,
  networkLines,
  newKeyOf,
  offeredScopes,
  type KeyFields,
} from './key-fields.ts'
import { LearnMore } from '../ui/learn-more.tsx'

const text = developersWords

type Props = { orgId: string; onMade: (key: CreatedApiKey) => void; onClose: () => void }
type PartProps = { fields: KeyFields; change: (changes: Partial<KeyFields>) => void }

/** Asks for the purpose and the limits of a new key, and creates it. */
export function KeyDialog({ orgId, onMade, onClose }: Props) {
  const [fields, setFields] = useState(blankKey)
  const [isChecked, setChecked] = useState(false)
  const make = useMutation({
    mutationFn: async (sent: KeyFields) => api.apiKeys.create(orgId, newKeyOf(sent)),
    onSuccess: onMade,
  })
  const change = (changes: Partial<KeyFields>) => setFields({ ...fields, ...changes })
  const lacksScope = fields.access === 'some' && chosenScopes(fields).length === 0
  const problems = networkProblems(make.error, make.variables ?? blankKey)
  return (
    <Dialog title={text.newKey} wide onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setChecked(true)
          if (!lacksScope) make.mutate(fields)
        }}
      >
        <FormProblem error={make.error} fields={['name', 'expiresAt', ...problems.paths]} />
        <Field
          label={text.keyName}
          hint={text.keyNameHint}
          required
          autoFocus
          autoComplete="off"
          maxLength={limits.nameCharsMax}
          value={fields.name}
          problem={fieldProblem(make.error, 'name')}
          onChange={(event) => change({ name: event.target.value })}
        />
        <ChoiceField
          label={text.role}
          value={fields.role}
          options={roles.map((one) => [one, text.roles[one]] as const)}
          onChoose={(role) => change({ role })}
        />
        <Access fields={fields} change={change} problem={isChecked && lacksScope} />
        <Expiry fields={fields} change={change} problem={fieldProblem(make.error, 'expiresAt')} />
        <Folded title={text.moreOptions}>
          <TextArea
            label={text.networks}
            hint={text.networksHint}
            dir="ltr"
            spellCheck={false}
            autoCapitalize="none"
            value={fields.networks}
            problem={problems.text}
            onChange={(event) => change({ networks: event.target.value })}
          />
        </Folded>
        <FormButtons action={text.makeKey} busy={make.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** Offers everything that the role may, or some parts of it. */
function Access({ fields, change, problem }: PartProps & { problem: boolean }) {
  const { access, role, scopes } = fields
  const choose = (scope: KeyScope, isChosen: boolean) =>
    change({ scopes: isChosen ? [...scopes, scope] : scopes.filter((one) => one !== scope) })
  return (
    <div className="grid gap-2">
      <Options
        legend={text.mayDo}
        value={access}
        options={[
          ['all', text.access.all],
          ['some', text.access.some],
        ]}
        className="grid gap-2 sm:grid-cols-2"
        onChoose={(chosen) => change({ access: chosen })}
      />
      <p className="text-sm">
        <LearnMore about="keys" />
      </p>
      {access === 'some' && (
        <fieldset className="min-w-0">
          <legend className="sr-only">{text.mayDo}</legend>
          {problem && <Notice kind="problem">{text.noScopes}</Notice>}
          <div className="grid gap-x-4 sm:grid-cols-2">
            {offeredScopes(role).map((scope) => {
              const isIncluded = scope === 'codes:read' && scopes.includes('codes:write') && role !== 'VIEWER'
              return (
                <Checkbox
                  key={scope}
                  withLabel
                  className="items-start! py-2"
                  label={text.scopes[scope].label}
                  hint={text.scopes[scope].hint}
                  disabled={isIncluded}
                  checked={isIncluded || scopes.includes(scope)}
                  onChange={({ target }) => choose(scope, target.checked)}
                />
              )
            })}
          </div>
        </fieldset>
      )}
    </div>
  )
}

function Expiry({ fields, change, problem }: PartProps & { problem: string | undefined }) {
  return (
    <div className={`grid gap-4 ${fields.lifetime === 'date' ? 'sm:grid-cols-2' : ''}`}>
      <ChoiceField
        label={text.expires}
        value={fields.lifetime}
        options={lifetimes.map((one) => [one, text.lifetimes[one]] as const)}
        problem={fields.lifetime === 'date' ? undefined : problem}
        onChoose={(lifetime) => change({ lifetime })}
      />
      {fields.lifetime === 'date' && (
        <Field
          label={text.lastDay}
          hint={text.lastDayHint}
          type="date"
          required
          min={new Date().toISOString().slice(0, 10)}
          max="9999-12-30"
          value={fields.lastDay}
          problem={problem}
          onChange={(event) => change({ lastDay: event.target.value })}
        />
      )}
    </div>
  )
}

/** The problems of the networks that were sent, by line, and the paths that they are about. */
function networkProblems(error: unknown, sent: KeyFields): { paths: string[]; text: string | undefined } {
  const details = error instanceof EverscanError ? error.details : []
  const lines = networkLines(sent)
  const found = details.flatMap(({ path, message }) => {
    if (path === 'networks') return [{ path, text: message }]
    const at = lines.findIndex((_, index) => path === `networks[${index}]`)
    return at < 0 ? [] : [{ path, text: text.onLine(lines[at]?.line ?? 1, message) }]
  })
  return {
    paths: found.map(({ path }) => path),
    text: found.length === 0 ? undefined : found.map((one) => one.text).join('\n'),
  }
}
