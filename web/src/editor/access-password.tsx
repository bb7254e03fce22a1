import { daysUntilGuessed } from '@everscan/contract/access/password-worth.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { accessWords } from '../words/access-words.ts'
import type { AccessDraft } from './access-draft.ts'

const text = accessWords

type Props = {
  hasPassword: boolean
  draft: AccessDraft
  problem: string | undefined
  onChange: (changes: Partial<AccessDraft>) => void
}

/** Sets, changes or removes the password of a code. A stored one is shown nowhere. */
export function AccessPassword({ hasPassword, draft, problem, onChange }: Props) {
  const [isChanging, setChanging] = useState(false)
  if (hasPassword && draft.removesPassword)
    return (
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-52 text-sm">{text.passwordRemoved}</p>
        <Button onClick={() => onChange({ removesPassword: false })}>{text.passwordKeep}</Button>
      </div>
    )
  if (hasPassword && !isChanging && draft.password === '')
    return (
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 basis-52 text-sm">{text.passwordSet}</p>
        <Button onClick={() => setChanging(true)}>{text.passwordChange}</Button>
        <Button onClick={() => onChange({ removesPassword: true })}>{text.passwordRemove}</Button>
      </div>
    )
  const days = draft.password === '' ? undefined : daysUntilGuessed(draft.password)
  return (
    <Field
      label={hasPassword ? text.newPassword : text.password}
      hint={
        days === undefined
          ? text.passwordHint
          : `${text.passwordHint}\n${text.passwordShort(formatNumber(days))}`
      }
      // Others must read it on a poster or in a mail, so it is no secret of the person who types.
      type="text"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={limits.accessPasswordCharsMax}
      value={draft.password}
      problem={problem}
      onChange={(event) => onChange({ password: event.target.value })}
      onBlur={() => draft.password === '' && setChanging(false)}
    />
  )
}
