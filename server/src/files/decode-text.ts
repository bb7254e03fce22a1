import { problem } from '@everscan/contract/problems/problem.ts'
import { isAscii, isUtf8 } from 'node:buffer'
import { ApiError } from '../errors.ts'
import { fileError, inField } from '../request-errors.ts'

/**
 * No character is longer in UTF-8 or UTF-16, so at most this many bytes of a chunk wait for the
 * next one.
 */
const characterBytesMax = 4
/** Enough to find a byte order mark, or to see that every other byte is 0. */
const headBytes = 64

/**
 * Decodes the text of a file in UTF-8, UTF-16 (with or without byte order mark) or Windows-1252, as
 * spreadsheets write them. Bytes that are not UTF-8 make it Windows-1252, unless most non-ASCII
 * characters are UTF-8. Throws ApiError 415 for a file that is not text, and 400 for one that mixes
 * encodings.
 */
export async function* decodeText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
  let decoder: Decoder | undefined
  let head = Buffer.alloc(0)
  for await (const chunk of chunks) {
    if (decoder !== undefined) {
      yield checked(decoder.decode(chunk))
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < headBytes) continue
    decoder = decoderFor(head)
    yield checked(decoder.decode(head))
  }
  decoder ??= decoderFor(head)
  if (head.length < headBytes) yield checked(decoder.decode(head))
  yield checked(decoder.end())
}

type Decoder = { decode: (chunk: Buffer) => string; end: () => string }

function decoderFor(head: Buffer): Decoder {
  if (head.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) return utf8Decoder({ marked: true })
  const mark = head.length >= 2 ? head.readUInt16BE(0) : 0
  if (mark === 0xfffe || zeroBytes(head, 1)) return utf16Decoder('utf-16le')
  if (mark === 0xfeff || zeroBytes(head, 0)) return utf16Decoder('utf-16be')
  return utf8Decoder({ marked: false })
}

/**
 * Whether every other of the first bytes is 0, and none between: UTF-16 of the characters in column
 * names.
 */
function zeroBytes(head: Buffer, offset: 0 | 1): boolean {
  const bytes = head.subarray(0, 16)
  return bytes.length >= 4 && bytes.every((byte, index) => (byte === 0) === (index % 2 === offset))
}

function utf16Decoder(encoding: 'utf-16le' | 'utf-16be'): Decoder {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const decode = (chunk?: Buffer) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw mixedEncodings('UTF-16', cause)
    }
  }
  return { decode, end: () => decode() }
}

function utf8Decoder({ marked }: { marked: boolean }): Decoder {
  let encoding: 'ascii' | 'utf8' | 'windows-1252' = marked ? 'utf8' : 'ascii'
  let skip = marked ? 3 : 0
  let rest: Buffer = Buffer.alloc(0)
  const windows = new TextDecoder('windows-1252')

  const decode = (chunk: Buffer): string => {
    const bytes = rest.length === 0 ? chunk.subarray(skip) : Buffer.concat([rest, chunk])
    skip = 0
    const completeLength = encoding === 'windows-1252' ? bytes.length : completeCharacterBytes(bytes)
    rest = bytes.subarray(completeLength)
    return read(bytes.subarray(0, completeLength))
  }
  const read = (bytes: Buffer): string => {
    if (encoding === 'windows-1252') return windows.decode(bytes)
    if (isAscii(bytes)) return bytes.toString('latin1')
    if (isUtf8(bytes)) {
      encoding = 'utf8'
      return bytes.toString('utf8')
    }
    if (encoding === 'utf8' || mostlyUtf8(bytes)) throw mixedEncodings('UTF-8')
    encoding = 'windows-1252'
    return windows.decode(bytes)
  }
  return { decode, end: () => read(rest) }
}

/**
 * Whether most non-ASCII characters are valid UTF-8. A few can be valid by chance: ß followed by a
 * closing quote in Windows-1252 is.
 */
function mostlyUtf8(bytes: Buffer): boolean {
  const beyond = bytes.toString('utf8').match(/[\u0080-\u{10ffff}]/gu) ?? []
  const broken = beyond.filter((character) => character === '\ufffd').length
  return beyond.length > 2 * broken
}

/**
 * The number of bytes to decode now: all but an incomplete last character, whose last bytes are in
 * the next chunk.
 */
function completeCharacterBytes(bytes: Buffer): number {
  for (let back = 1; back < characterBytesMax && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}

function checked(text: string): string {
  if (!text.includes('\0')) return text
  throw new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', inField('file', problem('fileNotText')))
}

function mixedEncodings(encoding: string, cause?: unknown): ApiError {
  return fileError(problem('mixedEncodings', { encoding }), cause)
}
