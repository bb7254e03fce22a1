import type { CreatedApiKey } from '@everscan/client/create-client.ts'
import { roles, type Role } from '@everscan/contract/schema/common.ts'
import { keysOf } from '@everscan/contract/schema/records.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { fieldProblem } from '../ui/problems.ts'
import { words } from '../words/words.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormProblem } from '../ui/surfaces.tsx'

const text = words.developers
const lifetimeDays = { never: undefined, days30: 30, days90: 90, days365: 365 } as const
const dayMs = 86_400_000

type Props = { orgId: string; onMade: (key: CreatedApiKey) => void; onClose: () => void }

/** Asks what a new key is for, and creates it. */
export function KeyDialog({ orgId, onMade, onClose }: Props) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('EDITOR')
  const [lifetime, setLifetime] = useState<keyof typeof lifetimeDays>('never')
  const make = useMutation({
    mutationFn: async () => {
      const days = lifetimeDays[lifetime]
      const expiresAt = days === undefined ? undefined : new Date(Date.now() + days * dayMs).toISOString()
      return api.apiKeys.create(orgId, { name, role, ...(expiresAt !== undefined && { expiresAt }) })
    },
    onSuccess: onMade,
  })
  return (
    <Dialog title={text.newKey} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <FormProblem error={make.error} fields={['name']} />
        <Field
          label={text.keyName}
          hint={text.keyNameHint}
          required
          autoFocus
          autoComplete="off"
          maxLength={200}
          value={name}
          problem={fieldProblem(make.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <ChoiceField
          label={text.role}
          value={role}
          options={roles.map((one) => [one, text.roles[one]] as const)}
          onChoose={setRole}
        />
        <ChoiceField
          label={text.expires}
          value={lifetime}
          options={keysOf(lifetimeDays).map((one) => [one, text.lifetimes[one]] as const)}
          onChoose={setLifetime}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button type="submit" look="primary" busy={make.isPending}>
            {text.makeKey}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
