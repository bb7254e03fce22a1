import { problem } from '@everscan/contract/problems/problem.ts'
import type { AttestationObject } from '@simplewebauthn/server/helpers'
import type { Log } from '../../log.ts'
import type { PasskeyAssertion, PasskeyRegistration } from '@everscan/contract/resources/passkeys.ts'
import type { NewPasskey, PasskeyRow, PasskeyUse } from '../../catalogue/accounts/passkeys.ts'
import type { Challenge } from '../../catalogue/accounts/used-challenges.ts'
import { ApiError, errorMessage } from '../../errors.ts'
import type { AccountContext } from './account-tools.ts'
import { openChallenge, type ChallengePurpose } from './passkey-challenges.ts'
import { algorithms } from './passkey-options.ts'
import { relyingPartyOf, type RelyingParty } from './relying-party.ts'

type VerifiedRegistration = Pick<
  NewPasskey,
  'credentialId' | 'publicKey' | 'counter' | 'backedUp' | 'transports' | 'challenge'
>

type Ceremony = {
  purpose: ChallengePurpose
  /** The log of the request, for the reason of a refusal. */
  log: Pick<Log, 'info'>
}

/** Throws ApiError 403 if no browser allows passkeys at PUBLIC_URL. */
export function requireRelyingParty({ config }: AccountContext): RelyingParty {
  const relyingParty = relyingPartyOf(config.publicUrl)
  if (relyingParty !== undefined) return relyingParty
  throw new ApiError(403, 'FORBIDDEN', problem('passkeysNotHere'))
}

/** Verifies a new passkey. Returns undefined if it is refused; the log has the reason. */
export async function verifyRegistration(
  context: AccountContext,
  registration: PasskeyRegistration,
  { purpose, log }: Ceremony,
): Promise<VerifiedRegistration | undefined> {
  const relyingParty = requireRelyingParty(context)
  const { verifyRegistrationResponse } = await webauthn()
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  return refusing(log, async () => {
    const { attestationObject } = registration.response
    requireNoCertificates(decodeAttestationObject(bytesOf(attestationObject)))
    const { expectedChallenge, opened } = expecting(context, purpose)
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...registration, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    })
    if (!verified) throw new Error('the attestation is wrong')
    const { credential, credentialBackedUp } = registrationInfo
    if (credential.id !== registration.id) throw new Error('the id is not that of the new credential')
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      backedUp: credentialBackedUp,
      transports: registration.response.transports ?? [],
      challenge: opened(),
    }
  })
}

/**
 * Verifies a use of a passkey, except for its counter and whether its challenge was used before:
 * `usePasskey` does that in a transaction. Returns undefined if it is refused; the log has the
 * reason.
 */
export async function verifyAssertion(
  context: AccountContext,
  assertion: PasskeyAssertion,
  {
    passkey,
    purpose,
    userVerification,
    log,
  }: Ceremony & { passkey: PasskeyRow; userVerification: 'required' | 'preferred' },
): Promise<PasskeyUse | undefined> {
  const relyingParty = requireRelyingParty(context)
  const { verifyAuthenticationResponse } = await webauthn()
  return refusing(log, async () => {
    const { expectedChallenge, opened } = expecting(context, purpose)
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: userVerification === 'required',
      credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: 0 },
    })
    if (!verified) throw new Error('the signature is wrong')
    return {
      id: passkey.id,
      userId: passkey.userId,
      counter: authenticationInfo.newCounter,
      backedUp: authenticationInfo.credentialBackedUp,
      challenge: opened(),
    }
  })
}

/** Loaded with the first passkey: it takes 27 MB of memory, and most processes never need it. */
async function webauthn() {
  return import('@simplewebauthn/server')
}

/**
 * Options ask for no attestation, so a browser sends none, or one that the new key itself signed.
 * Others hold certificates, whose evaluation would read addresses that the client chose.
 */
function requireNoCertificates(attestation: AttestationObject): void {
  const format = attestation.get('fmt')
  if (format === 'none') return
  if (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined) return
  throw new Error('the attestation has certificates')
}

/** The check of a challenge, and the challenge that passed it. */
function expecting(context: AccountContext, purpose: ChallengePurpose) {
  let found: Challenge | undefined
  return {
    expectedChallenge: (challenge: string) => {
      found = openChallenge(context, challenge, purpose)
      return found !== undefined
    },
    opened: () => {
      if (found === undefined) throw new Error('no challenge was checked')
      return found
    },
  }
}

/**
 * Runs a verification. Whatever it throws is caused by bytes of the client. The reason stays in the
 * log, because an answer must not have it.
 */
async function refusing<Result>(
  log: Pick<Log, 'info'>,
  verify: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await verify()
  } catch (error) {
    log.info({ reason: errorMessage(error).slice(0, 500) }, 'a passkey was refused')
    return undefined
  }
}

function bytesOf(encoded: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(encoded, 'base64url'))
}
