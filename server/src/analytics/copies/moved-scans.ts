import { setTimeout as sleep } from 'node:timers/promises'
import { ScanStoreUnavailable } from '../scan-store.ts'
import { hasCode, type CallOptions, type ClickHouse } from '../store/clickhouse.ts'
import {
  copyScans,
  insertCopiedScans,
  ofRange,
  scanColumns,
  type CopiedScans,
  type ScanRange,
} from './scan-copies.ts'
import type { MonthRows } from './row-sums.ts'
import { copyDeadlineMs, lastOfAll, monthsOfScans, Within, type Fence } from './scan-fence.ts'

/** The scans that are moved: they stay while they are read. */
export type MovedSource = {
  /** Returns the months that have scans, and how many. */
  months: () => Promise<readonly Pick<MonthRows, 'month' | 'rows'>[]>
  /** Returns the scans of a month, with the sum over them that `sumSql` is in the new store. */
  rowsOf: (month: string) => Promise<MonthRows>
  sumSql: string
  /** Yields the scans of a month in Native format. */
  pieces: (month: string) => AsyncIterable<MovedPiece>
}

/** Without a range, a piece has scans that lie between others. */
export type MovedPiece = Pick<CopiedScans, 'rows' | 'native'> & {
  range: Pick<ScanRange, 'month'> & Partial<ScanRange>
}

export type MoveScansOptions = {
  /** Id of the new store. */
  storeId: string
  /** Called with the number of rows that the new store has, and with all that it is to get. */
  progress?: (done: number, of: number) => void
  signal: AbortSignal
}

export type MovedScans = {
  rows: number
  /** Months of which the stores have different rows, because the old one changed meanwhile. */
  differing: readonly string[]
}

/**
 * Makes the new store have exactly the rows of the old one up to a fence. What it already has
 * stays, so an interrupted move continues: a month with equal rows is skipped, and a piece of a
 * month gets the rows that it lacks. A month with other rows is emptied and moved again. Throws
 * ScanStoreUnavailable.
 */
export async function moveScans(
  from: MovedSource,
  to: ClickHouse,
  { storeId, progress, signal }: MoveScansOptions,
): Promise<MovedScans> {
  const target = new Target(to, storeId)
  const months = await from.months()
  const of = months.reduce((sum, { rows }) => sum + rows, 0)
  const names = new Set(months.map(({ month }) => month))
  for (const month of await monthsOfScans(to)) if (!names.has(month)) await target.empty(month)
  const differing: string[] = []
  let done = 0
  for (const { month, rows } of months) {
    const move = async (): Promise<void> => {
      let moved = 0
      for await (const piece of from.pieces(month)) {
        signal.throwIfAborted()
        // The month has rows that the old store has not: it is moved again.
        if (!(await target.complete(piece))) return
        moved += piece.rows
        progress?.(done + moved, of)
      }
    }
    const isMoved = async (): Promise<boolean> => {
      const was = await from.rowsOf(month)
      // The new store has no other rows than a move brought there.
      const is = await rowsOfMonth(to, { month, within: undefined, sumSql: from.sumSql })
      return was.rows === is.rows && was.sum === is.sum
    }
    if (!(await isMoved())) await move()
    if (!(await isMoved())) {
      await target.empty(month)
      await move()
      if (!(await isMoved())) differing.push(month)
    }
    done += rows
    progress?.(done, of)
  }
  await target.close()
  return { rows: done, differing }
}

/** Returns the scans of ClickHouse up to a fence, for a move. */
export async function movedClickHouse(from: ClickHouse, fence: Fence): Promise<MovedSource> {
  const within = await Within.find(from, fence)
  const sumSql = `toString(sum(cityHash64(${(await hashedColumns(from)).join(', ')})))`
  return {
    months: async () => {
      const months: MonthRows[] = []
      for (const month of await monthsOfScans(from)) {
        const found = await rowsOfMonth(from, { month, within, sumSql: `'0'` })
        if (found.rows > 0) months.push(found)
      }
      return months
    },
    rowsOf: (month) => rowsOfMonth(from, { month, within, sumSql }),
    sumSql,
    pieces: (month) => copyScans(from, fence, { months: [month], within }),
  }
}

/** Counts the rows of a month within a fence, and adds up sums over those of each writer. */
async function rowsOfMonth(
  store: ClickHouse,
  { month, within, sumSql }: { month: string; within: Within | undefined; sumSql: string },
): Promise<MonthRows> {
  for (;;) {
    const writers = await store.select<{ writer: string; upTo: number; rows: number; sum: string }>(
      `/* analytics.rowsOfMonth */
       select toString(writer) as writer, max(sequence) as upTo, count() as rows, ${sumSql} as sum
       from scans
       where _partition_id = {month:String} and ${within?.sql ?? 'true'}
       group by writer`,
      { month, ...within?.params },
      { deadlineMs: copyDeadlineMs, settings: lastOfAll },
    )
    // A writer has passed its fence since the look-up: count again without its new rows.
    if (writers.map(({ writer, upTo }) => within?.hasNew(writer, upTo)).includes(true)) continue
    const total = writers.reduce((all, one) => BigInt.asUintN(64, all + BigInt(one.sum)), 0n)
    return { month, rows: writers.reduce((all, one) => all + one.rows, 0), sum: String(total) }
  }
}

/** Returns the stored columns as values of a hash, which would be NULL if one of them were. */
async function hashedColumns(store: ClickHouse): Promise<string[]> {
  const rows = await store.select<{ name: string }>(
    `/* analytics.hashedColumns */
     select name
     from system.columns
     where database = currentDatabase() and table = 'scans' and startsWith(type, 'Nullable(')`,
  )
  const nullable = new Set(rows.map(({ name }) => name))
  return (await scanColumns(store)).map((name) =>
    nullable.has(name) ? `isNull(${name}), ifNull(${name}, 0)` : name,
  )
}

const alreadyRunning = 216
const waitMs = 60_000
const staging = 'moved_rows'

/**
 * The store that gets the rows. All of its statements have one query id, of which the store runs
 * one at a time: what a killed process sent ends before this one counts.
 */
class Target {
  readonly #store: ClickHouse
  readonly #queryId: string
  #inserts = 0
  readonly #startedAtMs = Date.now()

  constructor(store: ClickHouse, storeId: string) {
    this.#store = store
    this.#queryId = `everscan-move-${storeId}`
  }

  /**
   * Inserts the rows of a piece that the store lacks. Returns false if it has more rows than the
   * piece.
   */
  async complete(piece: MovedPiece): Promise<boolean> {
    const stored = await this.#count(piece.range)
    const isWhole = 'upTo' in piece.range
    if (isWhole && stored > piece.rows) return false
    if (stored === 0) {
      await this.#run((options) => insertCopiedScans(this.#store, piece, options))
      return true
    }
    if (!isWhole || stored < piece.rows) await this.#insertMissing(piece)
    return true
  }

  async empty(month: string): Promise<void> {
    if (!/^\d{6}$/.test(month)) throw new Error(`${month} is not a month`)
    await this.#command(`alter table scans drop partition id '${month}'`)
  }

  async close(): Promise<void> {
    await this.#command(`drop table if exists ${staging} sync`)
  }

  async #count(range: MovedPiece['range']): Promise<number> {
    const { sql, params } = ofRange({ after: undefined, upTo: undefined, ...range })
    const rows = await this.#run((options) =>
      this.#store.select<{ rows: number }>(
        `/* analytics.moveScans */ select count() as rows from scans where ${sql}`,
        params,
        options,
      ),
    )
    return rows[0]?.rows ?? 0
  }

  /** Rows are compared by their names, the writer and its sequence. */
  async #insertMissing({ native, range }: MovedPiece): Promise<void> {
    await this.#command(`drop table if exists ${staging} sync`)
    await this.#command(
      `create table ${staging} engine = MergeTree order by tuple() as select * from scans limit 0`,
    )
    const columns = (await scanColumns(this.#store)).join(', ')
    await this.#run((options) => insertCopiedScans(this.#store, { native }, { ...options, table: staging }))
    const { sql, params } = ofRange({ after: undefined, upTo: undefined, ...range })
    await this.#run((options) =>
      this.#store.command(
        `/* analytics.moveScans */
         insert into scans (${columns})
         select ${columns}
         from ${staging}
         where (writer, sequence) not in (select writer, sequence from scans where ${sql})`,
        params,
        options,
      ),
    )
  }

  async #command(sql: string): Promise<void> {
    await this.#run((options) => this.#store.command(`/* analytics.moveScans */ ${sql}`, {}, options))
  }

  async #run<Result>(work: (options: CallOptions) => Promise<Result>): Promise<Result> {
    // A new token each time: a month that was emptied gets the same rows again.
    const insert_deduplication_token = `${this.#startedAtMs}/${++this.#inserts}`
    const settings = { insert_deduplication_token, max_insert_threads: '1' } as const
    for (const untilMs = performance.now() + waitMs; ; await sleep(100)) {
      try {
        return await work({ queryId: this.#queryId, deadlineMs: copyDeadlineMs, settings })
      } catch (error) {
        if (!hasCode(error, alreadyRunning)) throw error
        if (performance.now() > untilMs) throw new ScanStoreUnavailable(error)
      }
    }
  }
}
