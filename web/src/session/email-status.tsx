import type { User } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { problemText } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { api } from './api.ts'
import { signInOptionsQuery } from './session.ts'
import { emailConfirmationWords } from '../words/sign-in-words.ts'

const text = emailConfirmationWords

/** Shows whether the user's address is confirmed, and sends the mail with which they confirm it. */
export function EmailStatus({ user: { email, emailConfirmedAt } }: { user: User }) {
  const options = useQuery(signInOptionsQuery)
  const send = useMutation({ mutationFn: async () => api.me.requestEmailConfirmation() })
  if (emailConfirmedAt !== null)
    return (
      <p>
        <Badge tone="good">{text.confirmed}</Badge>
      </p>
    )
  // Without mails, nobody can confirm an address or take an account over.
  if (options.data?.mails !== true) return null
  return (
    <div className="grid justify-items-start gap-3">
      <Badge tone="warning">{text.notConfirmed}</Badge>
      <p className="text-sm text-soft">{text.why}</p>
      {send.isError && <Notice kind="problem">{problemText(send.error)}</Notice>}
      {send.isSuccess && <Notice kind="good">{text.sent(email)}</Notice>}
      <Button busy={send.isPending} onClick={() => send.mutate()}>
        {send.isSuccess ? text.sendAgain : text.send}
      </Button>
    </div>
  )
}
