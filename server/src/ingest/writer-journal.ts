import { randomBytes } from 'node:crypto'
import type { ScannedCode } from '../analytics/insert.ts'
import type { ScanBlock } from '../analytics/scan-block.ts'
import { hasCode, type ScanStore } from '../analytics/store.ts'
import type { Database } from '../db/database.ts'
import { takes } from '../db/event-pages.ts'
import { isNearlyOneNetwork, type NetworkShare } from '../db/network-shares.ts'
import type { IngestIntent, ScanEvents } from '../db/ingest-checkpoints.ts'
import { errorMessage } from '../errors.ts'
import { journalStart, type JournalPosition } from '../journal/reader.ts'
import type { Log } from '../log.ts'
import { readBatch, rereadBatch, type Batch, type BatchSource } from './batches.ts'
import type { Geography } from './geography.ts'
import type { IngestCalls } from './ingest-calls.ts'
import type { IngestStats } from './ingest-stats.ts'
import { networkShareOf, withRecent } from './recent-networks.ts'

/** One writer's journal as the worker sees it. All that counts stands in the catalogue; this can be lost at any time. */
export type WriterJournal = {
  readonly dir: string
  readonly writer: string
  /** The checkpoint; undefined while it is not known, or a batch may be open: then what is open is settled first. */
  position: JournalPosition | undefined
  /** Halved while the store refuses what a batch holds. */
  rowsMax: number
  /** How often in a row the scan store refused the rows of the present batch, and how many records in a row it never took. */
  refusals: number
  deadInARow: number
  readFailures: number
  /** Networks of its last scans since the worker started: in memory only. */
  networks: readonly string[]
}

export type IngestContext = {
  journalRoot: string
  store: ScanStore
  db: Database
  places: Pick<Geography, 'locate'>
  log: Log
  stats: IngestStats
  calls: IngestCalls
  clock: () => number
  rowsMax: number
}

/** `more`: go on at once; `some`: all that was there is ingested; `none`: nothing was there. */
export type Progress = 'more' | 'some' | 'none'

export function writerJournal(dir: string, writer: string): WriterJournal {
  return {
    dir,
    writer,
    position: undefined,
    rowsMax: Infinity,
    refusals: 0,
    deadInARow: 0,
    readFailures: 0,
    networks: [],
  }
}

/**
 * Takes the next batch of a journal into analytics, exactly once whatever fails on the way:
 *
 * 1. the intent (batch id and stretch) is saved, before anything is inserted;
 * 2. the rows are inserted under the batch id and counted, and an unknown outcome is settled by counting;
 * 3. the counters of the codes and the checkpoint move, and the intent goes, in one transaction.
 *
 * Whoever comes after a crash finds the intent, makes the same rows from the same stretch, and goes on at 2. Throws
 * when something is not available; the next call continues.
 */
export async function ingestNext(context: IngestContext, journal: WriterJournal): Promise<Progress> {
  const from = await settledPosition(context, journal)
  const batch = await readNext(context, journal, from)
  const { block, to } = batch
  const { batchId, partition, rows } = block
  if (rows === 0) return await passOver(context, journal, { from, batch })
  const intent = { batchId, writer: journal.writer, from, to, partition, rows }
  // Until the commit the position is in question: whatever is thrown from here on, open intents are looked at first.
  journal.position = undefined
  if (!(await context.calls.saveIntents(context.db, [intent]))) return 'some'
  await refusable(context, journal, { intent, batch }, async () => {
    await insertCounted(context, block)
    await commit(context, journal, { intent, batch })
  })
  return batch.more ? 'more' : 'some'
}

/** The checkpoint, once nothing of the journal is in question any more. */
async function settledPosition(context: IngestContext, journal: WriterJournal): Promise<JournalPosition> {
  if (journal.position !== undefined) return journal.position
  const { calls, db } = context
  for (const intent of await calls.openIntents(db, journal.writer)) await settle(context, journal, intent)
  journal.position = (await calls.readCheckpoint(db, journal.writer)) ?? journalStart
  return journal.position
}

const readFailuresMax = 5

async function readNext(
  context: IngestContext,
  journal: WriterJournal,
  from: JournalPosition,
): Promise<Batch> {
  // A place that the disk cannot read is tried a few times, seconds apart, and then given up for the rest behind it.
  const unreadable = journal.readFailures >= readFailuresMax ? 'skip' : 'throw'
  try {
    const rowsMax = Math.min(context.rowsMax, journal.rowsMax)
    const batchId = createBatchId(context.clock())
    const batch = await readBatch(sourceOf(context, journal), from, { batchId, rowsMax, unreadable })
    journal.readFailures = 0
    return batch
  } catch (error) {
    journal.readFailures++
    throw error
  }
}

/** Moves over a stretch that gives no rows. */
async function passOver(
  context: IngestContext,
  journal: WriterJournal,
  { from, batch }: { from: JournalPosition; batch: Batch },
): Promise<Progress> {
  const { to } = batch
  if (to.sequence === from.sequence && to.segment === from.segment && to.offset === from.offset) return 'none'
  journal.position = undefined
  await context.calls.addDeadLetters(context.journalRoot, journal.writer, batch.poison)
  await context.calls.saveCheckpoint(context.db, journal.writer, to)
  journal.position = to
  report(context, journal, batch)
  return batch.more ? 'more' : 'some'
}

/** Makes what an earlier run left open stand in the store exactly once, and commits it. */
async function settle(context: IngestContext, journal: WriterJournal, intent: IngestIntent): Promise<void> {
  const batch = await rereadBatch(sourceOf(context, journal), intent)
  context.stats.settled++
  await refusable(context, journal, { intent, batch }, async () => {
    if (batch.block.rows >= intent.rows) {
      await context.calls.settleBatch(context.store, batch.block)
      await commit(context, journal, { intent, batch })
    } else await settleShortened(context, journal, { intent, batch })
  })
}

/**
 * The journal has fewer of the batch's scans than when its intent was saved: a power loss took frames that were read
 * before they were synced, or segments are gone. What the store has is then the better copy, if it has more.
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
  const scans = await store.select<CodeScans>(
    `/* ingest.scansOfBatch */
     select organization_id as organizationId, qr_code_id as qrCodeId, count() as scans
     from scans
     where batch_id = {batchId:String} and class = 'human'
     group by organization_id, qr_code_id`,
    { batchId },
  )
  await commit(context, journal, { intent, batch, scans })
}

/** Inserts rows and makes sure that they are there once: also when something on the way sent them twice. */
async function insertCounted({ calls, store, log, stats }: IngestContext, block: ScanBlock): Promise<void> {
  const { batchId, rows } = block
  try {
    await calls.insertBatch(store, block)
    if ((await calls.countBatch(store, batchId)) === rows) return
  } catch (error) {
    if (isRefusal(error)) throw error
    log.warn({ batchId, error: errorMessage(error) }, 'the outcome of an insert is not known')
  }
  stats.settled++
  await calls.settleBatch(store, block)
}

/** The scans of a batch as events, of the organizations where somebody takes them. */
async function eventsOf(
  { calls, store, db, clock }: IngestContext,
  batchId: string,
  scans: readonly CodeScans[],
): Promise<ScanEvents[]> {
  const ids = [...new Set(scans.map(({ organizationId }) => organizationId))]
  const wanted = await calls.wantedEvents(db, ids, clock())
  const taking = ids.filter((id) => takes(wanted.get(id), 'qr.scanned'))
  if (taking.length === 0) return []
  const found = Map.groupBy(
    await calls.scansOfBatch(store, batchId, taking),
    ({ organizationId }) => organizationId,
  )
  return [...found].map(([organizationId, rows]) => ({
    organizationId,
    events: rows.map(({ scan }) => ({
      event: 'qr.scanned',
      atMs: Date.parse(scan.timestamp),
      qrCodeId: scan.qrCodeId,
      data: scan,
    })),
  }))
}

type CodeScans = ScannedCode & { scans: number }

async function commit(
  context: IngestContext,
  journal: WriterJournal,
  {
    intent,
    batch,
    scans = scansOf(batch),
  }: { intent: IngestIntent; batch: Batch; scans?: readonly CodeScans[] },
): Promise<void> {
  const { calls, db, stats } = context
  const { batchId, writer, to } = intent
  // In a backlog the next batch has much the same codes: their visitors are counted once for all of them.
  const counters = batch.more ? scans : await withUniques(context, scans)
  await calls.addDeadLetters(context.journalRoot, writer, batch.poison)
  const events = await eventsOf(context, batchId, scans)
  const recent = withRecent(journal.networks, batch.networks)
  const networks = networkShareOf(recent)
  // False: another ingester of the same journal settled it meanwhile, and counted it.
  if (!(await calls.commitBatch(db, { writer, batchId, counters, events, networks, position: to }))) return
  if (networks !== undefined) warnOfOneNetwork(context, journal, networks)
  journal.networks = recent
  journal.position = to
  journal.refusals = 0
  journal.deadInARow = 0
  journal.rowsMax *= 2
  stats.batches++
  stats.rows += batch.block.rows
  stats.scans += scans.reduce((sum, code) => sum + code.scans, 0)
  report(context, journal, batch)
}

/** Said once, when it begins: then countries and cities are those of one place, and visitors are hardly told apart. */
function warnOfOneNetwork(
  { log }: IngestContext,
  { dir, networks }: WriterJournal,
  share: NetworkShare,
): void {
  const former = networkShareOf(networks)
  if (!isNearlyOneNetwork(share) || (former !== undefined && isNearlyOneNetwork(former))) return
  log.warn(
    { dir, ...share },
    'nearly all recent scans come from one network: if that is a proxy, name it in TRUST_PROXY',
  )
}

function scansOf({ scans }: Batch): CodeScans[] {
  return [...scans].flatMap(([organizationId, ofCodes]) =>
    [...ofCodes].map(([qrCodeId, count]) => ({ organizationId, qrCodeId, scans: count })),
  )
}

async function withUniques<Code extends ScannedCode>(
  { calls, store }: IngestContext,
  codes: readonly Code[],
): Promise<(Code & { uniqueScans: number })[]> {
  const counts = new Map<string, number>()
  for (const count of await calls.uniqueScansOf(store, codes)) counts.set(keyOf(count), count.uniqueScans)
  return codes.map((code) => ({ ...code, uniqueScans: counts.get(keyOf(code)) ?? 0 }))
}

const dueAtOnce = 5000

/** Counts the unique scans that were put off. Throws when something is not available; the next call goes on. */
export async function countDueUniques(context: IngestContext): Promise<void> {
  const { calls, db } = context
  for (;;) {
    const due = await calls.readDueUniques(db, dueAtOnce)
    const saved = await calls.saveDueUniques(db, await withUniques(context, due))
    if (due.length < dueAtOnce || saved === 0) return
  }
}

function keyOf({ organizationId, qrCodeId }: ScannedCode): string {
  return `${organizationId} ${qrCodeId}`
}

/** What ClickHouse answers when the values themselves are at fault; anything else may pass, and is waited for. */
const refusalCodes = [6, 20, 25, 26, 27, 33, 38, 41, 53, 69, 70, 72, 117, 131, 321, 349, 376, 407, 691]
const refusalsMax = 3
const deadInARowMax = 20

function isRefusal(error: unknown): boolean {
  return refusalCodes.some((code) => hasCode(error, code))
}

/**
 * Runs the work on a batch. When the store refuses its values three times, the batch is given up for one of half its
 * size, until the one record is found that it refuses; that one is put aside.
 */
async function refusable(
  context: IngestContext,
  journal: WriterJournal,
  { intent, batch }: { intent: IngestIntent; batch: Batch },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isRefusal(error) || ++journal.refusals < refusalsMax) throw error
    const { calls, db } = context
    const { writer, batchId, to } = intent
    const frame = batch.firstFrame
    if (batch.block.rows > 1) {
      journal.rowsMax = Math.ceil(batch.block.rows / 2)
      await calls.commitBatch(db, { writer, batchId, counters: [] })
      return
    }
    // So many at a stretch are not the records' fault; they stay where they are until somebody looks.
    if (frame === undefined || journal.deadInARow >= deadInARowMax) throw error
    const poison = [
      ...batch.poison,
      { sequence: frame.sequence, scan: frame.scan, problem: errorMessage(error) },
    ]
    await calls.addDeadLetters(context.journalRoot, writer, poison)
    await calls.commitBatch(db, { writer, batchId, counters: [], position: to })
    journal.deadInARow++
    report(context, journal, { ...batch, poison })
  }
}

/** Counts and logs what did not become a row. */
function report({ stats, log }: IngestContext, { dir, writer }: WriterJournal, batch: Batch): void {
  for (const reason of batch.dropped) stats.dropped[reason]++
  if (batch.poison.length > 0) {
    stats.deadLetters += batch.poison.length
    log.error(
      { writer, dir, problems: batch.poison.slice(0, 3).map(({ problem }) => problem) },
      'scans were put aside as dead letters',
    )
  }
  for (const { segment, offset, bytes, problem } of batch.damaged) {
    stats.damagedBytes += bytes
    log.error(
      { dir, segment, offset, bytes, problem: problem?.message },
      'a damaged place of a journal was skipped',
    )
  }
}

function sourceOf({ places }: IngestContext, { dir, writer }: WriterJournal): BatchSource {
  return { dir, writer, places }
}

/** Ids sort by time: the scan store passes over parts that are older than the batch it counts. */
function createBatchId(nowMs: number): string {
  return `bat_${nowMs.toString(36).padStart(9, '0')}${randomBytes(8).toString('hex')}`
}
