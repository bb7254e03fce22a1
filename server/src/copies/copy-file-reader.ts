import { createHash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { errorCode } from '../db/errors.ts'
import { errorMessage } from '../errors.ts'
import type { CopyEntry, Manifest } from './copy-archive.ts'
import { openEncrypted, readAgeHeader, scryptLogNDefault } from './copy-encryption.ts'
import { decodeHead, headBytes, type CopyHead } from './copy-head.ts'
import { CopyProblem, cutOff, damaged, notACopy } from './copy-problem.ts'
import { unpackCopy } from './unpack-copy.ts'

export type ReadCopyOptions = {
  /** Called with the bytes read so far, and the size of the file. */
  onProgress?: (bytes: number, of: number) => void
  /** When it aborts, the call throws its reason. */
  signal?: AbortSignal
}

export type OpenCopyOptions = ReadCopyOptions & { passphrase?: string }

/** The first read must hold the complete age header. */
const readBytes = 256 * 1024

type OpenCopy = { path: string; file: FileHandle; head: CopyHead }

/** Reads the first line, and checks that the file has the stated length. Throws a CopyProblem. */
export async function readCopyHead(path: string): Promise<CopyHead> {
  return withCopy(path, ({ head }) => Promise.resolve(head))
}

/** Reads the file once and compares its checksums. Needs no passphrase. Throws a CopyProblem. */
export async function checkCopyFile(path: string, options: ReadCopyOptions = {}): Promise<CopyHead> {
  return withCopy(path, async (copy) => {
    await checkPayload(copy, options)
    return copy.head
  })
}

/**
 * Yields the entries in order, each completely in memory, and returns the manifest. It may find
 * damage only at the end: if an entry must not be used before that, call `checkCopyFile` or
 * `readManifest` first. Throws a CopyProblem; `passphrase-wrong` means that the file is intact.
 */
export async function* readCopyEntries(
  path: string,
  options: OpenCopyOptions = {},
): AsyncGenerator<CopyEntry, Manifest, undefined> {
  const copy = await openCopy(path)
  try {
    return yield* unpackCopy(await openPayload(copy, options), copy)
  } catch (error) {
    if (error instanceof CopyProblem || options.signal?.aborted === true) throw error
    throw damaged(path, `its content cannot be unpacked (${errorMessage(error)})`, error)
  } finally {
    await copy.file.close()
  }
}

/**
 * Reads and checks the complete copy, because the manifest is its last entry. A restore needs this
 * pass before it changes anything: it proves that no byte was changed, and that everything can be
 * unpacked. Throws a CopyProblem.
 */
export async function readManifest(path: string, options: OpenCopyOptions = {}): Promise<Manifest> {
  const entries = readCopyEntries(path, options)
  for (;;) {
    const { done, value } = await entries.next()
    if (done === true) return value
  }
}

async function withCopy<Result>(path: string, work: (copy: OpenCopy) => Promise<Result>): Promise<Result> {
  const copy = await openCopy(path)
  try {
    return await work(copy)
  } finally {
    await copy.file.close()
  }
}

async function openCopy(path: string): Promise<OpenCopy> {
  const file = await openFile(path)
  try {
    const { size } = await file.stat()
    const head = decodeHead(await readAt(file, { path, position: 0, length: headBytes }), path)
    const expected = headBytes + head.payloadBytes
    if (size < expected) throw cutOff(path, size, expected)
    if (size > expected) throw damaged(path, `it has ${size} bytes instead of ${expected}`)
    return { path, file, head }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    // Opening a pipe would wait for its writer.
    if (!(await stat(path)).isFile()) throw notACopy(path, 'is not a file')
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof CopyProblem) throw error
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) throw notACopy(path, 'does not exist')
    throw unreadable(path, error)
  }
}

/** Reads `length` bytes; returns fewer only at the end of the file. */
async function readAt(
  file: FileHandle,
  { path, position, length }: { path: string; position: number; length: number },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  try {
    while (read < length) {
      const { bytesRead } = await file.read(bytes, read, length - read, position + read)
      if (bytesRead === 0) break
      read += bytesRead
    }
  } catch (error) {
    throw unreadable(path, error)
  }
  return bytes.subarray(0, read)
}

/**
 * Yields everything after the head. Throws a CopyProblem: for a wrong checksum at the end, for a
 * damaged age header at once.
 */
async function* readPayload(
  { path, file, head }: OpenCopy,
  { onProgress, signal }: ReadCopyOptions,
): AsyncGenerator<Buffer, void, undefined> {
  const hash = createHash('sha256')
  const end = headBytes + head.payloadBytes
  for (let position = headBytes; position < end;) {
    signal?.throwIfAborted()
    const bytes = await readAt(file, { path, position, length: Math.min(readBytes, end - position) })
    if (bytes.length === 0) throw cutOff(path, position, end)
    if (position === headBytes && head.encrypted) checkAgeHeader(path, head, bytes)
    position += bytes.length
    hash.update(bytes)
    onProgress?.(position, end)
    yield bytes
  }
  if (hash.digest('hex') !== head.payloadSha256) throw damaged(path, 'its checksum does not match')
}

function checkAgeHeader(path: string, head: CopyHead, start: Buffer): void {
  const header = readAgeHeader(start)
  if (header === undefined || header.sha256 !== head.ageHeaderSha256)
    throw damaged(path, 'the header of its encryption was changed')
  // scrypt allocates this memory before the header is authenticated.
  if (header.logN > scryptLogNDefault)
    throw damaged(path, 'its encryption needs more memory than that of a copy')
}

async function checkPayload(copy: OpenCopy, options: ReadCopyOptions): Promise<void> {
  const payload = readPayload(copy, options)
  while ((await payload.next()).done !== true);
}

async function openPayload(
  copy: OpenCopy,
  { passphrase, ...options }: OpenCopyOptions,
): Promise<AsyncIterable<Uint8Array>> {
  const { path, head } = copy
  const payload = readPayload(copy, options)
  if (!head.encrypted) {
    // An attacker could have replaced the encrypted copy by another one.
    if (passphrase !== undefined)
      throw new CopyProblem(
        'passphrase-needless',
        `${path} is not encrypted, so anyone may have made it. If it is the right copy, leave out the passphrase.`,
      )
    return payload
  }
  if (passphrase === undefined)
    throw new CopyProblem(
      'passphrase-missing',
      `${path} is encrypted. Name the file with its passphrase: --passphrase-file FILE.`,
    )
  try {
    return await openEncrypted(payload, passphrase)
  } catch (error) {
    if (error instanceof CopyProblem || options.signal?.aborted === true) throw error
    // Damage fails in the same way as a wrong passphrase.
    await checkPayload(copy, options)
    throw new CopyProblem(
      'passphrase-wrong',
      `${path} is intact, but this passphrase does not open it. Use the passphrase with which it was made.`,
      error,
    )
  }
}

function unreadable(path: string, error: unknown): CopyProblem {
  return new CopyProblem(
    'unreadable',
    `${path} cannot be read: ${errorMessage(error)}. Fix that, then try again.`,
    error,
  )
}
