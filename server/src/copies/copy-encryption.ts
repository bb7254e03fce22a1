import { createHash } from 'node:crypto'
import { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter } from 'age-encryption'

/** Log2 of scrypt's N: 128 MiB and about 0.8 s for each copy that is written or opened. */
export const scryptLogNDefault = 17

/** The header of a file that one passphrase opens: https://c2sp.org/age. The number is scrypt's. */
const ageHeader = /^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} ([1-9]\d?)\n[\w+/]{43}\n--- [\w+/]{43}\n/

/** No header that we make or read is longer. */
export const ageHeaderBytesMax = 512

/** The age header at the beginning of a payload; undefined when there is none. */
export function readAgeHeader(start: Buffer): { sha256: string; logN: number } | undefined {
  const match = ageHeader.exec(start.toString('latin1', 0, ageHeaderBytesMax))
  if (match === null) return undefined
  return { sha256: createHash('sha256').update(match[0], 'latin1').digest('hex'), logN: Number(match[1]) }
}

/** Encrypts into the age format. Blocks the process for the time that scrypt takes. */
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
 * Decrypts. The promise is rejected when the passphrase is wrong, the stream fails when bytes were
 * changed. Blocks the process for the time that scrypt takes.
 */
export async function openEncrypted(
  source: AsyncIterable<Uint8Array>,
  passphrase: string,
): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(passphrase)
  return decrypter.decrypt(webStream(source))
}

/** The library's types are those of browsers; Node's streams work alike. */
function webStream(source: AsyncIterable<Uint8Array>): globalThis.ReadableStream<Uint8Array> {
  return ReadableStream.from(source) as unknown as globalThis.ReadableStream<Uint8Array>
}
