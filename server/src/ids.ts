import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Crockford's base 32 without I, L, O and U: what people can read back from paper. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export type IdPrefix =
  | 'org'
  | 'usr'
  | 'key'
  | 'qr'
  | 'fld'
  | 'sty'
  | 'job'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'scn'
  | 'req'
  | 'aud'
  | 'inv'
  | 'ses'
  | 'ins'
  | 'nte'
  | 'cpy'

let lastTimeMs = 0
let lastRandom = Buffer.alloc(10)

/**
 * An id of its kind, such as `qr_01k3v9…`: 10 characters of milliseconds, 16 of randomness (the ULID layout, in
 * lower case), so ids sort by creation. Within one millisecond of one process the random part is counted up, which keeps the order.
 */
export function createId(prefix: IdPrefix, nowMs: number = Date.now()): string {
  // A clock that steps back must not make a newer id sort before an older one.
  const timeMs = Math.max(nowMs, lastTimeMs)
  if (timeMs === lastTimeMs) increment(lastRandom)
  else lastRandom = randomBytes(10)
  lastTimeMs = timeMs
  return `${prefix}_${(encode(BigInt(timeMs), 10) + encode(BigInt(`0x${lastRandom.toString('hex')}`), 16)).toLowerCase()}`
}

/**
 * The id of a scan, made of what names it: its time, the journal that recorded it and its number there. The same scan has
 * the same id whenever it is asked for, and ids sort by time.
 */
export function scanId(scan: { timeMs: number; writer: string; sequence: bigint }): string {
  const writer = createHash('sha256').update(scan.writer).digest().readUInt32BE(0)
  const rest = (BigInt(writer) << 48n) | BigInt.asUintN(48, scan.sequence)
  return `scn_${(encode(BigInt(scan.timeMs), 10) + encode(rest, 16)).toLowerCase()}`
}

/**
 * The first 21 characters (after `evt_`) of the ids of events that are recorded together: 10 of milliseconds, 11 of randomness, or of a hash of `seed`
 * where the same events must have the same ids again. `eventId` adds the rest.
 */
export function createEventPrefix(nowMs: number, seed?: string): string {
  // Two calls of one transaction sort in their order, also within a millisecond.
  lastEventMs = seed === undefined ? Math.max(nowMs, lastEventMs + 1) : lastEventMs
  const timeMs = seed === undefined ? lastEventMs : nowMs
  const random =
    seed === undefined ? randomBytes(8) : createHash('sha256').update(seed).digest().subarray(0, 8)
  return (encode(BigInt(timeMs), 10) + encode(BigInt(`0x${random.toString('hex')}`), 11)).toLowerCase()
}

let lastEventMs = 0

/** The id of an event: the page that it stands on, by its number among those of its prefix, and its place there, from 0 to 1,023. */
export function eventId(pageId: string, place: number): string {
  return `evt_${pageId}${encode(BigInt(place), 2).toLowerCase()}`
}

/** The id of a page: see `createEventPrefix`. Numbers are from 0 to 32,767. */
export function eventPageId(prefix: string, number: number): string {
  return prefix + encode(BigInt(number), 3).toLowerCase()
}

/** Before every event: of who was there when none was kept. */
export const noEventId = `evt_${'0'.repeat(26)}`

/** The page of an event and its place there; undefined: no id of an event. */
export function placeOfEvent(id: string): { pageId: string; place: number } | undefined {
  if (!/^evt_[0-9a-hjkmnp-tv-z]{26}$/.test(id) || id === noEventId) return undefined
  const [high = '', low = ''] = id.slice(-2).toUpperCase()
  return { pageId: id.slice(4, -2), place: alphabet.indexOf(high) * 32 + alphabet.indexOf(low) }
}

/** Seven random characters of Crockford's base 32: 34 thousand million codes, drawn without bias. */
export function createShortCode(): string {
  return Array.from({ length: 7 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

function increment(bytes: Buffer): void {
  for (let i = bytes.length - 1; i >= 0; i--) {
    const next = ((bytes[i] ?? 0) + 1) & 0xff
    bytes[i] = next
    if (next !== 0) return
  }
}

function encode(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest >>= 5n) text = alphabet[Number(rest & 31n)] + text
  return text
}
