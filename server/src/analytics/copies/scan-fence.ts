import type { Params, ScanStore } from '../store/store.ts'

/** For each writer the last sequence that is in; a writer that it does not have is out altogether. */
export type Fence = ReadonlyMap<string, number>

/** A copy is in no hurry: after everybody else, and with one thread. */
export const lastOfAll = { priority: '3', max_threads: 1 } as const
export const copyDeadlineMs = 10 * 60_000

/** Months as the table is partitioned, such as 202603: a query for each holds up nobody for long. */
export async function monthsOfScans(store: ScanStore): Promise<string[]> {
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

/**
 * What of the store lies within a fence. There are thousands of writers and only those that write have more than that, so
 * conditions name these alone; `hasNew` finds writers that went beyond it since.
 */
export class Within {
  readonly #fence: Fence
  /** The first sequence that is out, of those writers that have it. */
  readonly #firstOut = new Map<string, number>()

  private constructor(fence: Fence) {
    this.#fence = fence
  }

  static async find(store: ScanStore, fence: Fence): Promise<Within> {
    const within = new Within(fence)
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
      for (const { writer, upTo } of rows) within.hasNew(writer, upTo)
    }
    return within
  }

  /** Whether a writer is beyond its fence at a sequence; then conditions made from now on leave out what is. */
  hasNew(writer: string, sequence: number): boolean {
    const firstOut = (this.#fence.get(writer) ?? -1) + 1
    if (sequence < firstOut) return false
    this.#firstOut.set(writer, firstOut)
    return true
  }

  /** A condition of `scans`. */
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
