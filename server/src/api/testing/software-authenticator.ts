import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@everscan/contract/resources/passkeys.ts'
import { publicUrl } from './api.ts'

/** How a hostile or broken browser or authenticator differs from an honest one. */
export type Deviation = {
  origin?: string
  rpId?: string
  challenge?: string
  /** The type of the ceremony, such as `webauthn.create`. */
  type?: string
  /** Claims in vain that nobody touched the device, or that it did not check who does. */
  userPresent?: boolean
  userVerified?: boolean
  backedUp?: boolean
  counter?: number
  credentialId?: Buffer
  /** Signs with the key of another credential. */
  privateKey?: KeyObject
  /** The attestation format and statement, for registrations. */
  attestation?: { format: string; statement: Map<string, Cbor> }
}

/** A passkey in software: makes what a browser returns, with node:crypto (WebAuthn, section 6). */
export type SoftwarePasskey = {
  credentialId: Buffer
  privateKey: KeyObject
  registration: PasskeyRegistration
  /** Answers the options of a sign-in. The counter grows with each use, unless it is 0. */
  use: (options: Pick<PasskeyRequestOptions, 'challenge'>, deviation?: Deviation) => PasskeyAssertion
}

export type KeyAlgorithm = 'ES256' | 'EdDSA' | 'RS256'

/** Creates a passkey for the options that the API gave. */
export function createPasskey(
  options: Pick<PasskeyCreationOptions, 'challenge'>,
  { algorithm = 'ES256', ...deviation }: Deviation & { algorithm?: KeyAlgorithm } = {},
): SoftwarePasskey {
  const { publicKey, privateKey } = keyPairs[algorithm]()
  const credentialId = deviation.credentialId ?? randomBytes(32)
  let counter = deviation.counter ?? 1
  const authData = authenticatorData({ counter, ...deviation }, attested(credentialId, publicKey))
  const { format, statement } = deviation.attestation ?? { format: 'none', statement: new Map() }
  const attestationObject = encodeCbor(
    new Map<string, Cbor>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', authData],
    ]),
  )
  const id = credentialId.toString('base64url')
  const client = clientData('webauthn.create', options.challenge, deviation)
  return {
    credentialId,
    privateKey,
    registration: {
      ...credential(id),
      response: {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    },
    use: ({ challenge }, used = {}) => {
      counter = used.counter ?? (counter === 0 ? 0 : counter + 1)
      const data = authenticatorData({ ...used, counter })
      const usedClient = clientData('webauthn.get', challenge, used)
      const signed = Buffer.concat([data, createHash('sha256').update(usedClient).digest()])
      const hash = algorithm === 'EdDSA' ? null : 'sha256'
      return {
        ...credential(used.credentialId?.toString('base64url') ?? id),
        response: {
          clientDataJSON: usedClient.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign(hash, signed, used.privateKey ?? privateKey).toString('base64url'),
        },
      }
    },
  }
}

function credential(id: string) {
  return { id, rawId: id, type: 'public-key' as const }
}

function clientData(type: string, challenge: string, deviation: Deviation): Buffer {
  const { origin = publicUrl } = deviation
  return Buffer.from(
    JSON.stringify({
      type: deviation.type ?? type,
      challenge: deviation.challenge ?? challenge,
      origin,
      crossOrigin: false,
    }),
  )
}

/** WebAuthn, section 6.1. */
function authenticatorData(
  {
    rpId = new URL(publicUrl).hostname,
    userPresent = true,
    userVerified = true,
    backedUp = false,
    counter = 0,
  }: Deviation,
  attestedData: Buffer = Buffer.alloc(0),
): Buffer {
  const bits = [userPresent, false, userVerified, backedUp, backedUp, false, attestedData.length > 0]
  const head = Buffer.alloc(5)
  head.writeUInt8(
    bits.reduce((sum, bit, at) => sum + (bit ? 2 ** at : 0), 0),
    0,
  )
  head.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), head, attestedData])
}

/** WebAuthn, section 6.5.1. */
function attested(credentialId: Buffer, publicKey: KeyObject): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(credentialId.length)
  return Buffer.concat([Buffer.alloc(16), length, credentialId, encodeCbor(coseKey(publicKey))])
}

const keyPairs: Readonly<Record<KeyAlgorithm, () => { publicKey: KeyObject; privateKey: KeyObject }>> = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

/** RFC 9053. */
function coseKey(publicKey: KeyObject): Map<number, Cbor> {
  const jwk = publicKey.export({ format: 'jwk' })
  if (jwk.kty === 'EC')
    return new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(jwk.x)],
      [-3, bytesOf(jwk.y)],
    ])
  if (jwk.kty === 'OKP')
    return new Map<number, Cbor>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytesOf(jwk.x)],
    ])
  return new Map<number, Cbor>([
    [1, 3],
    [3, -257],
    [-1, bytesOf(jwk.n)],
    [-2, bytesOf(jwk.e)],
  ])
}

function bytesOf(encoded = ''): Buffer {
  return Buffer.from(encoded, 'base64url')
}

export type Cbor = number | string | Buffer | readonly Cbor[] | Map<number, Cbor> | Map<string, Cbor>

/** RFC 8949, as far as authenticators use it. */
export function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string')
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  if (value instanceof Map) {
    const entries = [...value] as [number | string, Cbor][]
    return Buffer.concat([
      cborHead(5, entries.length),
      ...entries.flatMap(([key, one]) => [encodeCbor(key), encodeCbor(one)]),
    ])
  }
  return Buffer.concat([cborHead(4, value.length), ...value.map(encodeCbor)])
}

function cborHead(major: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}
