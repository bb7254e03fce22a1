import { randomBytes } from 'node:crypto'
import { ScanBlock } from '../../analytics/insert/scan-block.ts'
import type { IngestIntent } from '../../db/scans/ingest-checkpoints.ts'
import { errorMessage } from '../../errors.ts'
import { journalStart, type JournalPosition } from '../../journal/reader.ts'
import { reportBatch } from '../batch-report.ts'
import { rereadBatch, type Batch, type StoredFrames } from '../batches.ts'
import type { IngestContext, Progress, WriterJournal } from '../ingest-context.ts'
import { endBatch, isMoved, networksOf, readNext, sourceOf } from '../journal-batches.ts'
import { isRefusal, isolateRefusedRecords } from './refusals.ts'
import { eventsOf } from './scan-events.ts'
import { withUniques, type CodeScans } from './uniques.ts'

/**
 * Ingests the next batch of a journal, exactly once despite any failure:
 *
 * 1. the intent (batch id and stretch) is saved before anything is inserted;
 * 2. the rows are inserted under the batch id and counted, and an unknown outcome is settled by
 *    counting;
 * 3. one transaction moves the counters of the codes and the checkpoint, and deletes the intent.
 *
 * After a crash, the next worker finds the intent, creates equal rows from the same stretch, and
 * continues at step 2. Throws if something is unavailable; the next call continues.
 */
export async function ingestNext(context: IngestContext, journal: WriterJournal): Promise<Progress> {
  const from = await settledPosition(context, journal)
  if (from === undefined) return 'some'
  const block = new ScanBlock(createBatchId(context.clock()))
  const stored = await storedFrames(context, journal, from.sequence)
  const batch = await readNext(context, journal, { from, block, stored })
  const { to } = batch
  const { batchId, partition, rows } = block
  if (rows === 0) return await skipBatch(context, journal, { from, batch })
  const intent = { batchId, writer: journal.writer, from, to, partition, rows }
  // Until the commit the position is uncertain: after any error from here on, open intents are
  // settled first.
  journal.position = undefined
  if (!(await context.calls.saveIntents(context.db, [intent]))) return 'some'
  await isolateRefusedRecords(context, journal, { intent, batch }, async () => {
    await insertCounted(context, block)
    await commit(context, journal, { intent, batch })
  })
  return batch.more ? 'more' : 'some'
}

/**
 * Returns the checkpoint after all open batches are settled, or undefined if catalogue and store
 * must be compared first.
 */
async function settledPosition(
  context: IngestContext,
  journal: WriterJournal,
): Promise<JournalPosition | undefined> {
  if (journal.position !== undefined) return journal.position
  const { calls, db, store } = context
  const { writer } = journal
  for (const intent of await calls.openIntents(db, writer)) await settle(context, journal, intent)
  const position = (await calls.readCheckpoint(db, writer)) ?? journalStart
  // An older catalogue may be restored at any time, even under a running worker: for example, by a
  // fail-over that lost seconds.
  const after = position.sequence
  const stretch = { writer, after, exceptBatchIds: [] }
  const storedUpTo = await calls.lastStoredSequence(store, stretch)
  const isAhead = storedUpTo > journal.storedUpTo
  journal.storedUpTo = storedUpTo
  if (isAhead && context.isChecked) {
    context.mustCheck = true
    return undefined
  }
  journal.position = position
  return position
}

/** More at once would waste memory: the next batch requests the next ones. */
const storedFramesMax = 200_000

/**
 * Returns the frames after a position whose rows are already in the store, or undefined if there
 * are none.
 */
async function storedFrames(
  { calls, db, store }: IngestContext,
  { writer, storedUpTo }: WriterJournal,
  after: number,
): Promise<StoredFrames | undefined> {
  if (after >= storedUpTo) return undefined
  // Excludes running batches of another ingester of the same journal: they may fail.
  const exceptBatchIds = (await calls.openIntents(db, writer)).map(({ batchId }) => batchId)
  const stretch = { writer, after, exceptBatchIds }
  const sequences = await calls.storedSequences(store, stretch, storedFramesMax)
  const isAll = sequences.length < storedFramesMax
  return framesOf(sequences, isAll ? Infinity : (sequences.at(-1) ?? Infinity))
}

function framesOf(sequences: readonly number[], upTo: number): StoredFrames {
  const all = new Set(sequences)
  return { has: ({ sequence }) => all.has(sequence), upTo }
}

/** Moves the checkpoint over a stretch without rows. */
async function skipBatch(
  context: IngestContext,
  journal: WriterJournal,
  { from, batch }: { from: JournalPosition; batch: Batch },
): Promise<Progress> {
  const { to } = batch
  if (!isMoved(from, batch)) return 'none'
  journal.position = undefined
  await context.calls.addDeadLetters(context.journalRoot, journal.writer, batch.poison)
  await context.calls.saveCheckpoint(context.db, journal.writer, to)
  context.stats.skipped += batch.skipped
  journal.position = to
  reportBatch(context, journal, batch)
  return batch.more ? 'more' : 'some'
}

/**
 * Settles an open batch of an earlier run, so that its rows are in the store exactly once, and
 * commits it.
 */
async function settle(context: IngestContext, journal: WriterJournal, intent: IngestIntent): Promise<void> {
  const { calls, store } = context
  const { batchId, writer, from } = intent
  // Rows in the store under another batch were skipped when this batch was created.
  const stretch = { writer, after: from.sequence, exceptBatchIds: [batchId] }
  const sequences = await calls.storedSequences(store, stretch, storedFramesMax)
  const stored = framesOf(sequences, Infinity)
  const batch = await rereadBatch(sourceOf(context, journal), { ...intent, stored })
  context.stats.settled++
  await isolateRefusedRecords(context, journal, { intent, batch }, async () => {
    if (batch.block.rows >= intent.rows) {
      await context.calls.settleBatch(context.store, batch.block)
      await commit(context, journal, { intent, batch })
    } else await settleShortened(context, journal, { intent, batch })
  })
}

/**
 * Settles a batch of which the journal has lost frames since its intent was saved: a power failure
 * took frames that were read before they were synced, or segments are gone. If the store has more
 * rows, it is the better copy.
 */
async function settleShortened(
  context: IngestContext,
  journal: WriterJournal,
  { intent, batch }: { intent: IngestIntent; batch: Batch },
): Promise<void> {
  const { calls, store, log } = context
  const { batchId } = intent
  const { rows } = batch.block
  const stored = await calls.countBatch(store, batchId)
  log.error(
    { batchId, expected: intent.rows, inJournal: rows, inStore: stored },
    'the journal lost scans of a batch',
  )
  if (stored <= rows) {
    if (rows > 0) await calls.settleBatch(store, batch.block)
    await commit(context, journal, { intent, batch })
    return
  }
  await calls.refeedFirstScans(store, batchId)
  const { scans, days } = await calls.storedBatch(store, batchId)
  await commit(context, journal, { intent, batch, scans, days })
}

/**
 * Inserts rows and ensures that they are in the store exactly once, even if something on the way
 * sent them twice.
 */
async function insertCounted({ calls, store, log, stats }: IngestContext, block: ScanBlock): Promise<void> {
  const { batchId, rows } = block
  try {
    await calls.insertBatch(store, block)
    if ((await calls.countBatch(store, batchId)) === rows) return
  } catch (error) {
    if (isRefusal(error)) throw error
    log.warn({ batchId, error: errorMessage(error) }, 'the outcome of an insert is unknown')
  }
  stats.settled++
  await calls.settleBatch(store, block)
}

async function commit(
  context: IngestContext,
  journal: WriterJournal,
  {
    intent,
    batch,
    scans = scansOf(batch),
    days = batch.days,
  }: {
    intent: IngestIntent
    batch: Batch
    scans?: readonly CodeScans[]
    days?: ReadonlyMap<number, number>
  },
): Promise<void> {
  const { calls, db } = context
  const { batchId, writer, to } = intent
  // During a backlog the next batch has mostly the same codes: their visitors are counted once for
  // all batches.
  const counters = batch.more ? scans : await withUniques(context, scans)
  await calls.addDeadLetters(context.journalRoot, writer, batch.poison)
  await keep(context, intent, batch)
  const events = await eventsOf(context, batchId, scans)
  const networks = networksOf(journal, batch)
  const change = { writer, batchId, counters, days, events, networks: networks.share, position: to }
  const reserved = await calls.commitBatch(db, change)
  // Another ingester of the same journal settled and counted the batch in the meantime.
  if (reserved === undefined) return
  journal.refusals = 0
  journal.deadInARow = 0
  journal.rowsMax *= 2
  const humans = scans.reduce((sum, code) => sum + code.scans, 0)
  endBatch(context, journal, { batch, reserved, networks, scans: humans })
}

/** Keeps the rows as inserted, before the journal may remove their scans. */
async function keep({ calls, kept }: IngestContext, intent: IngestIntent, batch: Batch): Promise<void> {
  const { batchId, writer, to } = intent
  const { rows } = batch.block
  if (rows === 0) return
  const days = [...batch.days.keys()]
  await calls.keepRows(kept, { batchId, writer, sequence: to.sequence, rows, days }, batch.block)
}

function scansOf({ scans }: Batch): CodeScans[] {
  return [...scans].flatMap(([organizationId, ofCodes]) =>
    [...ofCodes].map(([qrCodeId, code]) => ({ organizationId, qrCodeId, ...code })),
  )
}

/** Ids sort by time: the scan store skips parts that are older than the batch it counts. */
export function createBatchId(nowMs: number): string {
  return `bat_${nowMs.toString(36).padStart(9, '0')}${randomBytes(8).toString('hex')}`
}
