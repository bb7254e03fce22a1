import { setImmediate as nextTurn } from 'node:timers/promises'
import { ScanBlock } from '../analytics/insert/scan-block.ts'
import { isClosedOwner } from '../analytics/store/closed-owner.ts'
import type { ScanRow } from '../analytics/insert/scan-row.ts'
import { dayOf } from '../db/scans/scan-days.ts'
import { errorMessage } from '../errors.ts'
import type { JournalIo } from '../journal/journal-io.ts'
import { scanHints } from '../journal/raw-scan.ts'
import { readFrames, type DamagedRange, type JournalFrame, type JournalPosition } from '../journal/reader.ts'
import type { Geography } from '../visitors/geography/geography.ts'
import { withRecent } from './recent-networks.ts'
import { rowOf, type DropReason } from './steps.ts'

/** A frame that cannot become a row, or whose row the scan store rejects, with the problem. */
export type Poison = Pick<JournalFrame, 'sequence' | 'scan'> & { problem: string }

type CodeInBatch = { scans: number; shortCode: string; domain: string }

/** Rows on their way into a store, which says whether they may be of one batch with the others. */
export type BatchBlock = { readonly rows: number; takes(row: ScanRow): boolean; add(row: ScanRow): void }

/** The content of a stretch of a journal: rows of one month, and frames without a row. */
export type Batch<Block extends BatchBlock = ScanBlock> = {
  block: Block
  /** The codes of the rows by organization, each with its number of human rows. */
  scans: Map<string, Map<string, CodeInBatch>>
  /** Rows of every class by day of the scan (days since 1970). */
  days: Map<number, number>
  /**
   * The frame of the first row, to put that record aside if necessary. Keeping every frame would
   * take far more memory.
   */
  firstFrame: JournalFrame | undefined
  /** The sequence of the first frame, also of one without a row; undefined if there is none. */
  firstSequence: number | undefined
  /** The end of the stretch. */
  to: JournalPosition
  /** The number of frames whose rows were already in the store. */
  skipped: number
  /** The networks of the last human scans, for their share. */
  networks: string[]
  /**
   * Some networks of human scans that named PUBLIC_URL's host, each with the time of its last scan:
   * they show whether phones from outside reach that address.
   */
  reached: Map<string, number>
  dropped: DropReason[]
  poison: Poison[]
  damaged: DamagedRange[]
  /** Whether more frames follow. */
  more: boolean
}

/** The journal of one writer, and the geography for its networks. */
export type BatchSource = {
  dir: string
  writer: string
  places: Pick<Geography, 'locate'>
  /** Replaces the file system. */
  io?: JournalIo
}

/**
 * Bytes per read, about 120 scans: frames take more memory than their rows, and few frames at a
 * time are collected early.
 */
const readBytesMax = 32 * 1024
const triesMax = 3
/** Networks of a batch that are compared with private ones. */
const reachedMax = 100

/**
 * Reads the next batch after a position: at most `rowsMax` frames and 16 MiB of rows, all of one
 * month. A batch is contiguous, so it ends with the last scan of a month, however small it is.
 */
export async function readBatch<Block extends BatchBlock>(
  source: BatchSource,
  from: JournalPosition,
  options: {
    block: Block
    rowsMax: number
    unreadable: 'throw' | 'skip'
    stored?: StoredFrames | undefined
  },
): Promise<Batch<Block>> {
  const { rowsMax, unreadable, stored } = options
  const batch = emptyBatch(options.block, from)
  for (let framesLeft = rowsMax; framesLeft > 0 && batch.more;) {
    const read = await readFrames(source.dir, batch.to, {
      writer: source.writer,
      bytesMax: readBytesMax,
      framesMax: framesLeft,
      unreadable,
      ...(source.io !== undefined && { io: source.io }),
    })
    framesLeft -= read.frames.length
    for (const frame of read.frames) {
      if (stored !== undefined && frame.sequence > stored.upTo) return batch
      if (stored?.has(frame) === true) {
        skipFrame(batch, frame)
        continue
      }
      const result = resultOf(frame, source)
      if ('row' in result && !batch.block.takes(result.row)) {
        batch.damaged.push(...read.damaged.filter((range) => isBefore(range, batch.to)))
        return batch
      }
      add(batch, frame, result)
    }
    batch.networks = withRecent([], batch.networks)
    batch.to = read.position
    batch.damaged.push(...read.damaged)
    batch.more = read.more
    // The worker has other work too.
    await nextTurn()
  }
  return batch
}

/**
 * Reads the stretch of an earlier batch again. The frames and rows are equal, unless the journal
 * lost frames since or this release creates different rows.
 */
export async function rereadBatch(
  source: BatchSource,
  stretch: { batchId: string; from: JournalPosition; to: JournalPosition; stored: StoredFrames },
): Promise<Batch> {
  const batch = emptyBatch(new ScanBlock(stretch.batchId), stretch.from)
  for (let position = stretch.from; position.sequence < stretch.to.sequence;) {
    const { dir, writer, io } = source
    const read = await readFrames(dir, position, {
      writer,
      bytesMax: readBytesMax,
      unreadable: 'skip',
      ...(io !== undefined && { io }),
    })
    for (const frame of read.frames) {
      if (frame.sequence > stretch.to.sequence) continue
      if (stretch.stored.has(frame)) skipFrame(batch, frame)
      else add(batch, frame, resultOf(frame, source))
    }
    position = read.position
    if (!read.more) break
  }
  return { ...batch, to: stretch.to, more: false }
}

/** Frames whose rows are in the store under other batches, known up to a sequence. */
export type StoredFrames = { has: (frame: JournalFrame) => boolean; upTo: number }

function emptyBatch<Block extends BatchBlock>(block: Block, from: JournalPosition): Batch<Block> {
  return {
    block,
    scans: new Map(),
    days: new Map(),
    firstFrame: undefined,
    firstSequence: undefined,
    to: from,
    skipped: 0,
    networks: [],
    reached: new Map(),
    dropped: [],
    poison: [],
    damaged: [],
    more: true,
  }
}

type Result = { row: ScanRow } | { dropped: DropReason } | { problem: string }

/**
 * Retries a record that makes a step throw, because the cause may be elsewhere; then puts it aside.
 */
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

function skipFrame(batch: Batch<BatchBlock>, { sequence, segment, endOffset }: JournalFrame): void {
  batch.firstSequence ??= sequence
  batch.to = { segment, offset: endOffset, sequence }
  batch.skipped++
}

function add(batch: Batch<BatchBlock>, frame: JournalFrame, result: Result): void {
  const { sequence, segment, endOffset, scan } = frame
  batch.firstSequence ??= sequence
  batch.to = { segment, offset: endOffset, sequence }
  if ('dropped' in result) batch.dropped.push(result.dropped)
  else if ('problem' in result) batch.poison.push({ sequence, scan, problem: result.problem })
  else {
    batch.block.add(result.row)
    batch.firstFrame ??= frame
    const day = dayOf(result.row.timeMs)
    batch.days.set(day, (batch.days.get(day) ?? 0) + 1)
    countScan(batch, result.row)
    if (result.row.class !== 'human') return
    if (scan.network === '') return
    batch.networks.push(scan.network)
    const isNamed = (scan.hints & scanHints.otherHost) === 0
    if (isNamed && batch.reached.size < reachedMax) batch.reached.set(scan.network, result.row.timeMs)
  }
}

function countScan({ scans }: Batch<BatchBlock>, row: ScanRow): void {
  const { organizationId, qrCodeId, shortCode, domain } = row
  if (isClosedOwner(organizationId)) return
  let ofCodes = scans.get(organizationId)
  if (ofCodes === undefined) scans.set(organizationId, (ofCodes = new Map()))
  let code = ofCodes.get(qrCodeId)
  if (code === undefined) ofCodes.set(qrCodeId, (code = { scans: 0, shortCode, domain }))
  if (row.class === 'human') code.scans++
}

function isBefore(a: { segment: number; offset: number }, b: { segment: number; offset: number }): boolean {
  return a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset)
}
