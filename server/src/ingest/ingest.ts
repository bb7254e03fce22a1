import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import { blockRowsMax } from '../analytics/insert/scan-block.ts'
import type { Config } from '../settings/settings.ts'
import type { Database } from '../db/database.ts'
import { errorMessage } from '../errors.ts'
import { journalFolders } from '../journal/journal-folders.ts'
import { readWriters } from '../journal/reader.ts'
import { removeSegments } from '../journal/remove-segments.ts'
import type { Log } from '../log.ts'
import { openGeography, type Geography } from '../visitors/geography/geography.ts'
import { failureOf } from './ingest-failure.ts'
import { emptyStats, type IngestStats } from './ingest-stats.ts'
import {
  writerJournal,
  type IngestBase,
  type Ingester,
  type Progress,
  type WriterJournal,
} from './ingest-context.ts'

const pollMsDefault = 200
const discoverMs = 1000
const removeMs = 60_000
/**
 * How often due unique scans are counted during a backlog, or after another worker stopped in the
 * middle of one. At most a twentieth of the time is spent on it.
 */
const countMs = 60_000
const countShare = 1 / 20
const countAgainMs = 1000
const keepMsDefault = 72 * 60 * 60 * 1000
/**
 * Ingested segments contain networks and user agents, which must be deleted within an hour, as
 * promised.
 */
const retainMsDefault = 30 * 60 * 1000
/** The scan store is compared with the catalogue at the start and once a day. */
const checkMs = 24 * 60 * 60 * 1000
const checkAgainMs = 1000
const backOffMsMax = 5000
const stopMsMax = 5000

export type IngestOptions = {
  /**
   * The folder with a folder for each front, such as `front-0`. New writers are found within a
   * second.
   */
  journalRoot: string
  db: Database
  /** Makes the way into the store of this installation. */
  ingester: (base: IngestBase, refusalOf: (dir: string) => Problem | undefined) => Ingester
  config: Pick<Config, 'geoipCityV4' | 'geoipCityV6' | 'journalBytesMax'>
  log: Log
  /** Replaces the configured files. */
  geography?: Geography
  /** The folder for copies of these files: see `openGeography`. */
  cacheDir?: string
  clock?: () => number
  pollMs?: number
  /**
   * How long ingested rows are kept, 72 h by default. The oldest are removed earlier if they exceed
   * a quarter of the journal's limit.
   */
  keepMs?: number
  /**
   * How long ingested segments remain after their last scan, 30 min by default. They are removed
   * earlier if they exceed a quarter of the journal's limit.
   */
  retainMs?: number
  /** Rows per batch; at most 50,000. */
  rowsMax?: number
  /**
   * Returns an instruction for a folder of another installation, which is not read, or undefined
   * for a folder of this installation.
   */
  refusalOf?: (dir: string) => Problem | undefined
  /**
   * Receives the result of comparing catalogue and scan store, after the corrections and before new
   * scans are ingested. Runs in the transaction that records it as told: after a failure of that
   * transaction, it runs again.
   */
  onFound?: IngestBase['onFound']
}

export type Ingest = {
  readonly stats: Readonly<IngestStats>
  readonly geography: Geography
  /** Whether catalogue and scan store were compared since the start; nothing is ingested before. */
  readonly isChecked: boolean
  /** Stops after the current batch, or after 5 s; the next start settles an open batch. */
  stop(): Promise<void>
}

/**
 * Ingests the scans of all journals under a root until it is stopped, each exactly once. Resolves
 * once the geography files are open; store and catalogue may be unavailable.
 */
export async function startIngest(options: IngestOptions): Promise<Ingest> {
  const { journalRoot, db, log, refusalOf = () => undefined } = options
  const places = options.geography ?? (await openPlaces(options))
  const clock = options.clock ?? Date.now
  const base: IngestBase = {
    journalRoot,
    db,
    places,
    log,
    stats: emptyStats(),
    clock,
    startedMs: clock(),
    isChecked: false,
    mustCheck: false,
    onFound: options.onFound ?? (async () => {}),
    rowsMax: Math.min(options.rowsMax ?? blockRowsMax, blockRowsMax),
  }
  const context: LoopContext = { base, ingester: options.ingester(base, refusalOf) }
  const stopping = new AbortController()
  const running = run(context, options, stopping.signal)
  return {
    stats: base.stats,
    geography: places,
    get isChecked() {
      return base.isChecked
    },
    async stop() {
      stopping.abort()
      const ended = running.then(() => context.ingester.close())
      await Promise.race([ended, sleep(stopMsMax, undefined, { ref: false })])
    },
  }
}

async function openPlaces({ config, cacheDir: copyTo, log }: IngestOptions): Promise<Geography> {
  const files = { cityV4: config.geoipCityV4, cityV6: config.geoipCityV6 }
  return await openGeography({ files, log, ...(copyTo !== undefined && { copyTo }) })
}

/**
 * A journal and its progress. A failing journal waits on its own, so that it does not block the
 * others.
 */
type Journal = WriterJournal & {
  failures: number
  retryAtMs: number
  firstSegment: number | undefined
  /** Whether a later writer owns the folder: this one writes no more. */
  isEnded: boolean
  /** Whether the writer has ended and everything is ingested. */
  isDone: boolean
}

type LoopContext = { base: IngestBase; ingester: Ingester }

async function run(context: LoopContext, options: IngestOptions, signal: AbortSignal): Promise<void> {
  const { base } = context
  const { pollMs = pollMsDefault } = options
  const journals = new Map<string, Journal>()
  let discoverAtMs = 0
  let removeAtMs = performance.now() + pollMs
  let countAtMs = 0
  let checkAtMs = 0
  let takeBackAtMs = 0
  let wasBehind = false
  while (!signal.aborted) {
    if (performance.now() >= discoverAtMs) {
      discoverAtMs = performance.now() + discoverMs
      await discover(base, journals, options)
    }
    if (base.mustCheck || performance.now() >= checkAtMs) {
      const isChecked = await check(context, journals, signal)
      checkAtMs = performance.now() + (isChecked ? checkMs : checkAgainMs)
      // Nothing is ingested before the first comparison, which must see only existing rows.
      if (!isChecked && (base.mustCheck || !base.isChecked)) {
        await sleep(checkAgainMs, undefined, { signal }).catch(() => {})
        continue
      }
      base.isChecked ||= isChecked
      base.mustCheck &&= !isChecked
    }
    let more = false
    for (const journal of journals.values()) {
      if (signal.aborted) return
      if (journal.isDone || performance.now() < journal.retryAtMs) continue
      const { isEnded } = journal
      const before = journal.position?.segment
      const progress = await ingest(context, journal)
      if (progress === 'more') more = true
      // Segments before the checkpoint can be removed: a full journal waits for this.
      if (journal.position?.segment !== before) removeAtMs = 0
      // A writer that had ended before this read has no more frames.
      if (isEnded && progress === 'none' && journal.failures === 0) await finish(context, journal)
    }
    if (performance.now() >= removeAtMs) {
      removeAtMs = performance.now() + removeMs
      await removeOld(context, [...journals.values()], options)
    }
    // Batches that were open at the start may still read a frame that was set aside.
    const isSettled = !more && [...journals.values()].every(({ failures }) => failures === 0)
    if (isSettled && performance.now() >= takeBackAtMs)
      takeBackAtMs = performance.now() + (await takeBack(context, [...journals.values()]))
    if ((wasBehind && !more) || performance.now() >= countAtMs)
      countAtMs = performance.now() + (await countDue(context))
    wasBehind = more
    // The pause after a partial batch prevents many tiny batches under load.
    if (!more) await sleep(pollMs, undefined, { signal }).catch(() => {})
  }
}

/** Compares catalogue, scan store and kept rows. Returns false if this must be retried. */
async function check(
  { base, ingester }: LoopContext,
  journals: ReadonlyMap<string, Journal>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await ingester.compare([...journals.values()], signal)
    if (base.stats.failing?.dir === '') base.stats.failing = undefined
    return true
  } catch (error) {
    if (signal.aborted) return false
    if (base.stats.failing === undefined)
      base.log.warn(
        { error: errorMessage(error) },
        'could not compare the scan store with the catalogue, retrying',
      )
    base.stats.failures++
    base.stats.failing ??= { dir: '', told: failureOf(error), sinceMs: base.clock() }
    return false
  }
}

async function discover(
  { journalRoot, log, stats }: IngestBase,
  journals: Map<string, Journal>,
  { refusalOf = () => undefined }: IngestOptions,
): Promise<void> {
  try {
    const dirs = await journalFolders(journalRoot)
    const found = new Set<string>()
    const refusals = new Map(dirs.map((dir) => [dir, refusalOf(dir)]))
    const refusal = [...refusals.values()].find((one) => one !== undefined)
    if (refusal !== undefined && stats.refusedFolder?.message !== refusal.message) log.error(refusal.message)
    stats.refusedFolder = refusal
    for (const dir of dirs) {
      if (refusals.get(dir) !== undefined) continue
      for (const { writer, firstSegment, isLast } of readWriters(dir)) {
        const key = join(dir, writer)
        found.add(key)
        const known = journals.get(key)
        if (known !== undefined) {
          known.isEnded = !isLast
          // The writer was announced before its first segment existed.
          if (known.firstSegment === undefined && firstSegment !== undefined) known.isDone = false
          known.firstSegment = firstSegment
        } else {
          const journal = { ...writerJournal(dir, writer), failures: 0, retryAtMs: 0, isDone: false }
          journals.set(key, { ...journal, firstSegment, isEnded: !isLast })
          if (isLast) log.info({ dir, writer }, 'ingesting a journal')
        }
      }
    }
    for (const [key, { isDone }] of journals) if (isDone && !found.has(key)) journals.delete(key)
  } catch (error) {
    log.debug({ error: errorMessage(error) }, 'could not list the journals')
  }
}

async function ingest({ base, ingester }: LoopContext, journal: Journal): Promise<Progress> {
  const { stats, log, clock } = base
  try {
    const progress = await ingester.ingestNext(journal)
    if (journal.failures > 0) log.info({ dir: journal.dir, failures: journal.failures }, 'ingest recovered')
    journal.failures = 0
    if (stats.failing?.dir === journal.dir) stats.failing = undefined
    return progress
  } catch (error) {
    // Logs the first failure and then every 12th: about one line a minute.
    if (journal.failures % 12 === 0)
      log.warn({ dir: journal.dir, error: errorMessage(error) }, 'ingest failed, retrying')
    journal.failures++
    journal.retryAtMs = performance.now() + Math.min(backOffMsMax, 100 * 2 ** Math.min(journal.failures, 10))
    stats.failures++
    stats.failing ??= { dir: journal.dir, told: failureOf(error), sinceMs: clock() }
    return 'none'
  }
}

async function finish({ base: { log }, ingester }: LoopContext, journal: Journal): Promise<void> {
  try {
    await ingester.finish(journal)
    journal.isDone = true
  } catch (error) {
    log.warn({ writer: journal.writer, error: errorMessage(error) }, 'ingest failed, retrying')
  }
}

/** Takes back frames that were set aside whole. Returns the milliseconds until the next call. */
async function takeBack(
  { base: { log }, ingester }: LoopContext,
  journals: readonly Journal[],
): Promise<number> {
  const dirs = [...new Set(journals.map(({ dir }) => dir))]
  try {
    const scans = await ingester.takeBack(dirs)
    if (scans > 0) log.warn({ scans }, 'scans that an earlier release had set aside are counted now')
    return Infinity
  } catch (error) {
    log.warn({ error: errorMessage(error) }, 'could not look at what was set aside, retrying')
    return removeMs
  }
}

/** Counts due unique scans. Returns the milliseconds until the next call. */
async function countDue({ base: { log }, ingester }: LoopContext): Promise<number> {
  const fromMs = performance.now()
  try {
    await ingester.countDue()
    return Math.max(countMs, (performance.now() - fromMs) / countShare)
  } catch (error) {
    log.warn({ error: errorMessage(error) }, 'could not count unique scans, retrying')
    return countAgainMs
  }
}

/**
 * Removes ingested segments, whose rows are kept without their networks and user agents. Also
 * removes kept rows that are too old or too many.
 */
async function removeOld(
  { base: { stats, log, clock }, ingester }: LoopContext,
  journals: readonly Journal[],
  { config, retainMs = retainMsDefault, keepMs = keepMsDefault }: IngestOptions,
): Promise<void> {
  try {
    const dirs = Map.groupBy(journals, (journal) => journal.dir)
    const bytesMax = config.journalBytesMax / 4 / Math.max(1, dirs.size)
    for (const [dir, ofDir] of dirs) {
      const before = firstNeededSegment(ofDir)
      if (before !== undefined)
        stats.segmentsRemoved += await removeSegments(dir, before, retainMs, { clock, bytesMax })
    }
    await ingester.removeKept({ olderThanMs: keepMs, bytesMax: config.journalBytesMax / 4 })
  } catch (error) {
    log.warn({ error: errorMessage(error) }, 'could not remove ingested segments')
  }
}

/**
 * Returns the first segment that the journals of one folder still need, or undefined while that is
 * unknown.
 */
function firstNeededSegment(journals: readonly Journal[]): number | undefined {
  const unfinished = journals.filter(({ isDone }) => !isDone)
  if (unfinished.some(({ position }) => position === undefined)) return undefined
  return Math.min(
    ...unfinished.map(({ position, firstSegment = Infinity }) =>
      Math.max(position?.segment ?? 0, firstSegment),
    ),
  )
}
