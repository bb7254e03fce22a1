// One seed decides every event of a store in files: batches, merges, deletions, kills and lost
// answers at any call, loss of power, damaged files, and older catalogues and folders put back.
import { randomFrom } from '@everscan/contract/testing/random.ts'
import { coveredBy, ManifestConflict, type Manifest } from '../manifest.ts'
import type { Stretch } from '../stretches.ts'
import type { SegmentFiles } from '../segment-files.ts'
import { SegmentStore, type SegmentCatalogue } from '../segment-store.ts'
import { nobody, SimulatedVisits } from './simulated-marks.ts'
import { problemsOf } from './store-problems.ts'
import { countRows, monthOf, nameOf, placeOf, type SimulatedScan } from './simulated-scan.ts'
import { emptyState, memoryCatalogue, SimulatedFolder, type SimulatedCatalogue } from './simulated-store.ts'

type Rows = readonly SimulatedScan[]
type Store = SegmentStore<Rows>
type Frame = { sequence: number; scan: SimulatedScan }

/** A fault of the product put in on purpose. */
export type Planted = {
  files?: (files: SegmentFiles<Rows>) => Partial<SegmentFiles<Rows>>
  catalogue?: (catalogue: SegmentCatalogue) => Partial<SegmentCatalogue>
  losesSyncs?: boolean
  /** A batch does not ask what the store has. */
  ignoresCoverage?: boolean
  /** Scans are claimed that a journal no longer had. */
  claimsUnread?: boolean
  /** The index of first visits is not told of marks that moved. */
  forgetsMoves?: boolean
  /** It is not told either that marks have moved. */
  forgetsMarks?: boolean
  /** The bound of what was deleted is not known when files are adopted. */
  forgetsBound?: boolean
  /** Whether records of batches wait for their journals, wherever these were read to. */
  awaitsJournals?: 'always' | 'never'
}

export type Outcome = { trace: string[]; problems: string[]; kills: number }

const steps = 60
const faultChance = 0.06
const batchFrames = 6
const hourMs = 3_600_000

/** Runs one order of events over a folder in memory and a catalogue, which is empty. */
export async function simulateFiles(
  seed: number,
  planted: Planted = {},
  catalogue: SimulatedCatalogue = memoryCatalogue(),
): Promise<Outcome> {
  return await new FilesSimulation(seed, planted, catalogue).run()
}

class FilesSimulation {
  readonly #random
  readonly #planted
  readonly #outcome: Outcome = { trace: [], problems: [], kills: 0 }
  readonly #journals = new Map<string, Frame[]>([
    ['a', []],
    ['b', []],
  ])
  readonly #sequences = new Map<string, number>()
  /** The journals no longer have scans up to these sequences. */
  readonly #trimmedTo = new Map<string, number>()
  readonly #scans: SimulatedScan[] = []
  /** Scans of which no copy was left after a disaster: they may be gone. */
  readonly #excused = new Set<string>()
  readonly #folder = new SimulatedFolder()
  readonly #catalogue: SimulatedCatalogue
  readonly #visits = new SimulatedVisits()
  #folderCopy = this.#folder.copy()
  #catalogueCopy = emptyState
  #store: Store
  #isFaulty = true
  #nowMs = hourMs
  #ids = 0
  #die: () => void = () => {}

  constructor(seed: number, planted: Planted, catalogue: SimulatedCatalogue) {
    this.#random = randomFrom(seed)
    this.#catalogue = catalogue
    this.#planted = planted
    this.#folder.losesSyncs = planted.losesSyncs === true
    this.#store = this.#open()
  }

  async run(): Promise<Outcome> {
    for (let step = 0; step < steps; step++) await this.#step()
    this.#isFaulty = false
    this.#store = this.#open()
    for (let passes = 0; await this.#ingestAll(); passes++)
      if (passes > 50) return this.#end(['ingest does not end'])
    await this.#delete()
    // Records may name more than the journal had when it was read again: the next start sees that.
    await this.#recover()
    // An hour later, files that are not needed are gone, and nothing else.
    for (let pass = 0; pass < 2; pass++) {
      await this.#do('remove files', (store) => store.removeFiles())
      this.#nowMs += 2 * hourMs
    }
    return this.#end(await this.#problems())
  }

  #end(problems: string[]): Outcome {
    this.#outcome.problems.push(...problems)
    return this.#outcome
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }

  #chance(probability: number): boolean {
    return this.#random() < probability
  }

  #note(event: string): void {
    this.#outcome.trace.push(event)
  }

  async #step(): Promise<void> {
    const event = this.#random()
    if (event < 0.2) this.#record()
    else if (event < 0.5) await this.#ingest(this.#chance(0.5) ? 'a' : 'b')
    else if (event < 0.6) await this.#merge()
    else if (event < 0.68) await this.#do('remove files', (store) => store.removeFiles())
    else if (event < 0.74) this.#nowMs += hourMs
    else if (event < 0.77) {
      this.#folder.deletedBeforeMs += this.#below(8)
      await this.#delete()
    } else if (event < 0.82) this.#trimJournal()
    else if (event < 0.85) this.#kill(true)
    else if (event < 0.9) await this.#copy()
    else if (event < 0.98) await this.#putBack()
    else this.#damage()
  }

  /** Scans are recorded in journals, now and then of an earlier month. */
  #record(): void {
    for (const [writer, frames] of this.#journals)
      for (let count = this.#below(4); count > 0; count--) {
        const sequence = (this.#sequences.get(writer) ?? 0) + 1 + (this.#chance(0.1) ? 5 : 0)
        this.#sequences.set(writer, sequence)
        const timeMs = Math.floor(this.#nowMs / hourMs) * 3 + this.#below(12)
        const visitor = this.#chance(0.1) ? nobody : `v${this.#below(8)}`
        const code = `org_1 code${this.#below(3)}`
        const scan = { writer, sequence, timeMs, code, visitor, isUnique: false }
        frames.push({ sequence, scan })
        this.#scans.push(scan)
      }
    this.#note(`record, ${this.#scans.length} so far`)
  }

  async #ingestAll(): Promise<boolean> {
    let more = false
    for (const writer of this.#journals.keys()) if (await this.#ingest(writer)) more = true
    return more
  }

  /** Ingests a batch. Returns whether there may be more. */
  async #ingest(writer: string): Promise<boolean> {
    if (!this.#store.isRecovered || !this.#visits.isCurrent) {
      await this.#recover()
      return true
    }
    const from = this.#store.checkpointOf(writer)
    const all = this.#journals.get(writer) ?? []
    const frames = all.filter(({ sequence }) => sequence > from).slice(0, batchFrames)
    const [first] = frames
    const to = frames.at(-1)?.sequence
    if (first === undefined || to === undefined) return false
    const coverage = this.#store.coverage()
    const isNew = (scan: SimulatedScan): boolean =>
      this.#planted.ignoresCoverage === true || !coverage.has(placeOf(scan))
    const scans = this.#visits.mark(frames.map(({ scan }) => scan).filter(isNew))
    this.#visits.isCurrent = false
    const months = [...Map.groupBy(scans, monthOf)].map(([month, rows]) => ({ month, rows }))
    const after = this.#planted.claimsUnread === true ? from : Math.max(from, first.sequence - 1)
    const stored = await this.#do(`ingest ${writer} (${from}, ${to}]`, (store) =>
      store.storeBatch({ writer, from, after, to, end: { segment: 0, offset: to } }, coverage, months),
    )
    if (stored !== undefined) this.#visits.remember(scans, stored)
    return true
  }

  /** Folders of journals may be missing, or be read by nobody. */
  async #recover(): Promise<void> {
    const isRead = !this.#isFaulty || this.#chance(0.5)
    const before = new Set((await this.#listedScans()).map(nameOf))
    await this.#do('recover', async (store) => {
      const { manifest } = await store.recover({
        isComing: (read) => (stretch) => isRead && this.#isComing(read, stretch),
      })
      const rows = await this.#listedScans()
      for (const scan of rows)
        if (scan.timeMs < this.#folder.deletedBeforeMs && !before.has(nameOf(scan)))
          this.#outcome.problems.push(`scan ${nameOf(scan)} came back, though it was deleted`)
      const marks = this.#planted.forgetsMarks === true ? '' : manifest.marks
      this.#visits.catchUp({ marks }, coveredBy(manifest), rows)
    })
  }

  async #listedScans(): Promise<SimulatedScan[]> {
    const { segments } = (await this.#catalogue.state()).manifest
    return segments.flatMap(({ id }) => this.#folder.files.get(id)?.rows ?? [])
  }

  #isComing({ checkpoints }: Manifest, { writer, from }: Stretch): boolean {
    const { awaitsJournals } = this.#planted
    if (awaitsJournals !== undefined) return awaitsJournals === 'always'
    const checkpoint = checkpoints.get(writer) ?? 0
    return from >= checkpoint && (this.#trimmedTo.get(writer) ?? 0) <= checkpoint
  }

  async #merge(): Promise<void> {
    const { segments } = (await this.#catalogue.state()).manifest
    const months = Map.groupBy(segments, ({ stretches }) => stretches[0]?.month ?? 0)
    const ofMonth = [...months.values()][this.#below(months.size)] ?? []
    const ids = ofMonth.map(({ id }) => id).filter(() => this.#chance(0.7))
    if (ids.length > 1 && this.#store.isRecovered)
      await this.#do(`merge ${ids.join(' ')}`, (store) => store.merge(ids))
  }

  /** Deletes what is before the bound, which stands in the folder, while batches are stored. */
  async #delete(): Promise<void> {
    const before = this.#folder.deletedBeforeMs
    const store = this.#store
    if (!store.isRecovered || !this.#visits.isCurrent) return
    const deletion = await this.#do(`prepare a deletion before ${before}`, () =>
      store.prepareDeletion(before),
    )
    if (deletion === undefined) return
    while (this.#isFaulty && this.#chance(0.6)) {
      if (this.#chance(0.5)) this.#record()
      await this.#ingest(this.#chance(0.5) ? 'a' : 'b')
      if (this.#chance(0.1)) await this.#merge()
      if (this.#chance(0.3)) await this.#do('remove files', (now) => now.removeFiles())
      if (this.#chance(0.3)) this.#nowMs += 2 * hourMs
    }
    // A process that was killed meanwhile, or has to recover, begins again.
    if (this.#store === store && this.#visits.isCurrent)
      await this.#do('finish the deletion', async () => {
        const isDone = await store.finishDeletion(deletion)
        await this.#betweenSteps({ is: false })
        if (isDone && this.#planted.forgetsMoves !== true)
          await this.#visits.move(deletion.marks.visits(), store.manifest.marks)
        return isDone
      })
    await deletion.close()
  }

  /** Journals keep no more than what is ingested for a while, and not before a recovery. */
  #trimJournal(): void {
    if (!this.#store.isRecovered) return
    for (const [writer, frames] of this.#journals) {
      const upTo = this.#store.checkpointOf(writer) - this.#below(10)
      this.#trimmedTo.set(writer, Math.max(upTo, this.#trimmedTo.get(writer) ?? 0))
      this.#journals.set(
        writer,
        frames.filter(({ sequence }) => sequence > upTo),
      )
    }
    this.#note('trim journals')
  }

  #kill(mayLosePower: boolean): void {
    this.#outcome.kills++
    const losesPower = mayLosePower && this.#chance(0.5)
    if (losesPower) this.#folder.losePower()
    this.#note(losesPower ? 'lose power' : 'kill')
    this.#visits.isCurrent = false
    this.#store = this.#open()
  }

  async #copy(): Promise<void> {
    if (this.#chance(0.5)) this.#folderCopy = this.#folder.copy()
    if (this.#chance(0.5)) this.#catalogueCopy = await this.#catalogue.state()
    this.#note('copy')
  }

  /**
   * An older catalogue may come under a running service, as by a fail-over. A folder may not; what
   * it replaced may itself come back later.
   */
  async #putBack(): Promise<void> {
    if (this.#chance(0.6)) {
      this.#note('put back the catalogue')
      await this.#catalogue.putBack(this.#catalogueCopy)
      if (this.#chance(0.4)) this.#kill(false)
      return
    }
    const isBeside = this.#chance(0.5)
    this.#note(`put back the folder${isBeside ? ' beside what is there' : ''}`)
    const before = this.#folder.copy()
    this.#folder.putBack(this.#folderCopy, { isBeside })
    this.#folderCopy = before
    this.#excuse()
    this.#kill(false)
  }

  /** A file is damaged, and the process starts again, which looks at every file. */
  #damage(): void {
    const files = [...this.#folder.files.values()]
    const file = files[this.#below(files.length)]
    if (file === undefined) return
    file.isGood = false
    this.#note(`damage ${file.segment.id}`)
    this.#excuse()
    this.#kill(false)
  }

  /** Notes which scans have no copy now, for no fault of the product. */
  #excuse(): void {
    const left = new Set([...this.#folder.scans(), ...this.#journalScans()].map(nameOf))
    for (const scan of this.#scans)
      if (left.has(nameOf(scan))) this.#excused.delete(nameOf(scan))
      else this.#excused.add(nameOf(scan))
  }

  #journalScans(): SimulatedScan[] {
    return [...this.#journals.values()].flatMap((frames) => frames.map(({ scan }) => scan))
  }

  #open(): Store {
    const isDead = { is: false }
    const files = this.#folder.asFiles(() => this.#betweenSteps(isDead))
    const catalogue = this.#catalogue.asCatalogue()
    return new SegmentStore({
      files: this.#faulty({ ...files, ...this.#planted.files?.(files) }, isDead),
      catalogue: this.#faulty({ ...catalogue, ...this.#planted.catalogue?.(catalogue) }, isDead),
      clock: () => this.#nowMs,
      newId: () => `f${this.#ids++}`,
      deletedBeforeMs: () => (this.#planted.forgetsBound === true ? 0 : this.#folder.deletedBeforeMs),
      countRows,
    })
  }

  /**
   * Runs one call of the store. A killed process leaves its promise behind. Returns undefined then,
   * and after an error.
   */
  async #do<Result>(what: string, call: (store: Store) => Promise<Result>): Promise<Result | undefined> {
    const { promise: dying, resolve } = Promise.withResolvers<{ end: string; result?: Result }>()
    this.#die = () => resolve({ end: 'killed' })
    const passed = async (): Promise<{ end: string; result?: Result }> => {
      try {
        const result = await call(this.#store)
        return { end: typeof result === 'boolean' ? String(result) : 'done', result }
      } catch (error) {
        if (this.#isFaulty || error instanceof ManifestConflict) return { end: String(error) }
        throw error
      }
    }
    const { end, result } = await Promise.race([passed(), dying])
    this.#note(`${what}: ${end}`)
    if (end === 'killed') this.#kill(true)
    return result
  }

  async #betweenSteps(isDead: { is: boolean }): Promise<void> {
    if (this.#isFaulty && this.#chance(faultChance)) await this.#dieNow(isDead)
  }

  #dieNow(isDead: { is: boolean }): Promise<never> {
    isDead.is = true
    this.#die()
    return new Promise(() => {})
  }

  #faulty<Calls extends object>(calls: Calls, isDead: { is: boolean }): Calls {
    const wrap =
      (call: (...args: never[]) => Promise<unknown>) =>
      async (...args: never[]) => {
        if (isDead.is) return await new Promise(() => {})
        const drawn = this.#isFaulty && this.#chance(faultChance) ? this.#below(4) : -1
        if (drawn === 0) return await this.#dieNow(isDead)
        if (drawn === 1) throw new Error('the request was lost')
        const result = await call(...args)
        if (drawn === 2) return await this.#dieNow(isDead)
        if (drawn === 3) throw new Error('the answer was lost')
        return result
      }
    return Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [name, wrap(call as never)]),
    ) as Calls
  }

  async #problems(): Promise<string[]> {
    return problemsOf(await this.#catalogue.state(), {
      folder: this.#folder,
      recorded: this.#scans,
      isExcused: (scan) => this.#excused.has(nameOf(scan)),
    })
  }
}
