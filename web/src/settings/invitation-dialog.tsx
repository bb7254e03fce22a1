import type { CreatedInvitation } from '@everscan/client/create-client.ts'
import { roles, type Role } from '@everscan/contract/schema/common.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { fieldProblem } from '../ui/problems.ts'
import { membersWords } from '../words/settings-words.ts'
import { ChoiceField } from '../ui/choice.tsx'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormProblem } from '../ui/surfaces.tsx'

const text = membersWords

type Props = { orgId: string; onMade: (invitation: CreatedInvitation) => void; onClose: () => void }

/** Asks whom to invite, and with which role. */
export function InvitationDialog({ orgId, onMade, onClose }: Props) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('EDITOR')
  const invite = useMutation({
    mutationFn: async () => api.invitations.create(orgId, { email, role }),
    onSuccess: onMade,
  })
  return (
    <Dialog title={text.inviteTitle} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate()
        }}
      >
        <FormProblem error={invite.error} fields={['email']} />
        <Field
          label={text.email}
          type="email"
          required
          autoFocus
          autoComplete="off"
          value={email}
          problem={fieldProblem(invite.error, 'email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        <ChoiceField
          label={text.role}
          value={role}
          options={roles.map((one) => [one, text.rolesText[one]] as const)}
          onChoose={setRole}
        />
        <FormButtons action={text.makeInvitation} busy={invite.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
