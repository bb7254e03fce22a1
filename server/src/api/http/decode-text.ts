import { isAscii, isUtf8 } from 'node:buffer'
import { ApiError } from '../../errors.ts'

/** No character of UTF-8 or UTF-16 is longer, so this much of a chunk may wait for the next one. */
const characterBytesMax = 4
/** Enough for a byte order mark and to see that every other byte is 0. */
const headBytes = 64

/**
 * The text of a file in UTF-8, UTF-16 (with or without byte order mark) or Windows-1252, as spreadsheets write them. Bytes that are not
 * UTF-8 make it Windows-1252, unless most letters beyond ASCII are UTF-8. Throws ApiError 415 for a file that is no text,
 * and 400 for one that mixes encodings.
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

/** Whether every other byte of a beginning is 0, and no byte between: UTF-16 of the letters that column names are made of. */
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
      throw mixed('UTF-16', cause)
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
    const wholeLength = encoding === 'windows-1252' ? bytes.length : wholeCharacters(bytes)
    rest = bytes.subarray(wholeLength)
    return read(bytes.subarray(0, wholeLength))
  }
  const read = (bytes: Buffer): string => {
    if (encoding === 'windows-1252') return windows.decode(bytes)
    if (isAscii(bytes)) return bytes.toString('latin1')
    if (isUtf8(bytes)) {
      encoding = 'utf8'
      return bytes.toString('utf8')
    }
    if (encoding === 'utf8' || mostlyUtf8(bytes)) throw mixed('UTF-8')
    encoding = 'windows-1252'
    return windows.decode(bytes)
  }
  return { decode, end: () => read(rest) }
}

/** Whether more characters beyond ASCII are UTF-8 than are not. A few can be by chance: ß and a closing quote of Windows-1252 are. */
function mostlyUtf8(bytes: Buffer): boolean {
  const beyond = bytes.toString('utf8').match(/[\u0080-\u{10ffff}]/gu) ?? []
  const broken = beyond.filter((character) => character === '\ufffd').length
  return beyond.length > 2 * broken
}

/** How many bytes to decode now: without a character at the end whose last bytes are in the next chunk. */
function wholeCharacters(bytes: Buffer): number {
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
  throw new ApiError(
    415,
    'UNSUPPORTED_MEDIA_TYPE',
    'file: must be a CSV file, and this is not text (it has zero bytes). From a spreadsheet, export as CSV.',
  )
}

function mixed(encoding: string, cause?: unknown): ApiError {
  const message = `begins as ${encoding} and goes on as something else; save it as UTF-8`
  return new ApiError(400, 'VALIDATION_ERROR', `file: ${message}`, {
    cause,
    details: [{ path: 'file', message }],
  })
}
