import type { SignedIn } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { NarrowPage } from '../ui/narrow-page.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { api, queries } from './api.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { browserHasPasskeys } from './passkey-support.ts'
import { secondFactorOffer, type SecondFactorOffer } from './second-factor-offer.ts'
import { signInOptionsQuery } from './session.ts'
import { fieldProblem, problemText } from '../ui/problems.ts'
import { secondFactorWords, signInWords, signUpWords } from '../words/sign-in-words.ts'

const text = signInWords
const SecondFactor = lazy(async () =>
  import('./second-factor.tsx').then((module) => ({ default: module.SecondFactor })),
)

/** Asks for e-mail and password, or for a passkey, and then for a second factor if necessary. */
export function SignInPage() {
  const navigate = useNavigate()
  const { to, ended } = useSearch({ from: '/sign-in' })
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [offer, setOffer] = useState<SecondFactorOffer>()
  const onSignedIn = async ({ user }: SignedIn) => {
    queries.clear()
    queries.setQueryData(['me'], user)
    await navigate({ to: to ?? '/', replace: true })
  }
  const signIn = useMutation({
    mutationFn: async () => api.auth.signIn({ email, password }),
    onSuccess: onSignedIn,
    onError: (error) => setOffer(secondFactorOffer(error)),
  })
  const options = useQuery(signInOptionsQuery)
  if (offer !== undefined)
    return (
      <NarrowPage title={text.title}>
        <Suspense>
          <SecondFactor
            intro={
              <>
                {secondFactorWords.intro} <strong className="break-words text-ink">{email}</strong>
              </>
            }
            offer={offer}
            send={async (factor) => onSignedIn(await api.auth.signIn({ email, password, ...factor }))}
            submit={text.submit}
            back={secondFactorWords.back}
            onBack={() => {
              setOffer(undefined)
              signIn.reset()
            }}
          />
        </Suspense>
      </NarrowPage>
    )
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
        {signIn.isError && secondFactorOffer(signIn.error) === undefined && (
          <Notice kind="problem">{problemText(signIn.error)}</Notice>
        )}
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
        <Button type="submit" look="primary" busy={signIn.isPending}>
          {text.submit}
        </Button>
      </form>
      {options.data?.passkeys === true && browserHasPasskeys() && <PasskeySignIn onSignedIn={onSignedIn} />}
      <ForgottenPassword email={email} mails={options.data?.mails === true} />
      {options.data?.signUp === true && (
        <p className="mt-5 border-t border-line pt-4 text-sm text-soft">
          {signUpWords.offer}{' '}
          <Link to="/sign-up" className="font-medium text-brand underline underline-offset-4">
            {signUpWords.link}
          </Link>
        </p>
      )}
    </NarrowPage>
  )
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
