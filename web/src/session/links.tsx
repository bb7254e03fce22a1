import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Button, buttonClass } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { NarrowPage } from '../ui/narrow-page.tsx'
import { FormProblem, Notice } from '../ui/surfaces.tsx'
import { api, queries } from './api.ts'
import { meQuery } from './session.ts'
import { fieldProblem } from '../ui/problems.ts'
import { emailConfirmationWords, newPasswordWords, signInWords, signUpWords } from '../words/sign-in-words.ts'

// Pages that links lead to. The secret of a link is behind "#", which browsers send to no server.

/** Sets a new password, from the link for a forgotten one. */
export function NewPasswordPage() {
  const text = newPasswordWords
  const [newPassword, setNewPassword] = useState('')
  const confirm = useMutation({
    mutationFn: async (token: string) => api.auth.confirmPasswordReset({ token, newPassword }),
  })
  return (
    <LinkPage
      title={text.title}
      submit={text.submit}
      action={{ ...confirm, done: text.done }}
      onSubmit={(token) => confirm.mutate(token)}
    >
      <Field
        label={text.password}
        hint={text.hint}
        type="password"
        autoComplete="new-password"
        required
        value={newPassword}
        problem={fieldProblem(confirm.error, 'newPassword')}
        onChange={(event) => setNewPassword(event.target.value)}
      />
    </LinkPage>
  )
}

/** Confirms a sign-up, from the link in its mail. */
export function ConfirmSignUpPage() {
  const text = signUpWords
  const [password, setPassword] = useState('')
  const confirm = useMutation({
    mutationFn: async (token: string) => api.auth.confirmSignUp({ token, password }),
  })
  return (
    <LinkPage
      title={text.confirmTitle}
      submit={text.confirm}
      action={{ ...confirm, done: text.confirmed }}
      onSubmit={(token) => confirm.mutate(token)}
    >
      <p className="text-soft">{text.confirmText}</p>
      <Field
        label={signInWords.password}
        hint={newPasswordWords.hint}
        type="password"
        autoComplete="new-password"
        required
        value={password}
        problem={fieldProblem(confirm.error, 'password')}
        onChange={(event) => setPassword(event.target.value)}
      />
    </LinkPage>
  )
}

/** Confirms the address of the signed-in user, from the link in a mail. */
export function ConfirmEmailPage() {
  const text = emailConfirmationWords
  const { data: user } = useSuspenseQuery(meQuery)
  const confirm = useMutation({
    mutationFn: async (token: string) => api.me.confirmEmail({ token }),
    onSuccess: (confirmed) => queries.setQueryData(meQuery.queryKey, confirmed),
  })
  return (
    <LinkPage
      title={text.title}
      submit={text.submit}
      action={{ ...confirm, done: text.done }}
      next={
        <Link to="/" className={buttonClass('primary')}>
          {text.next}
        </Link>
      }
      onSubmit={(token) => confirm.mutate(token)}
    >
      <p className="text-soft">
        {text.text} <bdi className="font-medium break-all text-ink">{user.email}</bdi>
      </p>
    </LinkPage>
  )
}

function LinkPage({
  title,
  submit,
  action: { isPending, isSuccess, error, done },
  next = (
    <Link to="/sign-in" className={buttonClass('primary')}>
      {signInWords.title}
    </Link>
  ),
  onSubmit,
  children,
}: {
  title: string
  submit: string
  action: { isPending: boolean; isSuccess: boolean; error: unknown; done: string }
  /** Leads on after success; to signing in by default. */
  next?: ReactNode
  onSubmit: (token: string) => void
  children: ReactNode
}) {
  const [token] = useState(() => location.hash.slice(1))
  if (isSuccess)
    return (
      <NarrowPage title={title}>
        <div className="grid gap-4">
          <Notice kind="good">{done}</Notice>
          {next}
        </div>
      </NarrowPage>
    )
  return (
    <NarrowPage title={title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(token)
        }}
      >
        {token === '' && <Notice kind="problem">{newPasswordWords.noToken}</Notice>}
        <FormProblem error={error} fields={['newPassword', 'password']} />
        {children}
        <Button type="submit" look="primary" busy={isPending} disabled={token === ''}>
          {submit}
        </Button>
      </form>
    </NarrowPage>
  )
}
