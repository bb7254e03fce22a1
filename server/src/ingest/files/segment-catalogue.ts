import type { ListedFilesOptions } from '../../analytics/files/listed-files.ts'
import {
  ManifestConflict,
  type Manifest,
  type ManifestChange,
  type ScanSegment,
} from '../../analytics/files/manifest.ts'
import { codeKey, codeOfKey, type CodeCounts } from '../../analytics/files/code-counts.ts'
import { type SegmentCatalogue, type Within } from '../../analytics/files/segment-store.ts'
import type { Stretch } from '../../analytics/files/stretches.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import {
  moveCounters,
  readListedSegments,
  readManifest,
  setCounters,
  updateManifest,
  type CounterMove,
  type ManifestUpdate,
  type SegmentRow,
} from '../../db/scans/scan-segments.ts'

/** The manifest of scans in files, in the catalogue. */
export function segmentCatalogue(db: Database): SegmentCatalogue<Database> {
  const alone: Within<Database> = async (make) => void (await inTransaction(db, make))
  return {
    read: async () => manifestOf(await readManifest(db)),
    change: (change, next, counts, within = alone) =>
      within(async (tx) => {
        await update(tx, change, next)
        return await moveCounters(tx, movesOf(counts))
      }),
    recount: (change, next, counts, also) =>
      inTransaction(db, async (tx) => {
        await update(tx, change, next)
        const differences = await setCounters(tx, movesOf(counts))
        await also?.(tx, new Map(differences.map((move) => [codeKey(move), move])))
      }),
  }
}

/** Reads the manifest for readers of scans: see `ListedFiles`. */
export function listedSegments(db: Database): ListedFilesOptions['readManifest'] {
  return async (known) => {
    const { revision, segments } = await readListedSegments(db, known)
    return { revision, segments: segments?.map(segmentOf) }
  }
}

/** Reads what the manifest lists and has deleted, without waiting for changes of it. */
export async function readListed(db: Database): Promise<Pick<Manifest, 'segments' | 'deleted'>> {
  const { segments = [], deleted } = await readListedSegments(db, undefined)
  return { segments: segments.map(segmentOf), deleted: stretchesIn(deleted) }
}

async function update(tx: Database, change: ManifestChange, next: Manifest): Promise<void> {
  if (!(await updateManifest(tx, updateOf(change, next))))
    throw new ManifestConflict('the catalogue has another one')
}

function manifestOf({
  revision,
  marks,
  lost,
  deleted,
  segments,
  checkpoints,
}: Awaited<ReturnType<typeof readManifest>>): Manifest {
  return {
    revision,
    marks,
    segments: segments.map(segmentOf),
    checkpoints: new Map(checkpoints.map(({ writer, sequence }) => [writer, sequence])),
    lost: stretchesIn(lost),
    deleted: stretchesIn(deleted),
  }
}

function updateOf(
  { from, added, removed, checkpoint, lost = [] }: ManifestChange,
  next: Manifest,
): ManifestUpdate {
  return {
    from,
    next: {
      revision: next.revision,
      marks: next.marks,
      lost: JSON.stringify(next.lost),
      deleted: JSON.stringify(next.deleted),
    },
    added: added.map(rowOf),
    removed,
    ...(checkpoint !== undefined && {
      checkpoint: {
        writer: checkpoint.writer,
        from: checkpoint.from,
        to: { ...checkpoint.end, sequence: checkpoint.to },
      },
    }),
    forgotten: [...new Set(lost.map(({ writer }) => writer))],
  }
}

function rowOf({ id, level, rows, bytes, checksum, fromMs, toMs, stretches }: ScanSegment): SegmentRow {
  const numbers = { level, segment_rows: rows, bytes, checksum, from_ms: fromMs, to_ms: toMs }
  return { id, ...numbers, stretches: JSON.stringify(stretches) }
}

function segmentOf({ segment_rows, from_ms, to_ms, stretches, ...same }: SegmentRow): ScanSegment {
  return { ...same, rows: segment_rows, fromMs: from_ms, toMs: to_ms, stretches: stretchesIn(stretches) }
}

function stretchesIn(json: string): Stretch[] {
  return JSON.parse(json) as Stretch[]
}

/** Returns the numbers of codes as the catalogue takes them. */
export function movesOf(counts: CodeCounts): CounterMove[] {
  return [...counts].map(([key, count]) => ({ ...codeOfKey(key), ...count }))
}
