import type { Server } from 'node:http'
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { migrateScanStore } from './analytics/migrations.ts'
import { openScanStore, type ScanStore } from './analytics/store.ts'
import type { Mailer } from './api/mailer.ts'
import type { Config } from './config.ts'
import { openChangeFeed } from './db/changes.ts'
import type { Database } from './db/database.ts'
import { databaseReady } from './db/database-ready.ts'
import { CatalogueUnavailable } from './db/errors.ts'
import { prepareDatabase } from './db/migrate.ts'
import { openDatabase } from './db/open-database.ts'
import { openScanLookup } from './db/scan-lookup.ts'
import { errorMessage } from './errors.ts'
import type { Ingest } from './ingest/ingest.ts'
import type { Deliveries } from './jobs/deliver-webhooks.ts'
import type { Chore, Jobs } from './jobs/start-jobs.ts'
import { openJournal } from './journal/journal.ts'
import { createLog, type Log } from './log.ts'
import { isOrphan, joinMain } from './processes/child.ts'
import { lockAsChild, lockDataDir, readOrMakeSecret } from './processes/data-dir.ts'
import { createMetrics, healthPaths } from './processes/health.ts'
import { closeServer, listenOnSocket, listenPublicly, socketPath } from './processes/listening.ts'
import type { Part, Role } from './processes/messages.ts'
import { Supervisor, type ChildSpec } from './processes/supervisor.ts'
import { welcome } from './processes/welcome.ts'
import { createTrustedProxies } from './scan/client-address.ts'
import { createForward } from './scan/forward.ts'
import { createFront } from './scan/front.ts'
import { createResolver } from './scan/resolve.ts'
import { createVisitorHash } from './scan/visitor.ts'

/** Requests under way get this long when the service stops. */
const drainMs = 10_000
const partMs = 1_000
const catalogueRetryMs = 1_000
/** After this long without a catalogue the front starts all the same: it says 503 where it cannot know better. */
const catalogueWaitMs = 5_000

/** `main`: takes the data directory, prepares the catalogue, keeps the other processes alive until a signal ends it. */
export async function startService(config: Config, entry: string): Promise<void> {
  process.title = 'everscan main'
  const log = createLog({ level: config.logLevel, role: 'main' })
  await lockDataDir(config.dataDir)
  const secret = config.secret ?? readOrMakeSecret(config.dataDir)
  createTrustedProxies(config.trustProxy)

  const supervisor = new Supervisor({
    entry,
    log,
    env: { ...config.environment, SECRET: secret, DATA_DIR: config.dataDir },
    onStarted: () => log.info({ publicUrl: config.publicUrl }, 'all parts are up'),
    onFatal: () => void stop(1),
  })
  let stopping = false
  const stop = async (code: number): Promise<void> => {
    if (stopping) return supervisor.kill()
    stopping = true
    log.info('stopping')
    await supervisor.stop()
    log.info('stopped')
    process.exit(code)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop(0))

  const catalogue = prepareCatalogue(config, log)
  await Promise.race([catalogue, sleep(catalogueWaitMs, undefined, { ref: false })])
  const fronts = children('front', config.frontProcesses)
  const others = [
    ...(config.clickhouseUrl === undefined ? children('engine', 1) : []),
    ...children('api', config.apiProcesses),
    ...children('worker', 1),
  ]
  supervisor.expect(fronts.length + others.length)
  supervisor.start(fronts)
  await catalogue
  if (!stopping) supervisor.start(others)
}

function children(role: Role, count: number): ChildSpec[] {
  return Array.from({ length: count }, (_, index) => ({ role, index }))
}

/** Brings the schema up to date and makes the first organization; waits for a PostgreSQL that is not there yet. */
async function prepareCatalogue(config: Config, log: Log): Promise<void> {
  const { bootstrap } = await import('./catalogue/bootstrap.ts')
  for (;;) {
    try {
      const db = await prepareDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log })
      const made = await bootstrap(db, {
        organizationName: config.bootstrapOrganization,
        email: config.bootstrapEmail,
        password: config.bootstrapPassword,
        apiKey: config.bootstrapApiKey,
      })
      await db.close()
      process.stdout.write(welcome(config, made))
      return
    } catch (error) {
      if (!(error instanceof CatalogueUnavailable) || config.databaseUrl === undefined) throw error
      log.warn({ error: errorMessage(error.cause) }, 'the catalogue does not answer, trying again')
      await sleep(catalogueRetryMs)
    }
  }
}

/** Where processors are few, a redirect goes before an answer of the interface, and that before work nobody waits for. */
const niceness: Readonly<Record<Role, number>> = { front: 0, api: 5, worker: 10, engine: 10 }

/**
 * One of the processes that `main` keeps alive. What only one of them needs is imported by that one: the front, which must be
 * back soon after a crash, starts in half the time without the libraries of the others.
 */
export async function runRole(role: Role, index: number, config: Config): Promise<void> {
  const log = createLog({ level: config.logLevel, role })
  // Not below what the whole service was given, which only root could take back.
  setPriority(Math.max(getPriority(), niceness[role]))
  lockAsChild(config.dataDir)
  // A `main` that is gone by now, which the event loop has to be asked for, may have a successor that did not see this lock.
  await nextTurn()
  if (isOrphan()) return
  const run = { front: runFront, api: runApi, worker: runWorker, engine: runEngineRole }[role]
  await run(config, index, log)
}

async function runFront(config: Config, index: number, log: Log): Promise<void> {
  const { dataDir, databaseUrl } = config
  const db = await openDatabase({ databaseUrl, dataDir, role: 'reader', log })
  const lookup = openScanLookup(db)
  const changes = openChangeFeed(db)
  const resolver = createResolver({ lookup: lookup.lookup, changes, log })
  const journal = openJournal({
    dir: join(dataDir, 'journal', `front-${index}`),
    rootDir: join(dataDir, 'journal'),
    sync: config.journalSync,
    bytesMax: config.journalBytesMax,
    onProblem: (error, what) => log.error({ err: error, what }, 'journal'),
  })
  const forward = createForward({
    socketPaths: children('api', config.apiProcesses).map((api) => socketPath(dataDir, `api-${api.index}`)),
    beforeChangeAnswer: resolver.catchUp,
  })

  const metrics = createMetrics(`front-${index}`)
  metrics.figures({
    scans_recorded_total: ['Scans in the journal', () => journal.stats().appended],
    scans_unrecorded_total: ['Scans answered that no journal could take', () => journal.stats().unrecorded],
    journal_bytes: ['Size of all journals of this machine', () => journal.stats().bytes],
    journal_problems_total: ['Input and output errors of the journal', () => journal.stats().problems],
    codes_in_memory: ['Codes that redirect without the catalogue', () => resolver.stats().entries],
    code_hits_total: ['Scans answered from memory', () => resolver.stats().hits],
    code_misses_total: ['Scans that asked the catalogue', () => resolver.stats().misses],
  })

  const child = joinMain('front', log, {
    report: async () => {
      const { degraded } = journal.stats()
      const part: Part = {
        name: 'journal',
        ok: !degraded,
        ...(degraded && { detail: 'scans go unrecorded or unsynced' }),
      }
      return { parts: [part], metrics: await metrics.collect() }
    },
    stop: async () => {
      forward.endStreams()
      await closeServer(server, drainMs)
      forward.close()
      resolver.close()
      await journal.close()
      await changes.close()
      await lookup.close()
      await db.close()
    },
  })
  const server: Server = createFront({
    scan: {
      resolver,
      journal,
      visitorHash: createVisitorHash(config.secret ?? ''),
      trustedProxies: createTrustedProxies(config.trustProxy),
    },
    forward,
    ownPaths: healthPaths(child),
    log,
  })
  // With several fronts the kernel spreads the connections over them.
  await listenPublicly(server, {
    port: config.port,
    host: config.host,
    backlog: 4096,
    reusePort: config.frontProcesses > 1,
  })
  child.ready()
}

async function runApi(config: Config, index: number, log: Log): Promise<void> {
  const { dataDir, databaseUrl } = config
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  const store = openStore(config)
  const metrics = createMetrics(`api-${index}`)
  const { createApi } = await import('./api/create-api.ts')
  const { createAccountTools } = await import('./api/account-tools.ts')
  const { createEventStreams } = await import('./api/event-streams.ts')
  const { eventRecord } = await import('./api/event-records.ts')
  const { createSecretBox } = await import('./secret-box.ts')
  const { secret = '', signUp } = config
  const accounts = createAccountTools({ secret, signUp, mailer: await openMailer(config, log) })
  const streams = createEventStreams({
    db,
    recordOf: (event, place) => eventRecord(event, place, config.publicUrl),
    log,
  })
  const box = createSecretBox(secret, 'webhook secrets')
  const observe = metrics.requestDurations()
  const api = createApi({ db, store, config, accounts, box, streams, log, observe })
  metrics.figures({
    event_readers: ['Open streams of events', () => streams.stats().readers],
  })
  const child = joinMain('api', log, {
    report: async () => ({
      parts: await Promise.all([partOf('catalogue', databaseReady(db)), partOf('scanStore', store.ping())]),
      metrics: await metrics.collect(),
    }),
    stop: async () => {
      streams.close()
      await closeServer(api.server, drainMs)
      await api.close()
      await store.close()
      await db.close()
    },
  })
  await api.ready()
  await listenOnSocket(api.server, socketPath(dataDir, `api-${index}`))
  child.ready()
}

async function openMailer({ smtpUrl, mailFrom: from }: Config, log: Log): Promise<Mailer | undefined> {
  return smtpUrl === undefined
    ? undefined
    : (await import('./api/mailer.ts')).createMailer({ smtpUrl, from, log })
}

async function runWorker(config: Config, index: number, log: Log): Promise<void> {
  const { dataDir, databaseUrl } = config
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  const store = openStore(config)
  const metrics = createMetrics(`worker-${index}`)
  const { startIngest } = await import('./ingest/ingest.ts')
  const stopping = new AbortController()
  let ingest: Ingest | undefined
  // Imports need no scan store.
  const jobs = await startWorkerJobs(db, config, { log, store, signal: stopping.signal })
  const deliveries = await startWorkerDeliveries(db, config, log)
  const child = joinMain('worker', log, {
    report: async () => ({ parts: ingestParts(ingest), metrics: await metrics.collect() }),
    stop: async () => {
      stopping.abort()
      await Promise.all([jobs.stop(), deliveries.stop()])
      await ingest?.stop()
      await store.close()
      await db.close()
    },
  })
  await migrateWhenUp(store, log, stopping.signal)
  if (stopping.signal.aborted) return
  const running = await startIngest({ journalRoot: join(dataDir, 'journal'), db, store, config, log })
  ingest = running
  metrics.figures({
    ingested_hits_total: ['Hits of every class taken into the scan store', () => running.stats.rows],
    ingested_scans_total: ['Human ones of them', () => running.stats.scans],
    ingest_batches_total: ['Batches taken into the scan store', () => running.stats.batches],
    job_steps_total: ['Parts of jobs done', () => jobs.stats.steps],
    webhook_calls_total: ['Calls of webhooks that succeeded', () => deliveries.stats.sent],
    webhook_failures_total: ['Calls of webhooks that failed', () => deliveries.stats.failed],
    webhooks_disabled_total: ['Webhooks disabled for failing', () => deliveries.stats.disabled],
    job_failures_total: ['Parts of jobs that failed and are tried again', () => jobs.stats.failures],
    ingest_failures_total: ['Tries that failed and are made again', () => running.stats.failures],
    ingest_settled_total: ['Batches whose outcome was found out by counting', () => running.stats.settled],
    ingest_dead_letters_total: ['Records put aside', () => running.stats.deadLetters],
    ingest_damaged_bytes_total: [
      'Bytes of journals that could not be read',
      () => running.stats.damagedBytes,
    ],
  })
  child.ready()
}

/** Imports check rows and draw codes as the API does. */
async function startWorkerJobs(
  db: Database,
  { publicUrl, retentionDays }: Config,
  { log, store, signal }: { log: Log; store: ScanStore; signal: AbortSignal },
): Promise<Jobs> {
  const { startJobs } = await import('./jobs/start-jobs.ts')
  const { forgetOldAnswers } = await import('./jobs/forget-idempotency-keys.ts')
  const { forgetStrayRows, importJobs } = await import('./jobs/import-job.ts')
  const { qrCodeBodyProblems } = await import('./api/qr-code-bodies.ts')
  const { pictureOf, shortUrlOf } = await import('./api/qr-code-records.ts')
  const imports = importJobs({
    check: (body) => qrCodeBodyProblems(body, publicUrl),
    draw: (shortCode, style) => pictureOf(shortUrlOf(shortCode, publicUrl), style),
  })
  const { addUpCodeCounts } = await import('./db/qr-code-counts.ts')
  const addUp: Chore = { name: 'addUpCodeCounts', everyMs: 30_000, run: addUpCodeCounts }
  const { forgetOldEvents } = await import('./jobs/forget-old-events.ts')
  const { deleteOldScans } = await import('./ingest/retention.ts')
  const retain: Chore = {
    name: 'deleteOldScans',
    // Once a day there is something to do; looking costs nothing.
    everyMs: 60_000,
    run: async (catalogue, nowMs) => deleteOldScans(catalogue, nowMs, { store, retentionDays, signal }),
  }
  return startJobs({
    db,
    kinds: { import: imports },
    chores: [forgetStrayRows, forgetOldAnswers, addUp, forgetOldEvents, retain],
    log,
  })
}

async function startWorkerDeliveries(db: Database, config: Config, log: Log): Promise<Deliveries> {
  const { startDeliveries } = await import('./jobs/deliver-webhooks.ts')
  const { createWebhookCaller } = await import('./jobs/webhook-calls.ts')
  const { createSecretBox } = await import('./secret-box.ts')
  const { eventRecord } = await import('./api/event-records.ts')
  return startDeliveries({
    db,
    box: createSecretBox(config.secret ?? '', 'webhook secrets'),
    caller: createWebhookCaller({ allowPrivate: config.webhookAllowPrivate }),
    recordOf: (event, place) => eventRecord(event, place, config.publicUrl),
    log,
  })
}

function ingestParts(ingest: Ingest | undefined): Part[] {
  if (ingest === undefined) return []
  const { failing } = ingest.stats
  const [geographyProblem] = ingest.geography.problems
  return [
    { name: 'ingest', ok: failing === undefined, ...(failing && { detail: failing.problem }) },
    {
      name: 'geography',
      ok: geographyProblem === undefined,
      ...(geographyProblem !== undefined && { detail: geographyProblem }),
    },
  ]
}

/** The scan store may come up later than the worker; scans wait in the journal. */
async function migrateWhenUp(store: ScanStore, log: Log, signal: AbortSignal): Promise<void> {
  for (let waitMs = 50; !signal.aborted; waitMs = Math.min(waitMs * 2, 2_000)) {
    try {
      return await migrateScanStore(store)
    } catch (error) {
      log.debug({ error: errorMessage(error) }, 'the scan store is not there yet')
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function runEngineRole(config: Config, _index: number, log: Log): Promise<void> {
  const path = socketPath(config.dataDir, 'engine')
  const { runEngine } = await import('./analytics/engine.ts')
  const metrics = createMetrics('engine')
  const engine = await runEngine({ dir: join(config.dataDir, 'scans'), socketPath: path, log })
  const child = joinMain('engine', log, {
    report: async () => ({ parts: [], metrics: await metrics.collect() }),
    stop: () => engine.close(),
  })
  child.ready()
}

function openStore(config: Config): ScanStore {
  return config.clickhouseUrl === undefined
    ? openScanStore({ socketPath: socketPath(config.dataDir, 'engine') })
    : openScanStore({ url: config.clickhouseUrl })
}

/** A part that does not say in time that it is up counts as down: otherwise the whole report would come too late. */
async function partOf(name: string, isUp: Promise<boolean>): Promise<Part> {
  return { name, ok: await Promise.race([isUp, sleep(partMs, false, { ref: false })]) }
}
