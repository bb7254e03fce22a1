import { EverscanError, type ReceivedInvitation } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formatAge, formatTime } from '../ui/format.ts'
import { NarrowPage } from '../ui/narrow-page.tsx'
import { fieldProblem } from '../ui/problems.ts'
import { Failure, FormProblem, Notice } from '../ui/surfaces.tsx'
import { showToast } from '../ui/toasts.ts'
import { invitationWords } from '../words/account-words.ts'
import { commonWords } from '../words/common-words.ts'
import { newPasswordWords, signInWords } from '../words/sign-in-words.ts'
import { api, queries } from './api.ts'
import { goOnAs } from './ended-session.ts'

const text = invitationWords

/**
 * Shows who invites whom to what, asks for what accepting needs, and ends in the organization. The
 * token is behind "#" in the link, which browsers send to no server.
 */
export function InvitationPage() {
  const [token] = useState(() => location.hash.slice(1))
  const received = useQuery({
    queryKey: ['received invitation', token],
    queryFn: async () => api.invitations.receive({ token }),
    enabled: token !== '',
    retry: (times, error) => times < 2 && !isMissing(error),
    staleTime: Infinity,
  })
  if (received.data !== undefined) return <Invited token={token} invitation={received.data} />
  const isGone = token === '' || isMissing(received.error)
  return (
    <NarrowPage title={text.title}>
      {isGone ? (
        <div className="grid gap-4">
          <Notice kind="problem">{token === '' ? newPasswordWords.noToken : text.gone}</Notice>
          <SignInLink />
        </div>
      ) : received.isError ? (
        <Failure error={received.error} onRetry={() => void received.refetch()} />
      ) : (
        <div role="status" aria-label={commonWords.loading} className="h-64" />
      )}
    </NarrowPage>
  )
}

function Invited({ token, invitation }: { token: string; invitation: ReceivedInvitation }) {
  const { organization, invitedBy, email, needs } = invitation
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const isNew = needs === 'NAME_AND_PASSWORD'
  const accept = useAcceptance(organization, {
    token,
    signIn: true,
    ...(isNew && { name }),
    ...(needs !== 'NOTHING' && { password }),
  })
  if (accept.isSuccess && !accept.data.signedIn) return <Accepted organization={organization} />
  return (
    <NarrowPage title={text.join(organization)}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          accept.mutate()
        }}
      >
        <p className="text-soft">{text.invites(invitedBy, organization)}</p>
        <InvitationFacts invitation={invitation} />
        <FormProblem error={accept.error} fields={['name', 'password']} />
        {/* Lets the password manager save the address with the password. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {isNew && (
          <Field
            label={text.name}
            autoComplete="name"
            required
            value={name}
            problem={fieldProblem(accept.error, 'name')}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        {needs !== 'NOTHING' && (
          <Field
            label={isNew ? text.newPassword : signInWords.password}
            hint={isNew ? newPasswordWords.hint : text.passwordHint}
            type="password"
            autoComplete={isNew ? 'new-password' : 'current-password'}
            required
            value={password}
            problem={fieldProblem(accept.error, 'password')}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        <Button type="submit" look="primary" busy={accept.isPending}>
          {text.submit}
        </Button>
      </form>
    </NarrowPage>
  )
}

/** Asks a new member to sign in. */
function Accepted({ organization }: { organization: string }) {
  return (
    <NarrowPage title={text.join(organization)}>
      <div className="grid gap-4">
        <Notice kind="good">{text.done(organization)}</Notice>
        <SignInLink />
      </div>
    </NarrowPage>
  )
}

/** Accepts an invitation, and goes on in its organization. */
function useAcceptance(organization: string, sent: Parameters<typeof api.invitations.accept>[0]) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async () => api.invitations.accept(sent),
    onSuccess: async (accepted) => {
      if (!accepted.signedIn) return
      await goOnAsMember()
      await navigate({ to: '/$orgId/codes', params: { orgId: accepted.organization.id }, replace: true })
      showToast({ kind: 'good', text: text.welcome(organization) })
    },
  })
}

function InvitationFacts({ invitation: { email, role, expiresAt } }: { invitation: ReceivedInvitation }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
      <dt className="text-soft">{text.email}</dt>
      <dd className="font-medium break-all">
        <bdi>{email}</bdi>
      </dd>
      <dt className="text-soft">{text.role}</dt>
      <dd>{text.roles[role]}</dd>
      <dt className="text-soft">{text.valid}</dt>
      <dd>
        <time dateTime={expiresAt} title={formatTime(expiresAt)}>
          {formatAge(expiresAt)}
        </time>
      </dd>
    </dl>
  )
}

/** This browser goes on as the new member: nothing of an earlier user stays. */
async function goOnAsMember(): Promise<void> {
  queries.clear()
  const user = await api.me.read()
  queries.setQueryData(['me'], user)
  goOnAs(user)
}

const isMissing = (error: unknown) => error instanceof EverscanError && error.status === 404

function SignInLink() {
  return (
    <Link to="/sign-in" className={buttonClass('primary')}>
      {signInWords.title}
    </Link>
  )
}
