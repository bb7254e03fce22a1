import { exportedDimensions } from '@everscan/contract/dimensions/dimensions.ts'
import { analyticsExportColumns } from '@everscan/contract/resources/analytics.ts'
import { codesPerChunk, exportOfCodes, withHeader } from '../../figures/code-exports.ts'
import { formulaPattern, quotedPattern } from '../../figures/csv-cells.ts'
import { exportedPerPiece, pieceMsMax } from '../../figures/long-reads.ts'
import type { ExportedCodes, ScopeOfCode } from '../../scan-store.ts'
import type { Select } from '../parquet/select.ts'
import { valueSql } from './file-columns.ts'
import { conditionOf, type FileScope } from './file-scope.ts'
import { keyOrder, pieceSql, readInPieces, type Ask, type LongRead, type Piece } from './key-ranges.ts'
import { relationOf, type ListedScans } from './listed-scans.ts'
import { listedIds } from './readable-ids.ts'

type Lines = AsyncGenerator<Buffer, void, undefined>

/** See `exportScans` of `ScanStore`. The engine writes the lines, in half the time of rows. */
export function exportScans(ask: Ask, scope: ScopeOfCode, scansPerPiece: number = exportedPerPiece): Lines {
  return withHeader(analyticsExportColumns, linesOf(ask, { scope, scansPerPiece }))
}

/** See `exportScansOfCodes` of `ScanStore`. */
export function exportScansOfCodes(
  ask: Ask,
  scope: Omit<ScopeOfCode, 'qrCodeId'>,
  codes: ExportedCodes,
  {
    chunk = codesPerChunk,
    scansPerPiece = exportedPerPiece,
  }: { chunk?: number; scansPerPiece?: number } = {},
): Lines {
  return exportOfCodes(codes, chunk, {
    scannedCodes: () => scannedCodes(ask, scope, chunk),
    linesOf: (firstCells) => {
      const selection = { mode: 'only', ids: listedIds('codes', [...firstCells.keys()]) } as const
      const cells = [...firstCells.values()]
      return linesOf(ask, { scope: { ...scope, selection }, scansPerPiece, cells })
    },
  })
}

/** Yields the ids of the codes that have scans in a scope, in their order. */
async function* scannedCodes(ask: Ask, scope: FileScope, limit: number): AsyncGenerator<readonly string[]> {
  const { sql, params } = conditionOf(scope)
  for (let afterCode = ''; ;) {
    const rows = await ask(
      (select, listed) =>
        select<{ id: string }>(
          `/* analytics.exportScans, next codes */
           select distinct qr_code_id as id
           from ${relationOf(listed, scope)}
           where ${sql} and qr_code_id > $afterCode and class = 'human'
           order by id
           limit $limit`,
          { ...params, afterCode, limit },
        ),
      pieceMsMax,
    )
    const ids = rows.map(({ id }) => id)
    if (ids.length > 0) yield ids
    if (ids.length < limit) return
    afterCode = ids.at(-1) ?? ''
  }
}

/** `cells` are the first cells of each code of the scope's selection, if it is not one code. */
type LinesOptions = { scope: FileScope; scansPerPiece: number; cells?: readonly string[] }

function linesOf(ask: Ask, { scope, scansPerPiece, cells }: LinesOptions): Lines {
  const long = { scope, isOfPeople: true, rowsMax: scansPerPiece, deadlineMs: pieceMsMax }
  return readInPieces(ask, long, (select, listed, piece) =>
    selectLines(select, listed, { long, piece, cells }),
  )
}

async function selectLines(
  select: Select,
  listed: ListedScans,
  { long, piece, cells }: { long: LongRead; piece: Piece; cells: readonly string[] | undefined },
): Promise<Buffer | undefined> {
  const { sql, params } = pieceSql(listed, long, piece)
  const isOfOne = piece.range.fromCode === piece.range.toCode
  const columns = exportedDimensions.map((name) => cell(valueSql(name)))
  const withCells = `join (select unnest($codes) as code_id, unnest($cells) as cells) on code_id = qr_code_id`
  const [row] = await select<{ lines: string | null }>(
    `/* analytics.exportScans */
     select string_agg(line, '' order by ${isOfOne ? 'time, writer, sequence' : keyOrder}) as lines
     from (
       select ${keyOrder}, concat(
         ${cells === undefined ? '' : `cells, ',',`}
         strftime(time, '%Y-%m-%dT%H:%M:%S.%gZ'), ',', ${columns.join(`, ',', `)},
         if(is_unique, ',true\n', ',false\n')) as line
       from ${sql} ${cells === undefined ? '' : withCells})`,
    { ...params, ...(cells !== undefined && { cells }) },
  )
  return typeof row?.lines === 'string' ? Buffer.from(row.lines) : undefined
}

/** Returns SQL for a text as a cell: see `csvCells`. */
function cell(column: string): string {
  const harmless = `if(regexp_matches(${column}, '${formulaPattern}'), '''' || ${column}, ${column})`
  return `if(regexp_matches(${column}, '${quotedPattern}'), '"' || replace(${harmless}, '"', '""') || '"', ${harmless})`
}
