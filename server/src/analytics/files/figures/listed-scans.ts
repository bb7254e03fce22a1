import type { Period } from '../../figures/period.ts'
import { columnTypes, pathList } from '../parquet/file-sql.ts'

/** Counts of the scans of a file: see `writeRollupSql`. */
export type Rollup = {
  path: string
  /** The organizations whose scans it counts, all of each. */
  owners: readonly string[]
}

/** The scans that a store has at one moment. */
export type ListedScans = {
  /** With the times of the first and the last scan. A reader may have them for minutes. */
  files: readonly { path: string; fromMs: number; toMs: number; rollup?: Rollup | undefined }[]
  /** The table of the engine with scans that are in no file yet: see `createRecentRows`. */
  recent: string | undefined
}

/** Times of scans that a query reads. `endMs` is exclusive. */
export type Times = Pick<Period, 'startMs' | 'endMs'>

export const allTimes: Times = { startMs: -Infinity, endMs: Infinity }

const noScans = `select ${Object.entries(columnTypes)
  .map(([name, type]) => `null::${type} as ${name}`)
  .join(', ')} where false`

/** The columns of scans as an option of the engine's function that reads files. */
const schema = `map { ${Object.entries(columnTypes)
  .map(([name, type]) => `'${name}': { name: '${name}', type: '${type}', default_value: null }`)
  .join(', ')} }`

/**
 * Returns SQL for all rows that can have a scan of some times: a relation with the columns of
 * scans, also without files, or with files of releases that had fewer columns. As the columns are
 * told to the engine, it opens no file to plan a query: with hundreds of files, that took a quarter
 * of the time of the figures of a small code.
 */
export function relationOf({ files, recent }: ListedScans, { startMs, endMs }: Times): string {
  const paths = files.filter(({ fromMs, toMs }) => fromMs < endMs && toMs >= startMs).map(({ path }) => path)
  const parts = [
    ...(paths.length === 0
      ? [noScans]
      : [`select * from read_parquet(${pathList(paths)}, schema = ${schema})`]),
    ...(recent === undefined ? [] : [`select * from ${recent}`]),
  ]
  return `(${parts.join('\nunion all by name\n')})`
}
