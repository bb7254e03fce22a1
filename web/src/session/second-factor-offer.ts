import { EverscanError, type PasskeyRequestOptions } from '@everscan/client/create-client.ts'

/** The second factors that the service accepts after the password, besides a recovery code. */
export type SecondFactorOffer = {
  /** Undefined without passkeys. */
  passkey: PasskeyRequestOptions | undefined
  code: boolean
  /** When the service made the offer: its options for a passkey expire. */
  atMs: number
}

/** Returns the offer, if the service refused a password because a second factor is missing. */
export function secondFactorOffer(error: unknown): SecondFactorOffer | undefined {
  if (!(error instanceof EverscanError) || error.code !== 'TWO_FACTOR_REQUIRED') return undefined
  const options = error.details.find(({ path }) => path === 'passkey')?.options
  return {
    passkey: options as PasskeyRequestOptions | undefined,
    code: error.details.some(({ path }) => path === 'code'),
    atMs: Date.now(),
  }
}
