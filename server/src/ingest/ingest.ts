import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { blockRowsMax } from '../analytics/insert/scan-block.ts'
import type { ScanStore } from '../analytics/store/store.ts'
import type { Config } from '../config.ts'
import { isShared, type Database } from '../db/database.ts'
import { errorMessage } from '../errors.ts'
import { journalFolders } from '../journal/journal-folders.ts'
import { readWriters } from '../journal/reader.ts'
import { removeSegments } from '../journal/remove-segments.ts'
import type { Log } from '../log.ts'
import { openGeography, type Geography } from './geography/geography.ts'
import { ingestCalls, type IngestCalls } from './ingest-calls.ts'
import { KeptRows } from './kept-rows.ts'
import { emptyStats, type IngestStats } from './ingest-stats.ts'
import type { Found, IngestContext, Progress, WriterJournal } from './ingest-context.ts'
import { reconcile } from './reconcile.ts'
import { countDueUniques } from './uniques.ts'
import { ingestNext, writerJournal } from './writer-journal.ts'

const pollMsDefault = 200
const discoverMs = 1000
const removeMs = 60_000
/** How often due unique scans are counted while a backlog is ingested, or after another worker ended in the middle of one; at most a twentieth of the time goes there. */
const countMs = 60_000
const countShare = 1 / 20
const countAgainMs = 1000
const keepMsDefault = 72 * 60 * 60 * 1000
/** Ingested segments hold networks and user agents, which are promised to be gone within an hour. */
const retainMsDefault = 30 * 60 * 1000
/** The scan store is compared with the catalogue at the start and once a day. */
const checkMs = 24 * 60 * 60 * 1000
const checkAgainMs = 1000
const backOffMsMax = 5000
const stopMsMax = 5000

export type IngestOptions = {
  /** The folder that has a folder for each front, such as `front-0`. New writers are found within a second. */
  journalRoot: string
  db: Database
  store: ScanStore
  config: Pick<Config, 'geoipCityV4' | 'geoipCityV6' | 'journalBytesMax'>
  log: Log
  /** In place of the configured files. */
  geography?: Geography
  clock?: () => number
  pollMs?: number
  /** How long rows are kept that were ingested; 72 h. The oldest go earlier when they take a quarter of what the journal may have. */
  keepMs?: number
  /** How long ingested segments stay after their last scan; 30 min. They go earlier when they take a quarter of what the journal may have. */
  retainMs?: number
  /** Rows of a batch; 50,000 at most. */
  rowsMax?: number
  calls?: Partial<IngestCalls>
  /** What to do about a folder that belongs to another installation: it is not read; `undefined`: it is this one's. */
  refusalOf?: (dir: string) => string | undefined
  /** No other worker uses the catalogue; as on SQLite when missing. */
  isAlone?: boolean
  /** Told what a comparison of catalogue and scan store found, after it was mended and before anything else comes in. */
  onFound?: (found: Found) => Promise<void>
}

export type Ingest = {
  readonly stats: Readonly<IngestStats>
  readonly geography: Geography
  /** Catalogue and scan store were compared since the start; nothing comes in before. */
  readonly isChecked: boolean
  /** Ends after the batch that is under way, or after 5 s; what is then open is settled by the next start. */
  stop(): Promise<void>
}

/**
 * Takes the scans of all journals under a root into analytics until it is stopped, each exactly once. Resolves when the
 * geography files are read; neither store nor catalogue need be up.
 */
export async function startIngest(options: IngestOptions): Promise<Ingest> {
  const { journalRoot, db, store, config, log } = options
  const files = { cityV4: config.geoipCityV4, cityV6: config.geoipCityV6 }
  const places = options.geography ?? (await openGeography({ files, log }))
  const context: IngestContext = {
    journalRoot,
    db,
    store,
    places,
    log,
    stats: emptyStats(),
    calls: { ...ingestCalls, ...options.calls },
    kept: new KeptRows(journalRoot, options.clock, (dir) => options.refusalOf?.(dir) === undefined),
    clock: options.clock ?? Date.now,
    isAlone: options.isAlone ?? !isShared(db),
    isChecked: false,
    mustCheck: false,
    onFound: options.onFound ?? (async () => {}),
    rowsMax: Math.min(options.rowsMax ?? blockRowsMax, blockRowsMax),
  }
  const stopping = new AbortController()
  const running = run(context, options, stopping.signal)
  return {
    stats: context.stats,
    geography: places,
    get isChecked() {
      return context.isChecked
    },
    async stop() {
      stopping.abort()
      const ended = running.then(() => context.kept.close())
      await Promise.race([ended, sleep(stopMsMax, undefined, { ref: false })])
    },
  }
}

/** A journal and how it is getting on; one that fails waits by itself, so that it holds up none of the others. */
type Journal = WriterJournal & {
  failures: number
  retryAtMs: number
  firstSegment: number | undefined
  /** A later writer has its folder: this one writes no more. */
  isEnded: boolean
  /** It is ended, and all of it is ingested. */
  isDone: boolean
}

async function run(context: IngestContext, options: IngestOptions, signal: AbortSignal): Promise<void> {
  const { pollMs = pollMsDefault } = options
  const journals = new Map<string, Journal>()
  let discoverAtMs = 0
  let removeAtMs = performance.now() + pollMs
  let countAtMs = 0
  let checkAtMs = 0
  let wasBehind = false
  while (!signal.aborted) {
    if (performance.now() >= discoverAtMs) {
      discoverAtMs = performance.now() + discoverMs
      await discover(context, journals, options)
    }
    if (context.mustCheck || performance.now() >= checkAtMs) {
      const isChecked = await check(context, journals, signal)
      checkAtMs = performance.now() + (isChecked ? checkMs : checkAgainMs)
      // Nothing comes in before the first comparison: what is there must be told from what comes.
      if (!isChecked && (context.mustCheck || !context.isChecked)) {
        await sleep(checkAgainMs, undefined, { signal }).catch(() => {})
        continue
      }
      context.isChecked ||= isChecked
      context.mustCheck &&= !isChecked
    }
    let more = false
    for (const journal of journals.values()) {
      if (signal.aborted) return
      if (journal.isDone || performance.now() < journal.retryAtMs) continue
      const { isEnded } = journal
      const before = journal.position?.segment
      const progress = await ingest(context, journal)
      if (progress === 'more') more = true
      // What the checkpoint has passed can be removed: a full journal waits for it.
      if (journal.position?.segment !== before) removeAtMs = 0
      // Of one that had ended before it was read there is no more to come.
      if (isEnded && progress === 'none' && journal.failures === 0) await finish(context, journal)
    }
    if (performance.now() >= removeAtMs) {
      removeAtMs = performance.now() + removeMs
      await removeOld(context, [...journals.values()], options)
    }
    if ((wasBehind && !more) || performance.now() >= countAtMs)
      countAtMs = performance.now() + (await countDue(context))
    wasBehind = more
    // A pause after a batch that was not full keeps batches from becoming many and tiny under load.
    if (!more) await sleep(pollMs, undefined, { signal }).catch(() => {})
  }
}

/** Compares catalogue, scan store and kept rows; false when that has to be tried again. */
async function check(
  context: IngestContext,
  journals: ReadonlyMap<string, Journal>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await reconcile(context, { journals: [...journals.values()], signal })
    if (context.stats.failing?.dir === '') context.stats.failing = undefined
    return true
  } catch (error) {
    if (signal.aborted) return false
    const problem = errorMessage(error)
    if (context.stats.failing === undefined)
      context.log.warn(
        { error: problem },
        'comparing the scan store with the catalogue waits and tries again',
      )
    context.stats.failures++
    context.stats.failing ??= { dir: '', problem, sinceMs: context.clock() }
    return false
  }
}

async function discover(
  { journalRoot, log, stats }: IngestContext,
  journals: Map<string, Journal>,
  { refusalOf = () => undefined }: IngestOptions,
): Promise<void> {
  try {
    const dirs = await journalFolders(journalRoot)
    const found = new Set<string>()
    const refusals = new Map(dirs.map((dir) => [dir, refusalOf(dir)]))
    const refusal = [...refusals.values()].find((one) => one !== undefined)
    if (refusal !== undefined && stats.refusedFolder !== refusal) log.error(refusal)
    stats.refusedFolder = refusal
    for (const dir of dirs) {
      if (refusals.get(dir) !== undefined) continue
      for (const { writer, firstSegment, isLast } of readWriters(dir)) {
        const key = join(dir, writer)
        found.add(key)
        const known = journals.get(key)
        if (known !== undefined) {
          known.isEnded = !isLast
          // It was named before its first segment was there.
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
    log.debug({ error: errorMessage(error) }, 'looking for journals')
  }
}

async function ingest(context: IngestContext, journal: Journal): Promise<Progress> {
  const { stats, log, clock } = context
  try {
    const progress = await ingestNext(context, journal)
    if (journal.failures > 0) log.info({ dir: journal.dir, failures: journal.failures }, 'ingesting again')
    journal.failures = 0
    if (stats.failing?.dir === journal.dir) stats.failing = undefined
    return progress
  } catch (error) {
    const problem = errorMessage(error)
    // The first and then every 12th: about one line a minute.
    if (journal.failures % 12 === 0)
      log.warn({ dir: journal.dir, error: problem }, 'ingest waits and tries again')
    journal.failures++
    journal.retryAtMs = performance.now() + Math.min(backOffMsMax, 100 * 2 ** Math.min(journal.failures, 10))
    stats.failures++
    stats.failing ??= { dir: journal.dir, problem, sinceMs: clock() }
    return 'none'
  }
}

/** Ends the reading of a journal. What the store has of it beyond its last frame is not looked for again. */
async function finish({ calls, db, log }: IngestContext, journal: Journal): Promise<void> {
  const { writer, position, storedUpTo } = journal
  try {
    if (position !== undefined && storedUpTo > position.sequence)
      await calls.saveCheckpoint(db, writer, { ...position, sequence: storedUpTo })
    journal.isDone = true
  } catch (error) {
    log.warn({ writer, error: errorMessage(error) }, 'ingest waits and tries again')
  }
}

/** Gives in how many milliseconds to do it again. */
async function countDue(context: IngestContext): Promise<number> {
  const fromMs = performance.now()
  try {
    await countDueUniques(context)
    return Math.max(countMs, (performance.now() - fromMs) / countShare)
  } catch (error) {
    context.log.warn({ error: errorMessage(error) }, 'counting unique scans waits and tries again')
    return countAgainMs
  }
}

/**
 * Removes the segments that are ingested, since their rows are kept without the networks and user agents that they hold; and kept
 * rows that are too old, or too many.
 */
async function removeOld(
  { stats, log, clock, kept }: IngestContext,
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
    await kept.remove({ olderThanMs: keepMs, bytesMax: config.journalBytesMax / 4 })
  } catch (error) {
    log.warn({ error: errorMessage(error) }, 'removing ingested segments')
  }
}

/** Of the journals of one folder; `undefined` while that is not known. */
function firstNeededSegment(journals: readonly Journal[]): number | undefined {
  const unfinished = journals.filter(({ isDone }) => !isDone)
  if (unfinished.some(({ position }) => position === undefined)) return undefined
  return Math.min(
    ...unfinished.map(({ position, firstSegment = Infinity }) =>
      Math.max(position?.segment ?? 0, firstSegment),
    ),
  )
}
