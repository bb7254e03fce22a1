/**
 * One scan as the front saw it, before any processing.
 *
 * Text longer than its limit is cut at a whole character. The address of the scanner is never part
 * of it.
 */
export type RawScan = {
  /** Milliseconds since 1970, an integer from 0 to 2^48 - 1. */
  timeMs: number
  organizationId: string
  qrCodeId: string
  /**
   * The short code of the lookup: on PUBLIC_URL the canonical form. 1 to 128 bytes; empty in frames
   * of version 1.
   */
  shortCode: string
  /** Host name of the code's own domain, at most 253 bytes; empty for PUBLIC_URL. */
  domain: string
  /**
   * The id of the rule that determined the answer, and the name of its arm, at most 120 and 255
   * bytes. Empty if the code's own data determined the answer.
   */
  rule: string
  arm: string
  /** Keyed hash of code, address and user agent: 32 hexadecimal digits. */
  visitor: string
  /** `203.0.113.0` (/24), `2001:db8:1::` (/48), or empty if unknown. At most 45 bytes. */
  network: string
  /** At most 512 bytes of UTF-8. */
  userAgent: string
  /** Host name only, or empty. At most 255 bytes. */
  referrerHost: string
  /** The first language of `Accept-Language`, or empty. At most 35 bytes. */
  language: string
  /**
   * The browser or app that headers other than the user agent name, or empty. At most 40 bytes;
   * empty in frames of versions 1 and 2.
   */
  app: string
  /** The sum of the flags of `scanHints`, 0 to 255. */
  hints: number
}

/**
 * A Buffer with the UTF-8 writer that Node's own `write` calls in the end. Node's types omit it.
 */
export type JournalBuffer = Buffer & { utf8Write(text: string, at: number, bytesMax: number): number }

/**
 * Flags for what the request itself reveals: its purpose, that it named another host than
 * PUBLIC_URL's, and the device by its client hints. `closed`: the code was closed, or asked for its
 * password.
 */
export const scanHints = {
  prefetch: 1,
  preview: 2,
  otherHost: 4,
  closed: 8,
  android: 16,
  phone: 32,
  tablet: 64,
} as const

/**
 * The parts of a frame about the code, its domain and its answer. They are the same for many scans.
 */
export type ScanIds = Pick<RawScan, 'organizationId' | 'qrCodeId' | 'shortCode' | 'domain' | 'rule' | 'arm'>

/**
 * A scan in the form that the hot path appends. Its ids are prepared once per cache entry
 * (`prepareIds`). Its visitor is 16 latin-1 characters, the result of a one-shot hash, which needs
 * no Buffer for each scan.
 */
export type PreparedScan = Omit<RawScan, keyof ScanIds | 'visitor'> & {
  ids: Uint8Array
  visitor: string
}

/** The versions of frames that are read. The last one is written. */
export type FrameVersion = 1 | 2 | 3

export const visitorBytes = 16
const idBytesMax = 120
const shortCodeBytesMax = 128
const domainBytesMax = 253
const armBytesMax = 255
const networkBytesMax = 45
const userAgentBytesMax = 512
const referrerHostBytesMax = 255
const languageBytesMax = 35
const appBytesMax = 40

/** The maximum length of an encoded scan, whatever it contains. */
export const scanBytesMax =
  6 +
  1 +
  visitorBytes +
  3 * (1 + idBytesMax) +
  1 +
  shortCodeBytesMax +
  1 +
  domainBytesMax +
  1 +
  armBytesMax +
  1 +
  networkBytesMax +
  1 +
  languageBytesMax +
  1 +
  referrerHostBytesMax +
  1 +
  appBytesMax +
  2 +
  userAgentBytesMax

/** The minimum and maximum bytes of each id, in their order in a frame. */
const idBounds: Readonly<Record<keyof ScanIds, readonly [min: number, max: number]>> = {
  organizationId: [1, idBytesMax],
  qrCodeId: [1, idBytesMax],
  shortCode: [0, shortCodeBytesMax],
  domain: [0, domainBytesMax],
  rule: [0, idBytesMax],
  arm: [0, armBytesMax],
}
const idNames = Object.keys(idBounds) as (keyof ScanIds)[]

/**
 * Encodes the ids of a code as in a frame: each is one byte of length followed by its bytes.
 *
 * Throws a RangeError if an id is outside the bounds that `RawScan` names.
 */
export function prepareIds(ids: ScanIds): Uint8Array {
  const parts = idNames.map((name) => {
    const bytes = Buffer.from(ids[name])
    const [min, max] = idBounds[name]
    if (bytes.length < min || bytes.length > max) {
      throw new RangeError(`${name} must have ${min} to ${max} bytes, got ${bytes.length}`)
    }
    return Buffer.concat([Buffer.of(bytes.length), bytes])
  })
  return Buffer.concat(parts)
}

/**
 * Converts a complete raw scan to the argument of `append`. The hot path keeps prepared ids
 * instead.
 */
export function prepareScan({ visitor, ...scan }: RawScan): PreparedScan {
  const { timeMs, network, userAgent, referrerHost, language, app, hints } = scan
  return {
    timeMs,
    network,
    userAgent,
    referrerHost,
    language,
    app,
    hints,
    ids: prepareIds(scan),
    visitor: Buffer.from(visitor, 'hex').toString('latin1'),
  }
}

/** Writes a scan at `at` and returns its end. Needs `scanBytesMax` bytes of room. */
export function encodeScan(bytes: JournalBuffer, at: number, scan: PreparedScan): number {
  const { timeMs, ids, visitor, hints } = scan
  // V8 inlines stores of single bytes. Buffer's own integer writers cost 10 ns more each.
  const high = Math.floor(timeMs / 0x1_0000_0000)
  bytes[at] = timeMs
  bytes[at + 1] = timeMs >>> 8
  bytes[at + 2] = timeMs >>> 16
  bytes[at + 3] = timeMs >>> 24
  bytes[at + 4] = high
  bytes[at + 5] = high >>> 8
  bytes[at + 6] = hints
  // A visitor of another length is cut, or padded with zeros: NaN is stored as 0.
  for (let index = 0; index < visitorBytes; index++) bytes[at + 7 + index] = visitor.charCodeAt(index)
  let end = at + 7 + visitorBytes
  bytes.set(ids, end)
  end += ids.length
  end = writeText(bytes, end, scan.network, networkBytesMax)
  end = writeText(bytes, end, scan.language, languageBytesMax)
  end = writeText(bytes, end, scan.referrerHost, referrerHostBytesMax)
  end = writeText(bytes, end, scan.app, appBytesMax)
  const userAgentBytes = bytes.utf8Write(scan.userAgent, end + 2, userAgentBytesMax)
  bytes[end] = userAgentBytes
  bytes[end + 1] = userAgentBytes >>> 8
  return end + 2 + userAgentBytes
}

/**
 * Reads a scan between `from` and `to` that was written by `encodeScan`, or by a release with an
 * earlier version of frames. The ids of version 1 contain only organization and code; versions 1
 * and 2 have no app. Throws a RangeError if the scan does not fill the range exactly.
 */
export function decodeScan(bytes: Buffer, from: number, to: number, version: FrameVersion): RawScan {
  let at = from + 7 + visitorBytes
  const text = (length: number): string => {
    const start = at
    at += length
    return bytes.toString('utf8', start, at)
  }
  const shortText = (): string => text(bytes[at++] ?? 0)
  const organizationId = shortText()
  const qrCodeId = shortText()
  const shortCode = version > 1 ? shortText() : ''
  const domain = version > 1 ? shortText() : ''
  const rule = version > 1 ? shortText() : ''
  const arm = version > 1 ? shortText() : ''
  const network = shortText()
  const language = shortText()
  const referrerHost = shortText()
  const app = version > 2 ? shortText() : ''
  const userAgentBytes = at + 2 <= to ? bytes.readUInt16LE(at) : 0
  at += 2
  const userAgent = text(userAgentBytes)
  if (at !== to) throw new RangeError(`a scan of ${to - from} bytes was expected, got one of ${at - from}`)
  return {
    timeMs: bytes.readUIntLE(from, 6),
    organizationId,
    qrCodeId,
    shortCode,
    domain,
    rule,
    arm,
    visitor: bytes.toString('hex', from + 7, from + 7 + visitorBytes),
    network,
    userAgent,
    referrerHost,
    language,
    app,
    hints: bytes[from + 6] ?? 0,
  }
}

/**
 * Writes one byte of length, then UTF-8. Short ASCII, the usual case, is copied here, because a
 * native call costs 60 ns.
 */
function writeText(bytes: JournalBuffer, at: number, text: string, bytesMax: number): number {
  const { length } = text
  if (length > 20 || length > bytesMax) return writeLongText(bytes, at, text, bytesMax)
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code > 127) return writeLongText(bytes, at, text, bytesMax)
    bytes[at + 1 + index] = code
  }
  bytes[at] = length
  return at + 1 + length
}

function writeLongText(bytes: JournalBuffer, at: number, text: string, bytesMax: number): number {
  const length = bytes.utf8Write(text, at + 1, bytesMax)
  bytes[at] = length
  return at + 1 + length
}
