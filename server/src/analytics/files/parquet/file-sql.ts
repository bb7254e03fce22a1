import { texts } from '../segment-block.ts'

/** The columns of files that are no texts. */
export const otherColumns = ['timeMs', 'sequence', 'visitor', 'latitude', 'longitude', 'isUnique'] as const

const typesOfOthers: Readonly<Record<(typeof otherColumns)[number], string>> = {
  timeMs: 'timestamp',
  sequence: 'ubigint',
  visitor: 'uuid',
  latitude: 'float',
  longitude: 'float',
  isUnique: 'boolean',
}

/** The key of the metadata of a file that says which scans it has. */
export const factsKey = 'everscan'

/** The names of the columns in files: those of the scan store. */
export function columnName(name: string): string {
  if (name === 'timeMs') return 'time'
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/**
 * The types of the columns of files as they are read, by name. Files have times in milliseconds,
 * which the engine reads as times in microseconds.
 */
export const columnTypes: Readonly<Record<string, string>> = Object.fromEntries([
  ...texts.map((name) => [columnName(name), 'varchar']),
  ...otherColumns.map((name) => [columnName(name), typesOfOthers[name]]),
])

/** Returns SQL that makes a table of scans, each with the id of its file: see `insertBlock`. */
export function scanTable(name: string): string {
  const types = Object.entries({ ...columnTypes, file: 'varchar' })
  return `create or replace table ${name} (${types.map(([column, type]) => `${column} ${type}`).join(', ')})`
}

/** Returns a text as a literal of SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * Returns SQL for the rows of some files. A path that exists is no pattern, whatever it has. Files
 * of an older release may lack columns of a later one: these are null.
 */
export function rowsOfFiles(paths: readonly string[]): string {
  return `read_parquet(${pathList(paths)}, union_by_name = true)`
}

export function pathList(paths: readonly string[]): string {
  return `[${paths.map(quoted).join(', ')}]`
}
