// A folder and a catalogue in memory, for the simulation of the store in files: both can be copied
// and put back, and a loss of power takes files that were not written to the end.
import {
  changeManifest,
  emptyManifest,
  type Manifest,
  type ManifestChange,
  type ScanSegment,
} from '../manifest.ts'
import type { FoundFile } from '../recovery.ts'
import { sumOf, type CodeCounts } from '../code-counts.ts'
import type { SegmentFiles } from '../segment-files.ts'
import type { SegmentCatalogue } from '../segment-store.ts'
import { coverageOf, type Stretch } from '../stretches.ts'
import { countRows, placeOf, type SimulatedScan } from './simulated-scan.ts'
import { SimulatedMarks, type SimulatedFile } from './simulated-marks.ts'

type File = { segment: ScanSegment; rows: readonly SimulatedScan[]; isGood: boolean; isDurable: boolean }

/** The folder of the store, with the bound of what was deleted. */
export class SimulatedFolder {
  readonly files = new Map<string, File>()
  deletedBeforeMs = 0
  /** Whether the disk says that files are durable before they are. */
  losesSyncs = false

  copy(): SimulatedFolder {
    const copy = new SimulatedFolder()
    for (const [id, file] of this.files) copy.files.set(id, { ...file })
    copy.deletedBeforeMs = this.deletedBeforeMs
    return copy
  }

  losePower(): void {
    for (const [id, file] of this.files) if (!file.isDurable) this.files.delete(id)
  }

  /** Takes the files of a copy, which are whole and durable, instead of its own or beside them. */
  putBack(copy: SimulatedFolder, { isBeside }: { isBeside: boolean }): void {
    if (!isBeside) this.files.clear()
    for (const [id, file] of copy.files) this.files.set(id, { ...file, isDurable: true })
  }

  /** The scans of all files that can be read. */
  scans(): SimulatedScan[] {
    return [...this.files.values()].filter(({ isGood }) => isGood).flatMap(({ rows }) => rows)
  }

  rowsOf(id: string): readonly SimulatedScan[] {
    const file = this.files.get(id)
    if (file?.isGood !== true) throw new Error(`${id} cannot be read`)
    return file.rows
  }

  /** `betweenSteps` is called when a file has its name, before that is durable. */
  asFiles(betweenSteps: () => Promise<void>): SegmentFiles<readonly SimulatedScan[]> {
    const write = async (
      id: string,
      stretches: readonly Stretch[],
      rows: readonly SimulatedScan[],
      level = 0,
    ): Promise<ScanSegment> => {
      const times = rows.length === 0 ? [0] : rows.map(({ timeMs }) => timeMs)
      const range = { fromMs: Math.min(...times), toMs: Math.max(...times) }
      const segment = { id, level, rows: rows.length, bytes: 0, checksum: 0, stretches, ...range }
      const file = { segment, rows, isGood: true, isDurable: false }
      this.files.set(id, file)
      await betweenSteps()
      file.isDurable = !this.losesSyncs
      return segment
    }
    return {
      write: (id, stretches, rows) => write(id, stretches, rows),
      combine: async (id, stretches, fromIds, { fromMs = 0, marks } = {}) => {
        const isIn = coverageOf(stretches)
        const rows = fromIds.flatMap((from) =>
          marks instanceof SimulatedMarks ? marks.markedIn(from, this.rowsOf(from)) : this.rowsOf(from),
        )
        const isLeft = (scan: SimulatedScan): boolean => scan.timeMs >= fromMs && isIn(placeOf(scan))
        return await write(id, stretches, rows.filter(isLeft), 1)
      },
      findMarks: async ({ segments, deletedBeforeMs }) => {
        const filesOf = (listed: readonly ScanSegment[]): SimulatedFile[] =>
          listed.map(({ id }) => ({ id, rows: this.rowsOf(id) }))
        const marks = new SimulatedMarks(filesOf(segments), deletedBeforeMs)
        marks.addFrom = async (since) => {
          await betweenSteps()
          marks.addAll(filesOf(since))
        }
        return marks
      },
      list: async () =>
        [...this.files.values()].map(({ segment, isGood }): FoundFile => ({
          ...segment,
          isGood,
          hasPurged: false,
        })),
      sync: async (id) => {
        const file = this.files.get(id)
        if (file === undefined) throw new Error(`${id} is missing`)
        file.isDurable = true
      },
      countOf: async (id) => countRows(this.rowsOf(id)),
      remove: async (id) => void this.files.delete(id),
    }
  }
}

/** The catalogue, as far as it knows of scans. */
export type SimulatedCatalogue = {
  /** Returns the manifest and the counters, without codes that have none. */
  state(): Promise<CatalogueState>
  putBack(state: CatalogueState): Promise<void>
  asCatalogue(): SegmentCatalogue
}

export type CatalogueState = { manifest: Manifest; counts: CodeCounts }

export const emptyState: CatalogueState = { manifest: emptyManifest, counts: new Map() }

/** A catalogue in memory. */
export function memoryCatalogue(): SimulatedCatalogue {
  let now = emptyState
  const apply = (change: ManifestChange, counts: (before: CodeCounts) => CodeCounts): void => {
    now = { manifest: changeManifest(now.manifest, change), counts: counts(now.counts) }
  }
  return {
    state: async () => now,
    putBack: async (state) => void (now = state),
    asCatalogue: () => ({
      read: async () => now.manifest,
      change: async (change, _next, moved) => apply(change, (counts) => sumOf([counts, moved])),
      recount: async (change, _next, counts) => apply(change, () => counts),
    }),
  }
}
