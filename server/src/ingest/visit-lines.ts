import type { MovedVisit } from '@everscan/contract/moves/moved-visits.ts'
import { archivedScanColumns } from '../analytics/store/archived-scan-columns.ts'
import type { ArchivedScan } from '../analytics/insert/archived-scans.ts'
import { nobody } from '../analytics/store/first-scans.ts'
import { referrerOf } from './referrers.ts'
import { classify } from '../visitors/user-agents/bots.ts'
import { deviceOf } from '../visitors/user-agents/user-agents.ts'

/** A visit that another product recorded, of a code that moved here. */
export type Visit = Omit<MovedVisit, 'code'> & {
  qrCodeId: string
  /** The short code as it is looked up. */
  shortCode: string
}

/**
 * Returns a visit as a line of an archive, and whether it is a scan. Classes and devices follow
 * from user agents as those of our own scans do; a bot of the product is a bot here, too. Nobody is
 * its visitor, so it is never unique.
 */
export function lineOfVisit(visit: Visit): { line: unknown[]; isScan: boolean } {
  const { qrCodeId, shortCode, timeMs, userAgent, country, isBot = false } = visit
  const { deviceType, os, browser } = deviceOf(userAgent ?? '')
  const known = userAgent === undefined ? human : classify(userAgent, 0)
  const kind = isBot && known.class === 'human' ? ({ class: 'bot', botReason: 'Crawler' } as const) : known
  const row: ArchivedScan & { isUnique: boolean } = {
    qrCodeId,
    shortCode,
    timeMs,
    visitor: nobody,
    ...kind,
    country: country ?? 'XX',
    // A place without its country would be another place.
    city: (country && visit.city) ?? 'Unknown',
    region: (country && visit.region) ?? '',
    latitude: null,
    longitude: null,
    deviceType,
    os,
    browser,
    referrer: referrerOf(visit.referrer ?? ''),
    language: '',
    rule: '',
    arm: '',
    isUnique: false,
    isClosed: false,
  }
  return { line: archivedScanColumns.map((name) => row[name]), isScan: kind.class === 'human' }
}

const human = { class: 'human', botReason: '' } as const
