import { createHash } from 'node:crypto'
import { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'

/** Log2 of N for scrypt: to write or open a copy takes 128 MiB and about 0.8 s. */
export const scryptLogNDefault = 17

/** An age header for one passphrase: https://c2sp.org/age. The number is log2 of N for scrypt. */
const ageHeader = /^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} ([1-9]\d?)\n[\w+/]{43}\n--- [\w+/]{43}\n/

/** Maximum length of a header that we make or read. */
export const ageHeaderBytesMax = 512

/** Returns the age header at the beginning of a payload; undefined if there is none. */
export function readAgeHeader(start: Buffer): { sha256: string; logN: number } | undefined {
  const match = ageHeader.exec(start.toString('latin1', 0, ageHeaderBytesMax))
  if (match === null) return undefined
  return { sha256: createHash('sha256').update(match[0], 'latin1').digest('hex'), logN: Number(match[1]) }
}

/** Encrypts into the age format. scrypt blocks the process while it runs. */
export async function* encrypt(
  source: AsyncIterable<Uint8Array>,
  { passphrase, scryptLogN }: { passphrase: string; scryptLogN: number },
): AsyncGenerator<Uint8Array, void, undefined> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  encrypter.setScryptWorkFactor(scryptLogN)
  yield* await encrypter.encrypt(webStream(source))
}

/**
 * Decrypts. Rejects if the passphrase is wrong; the stream fails if bytes were changed. scrypt
 * blocks the process while it runs.
 */
export async function openEncrypted(
  source: AsyncIterable<Uint8Array>,
  passphrase: string,
): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  return decrypter.decrypt(webStream(source))
}

/** Converts a type: the library expects streams of browsers, which work like those of Node. */
function webStream(source: AsyncIterable<Uint8Array>): globalThis.ReadableStream<Uint8Array> {
  return ReadableStream.from(source) as unknown as globalThis.ReadableStream<Uint8Array>
}
