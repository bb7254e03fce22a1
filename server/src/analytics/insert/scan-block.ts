import {
  Integers64,
  Integers8,
  nativeBlock,
  NullableFloats32,
  RepeatedStrings,
  Strings,
  Uuids,
} from '../store/native-columns.ts'
import type { ScanRow } from './scan-row.ts'

const blockBytesMax = 16 * 1024 * 1024
const rowsBetweenLooks = 500

/** More would no longer be one block of the store, and so no longer all or nothing. */
export const blockRowsMax = 50_000

/**
 * Rows of one batch, and of one calendar month (UTC), on their way into the store. They are columns from the start, as the store
 * reads those fastest, and rows that were kept as objects until the last had come took four times the memory (measured).
 */
export type ScanBlock = {
  readonly batchId: string
  /** How many rows; at most 50,000. */
  readonly rows: number
  /** As the store partitions: `202603`; empty without rows. */
  readonly partition: string
  /** The columns of `scans` that the block has, in its order. */
  readonly columns: readonly string[]
  /** The rows in ClickHouse's Native format, in some pieces. */
  native(): readonly Buffer[]
  /** Whether a row is of the first's month, and there is room for it: rows of usual length take at most 16 MiB. */
  takes(row: ScanRow): boolean
  /** Throws a RangeError for a row of another month than the first's, and for one too many. */
  add(row: ScanRow): void
}

/** As in the table's `Enum8`. */
const classes = { human: 1, bot: 2, preview: 3, prefetch: 4 } as const satisfies Record<
  ScanRow['class'],
  number
>

export function createScanBlock(batchId: string): ScanBlock {
  const organization = new RepeatedStrings('organization_id')
  const qrCode = new Strings('qr_code_id')
  const time = new Integers64('time', "DateTime64(3, 'UTC')")
  const writer = new RepeatedStrings('writer')
  const sequence = new Integers64('sequence', 'UInt64')
  const visitor = new Uuids('visitor')
  const scanClass = new Integers8(
    'class',
    `Enum8(${Object.entries(classes)
      .map(([name, value]) => `'${name}' = ${value}`)
      .join(', ')})`,
  )
  const botReason = new RepeatedStrings('bot_reason')
  const country = new RepeatedStrings('country')
  const city = new RepeatedStrings('city')
  const region = new RepeatedStrings('region')
  const latitude = new NullableFloats32('latitude')
  const longitude = new NullableFloats32('longitude')
  const deviceType = new RepeatedStrings('device_type')
  const os = new RepeatedStrings('os')
  const browser = new RepeatedStrings('browser')
  const referrer = new RepeatedStrings('referrer')
  const language = new RepeatedStrings('language')
  const batch = new RepeatedStrings('batch_id')
  const shortCode = new Strings('short_code')
  const domain = new RepeatedStrings('domain')
  const rule = new RepeatedStrings('rule')
  const arm = new RepeatedStrings('arm')
  const columns = [
    organization,
    qrCode,
    time,
    writer,
    sequence,
    visitor,
    scanClass,
    botReason,
    country,
    city,
    region,
    latitude,
    longitude,
    deviceType,
    os,
    browser,
    referrer,
    language,
    batch,
    shortCode,
    domain,
    rule,
    arm,
  ]
  let rows = 0
  let partition = ''
  let month = { fromMs: 0, untilMs: 0 }
  let isLong = false
  const isOfMonth = ({ timeMs }: ScanRow) => rows === 0 || (timeMs >= month.fromMs && timeMs < month.untilMs)

  return {
    batchId,
    get rows() {
      return rows
    },
    get partition() {
      return partition
    },
    columns: columns.map(({ name }) => name),
    native: () => nativeBlock(columns, rows),
    takes: (row) => rows < blockRowsMax && !isLong && isOfMonth(row),
    add(row) {
      if (rows === blockRowsMax || !isOfMonth(row))
        throw new RangeError(
          `a batch has at most ${blockRowsMax} rows of one month, got row ${rows + 1} of ${monthOf(row.timeMs)} after ${partition}`,
        )
      if (rows === 0) {
        partition = monthOf(row.timeMs)
        month = boundsOfMonth(row.timeMs)
      }
      rows++
      organization.add(row.organizationId)
      qrCode.add(row.qrCodeId)
      time.add(row.timeMs)
      writer.add(row.writer)
      sequence.add(row.sequence)
      visitor.add(row.visitor)
      scanClass.add(classes[row.class])
      botReason.add(row.botReason)
      country.add(row.country)
      city.add(row.city)
      region.add(row.region)
      latitude.add(row.latitude)
      longitude.add(row.longitude)
      deviceType.add(row.deviceType)
      os.add(row.os)
      browser.add(row.browser)
      referrer.add(row.referrer)
      language.add(row.language)
      batch.add(batchId)
      shortCode.add(row.shortCode)
      domain.add(row.domain)
      rule.add(row.rule)
      arm.add(row.arm)
      if (rows % rowsBetweenLooks === 0)
        isLong = columns.reduce((sum, column) => sum + column.bytes(), 0) >= blockBytesMax
    },
  }
}

/** Month as the store partitions, in UTC: `202603`. */
function monthOf(timeMs: number): string {
  const date = new Date(timeMs)
  return String(date.getUTCFullYear() * 100 + date.getUTCMonth() + 1)
}

function boundsOfMonth(timeMs: number): { fromMs: number; untilMs: number } {
  const date = new Date(timeMs)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { fromMs: Date.UTC(year, month), untilMs: Date.UTC(year, month + 1) }
}
