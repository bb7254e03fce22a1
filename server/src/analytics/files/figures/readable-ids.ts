import type { CodeIds } from '../../scan-store.ts'
import type { ReadParams } from '../parquet/select.ts'

/** Ids of codes as a select of the column `id`. */
export type ReadableIds = { sql: string; params: ReadParams }

/** A selection in the form that a query can read. */
export type ReadableSelection = { mode: 'only' | 'except'; ids: ReadableIds }

/** Up to this many characters of ids go with each query. */
const inlineCharsMax = 60_000
let lists = 0

/** Returns a few ids in the form that a query can read. `param` names the list in the query. */
export function listedIds(param: string, ids: readonly string[]): ReadableIds {
  return { sql: `select unnest($${param}) as id`, params: { [param]: ids } }
}

/** Makes ids, separated by commas, a table with the column `id`, and returns its name. */
export type KeepIds = (ids: string) => Promise<string>

/** Hands a list of ids to queries: long ones as a table. */
export async function readableIds(
  keepIds: KeepIds,
  { ids }: CodeIds,
  inlineMax: number = inlineCharsMax,
): Promise<ReadableIds> {
  if (ids.length > inlineMax) return { sql: `select id from ${await keepIds(ids)}`, params: {} }
  // A query may read two lists, each by a name of its own.
  const name = `selected_${++lists}`
  return { sql: `select unnest(string_split($${name}, ',')) as id`, params: { [name]: ids } }
}
