import { columnsOfPiece, integers64, readBlocks, repeatedStrings } from './native-blocks.ts'
import { copyDeadlineMs, lastOfAll, monthsOfScans, Within, type Fence } from './scan-fence.ts'
import type { CallOptions, Params, ClickHouse } from '../store/clickhouse.ts'

/** Rows of one month in ClickHouse's uncompressed Native format, which names their columns. */
export type CopiedScans = { rows: number; native: Buffer; range: ScanRange }

/** The scans of a month after one position, up to and including another. */
export type ScanRange = { month: string; after: ScanKey | undefined; upTo: ScanKey | undefined }

export type CopyScansOptions = {
  /** Months to copy, such as 202603. Default: all. */
  months?: readonly string[]
  /** The rows within the fence, if they were looked up before. */
  within?: Within
  /** Maximum size of a piece. Default: 8 MiB. */
  pieceBytesMax?: number
}

const pieceBytesMaxDefault = 8 * 1024 * 1024
/** About 7 MB of typical scans. Finding a piece and reading it take 60 ms each (measured). */
const pieceRowsMax = 50_000
const key = 'organization_id, qr_code_id, time, writer, sequence'

/**
 * Yields each row up to the fence once, in pieces of one month. The pieces of a month are in the
 * order of code and time. Rows that arrive meanwhile are left out. Each query covers one piece, so
 * other queries wait for at most one piece. Throws ScanStoreUnavailable.
 */
export async function* copyScans(
  store: ClickHouse,
  fence: Fence,
  { months, pieceBytesMax = pieceBytesMaxDefault, ...options }: CopyScansOptions = {},
): AsyncGenerator<CopiedScans, void, undefined> {
  const columns = await scanColumns(store)
  const within = options.within ?? (await Within.find(store, fence))
  let pieceRows = pieceRowsMax
  for (const month of months ?? (await monthsOfScans(store))) {
    for (let after: ScanKey | undefined, isLast = false; !isLast;) {
      const upTo = await endOfPiece(store, { month, after, within, pieceRows })
      const native = await selectPiece(store, { month, after, upTo, within, columns })
      const { rows, isBeyond } = lookAt(native, within)
      if (native.length > pieceBytesMax && pieceRows > 1) {
        pieceRows = Math.ceil(pieceRows / 2)
        continue
      }
      // A writer has passed its fence since the look-up: read the piece again without those rows.
      if (isBeyond) continue
      if (rows > 0) yield { rows, native, range: { month, after, upTo } }
      // Rows differ in size, so the number of rows per piece grows again slowly.
      pieceRows = Math.min(pieceRowsMax, Math.ceil(pieceRows * 1.1))
      after = upTo
      isLast = upTo === undefined
    }
  }
}

/**
 * Estimates the size of a copy: `rows` and `bytes` as `copyScans` yields them, and `storedBytes`,
 * their size on the store's disk.
 */
export async function estimateScans(
  store: ClickHouse,
): Promise<{ rows: number; bytes: number; storedBytes: number }> {
  const [row] = await store.select<{ rows: number; bytes: number; storedBytes: number }>(
    `/* analytics.estimateScans */
     select
       sum(rows) as rows, sum(data_uncompressed_bytes) as bytes, sum(data_compressed_bytes) as storedBytes
     from system.parts
     where database = currentDatabase() and table = 'scans' and active`,
    {},
    { settings: lastOfAll },
  )
  return row ?? { rows: 0, bytes: 0, storedBytes: 0 }
}

/**
 * Inserts a piece into a store of this release's schema and returns the number of its rows. Columns
 * that the piece lacks get their defaults, and the store derives the first scans. Throws a
 * `FatalError` for columns that the store does not know, and an Error for bytes that are not rows.
 */
export async function insertCopiedScans(
  store: ClickHouse,
  { native }: Pick<CopiedScans, 'native'>,
  { table = 'scans', settings, ...options }: CallOptions & { table?: string } = {},
): Promise<number> {
  const blocks = readBlocks(native)
  const columns = columnsOfPiece(blocks, new Set(await scanColumns(store)))
  if (columns.length === 0) return 0
  await store.insert(table, columns, [native], {
    format: 'Native',
    deadlineMs: copyDeadlineMs,
    // Each piece becomes one part of one month.
    settings: { async_insert: 0, max_insert_threads: '1', ...settings },
    ...options,
  })
  return blocks.reduce((sum, { rows }) => sum + rows, 0)
}

/** Returns the columns of `scans` that are not computed from others, in their order. */
export async function scanColumns(store: ClickHouse): Promise<string[]> {
  const rows = await store.select<{ name: string }>(
    `/* analytics.scanColumns */
     select name
     from system.columns
     where database = currentDatabase() and table = 'scans' and default_kind in ('', 'DEFAULT')
     order by position`,
  )
  return rows.map(({ name }) => name)
}

/** A position in the sort order of the table. The next piece starts after it. */
export type ScanKey = {
  organizationId: string
  qrCodeId: string
  timeMs: number
  writer: string
  number: string
}

type Stretch = { month: string; after: ScanKey | undefined; within: Within }

/**
 * Returns the last scan of the next piece; undefined if the piece extends to the end of the month.
 */
async function endOfPiece(
  store: ClickHouse,
  { month, after, within, pieceRows }: Stretch & { pieceRows: number },
): Promise<ScanKey | undefined> {
  const begin = beginning(after)
  const [last] = await store.select<ScanKey>(
    `/* analytics.copyScans, end of piece */
     select
       toString(organization_id) as organizationId, qr_code_id as qrCodeId, toUnixTimestamp64Milli(time) as timeMs,
       toString(writer) as writer, toString(sequence) as number
     from (
       select ${key} from scans
       where _partition_id = {month:String} and ${begin.sql} and ${within.sql}
       order by ${key}
       limit 1 offset ${pieceRows - 1})`,
    { month, ...begin.params, ...within.params },
    { deadlineMs: copyDeadlineMs, settings: lastOfAll },
  )
  return last
}

async function selectPiece(
  store: ClickHouse,
  options: Stretch & { upTo: ScanKey | undefined; columns: readonly string[] },
): Promise<Buffer> {
  const { within, columns } = options
  const range = ofRange(options)
  const chunks = await store.bytes(
    `/* analytics.copyScans */
     select ${columns.join(', ')} from scans
     where ${range.sql} and ${within.sql}
     format Native`,
    { ...range.params, ...within.params },
    { deadlineMs: copyDeadlineMs, settings: lastOfAll },
  )
  return Buffer.concat(chunks)
}

/** Returns a condition for the scans of a range. */
export function ofRange({ month, after, upTo }: ScanRange): { sql: string; params: Params } {
  const [begin, end] = [beginning(after), ending(upTo)]
  return {
    sql: `_partition_id = {month:String} and ${begin.sql} and ${end.sql}`,
    params: { month, ...begin.params, ...end.params },
  }
}

/**
 * Returns a condition for the scans after a position. It compares single columns, because the store
 * finds rows by columns, not by several columns together.
 */
function beginning(after: ScanKey | undefined): { sql: string; params: Params } {
  if (after === undefined) return { sql: 'true', params: {} }
  const time = 'fromUnixTimestamp64Milli({afterMs:Int64})'
  return {
    sql: `(organization_id > {afterOrganization:String}
       or organization_id = {afterOrganization:String}
       and (qr_code_id > {afterCode:String}
         or qr_code_id = {afterCode:String}
         and time >= ${time}
         and (time > ${time} or (writer, sequence) > ({afterWriter:String}, {afterNumber:UInt64}))))`,
    params: {
      afterOrganization: after.organizationId,
      afterCode: after.qrCodeId,
      afterMs: after.timeMs,
      afterWriter: after.writer,
      afterNumber: after.number,
    },
  }
}

function ending(upTo: ScanKey | undefined): { sql: string; params: Params } {
  if (upTo === undefined) return { sql: 'true', params: {} }
  const time = 'fromUnixTimestamp64Milli({upToMs:Int64})'
  return {
    sql: `(organization_id < {upToOrganization:String}
       or organization_id = {upToOrganization:String}
       and (qr_code_id < {upToCode:String}
         or qr_code_id = {upToCode:String}
         and time <= ${time}
         and (time < ${time} or (writer, sequence) <= ({upToWriter:String}, {upToNumber:UInt64}))))`,
    params: {
      upToOrganization: upTo.organizationId,
      upToCode: upTo.qrCodeId,
      upToMs: upTo.timeMs,
      upToWriter: upTo.writer,
      upToNumber: upTo.number,
    },
  }
}

/**
 * Counts the rows of a piece. `isBeyond` is true if some of them are beyond the fence because they
 * arrived after the look-up.
 */
function lookAt(native: Buffer, within: Within): { rows: number; isBeyond: boolean } {
  let rows = 0
  let isBeyond = false
  for (const block of readBlocks(native)) {
    rows += block.rows
    const column = (name: string) => block.columns.find((one) => one.name === name)
    const [writer, sequence] = [column('writer'), column('sequence')]
    if (block.rows === 0 || writer === undefined || sequence === undefined) continue
    const { values, placeOf } = repeatedStrings(native, writer)
    const sequenceOf = integers64(native, sequence)
    const highest = new Float64Array(values.length).fill(-1)
    for (let row = 0; row < block.rows; row++) {
      const place = placeOf(row)
      highest[place] = Math.max(highest[place] ?? -1, sequenceOf(row))
    }
    for (const [place, name] of values.entries())
      if ((highest[place] ?? -1) >= 0 && within.hasNew(name, highest[place] ?? 0)) isBeyond = true
  }
  return { rows, isBeyond }
}
