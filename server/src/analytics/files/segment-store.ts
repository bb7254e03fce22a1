import {
  changeManifest,
  coveredBy,
  isRemovable,
  ManifestConflict,
  type Manifest,
  type ManifestChange,
  type ReadStretch,
  type ScanSegment,
} from './manifest.ts'
import { sumOf, type CodeCounts } from './code-counts.ts'
import { openDeletion, type Deletion } from './deletion.ts'
import { planRecovery, type IsComing } from './recovery.ts'
import { combineAll, type SegmentFiles } from './segment-files.ts'
import { coverageOf, withoutStretches, type ScanPlace, type Stretch } from './stretches.ts'

/** The scans of one month that a batch found in a journal. */
export type MonthOfBatch<Rows> = { month: number; rows: Rows }

/** The scans that the store had when a batch was read. */
export type BatchCoverage = {
  has: (place: ScanPlace) => boolean
  covered: readonly Stretch[]
  recovery: number
}

/**
 * Runs a change of the catalogue as a part of a larger transaction. The change returns how many of
 * the codes whose counters it moved the catalogue knows.
 */
export type Within<Tx> = (change: (tx: Tx) => Promise<number>) => Promise<void>

/** The manifest in the catalogue, with the counters of codes. */
export type SegmentCatalogue<Tx = never> = {
  /** Returns the manifest. Waits for changes whose answers were lost. */
  read(): Promise<Manifest>
  /**
   * Makes a change and moves counters, in one transaction. `next` is the manifest after it. Throws
   * a ManifestConflict if the manifest is not the one that the change was made for; after any other
   * error the outcome is unknown.
   */
  change(change: ManifestChange, next: Manifest, counts: CodeCounts, within?: Within<Tx>): Promise<void>
  /** Sets all counters, together with a change and with what belongs to it. */
  recount(
    change: ManifestChange,
    next: Manifest,
    counts: CodeCounts,
    also?: (tx: Tx, corrected: CodeCounts) => Promise<void>,
  ): Promise<void>
}

export type RecoveryOptions<Tx> = {
  /** Returns the listed files that are good: nothing has happened to them since they were read. */
  trusted?: (manifest: Manifest) => Promise<readonly ScanSegment[]>
  /** Whether marks, counters and what belongs to them are set again, though no file differs. */
  recounts?: boolean
  /** Records of batches that are coming again are not adopted. */
  isComing?: (manifest: Manifest) => IsComing
  /**
   * Called before the manifest lists other files: those that it will list, of which some are
   * adopted, or parts of files. The result runs in the transaction that lists them, with the
   * numbers by which counters are corrected.
   */
  changing?: Changing<Tx>
}

export type Changing<Tx> = (
  listed: readonly ScanSegment[],
  adopted: readonly ScanSegment[],
) => Promise<(tx: Tx, corrected: CodeCounts) => Promise<void>>

export type Recovered = {
  manifest: Manifest
  /** Scans of listed files that are missing or damaged, and that no other file has. */
  lost: readonly Stretch[]
}

export type SegmentStoreOptions<Rows, Tx = never> = {
  files: SegmentFiles<Rows>
  catalogue: SegmentCatalogue<Tx>
  clock: () => number
  newId: () => string
  /** Scans before this time were deleted. */
  deletedBeforeMs: () => number
  countRows: (rows: Rows) => CodeCounts
}

/** How long a file stays that is no longer listed: queries and copies that read it end earlier. */
const keepMs = 3_600_000

/**
 * The store of scans in files, as far as it decides which files count. Only one process at a time
 * has it open. Every call may be interrupted anywhere: the next `recover` completes it.
 */
export class SegmentStore<Rows, Tx = never> {
  readonly #options: SegmentStoreOptions<Rows, Tx>
  /** The manifest as it was read or changed last; undefined while that may be another one. */
  #manifest: Manifest | undefined
  /** Distinguishes batches from before the last recovery. */
  #recoveries = 0
  #verified = new Set<string>()
  /** Files on their way into the manifest. */
  readonly #pending = new Set<string>()
  /** Changes follow each other: each is made for the manifest that the one before it left. */
  #turn: Promise<unknown> = Promise.resolve()
  readonly #unlistedSinceMs = new Map<string, number>()
  /** Files that were read whole or written, as far as they may not be listed any more. */
  #known = new Map<string, ScanSegment>()

  constructor(options: SegmentStoreOptions<Rows, Tx>) {
    this.#options = options
  }

  /** Whether manifest and files agree as far as is known. If not, `recover` must come first. */
  get isRecovered(): boolean {
    return this.#manifest !== undefined
  }

  /** The manifest. Throws a ManifestConflict while it is unknown. */
  get manifest(): Manifest {
    if (this.#manifest === undefined) throw new ManifestConflict('it was not recovered')
    return this.#manifest
  }

  /**
   * Makes the manifest list exactly what the files have: adopts files that it does not list, takes
   * out those that are gone, and sets the counters.
   */
  async recover({
    trusted = async () => [],
    isComing = () => () => false,
    recounts = false,
    changing,
  }: RecoveryOptions<Tx> = {}): Promise<Recovered> {
    const { files, catalogue, newId, deletedBeforeMs } = this.#options
    this.#manifest = undefined
    const recovery = ++this.#recoveries
    const manifest = await catalogue.read()
    const found = await files.list(byId(await trusted(manifest)))
    const fromMs = deletedBeforeMs()
    const plan = planRecovery(manifest, found, {
      deletedBeforeMs: fromMs,
      isComing: isComing(manifest),
    })
    const good = new Set(found.flatMap(({ id, isGood }) => (isGood ? [id] : [])))
    const added = [...plan.adopted]
    for (const { id } of added) await files.sync(id)
    for (const { file, stretches } of plan.rewritten)
      added.push(await files.combine(newId(), stretches, [file.id], { fromMs }))
    const removed = plan.unlisted.map(({ id }) => id)
    let next = manifest
    if (added.length > 0 || removed.length > 0 || recounts) {
      const revisions = { from: manifest.revision, to: newId() }
      const adopted = { ...revisions, added, removed, lost: plan.lost, movesMarks: true }
      const change = await this.#withMarks(adopted, changeManifest(manifest, adopted))
      next = changeManifest(manifest, change)
      const also = await changing?.(next.segments, added)
      await catalogue.recount(change, next, await this.countsOf(next.segments), also)
    }
    this.#verified = new Set([...good, ...next.segments.map(({ id }) => id)])
    this.#known = byId(found.filter(({ isGood }) => isGood))
    if (recovery === this.#recoveries) this.#manifest = next
    return { manifest: next, lost: plan.lost }
  }

  /**
   * Returns the last ingested sequence of a writer: its journal is read behind it, and may remove
   * what is before it. 0 if there is none.
   */
  checkpointOf(writer: string): number {
    return this.manifest.checkpoints.get(writer) ?? 0
  }

  /** Returns what the store has: a batch leaves it out. */
  coverage(): BatchCoverage {
    const covered = coveredBy(this.manifest)
    return { has: coverageOf(covered), covered, recovery: this.#recoveries }
  }

  /**
   * Stores the scans of a batch that are not covered, and moves the checkpoint of its writer, all
   * `within` a transaction of the caller if there is one. Returns the scans that are listed by it,
   * or undefined if `recover` must come first.
   */
  async storeBatch(
    read: ReadStretch,
    { covered, recovery }: BatchCoverage,
    months: readonly MonthOfBatch<Rows>[],
    within?: Within<Tx>,
  ): Promise<readonly Stretch[] | undefined> {
    const { files, countRows } = this.#options
    if (recovery !== this.#recoveries) return undefined
    const { writer, after, to } = read
    const listed: Stretch[] = []
    const write = async (newId: () => string) => {
      const added: ScanSegment[] = []
      for (const { month, rows } of months) {
        const stretches = withoutStretches([{ month, writer, from: after, to }], covered)
        added.push(await files.write(newId(), stretches, rows))
        listed.push(...stretches)
      }
      return { added, counts: sumOf(months.map(({ rows }) => countRows(rows))) }
    }
    const isStored = await this.#changeWith({ removed: [], checkpoint: read }, write, within)
    return isStored ? listed : undefined
  }

  /**
   * Replaces listed segments by one file with their scans. Returns false if one of them is not
   * listed any more, or if `recover` must come first. Throws if the file does not have all scans.
   */
  async merge(ids: readonly string[]): Promise<boolean> {
    const { files } = this.#options
    const merged = this.manifest.segments.filter(({ id }) => ids.includes(id))
    const removed = merged.map(({ id }) => id)
    if (removed.length < ids.length) return false
    return await this.#changeWith({ removed }, async (newId) => {
      const added = await combineAll(files, newId(), merged)
      return { added: [added], counts: new Map() }
    })
  }

  /**
   * Writes the files that listed ones become when all scans before a time are deleted. The bound
   * must be durable before. Batches can be stored meanwhile; merges can not. `Deletion.close` must
   * follow, before it `finishDeletion`.
   */
  async prepareDeletion(beforeMs: number): Promise<Deletion> {
    return await openDeletion(beforeMs, {
      segments: this.manifest.segments,
      recovery: this.#recoveries,
      files: this.#options.files,
      countsOf: (segments) => this.countsOf(segments),
      newId: () => this.#newPending(),
      forget: (ids) => ids.forEach((id) => this.#pending.delete(id)),
    })
  }

  /**
   * Deletes the scans, moves marks to the first ones that are left, and the counters of codes with
   * them, all `within` a transaction of the caller if there is one. From before this call until
   * `VisitIndex.move` has ended, no batch may be marked. Returns false if a merge or a recovery
   * came between: nothing has then changed, and all must begin again.
   */
  async finishDeletion(deletion: Deletion, within?: Within<Tx>): Promise<boolean> {
    if (deletion.recovery !== this.#recoveries || this.#manifest === undefined) return false
    const { revision, segments } = this.#manifest
    const { counts, ...change } = await deletion.replacing(segments)
    const changed = this.#turn.then(() =>
      this.#manifest?.revision === revision ? this.#change(change, counts, within) : false,
    )
    this.#turn = changed.catch(() => {})
    return await changed
  }

  /**
   * Makes `recover` come first if some of these segments are still listed. Returns those that are.
   */
  async doubt(segments: readonly ScanSegment[]): Promise<ScanSegment[]> {
    const doubted = this.#turn.then(() => {
      const listed = new Set(this.#manifest?.segments.map(({ id }) => id))
      const wrong = segments.filter(({ id }) => listed.has(id))
      if (wrong.length > 0) this.#manifest = undefined
      return wrong
    })
    this.#turn = doubted
    return await doubted
  }

  /** Removes files that the manifest has not listed for an hour, if others have their scans. */
  async removeFiles(): Promise<void> {
    const { files, clock, deletedBeforeMs } = this.#options
    const manifest = this.manifest
    // Those of days would else be read whole each time.
    const trusted = new Map([...this.#known, ...byId(manifest.segments)])
    const found = await files.list(trusted)
    this.#known = byId(found.filter(({ isGood }) => isGood))
    const isVerified = (id: string): boolean => this.#verified.has(id)
    for (const file of found) {
      const options = { isVerified, deletedBeforeMs: deletedBeforeMs() }
      if (!file.isGood) continue
      if (this.#pending.has(file.id) || !isRemovable(file, manifest, options)) {
        this.#unlistedSinceMs.delete(file.id)
        continue
      }
      const sinceMs = this.#unlistedSinceMs.get(file.id) ?? clock()
      this.#unlistedSinceMs.set(file.id, sinceMs)
      if (clock() - sinceMs >= keepMs) await files.remove(file.id)
    }
  }

  /**
   * Returns a change of a recovery with other files instead of those whose scans do not have the
   * right marks: scans that come from several states of the store were marked apart.
   */
  async #withMarks(change: ManifestChange, { segments }: Manifest): Promise<ManifestChange> {
    const { files, newId } = this.#options
    const marks = await files.findMarks({ segments })
    try {
      const wrong = segments.filter(({ id }) => marks.ids.has(id))
      const ids = new Set(wrong.map(({ id }) => id))
      const isNew = new Set(change.added.map(({ id }) => id))
      const added = change.added.filter(({ id }) => !ids.has(id))
      for (const { id, stretches } of wrong)
        added.push(await files.combine(newId(), stretches, [id], { marks }))
      return { ...change, added, removed: [...change.removed, ...[...ids].filter((id) => !isNew.has(id))] }
    } finally {
      await marks.close()
    }
  }

  /** Returns the numbers of scans in files. */
  async countsOf(segments: readonly ScanSegment[]): Promise<CodeCounts> {
    const counts: CodeCounts[] = []
    for (const { id } of segments) counts.push(await this.#options.files.countOf(id))
    return sumOf(counts)
  }

  /** Writes files and lists them. Returns false if the manifest has changed since it was read. */
  async #changeWith(
    change: Omit<ManifestChange, 'from' | 'to' | 'added'>,
    write: (newId: () => string) => Promise<{ added: readonly ScanSegment[]; counts: CodeCounts }>,
    within?: Within<Tx>,
  ): Promise<boolean> {
    const ids: string[] = []
    const newId = (): string => {
      const id = this.#newPending()
      ids.push(id)
      return id
    }
    try {
      const { added, counts } = await write(newId)
      const changed = this.#turn.then(() => this.#change({ ...change, added }, counts, within))
      this.#turn = changed.catch(() => {})
      return await changed
    } finally {
      for (const id of ids) this.#pending.delete(id)
    }
  }

  /** Returns the id of a file that nobody removes before it is listed. */
  #newPending(): string {
    const id = this.#options.newId()
    this.#pending.add(id)
    return id
  }

  async #change(
    made: Omit<ManifestChange, 'from' | 'to'>,
    counts: CodeCounts,
    within?: Within<Tx>,
  ): Promise<boolean> {
    const manifest = this.#manifest
    if (manifest === undefined) return false
    const change = { ...made, from: manifest.revision, to: this.#options.newId() }
    try {
      const next = changeManifest(manifest, change)
      // Until the answer, the catalogue may have either. Changes that are made for this one wait
      // for their turn or are refused there; a batch that comes meanwhile needs no recovery.
      await this.#options.catalogue.change(change, next, counts, within)
      for (const { id } of change.added) this.#verified.add(id)
      const removed = new Set(change.removed)
      for (const segment of manifest.segments)
        if (removed.has(segment.id)) this.#known.set(segment.id, segment)
      this.#manifest = next
      return true
    } catch (error) {
      this.#manifest = undefined
      if (error instanceof ManifestConflict) return false
      throw error
    }
  }
}

function byId(segments: readonly ScanSegment[]): Map<string, ScanSegment> {
  return new Map(segments.map((segment) => [segment.id, segment]))
}
