import type { ScanSegment } from './manifest.ts'
import type { MovedVisit } from './visits/visit-index.ts'

/** The files in which marks are looked for. */
export type MarkSearch = {
  /** Listed files, or those that will be. */
  segments: readonly ScanSegment[]
  /**
   * Scans before this time are about to be deleted. If absent, visitors are looked for who have no
   * mark, or several.
   */
  deletedBeforeMs?: number
}

/**
 * The visitors of codes whose mark "unique" moves to another scan, and the scan that gets it.
 *
 * It is the first recorded one in the order of ingest, as far as files tell it: of the scans of one
 * writer the one with the least sequence, and of those the one with the least time, then the least
 * writer. Files do not say in which order batches of several writers were stored. `VisitIndex`
 * takes over what was decided here. Scans that are stored later come later.
 */
export type MarkMoves = {
  /** The name under which `SegmentFiles.combine` finds them. */
  readonly name: string
  /** The ids of files in which scans get the mark, or lose it. */
  readonly ids: ReadonlySet<string>
  /** Looks in files that were listed since, for visitors of whom no scan was found. */
  addFrom(segments: readonly ScanSegment[]): Promise<void>
  /** Yields each visitor once, with the scan that is now the first, for `VisitIndex.move`. */
  visits(): AsyncIterable<readonly MovedVisit[]>
  /** Forgets them. */
  close(): Promise<void>
}
