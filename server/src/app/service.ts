import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { ChildName, Config } from '../config.ts'
import { FatalError } from '../errors.ts'
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
import type { Role } from '../processes/messages.ts'
import { watchPreparation } from '../processes/preparation.ts'
import { readRestoreMarker } from '../processes/restore-marker.ts'
import { startWarnings } from '../processes/start-warnings.ts'
import { Supervisor, type ChildSpec } from '../processes/supervisor.ts'
import { givenVisitorKey } from '../processes/visitor-key.ts'
import { createTrustedProxies } from '../scan/client-address.ts'

/** After this long without a catalogue the front starts all the same: it says 503 where it cannot know better. */
const catalogueWaitMs = 5_000
const progressMs = 10_000
const newSecretWord = 'new-secret'
/** Ctrl-C comes twice under `npm start`, from the terminal and from npm; a second one after this long means "at once". */
const sameSignalMs = 1_000

/**
 * `main`: takes the data directory, has the catalogue prepared, keeps the other processes alive until a signal ends it. `entry` is the
 * file that they run.
 */
export async function startService(config: Config, entry: string): Promise<void> {
  process.title = 'everscan main'
  const log = createLog({ level: config.logLevel, role: 'main' })
  await lockDataDir(config.dataDir)
  refuseCutOffRestore(config.dataDir)
  const known = config.secret ?? readSecret(config.dataDir)
  if (known === undefined) refuseMissingSecret(config)
  const secret = known ?? createSecret()
  const isKeyKnown = givenVisitorKey(config) !== undefined
  createTrustedProxies(config.trustProxy)

  for (const warning of startWarnings(config.dataDir)) log.warn(warning)
  // Not waited for: a folder of another machine may not answer.
  void backupWarnings(config).then((warnings) => warnings.forEach((warning) => log.warn(warning)))

  const settled = { ...config, secret }
  const envOf = (child: ChildName): NodeJS.ProcessEnv => childEnvironment(settled, child)
  const supervisor = new Supervisor({
    entry,
    log,
    envOf,
    onStarted: () => log.info({ publicUrl: config.publicUrl }, 'all parts are up'),
    onFatal: () => void stop(1),
  })
  // In a process of its own, which takes what it needed with it: `main` lives as long as the service.
  // A new secret is kept only once catalogue and data directory are seen to belong together.
  const preparation = fork(entry, ['prepare', ...(known === undefined ? [newSecretWord] : [])], {
    env: envOf('prepare'),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  watchPreparation(preparation, log)
  const prepared = once(preparation, 'exit')
  let stopping = false
  let stoppingSinceMs = 0
  const stop = async (code: number): Promise<void> => {
    if (stopping && performance.now() - stoppingSinceMs < sameSignalMs) return
    if (stopping) return supervisor.kill()
    stopping = true
    stoppingSinceMs = performance.now()
    log.info('stopping')
    preparation.kill()
    await supervisor.stop()
    log.info('stopped')
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

  const fronts = children('front', config.frontProcesses)
  const others = [
    ...(config.clickhouseUrl === undefined ? children('engine', 1) : []),
    ...children('api', config.apiProcesses),
    ...children('worker', 1),
  ]
  supervisor.expect(fronts.length + others.length)
  // Without them no scan is recorded: `prepare` has to compare or make them first. A front writes into the folders of the journals: whose
  // they are is settled before, too.
  const isKnown = known !== undefined && isKeyKnown && !hasForeignJournals(config.dataDir)
  const waited = isKnown ? [sleep(catalogueWaitMs, undefined, { ref: false })] : []
  await Promise.race([prepared, ...waited])
  settled.visitorKey ??= readVisitorKey(config.dataDir)
  if (!stopping && (preparation.exitCode ?? 0) === 0) supervisor.start(fronts)
  const [code] = (await prepared) as [number | null]
  if (stopping) return
  // It has said why.
  if (code !== 0) return await stop(1)
  supervisor.start(others)
}

function refuseCutOffRestore(dataDir: string): void {
  if (readRestoreMarker(dataDir) === undefined) return
  throw new FatalError(
    `a restore into DATA_DIR ${dataDir} was cut off: run it again, which begins anew (./everscan restore FILE), or empty the directory.`,
  )
}

/** A directory that was used has had one: with another, sealed secrets are lost. */
function refuseMissingSecret({ dataDir, databaseUrl }: Config): void {
  const isUsed =
    readIdentity(dataDir) !== undefined ||
    hasScans(dataDir) ||
    (databaseUrl === undefined && existsSync(join(dataDir, 'catalogue.sqlite')))
  if (isUsed)
    throw new FatalError(
      `${join(dataDir, 'secret')} is missing, and DATA_DIR has been used: put it back from a copy, or set SECRET to what it held. ` +
        'If it is lost, set SECRET to a new one of 32 characters or more: ./everscan adopt secret says what that costs.',
    )
}

function children(role: Role, count: number): ChildSpec[] {
  return Array.from({ length: count }, (_, index) => ({ role, index }))
}

/** The process that `main` waits for before it starts the others. */
export async function runPreparation(config: Config, words: readonly string[]): Promise<void> {
  process.title = 'everscan prepare'
  lockAsChild(config.dataDir)
  process.once('disconnect', () => process.exit())
  const { prepareCatalogue } = await import('./prepare.ts')
  // A database server that works at a migration is waited for as long as it takes; SQLite blocks the event loop and reports its steps.
  const waiting = setInterval(reportProgress, progressMs)
  await prepareCatalogue(config, createLog({ level: config.logLevel, role: 'main' }), {
    onStep: reportProgress,
    beforeWriting: () => {
      if (words.includes(newSecretWord)) writeSecret(config.dataDir, config.secret ?? '')
    },
  })
  clearInterval(waiting)
  process.removeAllListeners('disconnect').disconnect?.()
}

/** Where processors are few, a redirect goes before an answer of the interface, and that before work nobody waits for. */
const niceness: Readonly<Record<Role, number>> = { front: 0, api: 5, worker: 10, engine: 10 }

/**
 * One of the processes that `main` keeps alive. Each imports what it needs and nothing else: the front, which must be back soon
 * after a crash, starts in half the time without the libraries of the others, and none holds what it never uses.
 */
export async function runRole(role: Role, index: number, config: Config): Promise<void> {
  const log = createLog({ level: config.logLevel, role })
  lowerPriority(niceness[role])
  lockAsChild(config.dataDir)
  // A `main` that is gone by now, which the event loop has to be asked for, may have a successor that did not see this lock.
  await nextTurn()
  if (isOrphan()) return
  const run = await runs[role]()
  await run(config, index, log)
}

/** Not above what the whole service was given, which only root could take back. */
function lowerPriority(nice: number): void {
  const lowered = Math.max(getPriority(), nice)
  setPriority(lowered)
  // On Linux that was of this thread alone, and those that V8 collects garbage with are there already.
  const threads = '/proc/self/task'
  if (!existsSync(threads)) return
  for (const thread of readdirSync(threads))
    try {
      setPriority(Number(thread), lowered)
    } catch {
      // It has ended meanwhile.
    }
}

const runs: Readonly<
  Record<Role, () => Promise<(config: Config, index: number, log: Log) => Promise<void>>>
> = {
  front: async () => (await import('./front.ts')).runFront,
  api: async () => (await import('./api.ts')).runApi,
  worker: async () => (await import('./worker.ts')).runWorker,
  engine: async () => (await import('./engine.ts')).runEngine,
}

/** Imports what any of the processes does, so that Node has all of it in its cache of compiled sources when they start. */
export async function importAll(): Promise<void> {
  const others = [import('./prepare.ts'), import('../api/http/mailer.ts')]
  await Promise.all([...Object.values(runs).map((load) => load()), ...others])
}
