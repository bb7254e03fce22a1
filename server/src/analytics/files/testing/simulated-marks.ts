import type { Manifest } from '../manifest.ts'
import type { MarkMoves } from '../mark-moves.ts'
import { joinStretches, isCovered, withoutStretches, coverageOf, type Stretch } from '../stretches.ts'
import type { MovedVisit } from '../visits/visit-index.ts'
import { nameOf, placeOf, type SimulatedScan } from './simulated-scan.ts'

export type SimulatedFile = { id: string; rows: readonly SimulatedScan[] }

/** Scans without a known visitor are never unique. */
export const nobody = 'nobody'

export function visitorOf({ code, visitor }: Pick<SimulatedScan, 'code' | 'visitor'>): string {
  return `${code} ${visitor}`
}

/** Moves of marks, found by plain loops over all scans. */
export class SimulatedMarks implements MarkMoves {
  readonly name = 'simulated'
  /** By visitor: the scan that has the mark now, if there is one. */
  readonly #firsts = new Map<string, SimulatedScan | undefined>()
  /** By file: the scans that get another mark. */
  readonly #changes = new Map<string, Map<string, boolean>>()

  /** Without a time it looks for visitors that have no mark, or several. */
  constructor(files: readonly SimulatedFile[], deletedBeforeMs: number | undefined) {
    const all = files.flatMap(({ rows }) => rows)
    const wanted = deletedBeforeMs === undefined ? wrongOf(all) : deletedOf(all, deletedBeforeMs)
    this.#find(files, wanted, deletedBeforeMs ?? -Infinity)
  }

  get ids(): ReadonlySet<string> {
    return new Set(this.#changes.keys())
  }

  addAll(files: readonly SimulatedFile[]): void {
    const left = [...this.#firsts].flatMap(([key, first]) => (first === undefined ? [key] : []))
    this.#find(files, new Set(left), -Infinity)
  }

  /** The folder, which has the files, replaces it by `addAll`. */
  addFrom: MarkMoves['addFrom'] = async () => {}

  async *visits(): AsyncGenerator<MovedVisit[]> {
    for (const [key, first] of this.#firsts) {
      const [organizationId = '', qrCodeId = '', visitor = ''] = key.split(' ')
      const of = { organizationId, qrCodeId, visitor }
      yield [first === undefined ? of : { ...of, writer: first.writer, sequence: first.sequence }]
    }
  }

  async close(): Promise<void> {}

  /** Returns rows of a file with the marks that they have now. */
  markedIn(id: string, rows: readonly SimulatedScan[]): SimulatedScan[] {
    const changes = this.#changes.get(id)
    return rows.map((scan) => ({ ...scan, isUnique: changes?.get(nameOf(scan)) ?? scan.isUnique }))
  }

  #find(files: readonly SimulatedFile[], wanted: ReadonlySet<string>, fromMs: number): void {
    for (const key of wanted) {
      const found = files.flatMap(({ id, rows }) =>
        rows.flatMap((scan) =>
          scan.timeMs >= fromMs && scan.visitor !== nobody && visitorOf(scan) === key ? [{ id, scan }] : [],
        ),
      )
      const ofWriters = [...Map.groupBy(found, ({ scan }) => scan.writer).values()].flatMap((ofOne) =>
        ofOne.toSorted((a, b) => later(a.scan, b.scan) || a.scan.sequence - b.scan.sequence).slice(0, 1),
      )
      const [first] = ofWriters.toSorted(
        (a, b) =>
          later(a.scan, b.scan) || a.scan.timeMs - b.scan.timeMs || (a.scan.writer < b.scan.writer ? -1 : 1),
      )
      this.#firsts.set(key, first?.scan)
      for (const { id, scan } of found) {
        const isUnique = scan === first?.scan
        if (isUnique === scan.isUnique) continue
        const changes = this.#changes.get(id) ?? new Map<string, boolean>()
        this.#changes.set(id, changes.set(nameOf(scan), isUnique))
      }
    }
  }
}

/** Scans with the mark come first. */
function later(one: SimulatedScan, other: SimulatedScan): number {
  return Number(other.isUnique) - Number(one.isUnique)
}

function deletedOf(all: readonly SimulatedScan[], beforeMs: number): Set<string> {
  return new Set(all.filter(({ timeMs, isUnique }) => isUnique && timeMs < beforeMs).map(visitorOf))
}

/** Returns the known visitors of codes that do not have exactly one unique scan. */
export function wrongOf(all: readonly SimulatedScan[]): Set<string> {
  const known = all.filter(({ visitor }) => visitor !== nobody)
  const wrong = [...Map.groupBy(known, visitorOf)].filter(
    ([, scans]) => scans.filter(({ isUnique }) => isUnique).length !== 1,
  )
  return new Set(wrong.map(([key]) => key))
}

/** An index of first visits in memory, which outlives kills: see `VisitIndex`. */
export class SimulatedVisits {
  isCurrent = false
  #firsts = new Map<string, string>()
  #covered: readonly Stretch[] = []
  #marks: string | undefined

  /** Adds the first visits of stored scans that it lacks; begins empty if it has others. */
  catchUp(
    manifest: Pick<Manifest, 'marks'>,
    covered: readonly Stretch[],
    rows: readonly SimulatedScan[],
  ): void {
    if (this.#marks !== manifest.marks || !isCovered(this.#covered, covered)) {
      this.#firsts.clear()
      this.#covered = []
    }
    this.#marks = manifest.marks
    const isMissing = coverageOf(withoutStretches(covered, this.#covered))
    this.remember(
      rows.filter((scan) => isMissing(placeOf(scan))),
      covered,
    )
  }

  /** Returns scans of a batch with their marks. */
  mark(scans: readonly SimulatedScan[]): SimulatedScan[] {
    const marked = new Map<string, string>()
    return scans.map((scan) => {
      if (scan.visitor === nobody) return scan
      const key = visitorOf(scan)
      const first = this.#firsts.get(key) ?? marked.get(key)
      if (first === undefined) marked.set(key, nameOf(scan))
      return { ...scan, isUnique: first === undefined || first === nameOf(scan) }
    })
  }

  remember(scans: readonly SimulatedScan[], stretches: readonly Stretch[]): void {
    for (const scan of scans) if (scan.isUnique) this.#firsts.set(visitorOf(scan), nameOf(scan))
    this.#covered = joinStretches([...this.#covered, ...stretches])
    this.isCurrent = true
  }

  async move(visits: AsyncIterable<readonly MovedVisit[]>, marks: string): Promise<void> {
    for await (const list of visits)
      for (const { organizationId, qrCodeId, visitor, ...first } of list) {
        const key = `${organizationId} ${qrCodeId} ${String(visitor)}`
        if (first.writer === undefined) this.#firsts.delete(key)
        else this.#firsts.set(key, `${first.writer} ${first.sequence}`)
      }
    this.#marks = marks
  }
}
