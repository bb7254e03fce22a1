import type { CodeCounts } from './code-counts.ts'
import type { ScanSegment } from './manifest.ts'
import type { MarkMoves, MarkSearch } from './mark-moves.ts'
import type { FoundFile } from './recovery.ts'
import { joinStretches, type Stretch } from './stretches.ts'

/** The folder of the store. A file is written whole and durably before it has its name. */
export type SegmentFiles<Rows> = {
  /** Resolves when the file and its name survive a loss of power. */
  write(id: string, stretches: readonly Stretch[], rows: Rows): Promise<ScanSegment>
  /** Writes a file with those scans of other files that are in the stretches. */
  combine(
    id: string,
    stretches: readonly Stretch[],
    fromIds: readonly string[],
    combination?: Combination,
  ): Promise<ScanSegment>
  /** Returns all files, each as it was read now; of trusted ones, only their ends are read. */
  list(trusted?: ReadonlyMap<string, ScanSegment>): Promise<FoundFile[]>
  /** Makes a file and its name durable that a killed process may have left without. */
  sync(id: string): Promise<void>
  countOf(id: string): Promise<CodeCounts>
  findMarks(search: MarkSearch): Promise<MarkMoves>
  remove(id: string): Promise<void>
}

/** Changes of scans on their way into another file. */
export type Combination = {
  /** Scans before this time are left out. */
  fromMs?: number
  /** Some of the scans get the mark "unique", or lose it. */
  marks?: MarkMoves
}

/**
 * Combines files with all of their scans, with other marks if there are any. Throws, and leaves no
 * file, if the result has not as many: it would say that it has them all.
 */
export async function combineAll(
  files: Pick<SegmentFiles<never>, 'combine' | 'remove'>,
  id: string,
  from: readonly ScanSegment[],
  { marks }: Pick<Combination, 'marks'> = {},
): Promise<ScanSegment> {
  const stretches = joinStretches(from.flatMap((segment) => segment.stretches))
  const ids = from.map((segment) => segment.id)
  const combined = await files.combine(id, stretches, ids, marks === undefined ? {} : { marks })
  const rows = from.reduce((sum, segment) => sum + segment.rows, 0)
  if (combined.rows === rows) return combined
  await files.remove(id)
  throw new Error(`a file combined of others has ${combined.rows} of ${rows} scans`)
}
