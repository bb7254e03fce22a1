import { scanOf } from '../../analytics/figures/listed-scan.ts'
import type { SegmentBlock } from '../../analytics/files/segment-block.ts'
import type { ScanRow } from '../../analytics/insert/scan-row.ts'
import type { ScanEvents } from '../../db/scans/ingest-checkpoints.ts'

/** Returns the scans of a marked block as events, for these organizations, in order. */
export function eventsOfBlock(block: SegmentBlock, organizationIds: ReadonlySet<string>): ScanEvents[] {
  const { texts, isUnique } = block
  const wanted = Array.from({ length: block.rows }, (_, row) => row).filter(
    (row) => texts.class.valueOf(row) === 'human' && organizationIds.has(texts.organizationId.valueOf(row)),
  )
  const ofOrganizations = Map.groupBy(wanted, (row) => texts.organizationId.valueOf(row))
  return [...ofOrganizations].map(([organizationId, rows]) => ({
    organizationId,
    events: rows.map((row) => {
      const scan = scanAt(block, row, isUnique[row] === 1)
      const { qrCodeId, timestamp } = scan
      return { event: 'qr.scanned', atMs: Date.parse(timestamp), qrCodeId, data: scan }
    }),
  }))
}

function scanAt(block: SegmentBlock, row: number, isFirst: boolean) {
  const text = (name: keyof SegmentBlock['texts']): string => block.texts[name].valueOf(row)
  const listed = {
    timeMs: block.timeMs[row] ?? 0,
    writer: text('writer'),
    number: String(block.sequence[row]),
    class: text('class'),
    botReason: text('botReason'),
    country: text('country'),
    city: text('city'),
    region: text('region'),
    latitude: degrees(block.latitude[row]),
    longitude: degrees(block.longitude[row]),
    deviceType: text('deviceType') as ScanRow['deviceType'],
    os: text('os'),
    browser: text('browser'),
    referrer: text('referrer'),
    language: text('language'),
    rule: text('rule'),
    arm: text('arm'),
  }
  return scanOf(listed, { qrCodeId: text('qrCodeId'), isFirst })
}

/** A number of 32 bits has at most this many digits. */
const digitsMax = 9

/** Returns the shortest number that is the same with 32 bits: 13.4, and not 13.39999961. */
function degrees(value: number | undefined): number | null {
  if (value === undefined || Number.isNaN(value)) return null
  for (let digits = 1; digits < digitsMax; digits++) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}
