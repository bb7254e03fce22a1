import type { ConfirmSession, PasskeyRequestOptions } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { secondFactorWords } from '../words/sign-in-words.ts'
import { browserHasPasskeys, passkeyProblem } from './passkey-support.ts'
import { secondFactorOffer, type SecondFactorOffer } from './second-factor-offer.ts'
import { loadPart } from './reachability.ts'

const text = secondFactorWords

/** Long enough for a user to answer the browser's window. */
const answerMs = 60_000

type Kind = 'passkey' | 'code' | 'recoveryCode'

type Props = {
  intro?: ReactNode
  offer: SecondFactorOffer
  /** Sends the request. Without a factor, the service refuses it with a new offer. */
  send: (factor: ConfirmSession) => Promise<unknown>
  /** Label of the button that sends a code. */
  submit: string
  /** Label of the button that gives up. */
  back: string
  onBack: () => void
}

/** Asks for a second factor, in the form that the user chooses. */
export function SecondFactor({ intro, offer, send, submit, back, onBack }: Props) {
  const { passkey } = offer
  const kinds: Kind[] = [
    ...(passkey !== undefined && browserHasPasskeys() ? (['passkey'] as const) : []),
    ...(offer.code ? (['code'] as const) : []),
    'recoveryCode',
  ]
  const [chosen, setChosen] = useState<Kind>(kinds[0] ?? 'recoveryCode')
  return (
    <div className="grid gap-4">
      {intro !== undefined && <p className="text-soft">{intro}</p>}
      {passkey !== undefined && !kinds.includes('passkey') && <p className="text-soft">{text.noPasskeys}</p>}
      {chosen === 'passkey' && passkey !== undefined ? (
        <PasskeyFactor send={send} options={passkey} atMs={offer.atMs} />
      ) : (
        <CodeFactor key={chosen} {...{ send, submit }} isRecovery={chosen === 'recoveryCode'} />
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
          {back}
        </Button>
      </div>
    </div>
  )
}

function PasskeyFactor({
  options,
  atMs,
  send,
}: Pick<Props, 'send'> & { options: PasskeyRequestOptions; atMs: number }) {
  const [tried, setTried] = useState(false)
  const answer = useMutation({
    mutationFn: async () => {
      const isFresh = !tried && Date.now() - atMs < options.timeout - answerMs
      const { answerWithPasskey } = await loadPart(async () => import('./passkeys.ts'))
      const passkey = await answerWithPasskey(isFresh ? options : await newOptions(send))
      return send({ passkey })
    },
    onError: () => setTried(true),
  })
  return (
    <>
      {answer.isError && <Notice kind="problem">{passkeyProblem(answer.error)}</Notice>}
      <Button look="primary" autoFocus data-autofocus busy={answer.isPending} onClick={() => answer.mutate()}>
        <KeyRound size={18} aria-hidden />
        {text.usePasskey}
      </Button>
    </>
  )
}

/** The refusal of a request without a factor has new options. */
async function newOptions(send: Props['send']): Promise<PasskeyRequestOptions> {
  const refusal: unknown = await send({}).catch((error: unknown) => error)
  const options = secondFactorOffer(refusal)?.passkey
  if (options === undefined) throw refusal
  return options
}

function CodeFactor({ isRecovery, send, submit }: Pick<Props, 'send' | 'submit'> & { isRecovery: boolean }) {
  const [code, setCode] = useState('')
  const answer = useMutation({ mutationFn: async () => send(codeOf(code)) })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        answer.mutate()
      }}
    >
      {answer.isError && <Notice kind="problem">{passkeyProblem(answer.error)}</Notice>}
      <Field
        label={isRecovery ? text.recoveryCode : text.code}
        hint={isRecovery ? text.recoveryCodeHint : text.codeHint}
        name="code"
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        required
        autoFocus
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" look="primary" busy={answer.isPending}>
        {submit}
      </Button>
    </form>
  )
}

/** Reads a typed code: six digits are from the authenticator, anything else is a recovery code. */
function codeOf(typed: string): ConfirmSession {
  const code = typed.replaceAll(/\s/g, '')
  return /^\d{6}$/.test(code) ? { code } : { recoveryCode: typed.trim() }
}
