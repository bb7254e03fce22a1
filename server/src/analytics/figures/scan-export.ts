import { exportedDimensions } from '@everscan/contract/dimensions/dimensions.ts'
import { analyticsExportColumns } from '@everscan/contract/resources/analytics.ts'
import { codesPerChunk, exportOfCodes, withHeader } from './code-exports.ts'
import { formulaPattern, quotedPattern } from './csv-cells.ts'
import { dimensionColumns } from './dimension-columns.ts'
import { exportedPerPiece, pieceMsMax as deadlineMs } from './long-reads.ts'
import { placeOfScan } from '../store/first-scans.ts'
import type { ExportedCodes, ScopeOfCode } from '../scan-store.ts'
import { scopeSql, type SqlScope } from './scan-scope.ts'
import type { Params, ClickHouse } from '../store/clickhouse.ts'

/**
 * About 3 MB of text. Each piece looks up its unique scans once, in all first scans of the code.
 * With 1.7 million visitors, that cost 24, 5 and 3 µs per scan for pieces of 10,000, 50,000 and
 * 200,000 scans (measured). No other query waits for more than one piece.
 */
const scansPerPieceDefault = exportedPerPiece

/** Settings of an export, which is not urgent: it runs after all other queries, on one thread. */
const lastOfAll = { priority: '3', max_threads: 1 } as const

/** A position in the sort order of the table. The next piece starts after it. */
type ScanKey = { qrCodeId: string; timeMs: number; writer: string; number: string }

/** The scans of one code, or of some codes of which each has first cells of its own. */
type ExportScope = SqlScope & { firstCells?: ReadonlyMap<string, string> }

/**
 * The store writes the lines: any number of scans costs this process neither memory nor much time
 * (a CSV writer here took 5 µs per line, measured).
 */
export async function* exportScans(
  store: ClickHouse,
  scope: ScopeOfCode,
  scansPerPiece: number = scansPerPieceDefault,
): AsyncGenerator<Buffer, void, undefined> {
  yield* withHeader(analyticsExportColumns, linesOf(store, scope, scansPerPiece))
}

export function exportScansOfCodes(
  store: ClickHouse,
  scope: Omit<ScopeOfCode, 'qrCodeId'>,
  codes: ExportedCodes,
  {
    chunk = codesPerChunk,
    scansPerPiece = scansPerPieceDefault,
  }: { chunk?: number; scansPerPiece?: number } = {},
): AsyncGenerator<Buffer, void, undefined> {
  return exportOfCodes(codes, chunk, {
    scannedCodes: () => scannedCodes(store, scope, chunk),
    linesOf: (firstCells) => linesOf(store, { ...scope, firstCells }, scansPerPiece),
  })
}

/** Yields the ids of the codes that have scans in a scope, in their order. */
async function* scannedCodes(
  store: ClickHouse,
  scope: SqlScope,
  limit: number,
): AsyncGenerator<readonly string[]> {
  const { scans, params } = scopeSql(scope, { inOrder: true })
  for (let afterCode = ''; ;) {
    const rows = await store.select<{ qrCodeId: string }>(
      `/* analytics.exportScans, next codes */
       select distinct qr_code_id as qrCodeId
       from scans
       where ${scans} and qr_code_id > {afterCode:String} and class = 'human'
       order by qr_code_id
       limit {limit:UInt32}`,
      { ...params, afterCode, limit },
      { deadlineMs, settings: lastOfAll },
    )
    const ids = rows.map(({ qrCodeId }) => qrCodeId)
    if (ids.length > 0) yield ids
    if (ids.length < limit) return
    afterCode = ids.at(-1) ?? ''
  }
}

async function* linesOf(
  store: ClickHouse,
  scope: ExportScope,
  scansPerPiece: number,
): AsyncGenerator<Buffer, void, undefined> {
  for (let after: ScanKey | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const upTo = await endOfPiece(store, scope, { after, scansPerPiece })
    yield* await selectLines(store, scope, { after, upTo })
    after = upTo
  }
}

/** The conditions of an export. A code that is not alone is compared by its id. */
function exportSql({ firstCells, ...scope }: ExportScope) {
  const { owner, scans, params } = scopeSql(scope, { inOrder: true })
  if (firstCells === undefined) return { owner, scans, params, isOfOne: true }
  const codes = 'and qr_code_id in {codes:Array(String)}'
  return {
    owner: `${owner} ${codes}`,
    scans: `${scans} ${codes}`,
    params: { ...params, codes: [...firstCells.keys()] },
    isOfOne: false,
  }
}

/** Returns the last scan of the next piece, or undefined if the piece extends to the end. */
async function endOfPiece(
  store: ClickHouse,
  scope: ExportScope,
  { after, scansPerPiece }: { after: ScanKey | undefined; scansPerPiece: number },
): Promise<ScanKey | undefined> {
  const { scans, params, isOfOne } = exportSql(scope)
  const begin = beginning(after, isOfOne)
  const [key] = await store.select<ScanKey>(
    `/* analytics.exportScans, end of piece */
     select
       qr_code_id as qrCodeId, toUnixTimestamp64Milli(time) as timeMs, writer, toString(sequence) as number
     from scans
     where ${scans}
       ${begin.sql}
       and class = 'human'
     order by qr_code_id, time, writer, sequence
     limit 1 offset ${scansPerPiece - 1}`,
    { ...params, ...begin.params },
    { deadlineMs, settings: lastOfAll },
  )
  return key
}

function selectLines(
  store: ClickHouse,
  scope: ExportScope,
  { after, upTo }: { after: ScanKey | undefined; upTo: ScanKey | undefined },
): Promise<Buffer[]> {
  const { owner, scans, params, isOfOne } = exportSql(scope)
  const [begin, end] = [beginning(after, isOfOne), ending(upTo, isOfOne)]
  const visitor = isOfOne ? 'visitor' : 'qr_code_id, visitor'
  const cells = [...(scope.firstCells?.values() ?? [])]
  const firstCells = isOfOne
    ? ''
    : `transform(qr_code_id, {codes:Array(String)}, {cells:Array(String)}, '') , ',',`
  const piece = `${scans} ${begin.sql} ${end.sql} and class = 'human'`
  return store.bytes(
    `/* analytics.exportScans */
     select concat(
       ${firstCells}
       replaceOne(toString(time), ' ', 'T'), 'Z,',
       ${exportedDimensions.map((name) => cell(dimensionColumns[name].sql)).join(`, ',', `)},
       if((${visitor}, ${placeOfScan}) in (
         select ${visitor}, min(place)
         from first_scans
         where ${owner}
           and visitor in (select visitor from scans where ${piece})
         group by ${visitor}), ',true', ',false'))
     from scans
     where ${piece}
     order by qr_code_id, time, writer, sequence
     format TabSeparatedRaw`,
    { ...params, ...begin.params, ...end.params, ...(!isOfOne && { cells }) },
    { deadlineMs, settings: lastOfAll },
  )
}

/**
 * Returns a condition for the scans after a position. The table's index uses only the condition on
 * the first column that can differ: the time within one code, otherwise the code.
 */
function beginning(after: ScanKey | undefined, isOfOne: boolean): { sql: string; params: Params } {
  if (after === undefined) return { sql: '', params: {} }
  const time = 'fromUnixTimestamp64Milli({afterMs:Int64})'
  const params = { afterMs: after.timeMs, afterWriter: after.writer, afterNumber: after.number }
  const inCode = `(time > ${time} or time = ${time} and (writer, sequence) > ({afterWriter:String}, {afterNumber:UInt64}))`
  if (isOfOne) return { sql: `and time >= ${time} and ${inCode}`, params }
  return {
    sql: `and qr_code_id >= {afterCode:String} and (qr_code_id > {afterCode:String} or ${inCode})`,
    params: { ...params, afterCode: after.qrCodeId },
  }
}

function ending(upTo: ScanKey | undefined, isOfOne: boolean): { sql: string; params: Params } {
  if (upTo === undefined) return { sql: '', params: {} }
  const time = 'fromUnixTimestamp64Milli({upToMs:Int64})'
  const params = { upToMs: upTo.timeMs, upToWriter: upTo.writer, upToNumber: upTo.number }
  const inCode = `(time < ${time} or time = ${time} and (writer, sequence) <= ({upToWriter:String}, {upToNumber:UInt64}))`
  if (isOfOne) return { sql: `and time <= ${time} and ${inCode}`, params }
  return {
    sql: `and qr_code_id <= {upToCode:String} and (qr_code_id < {upToCode:String} or ${inCode})`,
    params: { ...params, upToCode: upTo.qrCodeId },
  }
}

/** Returns SQL for a text as a cell: see `csvCells`. */
function cell(column: string): string {
  const harmless = `if(match(${column}, '${formulaPattern}'), concat('\\'', ${column}), ${column})`
  return `if(match(${column}, '${quotedPattern}'), concat('"', replaceAll(${harmless}, '"', '""'), '"'), ${harmless})`
}
