import { EverscanError, type PasskeyRequestOptions } from '@everscan/client/create-client.ts'

/** The second factors that the service accepts, besides a recovery code. */
export type SecondFactorOffer = {
  /** Undefined without passkeys. */
  passkey: PasskeyRequestOptions | undefined
  code: boolean
  /** When the service made the offer: its options for a passkey expire. */
  atMs: number
}

/** Of a password at sign-in, and of a change in a session that is not confirmed. */
const refusals: ReadonlySet<string> = new Set(['TWO_FACTOR_REQUIRED', 'CONFIRMATION_REQUIRED'])

/** Returns the offer, if the service refused a request because a second factor is missing. */
export function secondFactorOffer(error: unknown): SecondFactorOffer | undefined {
  if (!(error instanceof EverscanError) || !refusals.has(error.code)) return undefined
  const options = error.details.find(({ path }) => path === 'passkey')?.options
  return {
    passkey: options as PasskeyRequestOptions | undefined,
    code: error.details.some(({ path }) => path === 'code'),
    atMs: Date.now(),
  }
}
