import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '../../errors.ts'
import { hasCode, type ScanStore } from './store.ts'

const tables = ['scans', 'first_scans'] as const
/** One thread, after everything else. */
const last = { priority: '3', max_threads: 1 }
/** What the store sets aside on its own and needs nobody: a part that another one holds, or one that is just being attached or removed. */
const harmlessReasons = ['ignored', 'attaching', 'deleting']

/** A part of a table that the store has set aside, or cannot read. */
export type TroubledPart = { table: string; part: string; why: string }

/** The parts that the store has set aside, so that figures are without them; `why` is its own word, and empty for those that were detached by hand. */
export async function readDetachedParts(store: ScanStore): Promise<TroubledPart[]> {
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
  /** For so long: the rest is for the next time. */
  budgetMs: number
  /** The part to go on after, as `done` said the last time. */
  after?: string | undefined
  signal: AbortSignal
}

/**
 * Reads parts and compares them with their checksums, those after `after` first; gives the ones that cannot be read, and how far it came:
 * undefined when all were checked.
 */
export async function checkParts(
  store: ScanStore,
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
      // One at least, however slow.
      if (done !== undefined && performance.now() > endMs) return { broken, done }
      signal.throwIfAborted()
      const why = await Promise.race([problemOf(store, { table, part }), stopped])
      if (why !== undefined) broken.push({ table, part, why })
      done = place
      // The disk is somebody else's in between.
      await sleep(20, undefined, { signal })
    }
    return { broken, done: undefined }
  } finally {
    over.abort()
  }
}

function activeParts(store: ScanStore): Promise<{ table: string; part: string }[]> {
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

/** Why a part cannot be read; undefined when it can, or is there no more, as after a merge. */
async function problemOf(
  store: ScanStore,
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
