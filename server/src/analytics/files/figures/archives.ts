import { linesWithout, ownersOf } from '../../figures/archive-lines.ts'
import { archivedPerPiece, pieceMsMax } from '../../figures/long-reads.ts'
import type { ArchiveScope } from '../../scan-store.ts'
import { archivedScanColumns, type ArchivedScanColumn } from '../../store/archived-scan-columns.ts'
import { isClosedOwner } from '../../store/closed-owner.ts'
import type { Select } from '../parquet/select.ts'
import { keyOrder, pieceSql, readInPieces, type Ask, type LongRead, type Piece } from './key-ranges.ts'
import type { ListedScans } from './listed-scans.ts'
import { coordinate } from './lists.ts'

type ReadColumn = Exclude<ArchivedScanColumn, 'isClosed'>
type ArchivedRow = Record<ReadColumn, string | number | boolean | null>

/** SQL of the columns of a hit. */
const columns: Readonly<Record<ReadColumn, string>> = {
  qrCodeId: 'qr_code_id',
  shortCode: 'short_code',
  timeMs: 'epoch_ms(time)',
  visitor: `replace(visitor::varchar, '-', '')`,
  class: 'class',
  botReason: 'bot_reason',
  country: 'country',
  city: 'city',
  region: 'region',
  latitude: coordinate('latitude'),
  longitude: coordinate('longitude'),
  deviceType: 'device_type',
  os: 'os',
  browser: 'browser',
  referrer: 'referrer',
  language: 'language',
  rule: 'rule',
  arm: 'arm',
  isUnique: 'is_unique',
}

/** See `archiveScans` of `ScanStore`. */
export async function* archiveScans(
  ask: Ask,
  { organizationId, month, without }: ArchiveScope & { month: string },
  scansPerPiece: number = archivedPerPiece,
): AsyncGenerator<Buffer, void, undefined> {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(4))]
  const period = { startMs: Date.UTC(year, number - 1), endMs: Date.UTC(year, number), timezone: 'UTC' }
  for (const owner of ownersOf(organizationId)) {
    const scope = { organizationId: owner, filters: {}, ...period }
    const long = { scope, isOfPeople: false, rowsMax: scansPerPiece, deadlineMs: pieceMsMax }
    const pieces = readInPieces(ask, long, (select, listed, piece) =>
      selectLines(select, listed, { long, piece }),
    )
    yield* without.size === 0 ? pieces : linesWithout(pieces, without)
  }
}

async function selectLines(
  select: Select,
  listed: ListedScans,
  { long, piece }: { long: LongRead; piece: Piece },
): Promise<Buffer | undefined> {
  const { sql, params } = pieceSql(listed, long, piece)
  const isClosed = isClosedOwner(long.scope.organizationId)
  const selected = Object.entries(columns).map(([name, column]) => `${column} as "${name}"`)
  const rows = await select<ArchivedRow>(
    `/* analytics.archiveScans */
     select ${selected.join(', ')}
     from ${sql} as piece
     order by ${keyOrder}`,
    params,
  )
  if (rows.length === 0) return undefined
  const texts = new Map<string, string>()
  return Buffer.from(rows.map((row) => lineOf({ ...row, isClosed }, texts)).join(''))
}

/** Returns a line. Most texts are in many lines of a piece: `texts` has those written before. */
function lineOf(row: ArchivedRow & { isClosed: boolean }, texts: Map<string, string>): string {
  const values = archivedScanColumns.map((name) => {
    const value = row[name]
    if (typeof value !== 'string') return String(value)
    if (name === 'visitor') return `"${value}"`
    let written = texts.get(value)
    if (written === undefined) texts.set(value, (written = jsonText(value)))
    return written
  })
  return `[${values.join(', ')}]\n`
}

/** Returns a text as JSON, with the escapes that archives have had from the first on. */
function jsonText(text: string): string {
  return JSON.stringify(text).replaceAll(/\\(?:u[0-9a-f]{4}|.)|[/\u2028\u2029]/g, (found) => {
    if (found === '/') return '\\/'
    if (found.startsWith('\\')) return found.startsWith('\\u') ? `\\u${found.slice(2).toUpperCase()}` : found
    return `\\u${found.charCodeAt(0).toString(16)}`
  })
}
