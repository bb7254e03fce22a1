import { FatalError } from '../../errors.ts'
import { integers64, readBlocks, repeatedStrings } from './native-blocks.ts'
import { copyDeadlineMs, lastOfAll, monthsOfScans, Within, type Fence } from './scan-fence.ts'
import type { Params, ScanStore } from '../store/store.ts'

/** Rows of one month in ClickHouse's Native format, uncompressed, which names their columns. */
export type CopiedScans = { rows: number; native: Buffer }

export type CopyScansOptions = {
  /** 8 MiB when missing. */
  pieceBytesMax?: number
}

const pieceBytesMaxDefault = 8 * 1024 * 1024
/** Some 7 MB of scans as they usually are, found and read in 60 ms each (measured). */
const pieceRowsMax = 50_000
const key = 'organization_id, qr_code_id, time, writer, sequence'

/**
 * The rows up to the fence, each once, in pieces of one month that are ordered by code and time among each other. Rows that come in
 * meanwhile are left out. Every query is for one piece, so nobody waits for more. Throws ScanStoreUnavailable.
 */
export async function* copyScans(
  store: ScanStore,
  fence: Fence,
  { pieceBytesMax = pieceBytesMaxDefault }: CopyScansOptions = {},
): AsyncGenerator<CopiedScans, void, undefined> {
  const columns = await scanColumns(store)
  const within = await Within.find(store, fence)
  let pieceRows = pieceRowsMax
  for (const month of await monthsOfScans(store)) {
    for (let after: ScanKey | undefined, isLast = false; !isLast;) {
      const upTo = await endOfPiece(store, { month, after, within, pieceRows })
      const native = await selectPiece(store, { month, after, upTo, within, columns })
      const { rows, isBeyond } = lookAt(native, within)
      if (native.length > pieceBytesMax && pieceRows > 1) {
        pieceRows = Math.ceil(pieceRows / 2)
        continue
      }
      // Of a writer that went on since: once more, without them.
      if (isBeyond) continue
      if (rows > 0) yield { rows, native }
      // Rows are not alike: it grows again slowly.
      pieceRows = Math.min(pieceRowsMax, Math.ceil(pieceRows * 1.1))
      after = upTo
      isLast = upTo === undefined
    }
  }
}

/** About what the copies will be: their rows and bytes as `copyScans` gives them, and the bytes that the store takes on its disk for them. */
export async function estimateScans(
  store: ScanStore,
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
 * Puts a piece into a store of this release's schema; columns that it does not have get their defaults, and first scans follow from it. Gives
 * how many rows it has. Throws a `FatalError` for columns that the store does not know, and an Error for bytes that are no rows.
 */
export async function insertCopiedScans(
  store: ScanStore,
  { native }: Pick<CopiedScans, 'native'>,
): Promise<number> {
  const blocks = readBlocks(native)
  const columns = (blocks[0]?.columns ?? []).map(({ name }) => name)
  if (columns.length === 0) return 0
  if (blocks.some((block) => block.columns.map(({ name }) => name).join() !== columns.join()))
    throw new Error('the blocks of a piece have different columns')
  const known = new Set(await scanColumns(store))
  const unknown = columns.filter((name) => !known.has(name))
  if (unknown.length > 0)
    throw new FatalError(
      `the copy has scans with ${unknown.join(', ')}, which this release does not know: a later release made it; restore it with that one`,
    )
  await store.insert('scans', columns, [native], {
    format: 'Native',
    deadlineMs: copyDeadlineMs,
    // One part of one month for each piece.
    settings: { async_insert: 0, max_insert_threads: '1' },
  })
  return blocks.reduce((sum, { rows }) => sum + rows, 0)
}

/** The columns of scans that are not made of others, in their order. */
async function scanColumns(store: ScanStore): Promise<string[]> {
  const rows = await store.select<{ name: string }>(
    `/* analytics.scanColumns */
     select name
     from system.columns
     where database = currentDatabase() and table = 'scans' and default_kind in ('', 'DEFAULT')
     order by position`,
  )
  return rows.map(({ name }) => name)
}

/** A place in the table's own order; the next piece begins after it. */
type ScanKey = { organizationId: string; qrCodeId: string; timeMs: number; writer: string; number: string }

type Stretch = { month: string; after: ScanKey | undefined; within: Within }

/** The last scan of the next piece; undefined: the piece goes to the end of the month. */
async function endOfPiece(
  store: ScanStore,
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
  store: ScanStore,
  options: Stretch & { upTo: ScanKey | undefined; columns: readonly string[] },
): Promise<Buffer> {
  const { month, after, upTo, within, columns } = options
  const [begin, end] = [beginning(after), ending(upTo)]
  const chunks = await store.bytes(
    `/* analytics.copyScans */
     select ${columns.join(', ')} from scans
     where _partition_id = {month:String} and ${begin.sql} and ${end.sql} and ${within.sql}
     format Native`,
    { month, ...begin.params, ...end.params, ...within.params },
    { deadlineMs: copyDeadlineMs, settings: lastOfAll },
  )
  return Buffer.concat(chunks)
}

/** Written out, as the store finds its way by columns and not by several of them together. */
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

/** How many rows a piece has, and whether some of them are beyond the fence: they came in since that was looked up. */
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
