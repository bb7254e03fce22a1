import type { Installation } from '@everscan/client/create-client.ts'
import { copiesWords } from '../words/settings-words.ts'
import { formatDay, formatNumber, formatTime } from '../ui/format.ts'

const text = copiesWords.notes

type Note = Installation['notes'][number]

/**
 * Returns an event of the installation's history as a sentence. A kind of a later release shows its
 * name.
 */
export function noteText({ kind, detail }: Note): string {
  switch (kind) {
    case 'catalogue-behind':
      return catalogueBehindText(detail)
    case 'keys-since':
      return text.keysSince
    case 'scans-doubled':
      return text.scansDoubled(formatNumber(numberOf(detail['hits'])))
    case 'counters-corrected':
      return text.countersCorrected(formatNumber(numberOf(detail['scans'])))
    case 'scans-put-back':
      return text.scansPutBack(formatNumber(numberOf(detail['hits'])))
    case 'scans-lost':
      return scansLostText(detail)
    case 'visitor-key':
      return text.visitorKey
    case 'visitors-by-64':
      return text.visitorsBy64
    case 'adopted':
      return detail['what'] === 'losses'
        ? text.lossesAccepted
        : text.adopted(adoptedPart(wordOf(detail['what'])))
    case 'restored':
      return text.restored(timeOf(detail['madeAt']))
    case 'moved':
      return text.moved
    default:
      return kind
  }
}

function catalogueBehindText({ minutes, hits, reserved }: Note['detail']): string {
  if (typeof minutes === 'number') return text.catalogueOlder(minutes, formatNumber(minutes))
  const found = text.catalogueBehind(formatNumber(numberOf(hits)))
  const codes = Array.isArray(reserved) ? reserved.length : numberOf(reserved)
  return codes === 0 ? found : `${found} ${text.reservedThen(codes, formatNumber(codes))}`
}

function scansLostText({ days }: Note['detail']): string {
  const lost = Array.isArray(days) ? (days as readonly { day?: unknown; hits?: unknown }[]) : []
  const hits = lost.reduce((sum, one) => sum + numberOf(one.hits), 0)
  const dates = lost.flatMap(({ day }) => (typeof day === 'string' ? [day] : [])).sort()
  const [first = '', last = first] = [dates[0], dates.at(-1)]
  return text.scansLost(formatNumber(hits), daysText(first, last))
}

/** Returns a period of days for a sentence; one day if both are equal. */
export function daysText(first: string, last: string): string {
  return first === last ? dayOf(first) : text.days(dayOf(first), dayOf(last))
}

function adoptedPart(what: string): string {
  const parts: Readonly<Record<string, string>> = text.adoptedParts
  return Object.hasOwn(parts, what) ? (parts[what] ?? what) : what
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

const dayOf = (day: string) => (Number.isNaN(Date.parse(day)) ? day : formatDay(day))

function timeOf(value: unknown): string {
  const iso = wordOf(value)
  return Number.isNaN(Date.parse(iso)) ? iso : formatTime(iso)
}
