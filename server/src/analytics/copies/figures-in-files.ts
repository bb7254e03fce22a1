import { randomUUID } from 'node:crypto'
import { columnTypes, rowsOfFiles, scanTable } from '../files/parquet/file-sql.ts'
import type { FileWrites } from '../files/parquet/file-writes.ts'
import type { SegmentBlock } from '../files/segment-block.ts'
import type { CodeFigures } from './code-figures.ts'

/** Scans in files of Parquet and in records. */
export type ReadScans = { paths: readonly string[]; records: () => AsyncIterable<SegmentBlock> }

const columns = Object.keys(columnTypes).join(', ')
const codesAtOnce = 5_000
const classes = (['human', 'bot', 'preview', 'prefetch'] as const)
  .map((name) => `count(*) filter (where class = '${name}') as ${name}`)
  .join(', ')
const figures = `organization_id, qr_code_id, ${classes}, count(*) filter (where is_unique) as unique_scans`

/**
 * Calls `work` with SQL for the scans, in parentheses, with the columns of files. Those of records
 * are a table of the engine meanwhile.
 */
export async function withReadScans<Result>(
  engine: FileWrites,
  { paths, records }: ReadScans,
  work: (scans: string) => Promise<Result>,
): Promise<Result> {
  const recorded = `read_${randomUUID().replaceAll('-', '')}`
  try {
    await engine.change(scanTable(recorded))
    for await (const block of records()) await engine.insertBlock(block, { table: recorded, file: '' })
    const sources = [recorded, ...(paths.length > 0 ? [rowsOfFiles(paths)] : [])]
    return await work(`(${sources.map((source) => `select ${columns} from ${source}`).join(' union all ')})`)
  } finally {
    await engine.change(`drop table if exists ${recorded}`)
  }
}

/**
 * Yields the figures of every code that has hits in files, as `figuresOfCodes` yields those of
 * ClickHouse: ordered by the bytes of organization and code, some thousand at a time.
 */
export async function* figuresInFiles(
  engine: FileWrites,
  read: ReadScans,
): AsyncGenerator<readonly CodeFigures[], void, undefined> {
  const name = `figures_${randomUUID().replaceAll('-', '')}`
  try {
    await withReadScans(engine, read, (scans) =>
      engine.change(
        `create or replace table ${name} as
         select row_number() over (order by organization_id, qr_code_id) as place, * from (
           select ${figures} from ${scans} group by organization_id, qr_code_id)`,
      ),
    )
    for (let from = 0; ; from += codesAtOnce) {
      const rows = await engine.rows(
        `select organization_id, qr_code_id, human, bot, preview, prefetch, unique_scans
         from ${name} where place > ${from} and place <= ${from + codesAtOnce} order by place`,
      )
      if (rows.length === 0) return
      yield rows.map(([organizationId, qrCodeId, human, bot, preview, prefetch, uniqueScans]) => ({
        organizationId: String(organizationId),
        qrCodeId: String(qrCodeId),
        hits: {
          human: Number(human),
          bot: Number(bot),
          preview: Number(preview),
          prefetch: Number(prefetch),
        },
        uniqueScans: Number(uniqueScans),
      }))
    }
  } finally {
    await engine.change(`drop table if exists ${name}`)
  }
}
