import { findOverlap, isCovered, joinStretches, withoutStretches, type Stretch } from './stretches.ts'

/** An immutable file of scans. It is part of the store when the manifest lists it. */
export type ScanSegment = {
  /** Never used for another file, not even for another attempt at the same scans. */
  id: string
  /** 0: a kept record of a batch. Each merge makes a file of the next level. */
  level: number
  rows: number
  bytes: number
  /** CRC-32 of the bytes. */
  checksum: number
  /** The times of the first and the last scan; 0 if all were deleted. */
  fromMs: number
  toMs: number
  /** Disjoint from those of all other listed segments. */
  stretches: readonly Stretch[]
}

/** The state of the store in the catalogue: listed segments, and how far each writer was read. */
export type Manifest = {
  /** Another one after each change, never used again: it shows that an older one was put back. */
  revision: string
  /**
   * Another one whenever marks of listed scans have changed: an index of first visits that was made
   * of other ones begins empty.
   */
  marks: string
  segments: readonly ScanSegment[]
  /** The last ingested sequence, by writer. */
  checkpoints: ReadonlyMap<string, number>
  /** Scans that were listed, and that no file has. */
  lost: readonly Stretch[]
  /** Scans that were listed and then deleted: files that still have them are not adopted. */
  deleted: readonly Stretch[]
}

export const emptyManifest: Manifest = {
  revision: '',
  marks: '',
  segments: [],
  checkpoints: new Map(),
  lost: [],
  deleted: [],
}

/** Returns the scans that the store has, or had until they were deleted. */
export function coveredBy({ segments, deleted }: Pick<Manifest, 'segments' | 'deleted'>): Stretch[] {
  return [...segments.flatMap(({ stretches }) => stretches), ...deleted]
}

/**
 * A part of a journal that was read: `from` must still be the checkpoint (0 if there is none), and
 * the frames of the journal behind `after`, up to and with `to`, are all that it has there. `after`
 * is larger than `from` if the journal no longer had some.
 */
export type ReadStretch = {
  writer: string
  from: number
  after: number
  to: number
  /** The end of the stretch in the journal: where the next read begins. */
  end: { segment: number; offset: number }
}

/** Everything that one transaction changes, or none of it. */
export type ManifestChange = {
  /** The revision of the manifest that is changed, and the one that results. */
  from: string
  to: string
  added: readonly ScanSegment[]
  /** The ids of listed segments. */
  removed: readonly string[]
  checkpoint?: ReadStretch
  /** Scans that no file has any more. The journals of their writers are read again. */
  lost?: readonly Stretch[]
  /** Scans of removed segments that were deleted. */
  deleted?: readonly Stretch[]
  /** Whether added segments have other marks than those that they replace. */
  movesMarks?: boolean
}

/** The manifest is not the one that a change was made for: its maker must read it again. */
export class ManifestConflict extends Error {
  constructor(why: string) {
    super(`the manifest of scans has changed: ${why}`)
    this.name = 'ManifestConflict'
  }
}

/**
 * Returns the manifest after a change. Throws a ManifestConflict for one that was made for another
 * manifest, or after which scans would be listed twice.
 */
export function changeManifest(manifest: Manifest, change: ManifestChange): Manifest {
  const { segments, checkpoints } = manifest
  const { added, checkpoint, lost = [] } = change
  if (change.from !== manifest.revision) throw new ManifestConflict('somebody else has changed it')
  const removed = new Set(change.removed)
  const kept = segments.filter(({ id }) => !removed.has(id))
  if (segments.length - kept.length !== removed.size) throw new ManifestConflict('a segment is not listed')
  const listed = [...kept, ...added]
  if (new Set(listed.map(({ id }) => id)).size !== listed.length)
    throw new ManifestConflict('a segment is listed already')
  const overlap = findOverlap(listed.flatMap(({ stretches }) => stretches))
  if (overlap !== undefined)
    throw new ManifestConflict(`scans would be listed twice: ${overlap.map(stretchText).join(' and ')}`)
  const next = new Map(checkpoints)
  if (checkpoint !== undefined) {
    const { writer, from, to } = checkpoint
    if ((next.get(writer) ?? 0) !== from) throw new ManifestConflict(`writer ${writer} was read further`)
    next.set(writer, to)
  }
  for (const { writer } of lost) next.delete(writer)
  const deleted = joinStretches([...manifest.deleted, ...(change.deleted ?? [])])
  const covered = coveredBy({ segments: listed, deleted })
  const stillLost = withoutRead(withoutStretches([...manifest.lost, ...lost], covered), checkpoint)
  const marks = change.movesMarks === true ? change.to : manifest.marks
  return { revision: change.to, marks, segments: listed, checkpoints: next, lost: stillLost, deleted }
}

/**
 * Whether a file that is not listed may be removed: everything in it was deleted, or is in listed
 * segments whose files are there and were verified.
 */
export function isRemovable(
  file: ScanSegment,
  { segments, deleted }: Pick<Manifest, 'segments' | 'deleted'>,
  { isVerified, deletedBeforeMs }: { isVerified: (id: string) => boolean; deletedBeforeMs: number },
): boolean {
  if (segments.some(({ id }) => id === file.id)) return false
  if (file.toMs < deletedBeforeMs) return true
  const verified = segments.filter(({ id }) => isVerified(id))
  return isCovered(file.stretches, coveredBy({ segments: verified, deleted }))
}

/** A journal that was read again has no more scans there than those that are stored now. */
function withoutRead(lost: readonly Stretch[], read: ReadStretch | undefined): Stretch[] {
  if (read === undefined) return [...lost]
  const { writer, after, to } = read
  return withoutStretches(
    lost,
    lost.map(({ month }) => ({ month, writer, from: after, to })),
  )
}

function stretchText({ month, writer, from, to }: Stretch): string {
  return `${writer} ${month} (${from}, ${to}]`
}
