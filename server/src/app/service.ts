import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ChildName, Config } from '../settings/settings.ts'
import { serveWaking } from '../analytics/files/socket/waking.ts'
import { errorMessage, FatalError } from '../errors.ts'
import { createLog, type Log } from '../log.ts'
import { backupWarnings } from '../processes/backup-settings.ts'
import { childEnvironment } from '../processes/child-environment.ts'
import { isOrphan, reportProgress } from '../processes/child.ts'
import {
  createSecret,
  lockAsChild,
  lockDataDir,
  readSecret,
  readVisitorKey,
  writeSecret,
} from '../processes/data-dir.ts'
import { hasScans, readIdentity } from '../processes/identity-file.ts'
import { hasForeignJournals } from '../processes/journal-owners.ts'
import { killedText } from '../processes/memory-limits.ts'
import { engineSocket } from '../processes/listening.ts'
import { sleepingWord, type Role } from '../processes/messages.ts'
import { failedPackages } from '../processes/native/native-packages.ts'
import { refuseMovedCatalogue } from '../processes/move-marker.ts'
import { watchPreparation } from '../processes/preparation.ts'
import { readRestoreMarker } from '../processes/restore-marker.ts'
import { startWarnings } from '../processes/start-warnings.ts'
import { Supervisor, type ChildSpec } from '../processes/supervisor.ts'
import { givenVisitorKey } from '../processes/visitor-key.ts'
import type { Part } from '../problems/parts.ts'
import { storeKindOf } from '../settings/store-kind.ts'
import { createTrustedProxies } from '../scan/client-address.ts'

/**
 * After this time without a catalogue, the front starts anyway: it answers 503 for codes that it
 * does not know.
 */
const catalogueWaitMs = 5_000
const progressMs = 10_000
const newSecretWord = 'new-secret'
const demoWord = 'demo'
/**
 * Under `npm start`, Ctrl-C arrives twice, from the terminal and from npm; a signal after this time
 * means "stop at once".
 */
const sameSignalMs = 1_000

/**
 * Runs `main`: locks the data directory, has the catalogue prepared, and keeps the other processes
 * alive until a signal ends it. `entry` is their entry file. With `demo`, the preparation also
 * creates made-up codes and scans, once.
 */
export async function startService(
  config: Config,
  entry: string,
  { demo = false }: { demo?: boolean } = {},
): Promise<void> {
  process.title = 'everscan main'
  const log = createLog({ level: config.logLevel, role: 'main' })
  const unable = await unableProcesses(config, log)
  await lockDataDir(config.dataDir)
  refuseInterruptedRestore(config.dataDir)
  refuseMovedCatalogue(config)
  const known = config.secret ?? readSecret(config.dataDir)
  if (known === undefined) refuseMissingSecret(config)
  const settled = { ...config, secret: known ?? createSecret() }
  const isKeyKnown = givenVisitorKey(config) !== undefined
  createTrustedProxies(config.trustProxy)
  logWarnings(config, log)

  const envOf = (child: ChildName): NodeJS.ProcessEnv => childEnvironment(settled, child)
  const supervisor = new Supervisor({
    entry,
    log,
    envOf,
    parts: unable.parts,
    onStarted: (late) => logStarted([...late, ...unable.roles], config, log),
    onFatal: () => void end.stop(1),
  })
  const preparationWords = [...(known === undefined ? [newSecretWord] : []), ...(demo ? [demoWord] : [])]
  const preparation = startPreparation(entry, {
    words: preparationWords,
    env: envOf('prepare'),
    log,
    supervisor,
  })
  const waking = await serveWakingOf(config, supervisor, log)
  const end = endOf({ preparation: preparation.child, supervisor, waking, log })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void end.stop(0))

  const canWake = waking !== undefined
  const { fronts, others } = processesOf(config, { canWake, without: unable.roles })
  supervisor.expect(fronts.length + others.length)
  // Fronts need both keys to record scans, so `prepare` must first compare or create them. Fronts
  // also write into the journal folders, so their owner must be known first, too. During an upgrade
  // they only say how far it is.
  const isKnown = known !== undefined && isKeyKnown && !hasForeignJournals(config.dataDir)
  const waited = isKnown ? [sleep(catalogueWaitMs, undefined, { ref: false })] : []
  await Promise.race([preparation.ended, preparation.upgrading, ...waited])
  const knowVisitorKey = () => void (settled.visitorKey ??= readVisitorKey(config.dataDir))
  knowVisitorKey()
  if (!end.hasBegun() && (preparation.child.exitCode ?? 0) === 0) supervisor.start(fronts)
  const [code, signal] = await preparation.ended
  if (end.hasBegun()) return
  if (signal !== null && !preparation.isStalled()) logSignal(signal, log)
  // Otherwise, the preparation has logged why.
  if (code !== 0) return await end.stop(1)
  knowVisitorKey()
  supervisor.endUpgrade()
  supervisor.start(others)
}

/** Returns the processes that this machine cannot run, before one of them dies of it. */
async function unableProcesses(
  config: Config,
  log: Log,
): Promise<{ roles: ReadonlySet<Role>; parts: readonly Part[] }> {
  const failed = await failedPackages({
    dataDir: config.dataDir,
    env: childEnvironment(config, 'engine'),
    hasEngine: config.clickhouseUrl === undefined,
  })
  if (failed.length === 0) return { roles: new Set(), parts: [] }
  // `main` lives as long as the service: it loads the table of problems only if it has one.
  const { tellFailed } = await import('../processes/native/unable-roles.ts')
  return tellFailed(failed, log)
}

function logStarted(missing: readonly string[], { publicUrl }: Config, log: Log): void {
  if (missing.length === 0) log.info({ publicUrl }, 'all parts are up')
  else log.warn({ missing }, 'codes redirect; the rest of the service is not up yet')
}

function logSignal(signal: NodeJS.Signals, log: Log): void {
  const how = signal === 'SIGKILL' ? killedText() : `ended by ${signal}`
  log.error(`the preparation of the catalogue was ${how}`)
}

type Preparation = {
  child: ChildProcess
  /** Resolves when the process has ended. */
  ended: Promise<[code: number | null, signal: NodeJS.Signals | null]>
  /** Resolves when the upgrade of an existing catalogue begins. */
  upgrading: Promise<void>
  /** Whether the process was killed because it made no progress. */
  isStalled: () => boolean
}

/**
 * Starts the preparation in a separate process, which frees its memory at its end: `main` lives as
 * long as the service. A new secret is written only once catalogue and data directory are known to
 * belong together.
 */
function startPreparation(
  entry: string,
  {
    words,
    env,
    supervisor,
    log,
  }: { words: readonly string[]; env: NodeJS.ProcessEnv; supervisor: Supervisor; log: Log },
): Preparation {
  const child = fork(entry, ['prepare', ...words], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'exit') as Preparation['ended']
  const { promise: upgrading, resolve } = Promise.withResolvers<void>()
  const isStalled = watchPreparation(child, log, (told) => {
    supervisor.tellUpgrade(told)
    resolve()
  })
  return { child, ended, upgrading, isStalled }
}

type End = {
  /** Stops all processes in order, and then this one with a code; kills them if called again. */
  stop: (code: number) => Promise<void>
  hasBegun: () => boolean
}

function endOf({
  preparation,
  supervisor,
  waking,
  log,
}: {
  preparation: ChildProcess
  supervisor: Supervisor
  waking: Waking | undefined
  log: Log
}): End {
  let sinceMs: number | undefined
  return {
    hasBegun: () => sinceMs !== undefined,
    stop: async (code) => {
      if (sinceMs !== undefined && performance.now() - sinceMs < sameSignalMs) return
      if (sinceMs !== undefined) return supervisor.kill()
      sinceMs = performance.now()
      log.info('stopping')
      preparation.kill()
      await supervisor.stop()
      waking?.close()
      log.info('stopped')
      process.exit(code)
    },
  }
}

function logWarnings(config: Config, log: Log): void {
  for (const warning of startWarnings(config.dataDir)) log.warn(warning)
  // Not awaited: a folder on another machine may not answer.
  void backupWarnings(config).then((warnings) => warnings.forEach((warning) => log.warn(warning)))
}

function refuseInterruptedRestore(dataDir: string): void {
  if (readRestoreMarker(dataDir) === undefined) return
  throw new FatalError(
    `a restore into DATA_DIR ${dataDir} was interrupted: run it again from the beginning (./everscan restore FILE), or empty the directory.`,
  )
}

/**
 * Refuses a used directory without a secret: it has had one, and with another secret, sealed values
 * are lost.
 */
function refuseMissingSecret({ dataDir, databaseUrl }: Config): void {
  const isUsed =
    readIdentity(dataDir) !== undefined ||
    hasScans(dataDir) ||
    (databaseUrl === undefined && existsSync(join(dataDir, 'catalogue.sqlite')))
  if (isUsed)
    throw new FatalError(
      `${join(dataDir, 'secret')} is missing, and DATA_DIR has been used: restore it from a copy, or set SECRET to its content. ` +
        'If it is lost, set SECRET to a new value of 32 characters or more: ./everscan adopt secret --help says what that costs.',
    )
}

type Waking = { close: () => void }

/**
 * Has `main` start an engine of files that sleeps when somebody asks for it. Returns undefined if
 * there is none, or if nobody can ask: it may then not sleep.
 */
async function serveWakingOf(config: Config, supervisor: Supervisor, log: Log): Promise<Waking | undefined> {
  if (storeKindOf(config) !== 'files') return undefined
  try {
    return await serveWaking(engineSocket(config), async (question) =>
      question === 'wake' ? await supervisor.wake('engine') : supervisor.stateOf('engine'),
    )
  } catch (error) {
    log.warn({ error: errorMessage(error) }, 'the engine of files of scans does not sleep')
    return undefined
  }
}

function processesOf(
  config: Config,
  { canWake, without }: { canWake: boolean; without: ReadonlySet<Role> },
): { fronts: ChildSpec[]; others: ChildSpec[] } {
  const fronts = children('front', config.frontProcesses)
  const engine: ChildSpec = { role: 'engine', index: 0, words: canWake ? [sleepingWord] : [] }
  const others = [
    ...(storeKindOf(config) === 'files' ? [engine] : []),
    ...children('api', config.apiProcesses),
    ...children('worker', 1),
  ]
  return { fronts, others: others.filter(({ role }) => !without.has(role)) }
}

function children(role: Role, count: number): ChildSpec[] {
  return Array.from({ length: count }, (_, index) => ({ role, index }))
}

/** Runs the preparation, for which `main` waits before it starts the other processes. */
export async function runPreparation(config: Config, words: readonly string[]): Promise<void> {
  process.title = 'everscan prepare'
  lockAsChild(config.dataDir)
  process.once('disconnect', () => process.exit())
  const { prepareCatalogue } = await import('./prepare.ts')
  // This timer lets a migration on a database server take any time. SQLite blocks the event loop,
  // so its migrations report their steps.
  const waiting = setInterval(reportProgress, progressMs)
  await prepareCatalogue(config, createLog({ level: config.logLevel, role: 'main' }), {
    onStep: reportProgress,
    demo: words.includes(demoWord),
    beforeWriting: () => {
      if (words.includes(newSecretWord)) writeSecret(config.dataDir, config.secret ?? '')
    },
  })
  clearInterval(waiting)
  process.removeAllListeners('disconnect').disconnect?.()
}

/**
 * On few processors, redirects come first, then answers of the API, and last work for which no
 * client waits.
 */
const niceness: Readonly<Record<Role, number>> = { front: 0, api: 5, worker: 10, engine: 10 }

/**
 * Runs one of the processes that `main` keeps alive. Each process imports only what it needs, to
 * save memory. The front, which must restart quickly after a crash, starts in half the time without
 * the libraries of the others.
 */
export async function runRole(
  role: Role,
  config: Config,
  { index, words }: { index: number; words: readonly string[] },
): Promise<void> {
  const log = createLog({ level: config.logLevel, role })
  lowerPriority(niceness[role])
  lockAsChild(config.dataDir)
  // If `main` is already gone, which shows only after a turn of the event loop, its successor may
  // not have seen this lock.
  await nextTurn()
  if (isOrphan()) return
  const run = await runs[role]()
  await run(config, index, log, words)
}

/**
 * Lowers the priority of this process, but never raises that of the service, which only root may
 * do.
 */
function lowerPriority(nice: number): void {
  const lowered = Math.max(getPriority(), nice)
  setPriority(lowered)
  // On Linux this sets only the priority of this thread; the garbage collection threads of V8
  // already run.
  const threads = '/proc/self/task'
  if (!existsSync(threads)) return
  for (const thread of readdirSync(threads))
    try {
      setPriority(Number(thread), lowered)
    } catch {
      // The thread has ended meanwhile.
    }
}

type Run = (config: Config, index: number, log: Log, words: readonly string[]) => Promise<void>
const runs: Readonly<Record<Role, () => Promise<Run>>> = {
  front: async () => (await import('./front.ts')).runFront,
  api: async () => (await import('./api.ts')).runApi,
  worker: async () => (await import('./worker.ts')).runWorker,
  engine: async () => (await import('./engine.ts')).runEngine,
}

/**
 * Imports the modules of all processes, so that Node has them in its compile cache when the
 * processes start.
 */
export async function importAll(): Promise<void> {
  const others = [
    import('./prepare.ts'),
    import('./file-engine.ts'),
    import('../analytics/engine/engine.ts'),
    import('../jobs/scan-store/clickhouse-store.ts'),
    import('../jobs/scan-store/file-store.ts'),
    import('../jobs/job-kinds.ts'),
    import('../jobs/moves/scan-locations.ts'),
    import('../product/installation/example-code.ts'),
    import('../demo/start-demo.ts'),
    import('../product/mails/mailer.ts'),
    import('../api/mcp/mcp-server.ts'),
    import('../files/sent-pages.ts'),
  ]
  await Promise.all([...Object.values(runs).map((load) => load()), ...others])
}
