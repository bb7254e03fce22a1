import { randomBytes } from 'node:crypto'
import { recoverDoubledRows, removeDoubledRows } from '../analytics/insert/doubled-rows.ts'
import { deleteLostFirstScans, refeedFirstScansOfDays } from '../analytics/insert/put-back.ts'
import { findFirstScans } from '../analytics/figures/old-scans.ts'
import { codesOfDays, storedDays, type StoredCode } from '../analytics/insert/stored-scans.ts'
import { addInstallationNote, ensureInstallation, updateInstallation } from '../db/installation.ts'
import { allIntents, forgetCheckpoint } from '../db/scans/ingest-checkpoints.ts'
import { reserveShortCodes } from '../db/scans/reserved-codes.ts'
import { readRetention, type OrganizationScans } from '../db/scans/scan-counters.ts'
import { dayOf, readScanDays, setScanDays, type DayHits } from '../db/scans/scan-days.ts'
import type { Found, IngestContext, WriterJournal } from './ingest-context.ts'
import { putBackKept } from './put-back-kept.ts'
import { recountAll, recountCodes } from './recount.ts'
import { settleStray } from './stray-intents.ts'
import { ingestNext } from './writer-journal.ts'

const daysMs = 86_400_000
const hourMs = 3_600_000

type Options = {
  /** Those that this worker ingests. */
  journals: readonly WriterJournal[]
  signal: AbortSignal
}

/** A day of a writer on which catalogue and store differ. */
export type Difference = DayHits & { known: number }

/**
 * Compares what the catalogue says that the scan store was given, by writer and day, with what the store has, and makes both the same:
 *
 * - the store has less: parts of it are lost, or it is an older copy. What the kept rows have is put back; what is gone is told;
 * - the store has more: rows that stand there twice are taken out. Is it more still, the catalogue is an older copy: counters are set
 *   to what the store has, and codes that only the store knows are reserved.
 *
 * Every step can be done again, so after a crash the next comparison finds the rest. Writers that somebody else moves at the moment are
 * left to the next comparison. Throws when store or catalogue is not available.
 */
export async function reconcile(context: IngestContext, { journals, signal }: Options): Promise<void> {
  const { db } = context
  const installation = await ensureInstallation(db)
  const own = new Set(journals.map(({ writer }) => writer))
  await settleStray(context, own)
  const notBeforeMs = await keptFrom(context)
  // Those of another machine may be under way.
  const sinceMs = context.isAlone ? 0 : hourMs
  await recoverDoubledRows(context.store, { sinceMs, notBeforeMs })
  if (installation.scansCountedAtMs === null) return await countFirst(context)
  let differences = await compareDays(context, own)
  const isKeptAhead = await keptIsAhead(context)
  let putBack: readonly OrganizationScans[] = []
  if (isKeptAhead || differences.some(({ hits, known }) => hits < known)) {
    putBack = await putBackKept(context, {
      name: randomBytes(4).toString('hex'),
      notBeforeMs,
    })
    differences = await compareDays(context, own)
  }
  const putBackHits = sumOf(putBack, ({ scans }) => scans)
  const lacking = differences.filter(({ hits, known }) => hits < known)
  if (await readAgain(context, journals, lacking)) differences = await compareDays(context, own)
  const doubledDays = differences.filter(({ hits, known }) => hits > known)
  const doubledHits = await removeDoubled(context, doubledDays, notBeforeMs)
  if (doubledHits > 0) differences = await compareDays(context, own)
  if (differences.length === 0 && putBackHits === 0 && doubledHits === 0) return
  const more = differences.filter(({ hits, known }) => hits > known)
  const less = differences.filter(({ hits, known }) => hits < known)
  const codes = await codesOf(context, doubledHits > 0 ? doubledDays : more)
  const reserved = await reserveShortCodes(db, codes)
  if (less.length > 0) {
    const days = [...new Set(less.map(({ day }) => day))]
    await deleteLostFirstScans(context.store, days)
    await findFirstScans(context.store, signal)
  }
  const corrected =
    less.length > 0 || putBackHits > 0
      ? await recountAll(db, context.store, { signal })
      : await recountCodes(db, context.store, codes)
  const behind = await writersBehind(context, more)
  const lost = lostByDay(less, lacking)
  const found: Found = {
    unknownHits: sumOf(more, ({ writer, hits, known }) => (behind.has(writer) ? hits - known : 0)),
    reserved,
    putBackHits,
    doubledHits,
    lost,
    organizations: { ...partedByLoss(corrected, lost.length > 0), putBack },
  }
  await tell(context, found)
  await context.onFound(found)
  // Last: before it, the next comparison would find the same.
  await setScanDays(db, differences)
}

/** Takes out what stands twice on days of which the store has more than it was given; gives how many hits those were. */
async function removeDoubled(
  { db, store }: IngestContext,
  more: readonly Difference[],
  notBeforeMs: number,
): Promise<number> {
  const exceptBatchIds = (await allIntents(db)).map(({ batchId }) => batchId)
  let hits = 0
  for (const [writer, ofWriter] of Map.groupBy(more, (difference) => difference.writer)) {
    const stretch = { writer, days: ofWriter.map(({ day }) => day), exceptBatchIds }
    const name = randomBytes(8).toString('hex')
    hits += sumOf(await removeDoubledRows(store, stretch, { name, notBeforeMs }), ({ scans }) => scans)
  }
  return hits
}

/**
 * The writers whose checkpoints are behind the store. Of the others the hits were counted without the ledger: by a machine of an
 * earlier release that shares the catalogue.
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

/** Before the first time nothing is known that the store could be compared with. */
async function countFirst({ db, store, clock }: IngestContext): Promise<void> {
  const open = await allIntents(db)
  const days = await storedDays(
    store,
    open.map(({ batchId }) => batchId),
  )
  await setScanDays(db, days)
  await updateInstallation(db, { scansCountedAtMs: clock() })
}

/** Rows are kept for less: of older days no other machine can put anything back. */
const othersDays = 4

/**
 * Where catalogue and store differ, of writers that nobody moved meanwhile, and of days that the retention leaves alone. What the store
 * lacks of another machine's last days is left to that machine, which has kept the rows.
 */
export async function compareDays(
  { db, store, isAlone, clock }: Pick<IngestContext, 'db' | 'store' | 'isAlone' | 'clock'>,
  own: ReadonlySet<string>,
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
      (hits > known || isAlone || own.has(writer) || day < dayOf(clock()) - othersDays),
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

/** Whether rows were kept of a batch that the catalogue has neither counted nor open: it is an older copy, and the store may be one too. */
async function keptIsAhead({ db, kept, calls }: IngestContext): Promise<boolean> {
  const last = await kept.last()
  if (last === undefined) return false
  const checkpoint = await calls.readCheckpoint(db, last.writer)
  if (checkpoint !== undefined && checkpoint.sequence >= last.sequence) return false
  return !(await calls.openIntents(db, last.writer)).some(({ batchId }) => batchId === last.batchId)
}

/** Kept rows from before are not put back: the retention has deleted them. */
async function keptFrom({ db }: IngestContext): Promise<number> {
  return (await readRetention(db))?.beforeMs ?? 0
}

async function codesOf({ store }: IngestContext, more: readonly Difference[]): Promise<StoredCode[]> {
  const codes = new Map<string, StoredCode>()
  for (const [writer, ofWriter] of Map.groupBy(more, (difference) => difference.writer)) {
    const days = ofWriter.map(({ day }) => day)
    await refeedFirstScansOfDays(store, writer, days)
    for (const code of await codesOfDays(store, writer, days))
      codes.set(`${code.organizationId} ${code.qrCodeId}`, code)
  }
  return [...codes.values()]
}

/**
 * Reads journals from their beginnings whose scans the store lacks: an older copy of a folder may hold what the catalogue takes for
 * ingested. What stands in the store is passed over. False when there is none to read.
 */
async function readAgain(
  context: IngestContext,
  journals: readonly WriterJournal[],
  lacking: readonly Difference[],
): Promise<boolean> {
  const writers = new Set(lacking.map(({ writer }) => writer))
  const again = journals.filter(({ writer }) => writers.has(writer))
  for (const journal of again) {
    await forgetCheckpoint(context.db, journal.writer)
    journal.position = undefined
    while ((await ingestNext(context, journal)) !== 'none');
  }
  return again.length > 0
}

/** Figures that became smaller tell what is gone, where something is. */
function partedByLoss(
  corrected: readonly OrganizationScans[],
  isLost: boolean,
): Pick<Found['organizations'], 'recounted' | 'lost'> {
  const gone = isLost ? corrected.filter(({ scans }) => scans < 0) : []
  return {
    recounted: corrected.filter((row) => !gone.includes(row)),
    lost: gone.map(({ organizationId, scans }) => ({ organizationId, scans: -scans })),
  }
}

/** What is gone of each day: what was known before journals were read again counts, as these were then counted twice. */
function lostByDay(less: readonly Difference[], lacking: readonly Difference[]): Found['lost'] {
  const known = new Map(lacking.map((row) => [`${row.writer} ${row.day}`, row.known]))
  return [...Map.groupBy(less, ({ day }) => day)]
    .map(([day, ofDay]) => ({
      day,
      hits: sumOf(ofDay, (row) =>
        Math.max(0, (known.get(`${row.writer} ${row.day}`) ?? row.known) - row.hits),
      ),
    }))
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => a.day - b.day)
}

async function tell({ db, log, stats, clock }: IngestContext, found: Found): Promise<void> {
  const { unknownHits, reserved, putBackHits, doubledHits, lost } = found
  const lostDays = lost.map(({ day, hits }) => ({
    day: new Date(day * daysMs).toISOString().slice(0, 10),
    hits,
  }))
  if (unknownHits > 0) {
    log.error(
      { hits: unknownHits, reservedCodes: reserved.slice(0, 20) },
      'an older copy of the catalogue was put back: figures are set to what the scan store has',
    )
    await addInstallationNote(
      db,
      { kind: 'catalogue-behind', detail: { hits: unknownHits, reserved } },
      clock(),
    )
  }
  if (putBackHits > 0) {
    log.error({ hits: putBackHits }, 'the scan store had lost scans: they were put back from the kept rows')
    await addInstallationNote(db, { kind: 'scans-put-back', detail: { hits: putBackHits } }, clock())
  }
  if (doubledHits > 0) {
    log.error(
      { hits: doubledHits },
      'scans stood twice in the scan store, as after parts were attached whose rows had been put back: one of each is left',
    )
    await addInstallationNote(db, { kind: 'scans-doubled', detail: { hits: doubledHits } }, clock())
  }
  if (lost.length > 0) {
    log.error(
      { days: lostDays },
      'the scan store has lost scans that nothing can put back: figures are without them',
    )
    await addInstallationNote(db, { kind: 'scans-lost', detail: { days: lostDays } }, clock())
  }
  stats.unknownHits += unknownHits
  stats.putBackHits += putBackHits
  stats.doubledHits += doubledHits
  stats.lostHits += sumOf(lost, ({ hits }) => hits)
}

function sumOf<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0)
}
