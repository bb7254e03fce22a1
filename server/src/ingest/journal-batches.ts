import { isNearlyOneNetwork, type NetworkShare } from '../db/scans/network-shares.ts'
import type { JournalPosition } from '../journal/reader.ts'
import { isPublicAddress } from '../public-hosts.ts'
import { reportBatch } from './batch-report.ts'
import { readBatch, type Batch, type BatchBlock, type BatchSource, type StoredFrames } from './batches.ts'
import type { IngestBase, WriterJournal } from './ingest-context.ts'
import { networkShareOf, withRecent } from './recent-networks.ts'

const readFailuresMax = 5

/** Reads the next batch of a journal into a block. Throws errors of the file system. */
export async function readNext<Block extends BatchBlock>(
  base: IngestBase,
  journal: WriterJournal,
  { from, ...options }: { from: JournalPosition; block: Block; stored: StoredFrames | undefined },
): Promise<Batch<Block>> {
  // A range that the disk cannot read is retried a few times, seconds apart, and then skipped.
  const unreadable = journal.readFailures >= readFailuresMax ? 'skip' : 'throw'
  try {
    const rowsMax = Math.min(base.rowsMax, journal.rowsMax)
    const batch = await readBatch(sourceOf(base, journal), from, { ...options, rowsMax, unreadable })
    journal.readFailures = 0
    return batch
  } catch (error) {
    journal.readFailures++
    throw error
  }
}

export function sourceOf({ places, journalIo }: IngestBase, { dir, writer }: WriterJournal): BatchSource {
  return { dir, writer, places, ...(journalIo !== undefined && { io: journalIo }) }
}

/** Whether a batch moves the checkpoint. */
export function isMoved(from: JournalPosition, { to }: Batch<BatchBlock>): boolean {
  return to.sequence !== from.sequence || to.segment !== from.segment || to.offset !== from.offset
}

/** The networks of the last scans, and their share if there are enough. */
export type Networks = { recent: readonly string[]; share: NetworkShare | undefined }

/** Returns the networks of the last scans including those of a batch. */
export function networksOf({ networks }: WriterJournal, batch: Batch<BatchBlock>): Networks {
  const recent = withRecent(networks, batch.networks)
  return { recent, share: networkShareOf(recent) }
}

/** Remembers and reports a batch whose rows are stored and counted. */
export function endBatch(
  base: IngestBase,
  journal: WriterJournal,
  {
    batch,
    scans,
    reserved,
    networks: { recent, share },
  }: { batch: Batch<BatchBlock>; scans: number; reserved: readonly string[]; networks: Networks },
): void {
  const { stats, log, startedMs } = base
  if (reserved.length > 0)
    log.error({ codes: reserved.slice(0, 20), count: reserved.length }, reservedMessage)
  if (share !== undefined) warnOfOneNetwork(base, journal, share)
  // Scans from before the start may be of another machine, another address or a demo.
  stats.outsideAtMs ??= [...batch.reached].find(
    ([network, atMs]) => atMs >= startedMs && isPublicAddress(network),
  )?.[1]
  journal.networks = recent
  journal.position = batch.to
  stats.skipped += batch.skipped
  stats.batches++
  stats.rows += batch.block.rows
  stats.scans += scans
  reportBatch(base, journal, batch)
}

const reservedMessage =
  'scans of unknown short codes: an older copy of the catalogue was put back; the codes are now reserved'

/**
 * Warns once when it begins: from then on, countries and cities are those of one place, and
 * visitors are hardly distinguishable.
 */
function warnOfOneNetwork({ log }: IngestBase, { dir, networks }: WriterJournal, share: NetworkShare): void {
  const former = networkShareOf(networks)
  if (!isNearlyOneNetwork(share) || (former !== undefined && isNearlyOneNetwork(former))) return
  log.warn(
    { dir, ...share },
    'nearly all recent scans come from one network: if it is a proxy, add it to TRUST_PROXY',
  )
}
