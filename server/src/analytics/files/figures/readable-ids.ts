import { setTimeout as sleep } from 'node:timers/promises'
import { usedMsMax } from '../../remembered-ids.ts'
import type { CodeIds } from '../../scan-store.ts'
import type { ReadParams, ScanEngine } from '../parquet/scan-engine.ts'

/** Ids of codes as a select of the column `id`. */
export type ReadableIds = { sql: string; params: ReadParams }

/** A selection in the form that a query can read. */
export type ReadableSelection = { mode: 'only' | 'except'; ids: ReadableIds }

/** Up to this many characters of ids go with each query. */
const inlineCharsMax = 60_000
/** A query may still read a table that no new one uses. */
const keptMsMore = 60_000
let lists = 0

/** Returns a few ids in the form that a query can read. `param` names the list in the query. */
export function listedIds(param: string, ids: readonly string[]): ReadableIds {
  return { sql: `select unnest($${param}) as id`, params: { [param]: ids } }
}

/**
 * Hands a list of ids to the engine: long ones as a table, which is dropped when nothing reads it
 * any more.
 */
export async function readableIds(
  engine: ScanEngine,
  { ids }: CodeIds,
  inlineMax: number = inlineCharsMax,
): Promise<ReadableIds> {
  // A query may read two lists, each by a name of its own.
  const name = `selected_${++lists}`
  const select = `select unnest(string_split($${name}, ',')) as id`
  const params = { [name]: ids }
  if (ids.length <= inlineMax) return { sql: select, params }
  await engine.change(`create table ${name} as ${select}`, params)
  void sleep(usedMsMax + keptMsMore, undefined, { ref: false })
    .then(() => engine.change(`drop table ${name}`))
    // The engine was closed meanwhile, and the table with it.
    .catch(() => {})
  return { sql: `select id from ${name}`, params: {} }
}
