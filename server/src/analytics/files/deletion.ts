import type { ManifestChange, ScanSegment } from './manifest.ts'
import type { MarkMoves } from './mark-moves.ts'
import { negative, sumOf, type CodeCounts } from './code-counts.ts'
import { combineAll, type SegmentFiles } from './segment-files.ts'
import { daysOf } from './days.ts'
import { joinStretches } from './stretches.ts'

/** Records are combined in memory. */
const combinedRowsMax = 200_000

/** Files that are ready to replace listed ones. */
export type Deletion = {
  /** The recovery after which it was made. */
  readonly recovery: number
  readonly marks: MarkMoves
  /**
   * Returns the change of the manifest that lists these segments now, with those of batches that
   * were stored since. It is in conflict with it if what it replaces was merged meanwhile.
   */
  replacing(
    segments: readonly ScanSegment[],
  ): Promise<Omit<ManifestChange, 'from' | 'to'> & { counts: CodeCounts }>
  /** Forgets everything but what the manifest lists. Can be called again. */
  close(): Promise<void>
}

export type DeletionOptions = {
  segments: readonly ScanSegment[]
  recovery: number
  files: Pick<SegmentFiles<never>, 'combine' | 'findMarks' | 'remove'>
  countsOf: (segments: readonly ScanSegment[]) => Promise<CodeCounts>
  newId: () => string
  /** Called with ids that no file has to keep any more. */
  forget: (ids: readonly string[]) => void
}

/**
 * Writes the files that listed segments become without their scans before a time: whole files go,
 * others are written again without these scans, and so are files in which scans get a mark.
 */
export async function openDeletion(beforeMs: number, options: DeletionOptions): Promise<Deletion> {
  const { segments, recovery, files, countsOf } = options
  const ids: string[] = []
  const newId = (): string => {
    const id = options.newId()
    ids.push(id)
    return id
  }
  const marks = await files.findMarks({ segments, deletedBeforeMs: beforeMs })
  const close = async (): Promise<void> => {
    options.forget(ids)
    await marks.close()
  }
  try {
    const gone = segments.filter(({ toMs }) => toMs < beforeMs)
    const changed = segments.filter(
      ({ id, fromMs, toMs }) => toMs >= beforeMs && (fromMs < beforeMs || marks.ids.has(id)),
    )
    const added: ScanSegment[] = []
    for (const group of together(changed)) {
      const stretches = joinStretches(group.flatMap((segment) => segment.stretches))
      const fromIds = group.map(({ id }) => id)
      added.push(await files.combine(newId(), stretches, fromIds, { fromMs: beforeMs, marks }))
    }
    const before = negative(await countsOf([...gone, ...changed]))
    const counts = sumOf([await countsOf(added), before])
    return {
      recovery,
      marks,
      close,
      async replacing(listed) {
        const known = new Set(segments.map(({ id }) => id))
        const since = listed.filter(({ id }) => !known.has(id))
        await marks.addFrom(since)
        // Their scans stay, however old: those that came late are deleted by the next deletion.
        const marked = since.filter(({ id }) => marks.ids.has(id))
        const addedSince: ScanSegment[] = []
        for (const group of together(marked))
          addedSince.push(await combineAll(files, newId(), group, { marks }))
        const countsSince = [await countsOf(addedSince), negative(await countsOf(marked))]
        return {
          added: [...added, ...addedSince],
          removed: [...gone, ...changed, ...marked].map(({ id }) => id),
          deleted: gone.flatMap(({ stretches }) => stretches),
          movesMarks: true,
          counts: sumOf([counts, ...countsSince]),
        }
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Returns groups of segments that become one file: records of a day, and each other file alone. */
function together(segments: readonly ScanSegment[]): ScanSegment[][] {
  const files = segments.filter(({ level }) => level > 0)
  const records = segments.filter(({ level }) => level === 0)
  const groups: ScanSegment[][] = files.map((file) => [file])
  const ofDays = Map.groupBy(records, (record) => `${record.stretches[0]?.month} ${daysOf(record)}`)
  for (const ofDay of ofDays.values()) {
    let rows = Infinity
    for (const record of ofDay) {
      rows += record.rows
      if (rows > combinedRowsMax) {
        groups.push([])
        ;({ rows } = record)
      }
      groups.at(-1)?.push(record)
    }
  }
  return groups
}
