import { hash } from 'node:crypto'
import { figuresSettings } from './query-settings.ts'
import type { CodeIds } from '../scan-store.ts'
import type { Params, ClickHouse } from '../store/clickhouse.ts'

/** Ids of codes, in a form that a statement can read at once. */
export type StoredIds = {
  /** A select of the column `id`. */
  sql: string
  params: Params
  /** Whether the key of the tables finds the codes faster than a look at each scan. */
  areFew: boolean
}

/** A selection in the form that a statement can read. */
export type StoredSelection = { mode: 'only' | 'except'; ids: StoredIds }

/** Returns the selection of a few listed codes. `param` names the list in the statement. */
export function listedCodes(param: string, ids: readonly string[]): StoredSelection {
  const sql = `select arrayJoin({${param}:Array(String)}) as id`
  return { mode: 'only', ids: { sql, params: { [param]: ids }, areFew: true } }
}

/**
 * Up to this many characters of ids go with the statement. The store takes about 10 µs for each
 * such id in each statement (measured), so longer lists are stored and then cost almost nothing.
 */
const inlineCharsMax = 60_000
/** How long a stored list is used. It is deleted after twice this time (see migrations.ts). */
const freshHours = 12

/**
 * Hands a list of ids to the store. A list is stored under the hash of its contents, so it never
 * changes, and processes need not agree about it: to store it twice is harmless. Throws
 * ScanStoreUnavailable.
 */
export async function storeIds(
  store: ClickHouse,
  { ids, total }: CodeIds,
  inlineMax: number = inlineCharsMax,
): Promise<StoredIds> {
  if (ids.length <= inlineMax)
    return {
      sql: `select arrayJoin(splitByChar(',', {selectedIds:String})) as id`,
      params: { selectedIds: ids },
      areFew: true,
    }
  const selection = hash('sha256', ids, 'base64url').slice(0, 22)
  const [found] = await store.select<{ stored: number }>(
    `/* analytics.storeIds */
     select count() as stored
     from selected_codes
     where selection = {selection:String} and stored_at > now() - interval ${freshHours} hour`,
    { selection },
    { settings: figuresSettings },
  )
  if ((found?.stored ?? 0) < total) {
    const rows = `${selection}\t${ids.replaceAll(',', `\n${selection}\t`)}\n`
    await store.insert('selected_codes', ['selection', 'qr_code_id'], [Buffer.from(rows)], {
      settings: figuresSettings,
    })
  }
  return {
    sql: `select qr_code_id as id from selected_codes where selection = {selection:String}`,
    params: { selection },
    areFew: false,
  }
}
