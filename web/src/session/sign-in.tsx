import { EverscanError } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { NarrowPage } from '../ui/narrow-page.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { api, queries } from './api.ts'
import { signInOptionsQuery } from './session.ts'
import { fieldProblem, problemText } from '../ui/problems.ts'
import { words } from '../words/words.ts'

const text = words.signIn

/** Asks for e-mail and password, then for a code if the account requires one. */
export function SignInPage() {
  const navigate = useNavigate()
  const { to, ended } = useSearch({ from: '/sign-in' })
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const signIn = useMutation({
    mutationFn: async () => api.auth.signIn({ email, password, ...codeOf(code) }),
    onSuccess: async ({ user }) => {
      queries.clear()
      queries.setQueryData(['me'], user)
      await navigate({ to: to ?? '/', replace: true })
    },
  })
  const asksForCode = signIn.error instanceof EverscanError && signIn.error.code === 'TWO_FACTOR_REQUIRED'
  const options = useQuery(signInOptionsQuery)
  const [step, setStep] = useState<'password' | 'code'>('password')
  if (asksForCode && step === 'password') setStep('code')
  return (
    <NarrowPage title={text.title}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        {ended === true && signIn.isIdle && <Notice kind="problem">{text.ended}</Notice>}
        {signIn.isError && !asksForCode && <Notice kind="problem">{problemText(signIn.error)}</Notice>}
        <Field
          label={text.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          problem={fieldProblem(signIn.error, 'email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label={text.password}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {step === 'code' && (
          <Field
            label={text.code}
            hint={text.codeHint}
            name="code"
            autoComplete="one-time-code"
            required
            autoFocus
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        <Button type="submit" look="primary" busy={signIn.isPending}>
          {text.submit}
        </Button>
      </form>
      <ForgottenPassword email={email} mails={options.data?.mails === true} />
      {options.data?.signUp === true && (
        <p className="mt-5 border-t border-line pt-4 text-sm text-soft">
          {words.signUp.offer}{' '}
          <Link to="/sign-up" className="font-medium text-brand underline underline-offset-4">
            {words.signUp.link}
          </Link>
        </p>
      )}
    </NarrowPage>
  )
}

/** Reads a typed code: six digits are from the authenticator, anything else is a recovery code. */
function codeOf(typed: string): { code?: string; recoveryCode?: string } {
  const code = typed.replaceAll(/\s/g, '')
  if (code === '') return {}
  return /^\d{6}$/.test(code) ? { code } : { recoveryCode: typed.trim() }
}

function ForgottenPassword({ email, mails }: { email: string; mails: boolean }) {
  const ask = useMutation({ mutationFn: async () => api.auth.requestPasswordReset({ email }) })
  return (
    <details className="mt-5 text-sm">
      <summary className="cursor-pointer text-soft hover:text-ink">{text.forgotten}</summary>
      <p className="my-3 text-soft">{mails ? text.forgottenHelp : text.forgottenNoMails}</p>
      {ask.isSuccess && <Notice kind="good">{text.asked}</Notice>}
      {ask.isError && <Notice kind="problem">{problemText(ask.error)}</Notice>}
      {mails && !ask.isSuccess && (
        <Button disabled={email === ''} busy={ask.isPending} onClick={() => ask.mutate()}>
          {text.askForLink}
        </Button>
      )}
    </details>
  )
}
