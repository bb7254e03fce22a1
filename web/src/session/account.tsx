import type { User } from '@everscan/client/create-client.ts'
import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { LinesSkeleton } from '../ui/skeleton.tsx'
import { Card, Failure, Notice } from '../ui/surfaces.tsx'
import { AccountLogCard, refreshAccountLog } from './account-log-card.tsx'
import { PasskeysCard, passkeysQuery } from './passkeys-card.tsx'
import { EmailStatus } from './email-status.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'
import { api, queries } from './api.ts'
import { formatTime, formatWhen } from '../ui/format.ts'
import { fieldProblem, problemText } from '../ui/problems.ts'
import { programOf } from './programs.ts'
import { meQuery } from './session.ts'
import { accountWords } from '../words/account-words.ts'
import { commonWords } from '../words/common-words.ts'
import { newPasswordWords } from '../words/sign-in-words.ts'

const text = accountWords

/**
 * Edits the user's own name, password, passkeys, second factor and sessions, and shows recent
 * activity.
 */
export function AccountPage() {
  useTitle(text.title)
  const { data: user } = useSuspenseQuery(meQuery)
  const passwordCard = useRef<HTMLDivElement>(null)
  return (
    <div className="mx-auto grid max-w-2xl gap-5">
      <h1 className="text-2xl font-semibold">{text.title}</h1>
      <Profile user={user} />
      <div ref={passwordCard}>
        <PasswordCard />
      </div>
      <PasskeysCard user={user} />
      <TwoFactorCard user={user} />
      <Sessions />
      <AccountLogCard onChangePassword={() => passwordCard.current?.querySelector('input')?.focus()} />
    </div>
  )
}

function Profile({ user }: { user: User }) {
  const [name, setName] = useState(user.name)
  const save = useMutation({
    mutationFn: async () => api.me.update({ name }),
    onSuccess: (saved) => queries.setQueryData(meQuery.queryKey, saved),
  })
  return (
    <Card title={text.profile}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field
          label={text.name}
          autoComplete="name"
          required
          value={name}
          problem={fieldProblem(save.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Field label={text.email} value={user.email} readOnly />
        <EmailStatus user={user} />
        <div className="flex items-center gap-3">
          <Button type="submit" look="primary" busy={save.isPending} disabled={name === user.name}>
            {commonWords.save}
          </Button>
          <span role="status" className="text-sm text-soft">
            {save.isSuccess && name === user.name && text.saved}
          </span>
        </div>
      </form>
    </Card>
  )
}

function PasswordCard() {
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNext] = useState('')
  const passkeys = useQuery(passkeysQuery)
  const change = useMutation({
    mutationFn: async () => api.me.changePassword({ currentPassword, newPassword }),
    onSuccess: async () => {
      setCurrent('')
      setNext('')
      await refreshSessions()
    },
  })
  return (
    <Card title={text.password}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        {change.isError && <Notice kind="problem">{problemText(change.error)}</Notice>}
        {change.isSuccess && (
          <Notice kind="good">
            {text.changed} {(passkeys.data?.length ?? 0) > 0 && text.passkeysKept}
          </Notice>
        )}
        <Field
          label={text.current}
          type="password"
          autoComplete="current-password"
          required
          value={currentPassword}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <Field
          label={text.next}
          hint={newPasswordWords.hint}
          type="password"
          autoComplete="new-password"
          required
          value={newPassword}
          problem={fieldProblem(change.error, 'newPassword')}
          onChange={(event) => setNext(event.target.value)}
        />
        <div>
          <Button type="submit" busy={change.isPending}>
            {text.change}
          </Button>
        </div>
      </form>
    </Card>
  )
}

const refreshSessions = async () =>
  Promise.all([queries.invalidateQueries({ queryKey: ['sessions'] }), refreshAccountLog()])

function Sessions() {
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: async () => api.me.sessions({ limit: 100 }) })
  const end = useMutation({
    mutationFn: async (id: string) => api.me.endSession(id),
    onSettled: refreshSessions,
  })
  const endOthers = useMutation({
    mutationFn: async () => api.me.endOtherSessions(),
    onSettled: refreshSessions,
  })
  return (
    <Card title={text.sessions}>
      <p className="mb-3 text-soft">{text.sessionsText}</p>
      {sessions.isError && <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {sessions.isPending && <LinesSkeleton lines={1} />}
      <ul className="divide-y divide-line">
        {sessions.data?.data.map(({ id, userAgent, lastUsedAt, current }) => (
          <li key={id} className="flex min-h-14 items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{programOf(userAgent) ?? text.unknownProgram}</p>
              <p className="text-sm text-soft">
                {current && `${text.thisOne} · `}
                <time dateTime={lastUsedAt} title={formatTime(lastUsedAt)}>
                  {text.lastUsed(formatWhen(lastUsedAt))}
                </time>
              </p>
            </div>
            {!current && (
              <Button busy={end.isPending && end.variables === id} onClick={() => end.mutate(id)}>
                {text.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {(sessions.data?.pagination.total ?? 0) > 1 && (
        <Button className="mt-3" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
          {text.endOthers}
        </Button>
      )}
    </Card>
  )
}
