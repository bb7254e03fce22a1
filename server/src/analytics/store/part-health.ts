import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../errors.ts'
import { hasCode, type ClickHouse } from './clickhouse.ts'

const tables = ['scans', 'first_scans'] as const
/** Settings of queries that run after everything else, on one thread. */
const last = { priority: '3', max_threads: 1 }
/**
 * Reasons of parts that the store sets aside on its own and that need no action: another part has
 * the rows, or the part is just being attached or removed.
 */
const harmlessReasons = ['ignored', 'attaching', 'deleting']

/** A part of a table that the store has set aside or cannot read. */
export type TroubledPart = { table: string; part: string; why: string }

/**
 * Returns the parts that the store has set aside, whose rows are in no figure. `why` is the store's
 * own reason; it is empty for parts that were detached by hand.
 */
export async function readDetachedParts(store: ClickHouse): Promise<TroubledPart[]> {
  return await store.select<TroubledPart>(
    `/* analytics.readDetachedParts */
     select table, name as part, ifNull(reason, '') as why
     from system.detached_parts
     where database = currentDatabase()
       and table in {tables:Array(String)}
       and why not in {harmlessReasons:Array(String)}
     order by table, part
     limit 1000`,
    { tables, harmlessReasons },
    { settings: last },
  )
}

export type PartCheck = {
  /** Time limit of a call. The next call continues with the rest. */
  budgetMs: number
  /** The part after which to continue: `done` of the previous call. */
  after?: string | undefined
  signal: AbortSignal
}

/**
 * Reads the parts after `after` and compares them with their checksums. Returns the parts that
 * cannot be read, and as `done` the last checked part, or undefined if all were checked.
 */
export async function checkParts(
  store: ClickHouse,
  { budgetMs, after = '', signal }: PartCheck,
): Promise<{ broken: TroubledPart[]; done: string | undefined }> {
  const endMs = performance.now() + budgetMs
  const broken: TroubledPart[] = []
  let done: string | undefined
  const over = new AbortController()
  // A part may take minutes, and a stop does not wait for it.
  const stopped = once(signal, 'abort', { signal: over.signal }).then(() => signal.throwIfAborted())
  stopped.catch(() => undefined)
  try {
    for (const { table, part } of await activeParts(store)) {
      const place = `${table} ${part}`
      if (place <= after) continue
      // At least one part is checked, however slow it is.
      if (done !== undefined && performance.now() > endMs) return { broken, done }
      signal.throwIfAborted()
      const why = await Promise.race([problemOf(store, { table, part }), stopped])
      if (why !== undefined) broken.push({ table, part, why })
      done = place
      // The pause leaves the disk to other work.
      await sleep(20, undefined, { signal })
    }
    return { broken, done: undefined }
  } finally {
    over.abort()
  }
}

function activeParts(store: ClickHouse): Promise<{ table: string; part: string }[]> {
  return store.select(
    `/* analytics.activeParts */
     select table, name as part
     from system.parts
     where database = currentDatabase() and table in {tables:Array(String)} and active
     order by concat(table, ' ', name)`,
    { tables },
    { settings: last },
  )
}

const noSuchPart = 232
const partMsMax = 10 * 60_000

/**
 * Returns the reason why a part cannot be read. Returns undefined if it can be read or no longer
 * exists, for example after a merge.
 */
async function problemOf(
  store: ClickHouse,
  { table, part }: { table: string; part: string },
): Promise<string | undefined> {
  try {
    const rows = await store.select<{ is_passed: 0 | 1; message: string }>(
      `/* analytics.checkPart */
       check table ${table} part '${part}' settings check_query_single_value_result = 0`,
      {},
      { deadlineMs: partMsMax, settings: last },
    )
    return rows.find(({ is_passed }) => is_passed === 0)?.message
  } catch (error) {
    if (hasCode(error, noSuchPart)) return undefined
    throw new Error(`checking the part ${part} of ${table}: ${errorMessage(error)}`, { cause: error })
  }
}
