import type { PasskeyRequestOptions, SignedIn } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { words } from '../words/words.ts'
import { api } from './api.ts'
import { browserHasPasskeys, passkeyProblem } from './passkey-support.ts'
import { secondFactorOffer, type SecondFactorOffer } from './second-factor-offer.ts'

const text = words.secondFactor

/** Long enough for a user to answer the browser's window. */
const answerMs = 60_000

type Credentials = { email: string; password: string }
type Kind = 'passkey' | 'code' | 'recoveryCode'

type Props = {
  credentials: Credentials
  offer: SecondFactorOffer
  onSignedIn: (signedIn: SignedIn) => Promise<void>
  onBack: () => void
}

/** Asks for the second factor, in the form that the user chooses. */
export function SecondFactor({ credentials, offer, onSignedIn, onBack }: Props) {
  const { passkey } = offer
  const kinds: Kind[] = [
    ...(passkey !== undefined && browserHasPasskeys() ? (['passkey'] as const) : []),
    ...(offer.code ? (['code'] as const) : []),
    'recoveryCode',
  ]
  const [chosen, setChosen] = useState<Kind>(kinds[0] ?? 'recoveryCode')
  return (
    <div className="grid gap-4">
      <p className="text-soft">
        {text.intro} <strong className="break-words text-ink">{credentials.email}</strong>
      </p>
      {passkey !== undefined && !kinds.includes('passkey') && <p className="text-soft">{text.noPasskeys}</p>}
      {chosen === 'passkey' && passkey !== undefined ? (
        <PasskeyFactor {...{ credentials, onSignedIn }} options={passkey} atMs={offer.atMs} />
      ) : (
        <CodeFactor key={chosen} {...{ credentials, onSignedIn }} isRecovery={chosen === 'recoveryCode'} />
      )}
      <div className="grid justify-items-start gap-1 border-t border-line pt-3">
        {kinds
          .filter((kind) => kind !== chosen)
          .map((kind) => (
            <Button key={kind} look="quiet" className="-ms-3.5" onClick={() => setChosen(kind)}>
              {text.instead[kind]}
            </Button>
          ))}
        <Button look="quiet" className="-ms-3.5" onClick={onBack}>
          {text.back}
        </Button>
      </div>
    </div>
  )
}

function PasskeyFactor({
  credentials,
  options,
  atMs,
  onSignedIn,
}: Pick<Props, 'credentials' | 'onSignedIn'> & { options: PasskeyRequestOptions; atMs: number }) {
  const [tried, setTried] = useState(false)
  const signIn = useMutation({
    mutationFn: async () => {
      const isFresh = !tried && Date.now() - atMs < options.timeout - answerMs
      const { answerWithPasskey } = await import('./passkeys.ts')
      const passkey = await answerWithPasskey(isFresh ? options : await newOptions(credentials))
      return api.auth.signIn({ ...credentials, passkey })
    },
    onSuccess: onSignedIn,
    onError: () => setTried(true),
  })
  return (
    <>
      {signIn.isError && <Notice kind="problem">{passkeyProblem(signIn.error)}</Notice>}
      <Button look="primary" autoFocus busy={signIn.isPending} onClick={() => signIn.mutate()}>
        <KeyRound size={18} aria-hidden />
        {text.usePasskey}
      </Button>
    </>
  )
}

/** The refusal of a password alone has new options. */
async function newOptions(credentials: Credentials): Promise<PasskeyRequestOptions> {
  const refusal: unknown = await api.auth.signIn(credentials).catch((error: unknown) => error)
  const options = secondFactorOffer(refusal)?.passkey
  if (options === undefined) throw refusal
  return options
}

function CodeFactor({
  credentials,
  isRecovery,
  onSignedIn,
}: Pick<Props, 'credentials' | 'onSignedIn'> & { isRecovery: boolean }) {
  const [code, setCode] = useState('')
  const signIn = useMutation({
    mutationFn: async () => api.auth.signIn({ ...credentials, ...codeOf(code) }),
    onSuccess: onSignedIn,
  })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate()
      }}
    >
      {signIn.isError && <Notice kind="problem">{passkeyProblem(signIn.error)}</Notice>}
      <Field
        label={isRecovery ? text.recoveryCode : text.code}
        hint={isRecovery ? text.recoveryCodeHint : text.codeHint}
        name="code"
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        required
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" look="primary" busy={signIn.isPending}>
        {words.signIn.submit}
      </Button>
    </form>
  )
}

/** Reads a typed code: six digits are from the authenticator, anything else is a recovery code. */
function codeOf(typed: string): { code: string } | { recoveryCode: string } {
  const code = typed.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? { code } : { recoveryCode: typed.trim() }
}
