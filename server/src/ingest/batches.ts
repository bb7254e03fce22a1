import type { ScanRow } from '../analytics/scan-row.ts'
import { errorMessage } from '../errors.ts'
import { readFrames, type DamagedRange, type JournalFrame, type JournalPosition } from '../journal/reader.ts'
import type { Geography } from './geography.ts'
import { rowOf, type DropReason } from './steps.ts'

/** A frame of which no row could be made, or whose row the scan store refuses, and why. */
export type Poison = Pick<JournalFrame, 'sequence' | 'scan'> & { problem: string }

/** What a stretch of a journal holds: rows of one month, and what gives none. */
export type Batch = {
  rows: ScanRow[]
  /** The frame of the first row: all that is needed to put a record aside, and far less to hold than every frame. */
  firstFrame: JournalFrame | undefined
  /** Month of all rows (UTC), as the scan store partitions: `202603`; empty without rows. */
  partition: string
  /** Where the stretch ends. */
  to: JournalPosition
  /** Networks of its human scans, for their share. */
  networks: string[]
  dropped: DropReason[]
  poison: Poison[]
  damaged: readonly DamagedRange[]
  /** More is waiting behind it. */
  more: boolean
}

/** The journal of one writer, and what places are looked up in. */
export type BatchSource = { dir: string; writer: string; places: Pick<Geography, 'locate'> }

const bytesMax = 8 * 1024 * 1024
/** What is read at once: a backlog goes through in pieces of about 15,000 scans, which added 18 MB to the worker (measured). */
const readBytesMax = 4 * 1024 * 1024
const triesMax = 3

/**
 * Reads the next batch after a position: at most `rowsMax` rows, 8 MiB at the very most, all of one month. A batch is a run of
 * frames, so it ends with the last scan of a month, however few it has.
 */
export async function readBatch(
  source: BatchSource,
  from: JournalPosition,
  options: { rowsMax: number; unreadable: 'throw' | 'skip' },
): Promise<Batch> {
  const { rowsMax, unreadable } = options
  const read = await readFrames(source.dir, from, { bytesMax: readBytesMax, framesMax: rowsMax, unreadable })
  const batch = emptyBatch(from)
  let bytes = 0
  for (const frame of read.frames) {
    const result = resultOf(frame, source)
    if ('row' in result) {
      bytes += bytesOf(result.row)
      const isOtherMonth = batch.partition !== '' && batch.partition !== monthOf(result.row.timeMs)
      if (isOtherMonth || (bytes > bytesMax && batch.rows.length > 0)) {
        batch.damaged = read.damaged.filter((range) => isBefore(range, batch.to))
        batch.more = true
        return batch
      }
    }
    add(batch, frame, result)
  }
  return { ...batch, to: read.position, damaged: read.damaged, more: read.more }
}

/**
 * Reads a stretch again that was a batch before: the same frames, so the same rows, unless the journal lost some of
 * them since or this release makes other rows of them.
 */
export async function rereadBatch(
  source: BatchSource,
  stretch: { from: JournalPosition; to: JournalPosition },
): Promise<Batch> {
  const batch = emptyBatch(stretch.from)
  for (let position = stretch.from; position.sequence < stretch.to.sequence;) {
    const read = await readFrames(source.dir, position, { bytesMax: readBytesMax, unreadable: 'skip' })
    for (const frame of read.frames) {
      if (frame.sequence <= stretch.to.sequence) add(batch, frame, resultOf(frame, source))
    }
    position = read.position
    if (!read.more) break
  }
  return { ...batch, to: stretch.to }
}

function emptyBatch(from: JournalPosition): Batch {
  return {
    rows: [],
    firstFrame: undefined,
    partition: '',
    to: from,
    networks: [],
    dropped: [],
    poison: [],
    damaged: [],
    more: false,
  }
}

type Result = { row: ScanRow } | { dropped: DropReason } | { problem: string }

/** A record that makes a step throw is tried again, as the reason may lie outside of it, and then put aside. */
function resultOf({ scan, sequence }: JournalFrame, { writer, places }: BatchSource): Result {
  let problem = ''
  for (let tries = 0; tries < triesMax; tries++) {
    try {
      const row = rowOf(scan, { writer, sequence }, places)
      return 'dropped' in row ? row : { row }
    } catch (error) {
      problem = errorMessage(error)
    }
  }
  return { problem }
}

function add(batch: Batch, frame: JournalFrame, result: Result): void {
  const { sequence, segment, endOffset, scan } = frame
  batch.to = { segment, offset: endOffset, sequence }
  if ('dropped' in result) batch.dropped.push(result.dropped)
  else if ('problem' in result) batch.poison.push({ sequence, scan, problem: result.problem })
  else {
    batch.partition = monthOf(result.row.timeMs)
    batch.rows.push(result.row)
    batch.firstFrame ??= frame
    if (result.row.class === 'human' && scan.network !== '') batch.networks.push(scan.network)
  }
}

function monthOf(timeMs: number): string {
  const date = new Date(timeMs)
  return String(date.getUTCFullYear() * 100 + date.getUTCMonth() + 1)
}

/** About how long a row is as the store's text: its fixed parts, and what varies. */
function bytesOf({ organizationId, qrCodeId, city, region, referrer, os, browser }: ScanRow): number {
  return (
    180 +
    organizationId.length +
    qrCodeId.length +
    2 * (city.length + region.length) +
    referrer.length +
    os.length +
    browser.length
  )
}

function isBefore(a: { segment: number; offset: number }, b: { segment: number; offset: number }): boolean {
  return a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset)
}
