import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type RawBuilder } from 'kysely'
import { inTransaction, isShared, tag, type Database } from '../database.ts'
import { databaseNowMs } from '../dialects/database-clock.ts'
import { isOneOf, rowsAsTable } from '../dialects/row-sets.ts'

// A copy is made on one machine. Scans that other machines acknowledged before must first be in the
// scan store. Therefore the copy asks, every worker reports how far its journals are recorded, and
// the copy waits until the checkpoints reach these positions.

/** How far a writer has recorded; 0 if nothing is readable. */
export type JournalHead = { writer: string; sequence: number }

/** A machine counts as live this long after its last report. Workers report once a minute. */
const liveMs = 3 * 60_000
/** Older rows are deleted: each recent start leaves a row. */
const keptMs = 10 * 60_000

/** Asks all machines how far their journals are recorded. Returns the number of the request. */
export async function askForHeads(db: Database): Promise<number> {
  const { request } = await db.kysely
    .insertInto('journal_head_requests')
    .values({ id: 'heads', request: 1 })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({ request: sql`journal_head_requests.request + 1` }),
    )
    .returning('request')
    .modifyEnd(tag('db.askForHeads'))
    .executeTakeFirstOrThrow()
  return request
}

/** Returns the number of the last request, or 0 if there was none. */
export async function readHeadRequest(db: Database): Promise<number> {
  const row = await db.kysely
    .selectFrom('journal_head_requests')
    .select('request')
    .modifyEnd(tag('db.readHeadRequest'))
    .executeTakeFirst()
  return row?.request ?? 0
}

/**
 * Reports how far the writers of a machine have recorded, and that the machine is live. `heads`
 * must be read after `request`. They are all writers of the machine: earlier reports of others are
 * deleted.
 */
export async function tellHeads(
  db: Database,
  { machine, request, heads }: { machine: string; request: number; heads: readonly JournalHead[] },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const writers = heads.map(({ writer }) => writer)
    await tx.kysely
      .deleteFrom('journal_heads')
      .where((where) =>
        where.or([
          where('beat_at_ms', '<', sql<number>`${databaseNowMs(tx)} - ${sql.lit(keptMs)}`),
          where.and([where('machine', '=', machine), where.not(isOneOf(tx, 'writer', writers))]),
        ]),
      )
      .modifyEnd(tag('db.tellHeads'))
      .execute()
    if (heads.length === 0) return
    const rows = heads.map((head) => ({ ...head, machine, request }))
    await sql`/* db.tellHeads */
      insert into journal_heads (writer, machine, sequence, request, beat_at_ms)
      select r.writer, r.machine, r.sequence, r.request, ${databaseNowMs(tx)}
      from ${rowsAsTable(tx, 'journal_heads', rows)} where true
      on conflict (writer) do update set
        machine = excluded.machine, ${higher('sequence')}, ${higher('request')}, beat_at_ms = excluded.beat_at_ms`.execute(
      tx.kysely,
    )
  })
}

/** The clone of a machine may be behind the machine itself. */
function higher(column: 'sequence' | 'request'): RawBuilder<unknown> {
  const [was, is] = [sql.ref(`journal_heads.${column}`), sql.ref(`excluded.${column}`)]
  return sql`${sql.ref(column)} = case when ${was} > ${is} then ${was} else ${is} end`
}

/** Scans that other machines acknowledged and the scan store lacks. */
export type Others = {
  /**
   * Whether the scan store contains everything that other machines had acknowledged before the
   * request.
   */
  isComplete: boolean
  /** Writers that had recorded more than is ingested. */
  behind: (JournalHead & { machine: string; checkpoint: number })[]
  /** Live machines that did not answer the request. */
  silent: string[]
}

export type WaitForOthersOptions = {
  /** Writers of this machine, whose frames the copy includes itself. */
  ownWriters: readonly string[]
  /** 60,000 by default. */
  timeoutMs?: number
  /**
   * The minimum wait, for machines that are just starting: each worker checks for requests once a
   * second. 2,500 by default.
   */
  leastMs?: number
  pollMs?: number
  signal?: AbortSignal
}

/**
 * Waits until everything that writers of other machines acknowledged before the call is ingested.
 * Returns what is missing after the timeout. On SQLite, which serves one machine, it returns
 * immediately. Throws if the catalogue is unavailable or the signal fires.
 */
export async function waitForOthers(
  db: Database,
  { ownWriters, timeoutMs = 60_000, leastMs = 2_500, pollMs = 250, signal }: WaitForOthersOptions,
): Promise<Others> {
  if (!isShared(db)) return { isComplete: true, behind: [], silent: [] }
  const startedMs = performance.now()
  const request = await askForHeads(db)
  const own = new Set(ownWriters)
  // The first answer of each writer counts: later requests by others find it further.
  const answered = new Map<string, HeadRow>()
  for (;;) {
    const silent = new Set<string>()
    for (const head of await readHeads(db)) {
      if (own.has(head.writer) || answered.has(head.writer)) continue
      if (head.request >= request) answered.set(head.writer, head)
      else if (head.isLive) silent.add(head.machine)
    }
    const behind = await behindOf(db, [...answered.values()])
    const tookMs = performance.now() - startedMs
    const isComplete = behind.length === 0 && silent.size === 0
    if (tookMs >= (isComplete ? leastMs : timeoutMs))
      return { isComplete, behind, silent: [...silent].toSorted() }
    await sleep(pollMs, undefined, signal === undefined ? {} : { signal })
  }
}

type HeadRow = JournalHead & { machine: string; request: number; isLive: boolean }

async function readHeads(db: Database): Promise<HeadRow[]> {
  const rows = await db.kysely
    .selectFrom('journal_heads')
    .select(['writer', 'machine', 'sequence', 'request'])
    .select(
      sql<number>`case when beat_at_ms > ${databaseNowMs(db)} - ${sql.lit(liveMs)} then 1 else 0 end`.as(
        'live',
      ),
    )
    .modifyEnd(tag('db.readHeads'))
    .execute()
  return rows.map(({ live, ...row }) => ({ ...row, isLive: live === 1 }))
}

/** Returns the writers of live machines, each with the name of its machine. */
export async function liveWriters(db: Database): Promise<Map<string, string>> {
  const live = (await readHeads(db)).filter(({ isLive }) => isLive)
  return new Map(live.map(({ writer, machine }) => [writer, machine]))
}

async function behindOf(db: Database, heads: readonly HeadRow[]): Promise<Others['behind']> {
  const rows = await db.kysely
    .selectFrom('journal_checkpoints')
    .select(['writer', 'sequence'])
    .where(
      isOneOf(
        db,
        'writer',
        heads.map(({ writer }) => writer),
      ),
    )
    .modifyEnd(tag('db.readCheckpoints'))
    .execute()
  const checkpoints = new Map(rows.map(({ writer, sequence }) => [writer, sequence]))
  return heads
    .map(({ writer, machine, sequence }) => ({
      writer,
      machine,
      sequence,
      checkpoint: checkpoints.get(writer) ?? 0,
    }))
    .filter(({ sequence, checkpoint }) => checkpoint < sequence)
}
