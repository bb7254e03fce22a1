import { Type, type Static, type TProperties } from 'typebox'
import { Id, Line, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'
import { patterns } from '../schema/patterns.ts'
import { RecoveryCodes } from './two-factor.ts'
import { CurrentPassword } from './users.ts'

// Options and responses have the JSON form of Web Authentication Level 3
// (https://www.w3.org/TR/webauthn-3/).

/**
 * An object from a browser, which may have more members: later versions of browsers add some, and
 * people must be able to sign in after an update.
 */
function openObject<P extends TProperties>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: true, ...options })
}

/** Bytes as a browser sends them. `charsMax` bounds the encoded form. */
function Bytes(charsMax: number, description: string) {
  return Type.String({
    description: `${description} In base64url.`,
    minLength: 1,
    maxLength: charsMax,
    pattern: patterns.base64Url,
    examples: ['dGhlIGJ5dGVz'],
  })
}

/** A credential id has at most 1,023 bytes. */
const CredentialId = Bytes(1_364, 'The id of the credential.')
const ClientData = Bytes(4_096, 'What the browser did: type, challenge and origin, as JSON.')
const CredentialType = Type.Literal('public-key', { type: 'string' })
const userVerifications = ['required', 'preferred'] as const

const CredentialDescriptor = strictObject({
  type: CredentialType,
  id: CredentialId,
  transports: Type.Array(Type.String(), { description: 'How the browser reaches the authenticator.' }),
})

const Challenge = Type.String({
  description: `What the authenticator signs, in base64url. It can be used once, within ${limits.passkeyChallengeMinutes} minutes.`,
  examples: ['djEuWkc5bElIUm9aU0JqYUdGc2JHVnVaMlU'],
})
const TimeoutMs = Type.Integer({ description: 'How long the challenge is valid, in milliseconds.' })

/** The body that starts adding a passkey. */
export const BeginPasskey = strictObject(
  { currentPassword: CurrentPassword },
  { examples: [{ currentPassword: 'correct horse battery' }] },
)
export type BeginPasskey = Static<typeof BeginPasskey>

/** The options for `navigator.credentials.create`, in their JSON form. */
export const PasskeyCreationOptions = strictObject({
  rp: strictObject({
    id: Type.String({
      description: 'The host name of PUBLIC_URL, to which the passkey is bound.',
      examples: ['qr.example.com'],
    }),
    name: Type.String(),
  }),
  user: strictObject({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Challenge,
  pubKeyCredParams: Type.Array(strictObject({ type: CredentialType, alg: Type.Integer() })),
  timeout: TimeoutMs,
  attestation: Type.Literal('none', { type: 'string' }),
  authenticatorSelection: strictObject({
    residentKey: Type.Literal('required', { type: 'string' }),
    requireResidentKey: Type.Literal(true, { type: 'boolean' }),
    userVerification: Type.Literal('required', { type: 'string' }),
  }),
  excludeCredentials: Type.Array(CredentialDescriptor, {
    description: 'The passkeys that the account has already.',
  }),
})
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>

/** The options for `navigator.credentials.get`, in their JSON form. */
export const PasskeyRequestOptions = strictObject({
  challenge: Challenge,
  rpId: Type.String({ examples: ['qr.example.com'] }),
  timeout: TimeoutMs,
  userVerification: oneOf(userVerifications),
  allowCredentials: Type.Array(CredentialDescriptor, {
    description: 'Empty for a sign-in with a passkey alone: the person chooses the account.',
  }),
})
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>

/** The result of `navigator.credentials.create`, in its JSON form. */
export const PasskeyRegistration = openObject({
  id: CredentialId,
  rawId: CredentialId,
  type: CredentialType,
  response: openObject({
    clientDataJSON: ClientData,
    attestationObject: Bytes(16_384, 'The new public key and the state of the authenticator.'),
    transports: Type.Optional(
      Type.Array(Type.String({ maxLength: 40, pattern: patterns.line }), { maxItems: 10 }),
    ),
  }),
})
export type PasskeyRegistration = Static<typeof PasskeyRegistration>

/** The result of `navigator.credentials.get`, in its JSON form. */
export const PasskeyAssertion = openObject(
  {
    id: CredentialId,
    rawId: CredentialId,
    type: CredentialType,
    response: openObject({
      clientDataJSON: ClientData,
      authenticatorData: Bytes(4_096, 'The state of the authenticator.'),
      signature: Bytes(4_096, 'The signature of both.'),
    }),
  },
  { description: 'The result of `navigator.credentials.get`, in its JSON form.' },
)
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

const PasskeyName = Line(limits.nameCharsMax, 'Name of the passkey, such as the device that has it.', {
  examples: ['Phone'],
})

/** The body that adds a passkey. */
export const AddPasskey = strictObject({ name: PasskeyName, passkey: PasskeyRegistration })
export type AddPasskey = Static<typeof AddPasskey>

/** A passkey of an account. */
export const Passkey = strictObject({
  id: Id('psk'),
  name: Type.String({ description: 'Name of the passkey.', examples: ['Phone'] }),
  backedUp: Type.Boolean({
    description:
      'Whether a copy exists outside of the device, such as in a password manager, as of the last use.',
  }),
  createdAt: Timestamp('When the passkey was added.'),
  lastUsedAt: nullable(
    Timestamp('When the passkey was last used to sign in or to confirm a session; `null` if never.'),
  ),
})
export type Passkey = Static<typeof Passkey>

export const PasskeyPage = Page(Passkey)
export type PasskeyPage = Static<typeof PasskeyPage>

/** A new passkey, with recovery codes if it is the first second factor of the account. */
export const AddedPasskey = strictObject({
  passkey: Passkey,
  recoveryCodes: nullable(RecoveryCodes.properties.recoveryCodes, {
    description:
      'Recovery codes, to be stored apart from the passkey; each works once. Shown only once. `null` if the account has some already, because it had a second factor before.',
  }),
})
export type AddedPasskey = Static<typeof AddedPasskey>

/** The body that renames a passkey. */
export const RenamePasskey = strictObject({ name: PasskeyName })
export type RenamePasskey = Static<typeof RenamePasskey>

/** The body that removes a passkey. */
export const RemovePasskey = BeginPasskey
export type RemovePasskey = Static<typeof RemovePasskey>

/** The body that signs a person in with a passkey alone. */
export const PasskeySignIn = strictObject({ passkey: PasskeyAssertion })
export type PasskeySignIn = Static<typeof PasskeySignIn>
