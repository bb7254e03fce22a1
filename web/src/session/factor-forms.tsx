import type { FormEvent, ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { accountWords } from '../words/account-words.ts'
import { passkeyProblem } from './passkey-support.ts'

const text = accountWords

// Parts of the cards about factors of signing in.

export function CurrentPassword({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <Field
      label={text.current}
      type="password"
      autoComplete="current-password"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** Shows a form with its failure. */
export function Form({
  error,
  onSubmit,
  children,
}: {
  error: unknown
  onSubmit: () => void
  children: ReactNode
}) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      {error !== null && <Notice kind="problem">{passkeyProblem(error)}</Notice>}
      {children}
    </form>
  )
}

/** Shows recovery codes, which only this page will ever show. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  return (
    <div className="grid gap-4">
      <h3 className="font-medium">{text.recovery}</h3>
      <p className="text-soft">{text.recoveryText}</p>
      <ul className="grid grid-cols-1 gap-1 rounded-control bg-raised p-4 font-mono text-sm select-all sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div>
        <Button look="primary" onClick={onDone}>
          {text.done}
        </Button>
      </div>
    </div>
  )
}
