import type { SignedIn } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { fieldProblem, problemText } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { secondFactorWords, signInWords } from '../words/sign-in-words.ts'
import { api } from './api.ts'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { browserHasPasskeys } from './passkey-support.ts'
import { loadPart } from './reachability.ts'
import { secondFactorOffer, type SecondFactorOffer } from './second-factor-offer.ts'
import { signInOptionsQuery } from './session.ts'

const text = signInWords
const SecondFactor = lazy(async () =>
  loadPart(async () => import('./second-factor.tsx')).then((module) => ({ default: module.SecondFactor })),
)

type Props = {
  /** Address of the account, if it is known. */
  startEmail?: string
  onSignedIn: (signedIn: SignedIn) => Promise<void>
}

/** Asks for e-mail and password, or for a passkey, and then for a second factor if necessary. */
export function SignInForm({ startEmail = '', onSignedIn }: Props) {
  const [email, setEmail] = useState(startEmail)
  const [password, setPassword] = useState('')
  const [offer, setOffer] = useState<SecondFactorOffer>()
  const signIn = useMutation({
    mutationFn: async () => api.auth.signIn({ email, password }),
    onSuccess: onSignedIn,
    onError: (error) => setOffer(secondFactorOffer(error)),
  })
  if (offer !== undefined)
    return (
      <SecondFactorStep
        email={email}
        offer={offer}
        onSend={async (factor) => onSignedIn(await api.auth.signIn({ email, password, ...factor }))}
        onBack={() => {
          setOffer(undefined)
          signIn.reset()
        }}
      />
    )
  return (
    <>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        {signIn.isError && <Notice kind="problem">{problemText(signIn.error)}</Notice>}
        <Field
          label={text.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          autoFocus={startEmail === ''}
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
          {...(startEmail !== '' && { autoFocus: true, 'data-autofocus': true })}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" look="primary" busy={signIn.isPending}>
          {text.submit}
        </Button>
      </form>
      <OtherWays email={email} onSignedIn={onSignedIn} />
    </>
  )
}

/** Offers to sign in without the password, or to get a new one. */
function OtherWays({ email, onSignedIn }: Pick<Props, 'onSignedIn'> & { email: string }) {
  const options = useQuery(signInOptionsQuery)
  return (
    <>
      {options.data?.passkeys === true && browserHasPasskeys() && <PasskeySignIn onSignedIn={onSignedIn} />}
      <ForgottenPassword email={email} mails={options.data?.mails === true} />
    </>
  )
}

type StepProps = {
  email: string
  offer: SecondFactorOffer
  onSend: ComponentProps<typeof SecondFactor>['send']
  onBack: () => void
}

function SecondFactorStep({ email, offer, onSend, onBack }: StepProps) {
  return (
    <Suspense>
      <SecondFactor
        intro={
          <>
            {secondFactorWords.intro} <strong className="break-words text-ink">{email}</strong>
          </>
        }
        offer={offer}
        send={onSend}
        submit={text.submit}
        back={secondFactorWords.back}
        onBack={onBack}
      />
    </Suspense>
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
