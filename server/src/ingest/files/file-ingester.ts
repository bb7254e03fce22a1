import type { IsComing } from '../../analytics/files/recovery.ts'
import type { Manifest } from '../../analytics/files/manifest.ts'
import { codeOfKey, type CodeCounts } from '../../analytics/files/code-counts.ts'
import type { BatchCoverage } from '../../analytics/files/segment-store.ts'
import type { Stretch } from '../../analytics/files/stretches.ts'
import { monthOf } from '../../analytics/insert/one-month.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { insertEvents, takes, wantedEvents } from '../../db/feeds/event-pages.ts'
import { readCheckpoint } from '../../db/scans/ingest-checkpoints.ts'
import { byOrganization } from '../../db/scans/scan-counters.ts'
import { saveNetworkShare } from '../../db/scans/network-shares.ts'
import { reserveShortCodes, type KnownCode } from '../../db/scans/reserved-codes.ts'
import { addFindings, readFindings } from '../../db/scans/scan-findings.ts'
import { addFoundAnswers } from '../../db/scans/scan-limits.ts'
import { firstSequence, journalStart } from '../../journal/reader.ts'
import type { Batch, StoredFrames } from '../batches.ts'
import type { IngestBase, Ingester, Progress, WriterJournal } from '../ingest-context.ts'
import { tellFound } from '../found-report.ts'
import { endBatch, isMoved, networksOf, readNext } from '../journal-batches.ts'
import { addDeadLetters } from '../set-aside/dead-letters.ts'
import { eventsOfBlock } from './block-events.ts'
import { FileBlock } from './file-block.ts'
import type { FileBatches } from './file-batches.ts'
import type { LedgerDifference } from './scan-ledger.ts'

/** Returns the way of scans into files. */
export function fileIngester(batches: FileBatches) {
  return (base: IngestBase): Ingester => ({
    compare: (journals, signal) => compare(base, batches, { journals, signal }),
    ingestNext: (journal) => ingestNext(base, batches, journal),
    // The checkpoint is never behind what the store has.
    finish: async () => {},
    // No release that wrote files set frames aside that were whole.
    takeBack: async () => 0,
    // Scans are marked when they are ingested.
    countDue: async () => {},
    removeKept: ({ olderThanMs }) => batches.trim(olderThanMs),
    close: () => batches.close(),
  })
}

/**
 * Makes the manifest list what the files have, reads journals again whose scans are missing, and
 * tells what that has changed.
 */
async function compare(
  base: IngestBase,
  batches: FileBatches,
  { journals, signal }: { journals: readonly WriterJournal[]; signal: AbortSignal },
): Promise<void> {
  for (const journal of journals) journal.position = undefined
  const firsts = new Map(journals.map(({ dir, writer }) => [writer, firstSequence(dir, writer)]))
  const { lost, manifest } = await batches.recover({
    // Files that were there since the start were read then.
    hasRead: base.isChecked,
    isComing: (found) => isComing(found, firsts),
    changing: async (adopted) => {
      const codes = await batches.codesOf(adopted.map(({ id }) => id))
      return (tx, differing) => takeUp(tx, base, { codes, ...differing })
    },
    signal,
  })
  if (lost.length > 0)
    base.log.error(
      { stretches: lost.slice(0, 20), count: lost.length },
      'files of scans are missing or damaged: what journals still have of them is read again',
    )
  // A killed worker may have left journals to be read again, before anything is told.
  if ((lost.length > 0 || (await readFindings(base.db)) !== undefined) && manifest.lost.length > 0)
    if (!(await readAgain(base, batches, { journals, lost: manifest.lost, signal }))) return
  await tellFound(base)
}

/** Returns false if the next comparison must go on. */
async function readAgain(
  base: IngestBase,
  batches: FileBatches,
  {
    journals,
    lost,
    signal,
  }: { journals: readonly WriterJournal[]; lost: readonly Stretch[]; signal: AbortSignal },
): Promise<boolean> {
  // A batch that cannot be stored asks for the next comparison.
  base.mustCheck = false
  const canGoOn = (): boolean => !signal.aborted && !base.mustCheck
  const writers = new Set(lost.map(({ writer }) => writer))
  for (const journal of journals.filter(({ writer }) => writers.has(writer)))
    while (canGoOn() && (await ingestNext(base, batches, journal)) !== 'none');
  return canGoOn()
}

/**
 * Scans behind the checkpoint of their writer are read again if its journal still has all that
 * follows the checkpoint.
 */
function isComing({ checkpoints }: Manifest, firsts: ReadonlyMap<string, number | undefined>): IsComing {
  return ({ writer, from }) => {
    const checkpoint = checkpoints.get(writer) ?? 0
    const first = firsts.get(writer)
    return first !== undefined && first <= checkpoint + 1 && from >= checkpoint
  }
}

/**
 * Takes up scans that the catalogue did not know of, in the transaction that adopts them: an older
 * copy of it was put back, or a file that was lost. Notes what differed, to be told.
 */
async function takeUp(
  tx: Database,
  { log, clock }: IngestBase,
  { codes, corrected, hits }: { codes: readonly KnownCode[]; corrected: CodeCounts; hits: LedgerDifference },
): Promise<void> {
  const reserved = await reserveShortCodes(tx, codes)
  const scans = [...corrected].map(([key, count]) => ({ ...codeOfKey(key), scans: count.scans }))
  const { unknownHits, putBackHits } = hits
  if (unknownHits > 0 || reserved.length > 0) {
    const limits = await addFoundAnswers(tx, scans, clock())
    if (limits > 0) log.warn({ limits }, 'answers since then count for limits of codes')
  }
  const changed = byOrganization(scans)
  const putBack = unknownHits === 0 && putBackHits > 0 ? changed.filter((row) => row.scans > 0) : []
  const recounted = changed.filter((row) => !putBack.includes(row))
  await addFindings(tx, { ...hits, reserved, recounted, putBack })
}

/**
 * Ingests the next batch of a journal, exactly once despite any failure: its record is made
 * durable, and one transaction lists it, moves counters and checkpoint, and stores its events. A
 * batch that was not listed is read again.
 */
async function ingestNext(base: IngestBase, batches: FileBatches, journal: WriterJournal): Promise<Progress> {
  const { db } = base
  const { writer } = journal
  const from = journal.position ?? (await readCheckpoint(db, writer)) ?? journalStart
  if (!(await batches.canStore()) || batches.checkpointOf(writer) !== from.sequence) {
    base.mustCheck = true
    return 'some'
  }
  const coverage = batches.coverage()
  const stored = storedFrames(coverage, writer, from.sequence)
  const batch = await readNext(base, journal, { from, block: new FileBlock(), stored })
  if (!isMoved(from, batch)) {
    journal.position = from
    return 'none'
  }
  await addDeadLetters(base.journalRoot, writer, batch.poison)
  const { segment: block, month } = batch.block
  const { segment, offset, sequence: to } = batch.to
  const after = Math.max(from.sequence, (batch.firstSequence ?? 1) - 1)
  const read = { writer, from: from.sequence, after, to, end: { segment, offset } }
  const networks = networksOf(journal, batch)
  let reserved: readonly string[] = []
  const within = async (change: (tx: Database) => Promise<number>): Promise<void> =>
    inTransaction(db, async (tx) => {
      reserved = await commit(tx, change, { batch, nowMs: base.clock() })
      if (networks.share !== undefined) await saveNetworkShare(tx, writer, networks.share)
    })
  if (!(await batches.store({ read, month, block, coverage, within }))) {
    base.mustCheck = true
    return 'some'
  }
  endBatch(base, journal, { batch, reserved, networks, scans: humanScansOf(batch) })
  return batch.more ? 'more' : 'some'
}

/** Returns which frames behind the checkpoint the store has, as after a lost file came back. */
function storedFrames(
  { covered, has }: BatchCoverage,
  writer: string,
  after: number,
): StoredFrames | undefined {
  if (!covered.some((stretch) => stretch.writer === writer && stretch.to > after)) return undefined
  return {
    has: ({ sequence, scan }) => has({ writer, sequence, month: monthOf(scan.timeMs) }),
    upTo: Infinity,
  }
}

/** Stores a batch with its events. Returns the short codes that it reserved. */
async function commit(
  tx: Database,
  change: (tx: Database) => Promise<number>,
  { batch, nowMs }: { batch: Batch<FileBlock>; nowMs: number },
): Promise<readonly string[]> {
  const codes = codesOf(batch)
  const counted = codes.filter(({ scans }) => scans > 0)
  const moved = await change(tx)
  // Codes that no person scanned have no counters to move.
  const unsure = moved < counted.length ? codes : codes.filter(({ scans }) => scans === 0)
  const reserved = unsure.length === 0 ? [] : await reserveShortCodes(tx, unsure)
  const { segment: block } = batch.block
  const subscriptions = await wantedEvents(tx, [...batch.scans.keys()], nowMs)
  const taking = [...subscriptions].flatMap(([id, names]) => (takes(names, 'qr.scanned') ? [id] : []))
  for (const { organizationId, events } of eventsOfBlock(block, new Set(taking)))
    await insertEvents(tx, organizationId, { events, nowMs })
  return reserved
}

function codesOf({ scans }: Batch<FileBlock>): (KnownCode & { scans: number })[] {
  return [...scans].flatMap(([organizationId, ofCodes]) =>
    [...ofCodes].map(([qrCodeId, code]) => ({ organizationId, qrCodeId, ...code })),
  )
}

function humanScansOf(batch: Batch<FileBlock>): number {
  return codesOf(batch).reduce((sum, { scans }) => sum + scans, 0)
}
