import { analyticsExportColumns } from '@everscan/contract/resources/analytics.ts'
import { placeOfScan } from '../store/first-scans.ts'
import { scopeSql, type ScanScope } from './scan-scope.ts'
import type { Params, ScanStore } from '../store/store.ts'

/**
 * About 3 MB of text. Each piece looks up its unique scans once, in all first scans of the code.
 * With 1.7 million visitors, that cost 24, 5 and 3 µs per scan for pieces of 10,000, 50,000 and
 * 200,000 scans (measured). No other query waits for more than one piece.
 */
const scansPerPieceDefault = 50_000

/** Settings of an export, which is not urgent: it runs after all other queries, on one thread. */
const lastOfAll = { priority: '3', max_threads: 1 } as const
const deadlineMs = 60_000

/** A position in the sort order of the table. The next piece starts after it. */
type ScanKey = { timeMs: number; writer: string; number: string }

/**
 * Yields the scans of a code as CSV, oldest first, in chunks of any size. The store writes the
 * lines: any number of scans costs this process neither memory nor much time (a CSV writer here
 * took 5 µs per line, measured). Throws ScanStoreUnavailable.
 */
export async function* exportScans(
  store: ScanStore,
  scope: ScanScope & { qrCodeId: string },
  scansPerPiece: number = scansPerPieceDefault,
): AsyncGenerator<Buffer, void, undefined> {
  const header = `${analyticsExportColumns.join(',')}\n`
  for (let after: ScanKey | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const upTo = await endOfPiece(store, scope, { after, scansPerPiece })
    const lines = await selectLines(store, scope, { after, upTo })
    if (isFirst) yield Buffer.from(header)
    yield* lines
    after = upTo
  }
}

/** Returns the last scan of the next piece, or undefined if the piece extends to the end. */
async function endOfPiece(
  store: ScanStore,
  scope: ScanScope,
  { after, scansPerPiece }: { after: ScanKey | undefined; scansPerPiece: number },
): Promise<ScanKey | undefined> {
  const { scans, params } = scopeSql(scope, { inOrder: true })
  const begin = beginning(after)
  const [key] = await store.select<ScanKey>(
    `/* analytics.exportScans, end of piece */
     select toUnixTimestamp64Milli(time) as timeMs, writer, toString(sequence) as number
     from scans
     where ${scans}
       ${begin.sql}
       and class = 'human'
     order by time, writer, sequence
     limit 1 offset ${scansPerPiece - 1}`,
    { ...params, ...begin.params },
    { deadlineMs, settings: lastOfAll },
  )
  return key
}

function selectLines(
  store: ScanStore,
  scope: ScanScope,
  { after, upTo }: { after: ScanKey | undefined; upTo: ScanKey | undefined },
): Promise<Buffer[]> {
  const { owner, scans, params } = scopeSql(scope, { inOrder: true })
  const [begin, end] = [beginning(after), ending(upTo)]
  const piece = `${scans} ${begin.sql} ${end.sql} and class = 'human'`
  return store.bytes(
    `/* analytics.exportScans */
     select concat(
       replaceOne(toString(time), ' ', 'T'), 'Z,',
       ${['country', 'city', 'device_type', 'os', 'browser'].map(cell).join(`, ',', `)},
       if((visitor, ${placeOfScan}) in (
         select visitor, min(place)
         from first_scans
         where ${owner}
           and visitor in (select visitor from scans where ${piece})
         group by visitor), ',true', ',false'))
     from scans
     where ${piece}
     order by time, writer, sequence
     format TabSeparatedRaw`,
    { ...params, ...begin.params, ...end.params },
    { deadlineMs, settings: lastOfAll },
  )
}

/**
 * Returns a condition for the scans after a position. The table's index uses only the condition on
 * `time` itself.
 */
function beginning(after: ScanKey | undefined): { sql: string; params: Params } {
  if (after === undefined) return { sql: '', params: {} }
  const time = 'fromUnixTimestamp64Milli({afterMs:Int64})'
  return {
    sql: `and time >= ${time}
      and (time > ${time} or (writer, sequence) > ({afterWriter:String}, {afterNumber:UInt64}))`,
    params: { afterMs: after.timeMs, afterWriter: after.writer, afterNumber: after.number },
  }
}

function ending(upTo: ScanKey | undefined): { sql: string; params: Params } {
  if (upTo === undefined) return { sql: '', params: {} }
  const time = 'fromUnixTimestamp64Milli({upToMs:Int64})'
  return {
    sql: `and time <= ${time}
      and (time < ${time} or (writer, sequence) <= ({upToWriter:String}, {upToNumber:UInt64}))`,
    params: { upToMs: upTo.timeMs, upToWriter: upTo.writer, upToNumber: upTo.number },
  }
}

/**
 * Returns SQL for a text as a cell. A text that a spreadsheet would execute gets a leading
 * apostrophe (OWASP, "CSV injection": = + - @, tab, CR and LF, and the full-width forms of the
 * first four). A text with a comma, a quote or a line break is quoted (RFC 4180).
 */
function cell(column: string): string {
  const harmless = `if(match(${column}, '^[-=+@\\t\\r\\n－＝＋＠]'), concat('\\'', ${column}), ${column})`
  return `if(match(${column}, '[",\\r\\n]'), concat('"', replaceAll(${harmless}, '"', '""'), '"'), ${harmless})`
}
