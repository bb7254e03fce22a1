import type { PasskeyCreationOptions, PasskeyRequestOptions } from '@everscan/contract/resources/passkeys.ts'
import type { PasskeyRow } from '../../catalogue/accounts/passkeys.ts'
import { challengeMs } from './passkey-challenges.ts'
import type { RelyingParty } from './relying-party.ts'

/** EdDSA, ES256 and RS256 (RFC 9053): an authenticator has at least one of them. */
export const algorithms = [-8, -7, -257] as const

/**
 * Returns the options for creating a passkey. Every passkey can be the only factor of a sign-in:
 * the authenticator can list it (resident key) and checks who uses it (user verification).
 */
export function creationOptions(
  relyingParty: RelyingParty,
  {
    user,
    challenge,
    known,
  }: { user: { id: string; email: string; name: string }; challenge: string; known: readonly PasskeyRow[] },
): PasskeyCreationOptions {
  return {
    rp: { id: relyingParty.id, name: 'Everscan' },
    user: {
      id: Buffer.from(user.id).toString('base64url'),
      name: user.email,
      displayName: user.name,
    },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    attestation: 'none',
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    excludeCredentials: known.map(descriptorOf),
  }
}

/**
 * Returns the options for using a passkey. Without `passkeys`, the person chooses one of any
 * account, and it is the only factor: the authenticator must check who uses it.
 */
export function requestOptions(
  relyingParty: RelyingParty,
  { challenge, passkeys = [] }: { challenge: string; passkeys?: readonly PasskeyRow[] },
): PasskeyRequestOptions {
  return {
    challenge,
    rpId: relyingParty.id,
    timeout: challengeMs,
    userVerification: passkeys.length === 0 ? 'required' : 'preferred',
    allowCredentials: passkeys.map(descriptorOf),
  }
}

function descriptorOf({ credentialId, transports }: PasskeyRow) {
  return {
    type: 'public-key' as const,
    id: credentialId,
    transports: JSON.parse(transports) as string[],
  }
}
