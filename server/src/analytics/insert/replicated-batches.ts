import { errorMessage } from '../../errors.ts'
import { ScanStoreUnavailable } from '../scan-store.ts'

/** A batch, as far as its outcome depends on it. */
export type IdentifiedBatch = { readonly batchId: string; readonly rows: number }

type BatchId = Pick<IdentifiedBatch, 'batchId'>

/** The rows of a batch on one server. */
export type StoredRows = {
  rows: number
  /** The parts of the table that have these rows. */
  parts: readonly string[]
  /** Whether a deletion of rows of this batch has not ended on this server. */
  isChanging: boolean
}

/**
 * One server of a replicated scan store. Every call is a request to this server and to no other
 * one, and throws if its outcome is unknown.
 */
export type Replica<Batch extends IdentifiedBatch> = {
  /**
   * Inserts all rows or none. Inserts none if any server of the store remembers the token. Resolves
   * when a majority of the replicas has the rows that this token stands for.
   */
  insert(batch: Batch, token: string): Promise<void>
  /** Counts the rows of a batch on this server, once no insert of that batch runs on it. */
  count(batchId: string): Promise<StoredRows>
  /** Waits until this server has all rows that were stored on any server before the call. */
  catchUp(): Promise<void>
  /**
   * Deletes those rows of a batch that are in these parts, however late the request arrives. Waits
   * for this server only.
   */
  remove(batchId: string, parts: readonly string[]): Promise<void>
}

/** The servers of a replicated scan store during the work on one batch. */
export type Replicas<Batch extends IdentifiedBatch> = {
  /** The server of this batch. It stays the same until the work is done or fails. */
  readonly pinned: Replica<Batch>
  /** All servers, including the pinned one. */
  readonly all: readonly Replica<Batch>[]
  /** More than half of the replicas that the store has, whether or not they answer. */
  readonly majority: number
  /** The time of day, in milliseconds. */
  nowMs(): number
}

/**
 * The life of a batch is divided into periods, by the clocks of the workers. In each of them tokens
 * decide whether rows are stored: all workers use the same ones, the store remembers them longer
 * than a period lasts, and those of other periods cannot arrive any more. The store remembers
 * 100,000 tokens for a day. At a hundred batches per second, that is a thousand seconds.
 */
export const periodMs = 15 * 60_000

/**
 * How much of a period requests may be sent in. In the rest of it late ones arrive, of which each
 * may be on its way for a minute and run for another one, and clocks may differ.
 */
export const sendingMs = 10 * 60_000

/** How far the clocks of workers may differ. */
const clocksMs = 3 * 60_000

/** Each attempt after the first one means that rows were lost or doubled while settling. */
const attemptsMax = 10

/**
 * Inserts a batch. After any error the outcome is unknown, and `settleReplicated` determines it.
 */
export async function insertReplicated<Batch extends IdentifiedBatch>(
  replicas: Replicas<Batch>,
  batch: Batch,
): Promise<void> {
  // A suspended process may wake up after another one has settled the batch.
  if (periodOf(replicas, batch) !== 0) throw unavailable(batch, 'it is too old to be inserted uncounted')
  await replicas.pinned.insert(batch, tokenOf(batch, { period: 0, attempt: 0 }))
}

/**
 * Stores a batch whose outcome is unknown exactly once, on a majority of the replicas.
 *
 * - In its first period, the rows are sent again under the same token: the store itself decides
 *   whether it has them, also if an earlier insert still runs on a server that does not answer.
 * - In a later one, a majority of the servers must count the rows first, each after it has caught
 *   up. A count on a replica that may lag proves nothing.
 * - If the store drops the rows but does not have them, they were lost after they were stored. The
 *   next token is derived from the batch, so two workers that find this use the same one.
 *
 * Returns how the batch was found: `inserted` includes rows that the token has dropped. When it
 * throws, the outcome is still unknown, and the call can be repeated.
 */
export async function settleReplicated<Batch extends IdentifiedBatch>(
  replicas: Replicas<Batch>,
  batch: Batch,
): Promise<'stored' | 'inserted' | 'replaced'> {
  const { pinned } = replicas
  const { batchId, rows } = batch
  const period = periodOf(replicas, batch)
  let found: StoredRows = { rows: 0, parts: [], isChanging: false }
  if (period !== 0) {
    found = await countOnMajority(replicas, batch)
    if (found.rows === rows) return 'stored'
  }
  let isReplaced = false
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (found.rows > 0) {
      isReplaced = true
      await pinned.remove(batchId, found.parts)
    }
    if (periodOf(replicas, batch) !== period)
      throw unavailable(batch, 'this process was suspended since it counted the rows')
    await pinned.insert(batch, tokenOf(batch, { period, attempt }))
    found = await countOnMajority(replicas, batch)
    if (found.rows === rows) return isReplaced ? 'replaced' : 'inserted'
  }
  throw unavailable(batch, `expected ${rows} rows after ${attemptsMax} inserts, got ${found.rows}`)
}

/** Counts the rows on a majority of the servers, whichever answer first. They must agree. */
async function countOnMajority<Batch extends IdentifiedBatch>(
  { all, majority }: Replicas<Batch>,
  batch: Batch,
): Promise<StoredRows> {
  const counts: StoredRows[] = []
  let failure: { error: unknown } | undefined
  await new Promise<void>((resolve) => {
    let open = all.length
    const count = async (server: Replica<Batch>): Promise<void> => {
      try {
        await server.catchUp()
        counts.push(await server.count(batch.batchId))
      } catch (error) {
        failure = { error }
      }
      open--
      if (counts.length >= majority || open === 0) resolve()
    }
    for (const server of all) void count(server)
  })
  const [first] = counts
  if (first === undefined || counts.length < majority) {
    const why = failure === undefined ? '' : `: ${errorMessage(failure.error)}`
    throw unavailable(batch, `${counts.length} of ${all.length} servers have caught up${why}`)
  }
  if (counts.some(({ rows, isChanging }) => isChanging || rows !== first.rows))
    throw unavailable(batch, 'the servers disagree about its rows')
  return { ...first, parts: [...new Set(counts.flatMap(({ parts }) => parts))] }
}

/** The first token of a batch is its id, as on a single server. */
function tokenOf({ batchId }: BatchId, { period, attempt }: { period: number; attempt: number }): string {
  const token = period === 0 ? batchId : `${batchId}/p${period}`
  return attempt === 0 ? token : `${token}/${attempt}`
}

/**
 * Returns the number of the current period of a batch. Throws in the part of it in which nothing is
 * sent. A clock that is a little late says that a new batch is from the future.
 */
function periodOf({ nowMs }: Pick<Replicas<never>, 'nowMs'>, { batchId }: BatchId): number {
  const saidMs = nowMs() - createdMs(batchId)
  const ageMs = saidMs < 0 && saidMs > -clocksMs ? 0 : saidMs
  const period = Math.floor(ageMs / periodMs)
  if (ageMs - period * periodMs < sendingMs) return period
  throw unavailable({ batchId }, 'earlier inserts of it may still arrive')
}

/** Returns the time in a batch id such as `bat_0mi1x2k3z…`, or 0 if it has none. */
function createdMs(batchId: string): number {
  return Number.parseInt(/^bat_([0-9a-z]{9})/.exec(batchId)?.[1] ?? '0', 36)
}

function unavailable({ batchId }: BatchId, why: string): ScanStoreUnavailable {
  return new ScanStoreUnavailable(new Error(`batch ${batchId}: ${why}`))
}
