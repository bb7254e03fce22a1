import { coveredBy, type Manifest, type ScanSegment } from './manifest.ts'
import { isCovered, joinStretches, withoutStretches, type Stretch } from './stretches.ts'

/** A file in the folder of the store, or a kept record, with the facts that it names itself. */
export type FoundFile = ScanSegment & {
  /** Whether it was read as it was written. */
  isGood: boolean
  /** Whether it may have scans of owners that were deleted since it was written. */
  hasPurged: boolean
}

/** The way to a manifest whose files are all there, with every scan that any file has. */
export type RecoveryPlan = {
  /** Good files to list as they are. */
  adopted: readonly ScanSegment[]
  /** Files of which only some scans are listed: these stretches are written into a new file. */
  rewritten: readonly { file: ScanSegment; stretches: readonly Stretch[] }[]
  /** Listed segments whose files are missing or damaged. */
  unlisted: readonly ScanSegment[]
  /** Scans of unlisted segments that no file has. */
  lost: readonly Stretch[]
}

/**
 * Whether a journal still has scans behind the checkpoint of its writer: they are read there again,
 * with all that belongs to them.
 */
export type IsComing = (stretch: Stretch) => boolean

/**
 * Compares the manifest with the files that were found. Listed files come first, then those that
 * are not listed: the largest first, as these replaced others, and each for what none before it
 * has. Files of whose scans all are listed, or were deleted, are left alone; so are records of
 * batches whose scans are coming, as after a kill between the record and the transaction.
 */
export function planRecovery(
  { segments, deleted }: Pick<Manifest, 'segments' | 'deleted'>,
  found: readonly FoundFile[],
  { deletedBeforeMs, isComing = () => false }: { deletedBeforeMs: number; isComing?: IsComing },
): RecoveryPlan {
  const isDeleted = ({ toMs }: ScanSegment): boolean => toMs < deletedBeforeMs
  const good = new Map(found.filter(({ isGood }) => isGood).map((file) => [file.id, file]))
  const unlisted = segments.filter(({ id }) => !good.has(id))
  const listed = segments.filter(({ id }) => good.has(id))
  const ids = new Set(listed.map(({ id }) => id))
  const adopted: ScanSegment[] = []
  const rewritten: { file: ScanSegment; stretches: readonly Stretch[] }[] = []
  let covered = joinStretches(coveredBy({ segments: listed, deleted }))
  const isRead = ({ level, stretches }: ScanSegment): boolean => level === 0 && stretches.every(isComing)
  const others = [...good.values()].filter((file) => !ids.has(file.id) && !isDeleted(file) && !isRead(file))
  for (const { isGood: _isGood, hasPurged, ...file } of others.toSorted(bySize)) {
    const { stretches } = file
    const missing = withoutStretches(stretches, covered)
    if (missing.length === 0) continue
    const hasDeleted = hasPurged || file.fromMs < deletedBeforeMs
    if (!hasDeleted && isCovered(stretches, missing)) adopted.push(file)
    else rewritten.push({ file, stretches: missing })
    covered = joinStretches([...covered, ...missing])
  }
  const lost = withoutStretches(
    unlisted.filter((segment) => !isDeleted(segment)).flatMap(({ stretches }) => stretches),
    covered,
  )
  return { adopted, rewritten, unlisted, lost }
}

function bySize(one: ScanSegment, other: ScanSegment): number {
  return other.rows - one.rows || (one.id < other.id ? -1 : 1)
}
