import { randomBytes } from 'node:crypto'
import { recoverDoubledRows, removeDoubledRows } from '../../analytics/insert/doubled-rows.ts'
import {
  deleteLostFirstScans,
  refeedFirstScansOfDays,
  type BeforeChange,
} from '../../analytics/insert/put-back.ts'
import { findFirstScans } from '../../analytics/figures/old-scans.ts'
import { codesOfDays, storedDays, type StoredCode } from '../../analytics/insert/stored-scans.ts'
import { inTransaction, lockName, type Database } from '../../db/database.ts'
import { ensureInstallation, readInstallation, updateInstallation } from '../../db/installation.ts'
import { allIntents, forgetCheckpoint } from '../../db/scans/ingest-checkpoints.ts'
import { reserveShortCodes } from '../../db/scans/reserved-codes.ts'
import { byOrganization, readRetention, type CodeScans } from '../../db/scans/scan-counters.ts'
import { dayOf, readScanDays, setScanDays, type DayHits } from '../../db/scans/scan-days.ts'
import { changeScanLosses, readScanLosses } from '../../db/scans/scan-losses.ts'
import { hitsByDay } from '../../db/scans/lost-hits.ts'
import { addFindings, expectFindings, readFindings } from '../../db/scans/scan-findings.ts'
import { addFoundAnswers } from '../../db/scans/scan-limits.ts'
import { tellFound } from '../found-report.ts'
import type { IngestContext, WriterJournal } from '../ingest-context.ts'
import { putBackKept } from './put-back-kept.ts'
import { recountAll, recountCodes } from './recount.ts'
import { settleStray } from './stray-intents.ts'
import { ingestNext } from './ingest-next.ts'

const hourMs = 3_600_000

type Options = {
  /** The journals that this worker ingests. */
  journals: readonly WriterJournal[]
  signal: AbortSignal
}

/** A day of a writer on which catalogue and store differ. */
export type Difference = DayHits & { known: number }

/**
 * Compares the hits that the catalogue knows, by writer and day, with those in the store, and makes
 * both equal:
 *
 * - If the store has fewer, it lost parts or is an older copy. Kept rows are restored, and lost
 *   hits are reported.
 * - If the store has more, duplicate rows are deleted. If it still has more, the catalogue is an
 *   older copy: counters are set from the store, and codes that only the store knows are reserved.
 *
 * Every step can be repeated, so after a crash the next comparison completes the work, and tells
 * the findings of both. Skips
 * writers that change during the comparison until the next one. Throws if store or catalogue is
 * unavailable.
 */
export async function reconcile(context: IngestContext, { journals, signal }: Options): Promise<void> {
  const { db } = context
  const installation = await ensureInstallation(db)
  const ownWriters = new Set(journals.map(({ writer }) => writer))
  await settleStray(context, ownWriters)
  const notBeforeMs = await readRetentionStart(context)
  // Rows of another machine may still be in progress.
  const sinceMs = context.isAlone ? 0 : hourMs
  await recoverDoubledRows(context.store, { sinceMs, notBeforeMs })
  if (installation.scansCountedAtMs === null) return await countFirst(context)
  await correctAll(context, { ownWriters, journals, notBeforeMs, signal })
  await tellFound(context)
}

/** Makes catalogue and store equal, and adds to the findings. */
async function correctAll(
  context: IngestContext,
  {
    ownWriters,
    journals,
    notBeforeMs,
    signal,
  }: Options & { ownWriters: ReadonlySet<string>; notBeforeMs: number },
): Promise<void> {
  const { db } = context
  let differences = await compareDays(context, ownWriters)
  const hasUnknownBatch = await isKeptBatchUnknown(context)
  // Rows that were reported as lost may have been kept nevertheless, as beside a restored copy.
  const hasLosses = (await readScanLosses(db)).length > 0
  if (hasUnknownBatch || hasLosses || differences.some(({ hits, known }) => hits < known)) {
    await putBackKept(context, { name: randomBytes(4).toString('hex'), notBeforeMs })
    differences = await compareDays(context, ownWriters)
  }
  const lacking = differences.filter(({ hits, known }) => hits < known)
  if (await rereadJournals(context, journals, lacking)) differences = await compareDays(context, ownWriters)
  const doubledDays = differences.filter(({ hits, known }) => hits > known)
  if (await removeDoubled(context, doubledDays, notBeforeMs))
    differences = await compareDays(context, ownWriters)
  // Also those of comparisons that were killed.
  const untold = await readFindings(db)
  if (differences.length === 0 && untold === undefined) return
  const more = differences.filter(({ hits, known }) => hits > known)
  const less = differences.filter(({ hits, known }) => hits < known)
  const codes = await codesOf(context, more)
  await inTransaction(db, async (tx) => {
    await addFindings(tx, { reserved: await reserveShortCodes(tx, codes) })
  })
  if (less.length > 0) {
    const days = [...new Set(less.map(({ day }) => day))]
    await deleteLostFirstScans(context.store, days)
    await findFirstScans(context.store, signal)
  }
  const { putBackHits = 0, doubledHits = 0 } = untold ?? {}
  const hasAllChanged = less.length > 0 || putBackHits > 0 || doubledHits > 0
  await recountFound(context, codes, { areNew: !hasAllChanged })
  if (hasAllChanged) await recountAll(db, context.store, { signal, also: addRecounted })
  const behind = await writersBehind(context, more)
  const unknownHits = sumOf(more, ({ writer, hits, known }) => (behind.has(writer) ? hits - known : 0))
  // Must come last: until then, the next comparison finds the same differences.
  await inTransaction(db, async (tx) => {
    await addFindings(tx, { unknownHits, lost: hitsByDay(lostRows(less, lacking)) })
    await changeScanLosses(tx, [...lostRows(less, lacking), ...returnedRows(more)])
    await setScanDays(tx, differences)
  })
}

/**
 * Recounts codes of which the store has more hits than the catalogue knows. If nothing else has
 * changed, the catalogue is an older copy: these were answered since, and count for the limits of
 * their codes.
 */
async function recountFound(
  { db, store, log }: IngestContext,
  codes: readonly StoredCode[],
  { areNew }: { areNew: boolean },
): Promise<void> {
  await recountCodes(db, store, codes, async (tx, corrected) => {
    await addRecounted(tx, corrected)
    const limits = areNew ? await addFoundAnswers(tx, corrected, Date.now()) : 0
    if (limits > 0)
      log.warn({ limits }, 'an older catalogue was put back: answers since then count for limits of codes')
  })
}

async function addRecounted(tx: Database, corrected: readonly CodeScans[]): Promise<void> {
  await addFindings(tx, { recounted: byOrganization(corrected) })
}

/** Deletes duplicate rows on days with too many in the store. Returns whether there were any. */
async function removeDoubled(
  { db, store }: IngestContext,
  more: readonly Difference[],
  notBeforeMs: number,
): Promise<boolean> {
  const exceptBatchIds = (await allIntents(db)).map(({ batchId }) => batchId)
  let isAny = false
  for (const [writer, ofWriter] of Map.groupBy(more, (difference) => difference.writer)) {
    const stretch = { writer, days: ofWriter.map(({ day }) => day), exceptBatchIds }
    const before: BeforeChange = async (rows) => {
      const doubledHits = sumOf(rows, ({ scans }) => scans)
      await inTransaction(db, (tx) => expectFindings(tx, writer, { doubledHits }))
    }
    const options = { name: randomBytes(8).toString('hex'), notBeforeMs, before }
    if ((await removeDoubledRows(store, stretch, options)).length > 0) isAny = true
  }
  return isAny
}

/**
 * Returns the writers whose checkpoints are behind the store. Hits of other writers were counted
 * without the ledger, by a machine with an earlier release that shares the catalogue.
 */
async function writersBehind(
  { calls, db, store }: IngestContext,
  more: readonly Difference[],
): Promise<ReadonlySet<string>> {
  const behind = new Set<string>()
  const open = await allIntents(db)
  for (const writer of new Set(more.map((difference) => difference.writer))) {
    const after = (await calls.readCheckpoint(db, writer))?.sequence ?? 0
    const exceptBatchIds = open.filter((one) => one.writer === writer).map(({ batchId }) => batchId)
    if ((await calls.lastStoredSequence(store, { writer, after, exceptBatchIds })) > 0) behind.add(writer)
  }
  return behind
}

/** Before the first count, the catalogue has nothing to compare the store with. */
async function countFirst({ db, store, clock }: IngestContext): Promise<void> {
  const open = await allIntents(db)
  const days = await storedDays(
    store,
    open.map(({ batchId }) => batchId),
  )
  await inTransaction(db, async (tx) => {
    await lockName(tx, 'installation')
    // Another machine has counted since, and may have ingested: its rows may be among these.
    if ((await readInstallation(tx))?.scansCountedAtMs !== null) return
    await setScanDays(tx, days)
    await updateInstallation(tx, { scansCountedAtMs: clock() })
  })
}

/** Longer than rows are kept: no other machine can restore older days. */
const othersDays = 4

/**
 * Returns where catalogue and store differ, for writers that did not change in the meantime and
 * days within the retention. Hits of another machine's last days that the store lacks are left to
 * that machine, which has kept the rows.
 */
export async function compareDays(
  { db, store, isAlone, clock }: Pick<IngestContext, 'db' | 'store' | 'isAlone' | 'clock'>,
  ownWriters: ReadonlySet<string>,
): Promise<Difference[]> {
  const before = await stateOf(db)
  const stored = await storedDays(store, before.batchIds)
  const after = await stateOf(db)
  const retention = await readRetention(db)
  const dayMin = retention === undefined ? -Infinity : dayOf(retention.beforeMs)
  const all = new Map<string, Difference>()
  for (const { writer, day, hits } of before.days)
    all.set(`${writer} ${day}`, { writer, day, hits: 0, known: hits })
  for (const { writer, day, hits } of stored)
    all.set(`${writer} ${day}`, { writer, day, hits, known: all.get(`${writer} ${day}`)?.known ?? 0 })
  return [...all.values()].filter(
    ({ writer, day, hits, known }) =>
      hits !== known &&
      day >= dayMin &&
      before.stateOf(writer) === after.stateOf(writer) &&
      (hits > known || isAlone || ownWriters.has(writer) || day < dayOf(clock()) - othersDays),
  )
}

async function stateOf(db: IngestContext['db']) {
  const intents = await allIntents(db)
  const days = await readScanDays(db)
  const states = new Map<string, string>()
  const add = (writer: string, what: string) => states.set(writer, `${states.get(writer) ?? ''} ${what}`)
  for (const { writer, batchId } of intents) add(writer, batchId)
  for (const { writer, day, hits } of days.toSorted((a, b) => a.day - b.day)) add(writer, `${day}:${hits}`)
  return {
    days,
    batchIds: intents.map(({ batchId }) => batchId),
    stateOf: (writer: string) => states.get(writer) ?? '',
  }
}

/**
 * Whether the last kept batch is neither counted nor open in the catalogue: the catalogue is an
 * older copy, and the store may be one too.
 */
async function isKeptBatchUnknown({ db, kept, calls }: IngestContext): Promise<boolean> {
  const last = await kept.last()
  if (last === undefined) return false
  const checkpoint = await calls.readCheckpoint(db, last.writer)
  if (checkpoint !== undefined && checkpoint.sequence >= last.sequence) return false
  return !(await calls.openIntents(db, last.writer)).some(({ batchId }) => batchId === last.batchId)
}

/** Older kept rows are not restored: the retention has deleted them. */
async function readRetentionStart({ db }: IngestContext): Promise<number> {
  return (await readRetention(db))?.beforeMs ?? 0
}

async function codesOf({ store }: IngestContext, more: readonly Difference[]): Promise<StoredCode[]> {
  const codes = new Map<string, StoredCode>()
  for (const [writer, ofWriter] of Map.groupBy(more, (difference) => difference.writer)) {
    const days = ofWriter.map(({ day }) => day)
    await refeedFirstScansOfDays(store, writer, ofWriter)
    for (const code of await codesOfDays(store, writer, days))
      codes.set(`${code.organizationId} ${code.qrCodeId}`, code)
  }
  return [...codes.values()]
}

/**
 * Reads journals from their beginnings if the store lacks their scans: an older copy of a folder
 * may contain scans that the catalogue considers ingested. Skips rows that are in the store.
 * Returns false if there is no such journal.
 */
async function rereadJournals(
  context: IngestContext,
  journals: readonly WriterJournal[],
  lacking: readonly Difference[],
): Promise<boolean> {
  const writers = new Set(lacking.map(({ writer }) => writer))
  const affected = journals.filter(({ writer }) => writers.has(writer))
  for (const journal of affected) {
    await forgetCheckpoint(context.db, journal.writer)
    journal.position = undefined
    while ((await ingestNext(context, journal)) !== 'none');
  }
  return affected.length > 0
}

/**
 * Returns the lost hits, relative to the counts from before journals were reread, because a reread
 * counts them twice.
 */
function lostRows(less: readonly Difference[], lacking: readonly Difference[]): DayHits[] {
  const known = new Map(lacking.map((row) => [`${row.writer} ${row.day}`, row.known]))
  return less.map(({ writer, day, hits, known: knownNow }) => ({
    writer,
    day,
    hits: Math.max(0, (known.get(`${writer} ${day}`) ?? knownNow) - hits),
  }))
}

/** Hits that the store has again are no longer lost. */
function returnedRows(more: readonly Difference[]): DayHits[] {
  return more.map(({ writer, day, hits, known }) => ({ writer, day, hits: known - hits }))
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}
