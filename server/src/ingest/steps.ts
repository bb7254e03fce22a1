import { closedOwnerOf } from '../analytics/store/closed-owner.ts'
import type { ScanRow } from '../analytics/insert/scan-row.ts'
import { scanHints, type RawScan } from '../journal/raw-scan.ts'
import { classify } from '../visitors/user-agents/bots.ts'
import type { Geography } from '../visitors/geography/geography.ts'
import { languageOf } from '../visitors/geography/languages.ts'
import { referrerOf } from './referrers.ts'
import { deviceOf } from '../visitors/user-agents/user-agents.ts'

/** Why a recorded scan is excluded from analytics: only if it cannot be a scan. */
export type DropReason = 'time' | 'ids' | 'visitor'

/** A scan between journal and analytics: the record, and the row that the steps fill. */
export type Draft = { scan: RawScan; row: ScanRow }

type Step = {
  name: string
  run: (draft: Draft, places: Pick<Geography, 'locate'>) => DropReason | undefined | void
}

/**
 * The steps for each scan, in order. A step fills its fields of the row, or drops the scan with a
 * reason.
 */
export const steps: readonly Step[] = [
  { name: 'malformed', run: ({ scan }) => malformation(scan) },
  {
    name: 'class',
    run({ scan, row }) {
      ;({ class: row.class, botReason: row.botReason } = classify(scan.userAgent, scan.hints))
      // People who found a code closed are no scans. Programs are programs, whatever they found.
      if (row.class !== 'human' || (scan.hints & scanHints.closed) === 0) return
      row.class = 'bot'
      row.botReason = 'Closed'
      row.organizationId = closedOwnerOf(scan.organizationId)
    },
  },
  {
    name: 'user agent',
    run({ scan, row }) {
      ;({ deviceType: row.deviceType, os: row.os, browser: row.browser } = deviceOf(scan.userAgent, scan))
    },
  },
  {
    name: 'geography',
    run({ scan, row }, places) {
      const { country, city, region, latitude, longitude } = places.locate(scan.network)
      row.country = country
      row.city = city
      row.region = region
      row.latitude = latitude
      row.longitude = longitude
    },
  },
  { name: 'referrer', run: ({ scan, row }) => void (row.referrer = referrerOf(scan.referrerHost)) },
  { name: 'language', run: ({ scan, row }) => void (row.language = languageOf(scan.language)) },
]

/**
 * Returns the row of a scan, or why there is none. Equal scans give equal results at any time: no
 * step reads the clock.
 */
export function rowOf(
  scan: RawScan,
  frame: { writer: string; sequence: number },
  places: Pick<Geography, 'locate'>,
): ScanRow | { dropped: DropReason } {
  const draft: Draft = { scan, row: blankRow(scan, frame) }
  for (const { run } of steps) {
    const dropped = run(draft, places)
    if (dropped) return { dropped }
  }
  return draft.row
}

function blankRow(scan: RawScan, { writer, sequence }: { writer: string; sequence: number }): ScanRow {
  return {
    organizationId: scan.organizationId,
    qrCodeId: scan.qrCodeId,
    shortCode: scan.shortCode,
    domain: scan.domain,
    rule: scan.rule,
    arm: scan.arm,
    timeMs: scan.timeMs,
    writer,
    sequence,
    visitor: scan.visitor,
    class: 'human',
    botReason: '',
    country: 'XX',
    city: 'Unknown',
    region: '',
    latitude: null,
    longitude: null,
    deviceType: 'desktop',
    os: 'Unknown',
    browser: 'Unknown',
    referrer: '',
    language: '',
  }
}

/** A clock that was never set reports 1970; the scan store's times end in 2106. */
const timeMsMin = Date.UTC(2000, 0)
const timeMsMax = Date.UTC(2100, 0)

function malformation({ timeMs, organizationId, qrCodeId, visitor }: RawScan): DropReason | undefined {
  if (!(timeMs >= timeMsMin && timeMs < timeMsMax)) return 'time'
  if (!isId.test(organizationId) || !isId.test(qrCodeId)) return 'ids'
  return visitor.length === 32 ? undefined : 'visitor'
}

const isId = /^[A-Za-z0-9_-]{1,120}$/
