import type { Params, ClickHouse } from '../store/clickhouse.ts'

/** The last included sequence of each writer. A writer without an entry is excluded entirely. */
export type Fence = ReadonlyMap<string, number>

/** Settings of a copy, which is not urgent: it runs after all other queries, on one thread. */
export const lastOfAll = { priority: '3', max_threads: 1 } as const
export const copyDeadlineMs = 10 * 60_000

/**
 * Returns the months by which the table is partitioned, such as 202603. A query for one month
 * delays no other query for long.
 */
export async function monthsOfScans(store: ClickHouse): Promise<string[]> {
  const rows = await store.select<{ month: string }>(
    `/* analytics.monthsOfScans */
     select distinct partition_id as month
     from system.parts
     where database = currentDatabase() and table = 'scans' and active
     order by month`,
    {},
    { settings: lastOfAll },
  )
  return rows.map(({ month }) => month)
}

/** Returns the last stored sequence of each writer. Queries one month at a time. */
export async function lastSequences(store: ClickHouse): Promise<Map<string, number>> {
  const last = new Map<string, number>()
  for (const month of await monthsOfScans(store)) {
    const rows = await store.select<{ writer: string; upTo: number }>(
      `/* analytics.lastSequences */
       select toString(writer) as writer, max(sequence) as upTo
       from scans
       where _partition_id = {month:String}
       group by writer`,
      { month },
      { deadlineMs: copyDeadlineMs, settings: lastOfAll },
    )
    for (const { writer, upTo } of rows) last.set(writer, Math.max(upTo, last.get(writer) ?? 0))
  }
  return last
}

/**
 * The part of the store within a fence. There are thousands of writers, and only those that still
 * write have scans beyond the fence. Conditions name only these writers. `hasNew` finds writers
 * that have passed the fence since.
 */
export class Within {
  readonly #fence: Fence
  /** The first excluded sequence of each writer that has scans beyond the fence. */
  readonly #firstOut = new Map<string, number>()

  private constructor(fence: Fence) {
    this.#fence = fence
  }

  static async find(store: ClickHouse, fence: Fence): Promise<Within> {
    const within = new Within(fence)
    for (const [writer, upTo] of await lastSequences(store)) within.hasNew(writer, upTo)
    return within
  }

  /**
   * Whether a writer is beyond its fence at a sequence. If so, conditions created from now on
   * exclude its scans beyond the fence.
   */
  hasNew(writer: string, sequence: number): boolean {
    const firstOut = (this.#fence.get(writer) ?? -1) + 1
    if (sequence < firstOut) return false
    this.#firstOut.set(writer, firstOut)
    return true
  }

  /** A condition on `scans`. */
  get sql(): string {
    if (this.#firstOut.size === 0) return 'true'
    return `sequence < transform(
      toString(writer),
      {writersOut:Array(String)},
      arrayMap(text -> toUInt64(text), {firstOut:Array(String)}),
      toUInt64(18446744073709551615))`
  }

  get params(): Params {
    if (this.#firstOut.size === 0) return {}
    return { writersOut: [...this.#firstOut.keys()], firstOut: [...this.#firstOut.values()].map(String) }
  }
}
