import { createHash, randomBytes, randomInt } from 'node:crypto'

/** Crockford's base 32, without I, L, O and U: people can read it from paper without mistakes. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export type IdPrefix =
  | 'org'
  | 'usr'
  | 'key'
  | 'qr'
  | 'fld'
  | 'sty'
  | 'utm'
  | 'job'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'scn'
  | 'req'
  | 'aud'
  | 'inv'
  | 'ses'
  | 'psk'
  | 'ins'
  | 'nte'
  | 'cpy'
  | 'acc'
  | 'viw'
  | 'rul'
  | 'dom'
  | 'seg'

let lastTimeMs = 0
let lastRandom = Buffer.alloc(10)

/**
 * Returns a new id, such as `qr_01k3v9…`: 10 characters of milliseconds, 16 of randomness (the
 * ULID layout in lower case), so ids sort by creation. Within one millisecond, a process increments
 * the random part to keep the order.
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
 * Returns the id of a scan, computed from its time, the journal that recorded it and its sequence
 * there. The id of a scan never changes, and ids sort by time.
 */
export function scanId(scan: { timeMs: number; writer: string; sequence: bigint }): string {
  const writer = createHash('sha256').update(scan.writer).digest().readUInt32BE(0)
  const rest = (BigInt(writer) << 48n) | BigInt.asUintN(48, scan.sequence)
  return `scn_${(encode(BigInt(scan.timeMs), 10) + encode(rest, 16)).toLowerCase()}`
}

/**
 * Returns the first 21 characters (after `evt_`) of the ids of events that are recorded together:
 * 10 of milliseconds, 11 of randomness. With `seed`, a hash of it replaces the randomness, so that
 * the same events get the same ids again. `eventId` adds the rest.
 */
export function createEventPrefix(nowMs: number, seed?: string): string {
  // Two calls in one transaction sort in call order, also within one millisecond.
  lastEventMs = seed === undefined ? Math.max(nowMs, lastEventMs + 1) : lastEventMs
  const timeMs = seed === undefined ? lastEventMs : nowMs
  const random =
    seed === undefined ? randomBytes(8) : createHash('sha256').update(seed).digest().subarray(0, 8)
  return (encode(BigInt(timeMs), 10) + encode(BigInt(`0x${random.toString('hex')}`), 11)).toLowerCase()
}

let lastEventMs = 0

/** Returns the id of an event, from the id of its page and its place on the page, 0 to 1,023. */
export function eventId(pageId: string, place: number): string {
  return `evt_${pageId}${encode(BigInt(place), 2).toLowerCase()}`
}

/** Returns the id of a page: a prefix (see `createEventPrefix`) and a number, 0 to 32,767. */
export function eventPageId(prefix: string, number: number): string {
  return prefix + encode(BigInt(number), 3).toLowerCase()
}

/** Sorts before every event: the position of a reader that began when no event was stored. */
export const noEventId = `evt_${'0'.repeat(26)}`

/** Returns the page of an event and its place there; undefined for any other text. */
export function placeOfEvent(id: string): { pageId: string; place: number } | undefined {
  if (!/^evt_[0-9a-hjkmnp-tv-z]{26}$/.test(id) || id === noEventId) return undefined
  const [high = '', low = ''] = id.slice(-2).toUpperCase()
  return { pageId: id.slice(4, -2), place: alphabet.indexOf(high) * 32 + alphabet.indexOf(low) }
}

/** Returns seven random characters of Crockford's base 32: 34 billion codes, without bias. */
export function createShortCode(): string {
  return Array.from({ length: 7 }, () => alphabet[randomInt(alphabet.length)]).join('')
}

/** Returns the value of a TXT record that proves a domain: nobody can guess it. */
export function createDomainProof(): string {
  return `everscan=${encode(BigInt(`0x${randomBytes(16).toString('hex')}`), 26).toLowerCase()}`
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
