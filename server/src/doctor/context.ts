import { existsSync } from 'node:fs'
import { problem } from '@everscan/contract/problems/problem.ts'
import type { Readiness } from '@everscan/contract/resources/health.ts'
import type { EngineClient } from '../analytics/files/socket/engine-client.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { scanFilePlaces } from '../settings/scan-file-places.ts'
import type { Config } from '../settings/settings.ts'
import { factsOf } from '../db/dialects/dialect-facts.ts'
import { catalogueProblem } from '../db/database-problems.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { readSchemaState } from '../db/migrations/schema-state.ts'
import { holdLog, sqliteFile } from '../db/dialects/sqlite.ts'
import { errorMessage, FatalError } from '../errors.ts'
import type { Log } from '../log.ts'
import { isDataDirInUse, readSecret } from '../processes/data-dir.ts'
import { dataDirProblem } from '../write-problem.ts'
import { CannotTell } from './cannot-tell.ts'
import { readOwnPath } from './own-paths.ts'

/** Functions of the wiring, which knows how the parts of an installation belong together. */
export type Parts = {
  release: string
  openStore: (url: string) => ClickHouse
  /** The three change nothing, and throw a `FatalError` that says what to do. */
  refuseForeignParts: (config: Config, log: Log) => Promise<void>
  refuseForeignStore: (store: ClickHouse, db: Database) => Promise<void>
  refuseForeignFiles: (db: Database, config: Config) => Promise<void>
  /** Opens the engine of scans in files; without a service, it starts one. */
  openEngine: (config: Config) => Promise<OpenEngine>
}

/** The engine of scans in files, as far as checks use it. */
export type DoctorEngine = Pick<EngineClient, 'ask' | 'rows'>
export type OpenEngine = DoctorEngine & { close: () => Promise<void> }

/**
 * The parts that checks read. Each part is opened once, read-only, on first use. A part that cannot
 * be opened throws a `CannotTell` for each check that uses it.
 */
export type DoctorContext = {
  config: Config
  parts: Parts
  log: Log
  nowMs: number
  /** Whether a service runs on DATA_DIR. */
  isRunning: boolean
  /** Returns the SECRET of the service, if there is one. Throws if the file is damaged. */
  secret: () => string | undefined
  /** Returns the catalogue, whatever release made its schema. */
  database: () => Promise<Database>
  /** Returns the catalogue; its schema is that of this release. */
  catalogue: () => Promise<Database>
  store: () => Promise<ClickHouse>
  /** Returns the engine of scans in files. */
  engine: () => Promise<DoctorEngine>
  /** Returns the answer of the running service to `/readyz`. */
  readiness: () => Promise<Readiness>
  metrics: () => Promise<string>
  close: () => Promise<void>
}

export const startFirst = './everscan start'

export function openContext(
  config: Config,
  { parts, log, nowMs }: Pick<DoctorContext, 'parts' | 'log' | 'nowMs'>,
): DoctorContext {
  const closing: (() => Promise<void> | void)[] = []
  const isRunning = isDataDirInUse(config.dataDir)
  const database = once(() => openCatalogue(config, log, (close) => closing.unshift(close)))
  const catalogue = once(async () => {
    const db = await database()
    const state = await readSchemaState(db)
    if (state === 'EMPTY') throw new CannotTell('the database holds no catalogue yet', startFirst)
    if (state === 'OLDER')
      throw new CannotTell('the catalogue is of an older release', './everscan upgrade --check')
    return db
  })
  const store = once(async () => {
    if (config.clickhouseUrl === undefined) throw new CannotTell('scans are in files', 'nothing')
    const opened = parts.openStore(config.clickhouseUrl)
    closing.unshift(() => opened.close())
    await opened.select('select 1', {}, { deadlineMs: 5_000 }).catch((error: unknown) => {
      throw storeProblem(error)
    })
    return opened
  })
  const engine = once(async () => {
    const { segments } = scanFilePlaces(config)
    // An engine would make an empty folder.
    if (!existsSync(segments)) throw new CannotTell(`there is no folder ${segments}`, startFirst)
    const opened = await parts.openEngine(config).catch((error: unknown) => {
      throw engineProblem(error)
    })
    closing.unshift(() => opened.close())
    return opened
  })
  return {
    config,
    parts,
    log,
    nowMs,
    isRunning,
    secret: () => config.secret ?? readSecret(config.dataDir),
    database,
    catalogue,
    store,
    engine,
    readiness: once(async () => JSON.parse((await readOwnPath(config, isRunning, '/readyz')).text)),
    metrics: once(async () => (await readOwnPath(config, isRunning, '/metrics')).text),
    close: async () => {
      for (const close of closing) await close()
    },
  }
}

/**
 * Shares the promise of the first call with all later calls, so that a part that does not answer is
 * waited for once.
 */
function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
  let opened: Promise<Value> | undefined
  return () => (opened ??= open())
}

async function openCatalogue(
  config: Config,
  log: Log,
  onOpened: (close: () => Promise<void> | void) => void,
): Promise<Database> {
  const { databaseUrl, dataDir } = config
  const file = sqliteFile(dataDir)
  if (databaseUrl === undefined && !existsSync(file))
    throw new CannotTell(dataDirProblem(dataDir) ?? `there is no catalogue at ${file}`, startFirst)
  try {
    if (databaseUrl === undefined) onOpened(holdLog(file))
    // Connections of a reader refuse to write.
    const db = await openDatabase({ databaseUrl, dataDir, role: 'reader', log })
    onOpened(db.close)
    await factsOf(db).readServer(db)
    // Of a database of another program, or one that this user may not read, nothing can be told.
    await readSchemaState(db)
    return db
  } catch (error) {
    throw unusable(error, config)
  }
}

function unusable(error: unknown, config: Config): CannotTell {
  const unfit =
    error instanceof FatalError
      ? { sentence: error.message, isTransient: false }
      : catalogueProblem(error, config)
  if (unfit === undefined)
    return new CannotTell(`the catalogue does not answer: ${causeText(error)}`, startFirst, {
      cause: error,
      found: problem('catalogueSilent'),
    })
  const mend = unfit.isTransient ? 'start the database server, or correct DATABASE_URL' : 'do what it says'
  return new CannotTell(unfit.sentence, mend, { cause: error, found: problem('catalogueSilent') })
}

function storeProblem(error: unknown): CannotTell {
  const why = errorMessage(error instanceof ScanStoreUnavailable ? error.cause : error).split('\n')[0]
  return new CannotTell(
    `the ClickHouse server does not answer (${why})`,
    'start it, or correct CLICKHOUSE_URL',
    { cause: error, found: problem('scanStoreSilent') },
  )
}

function engineProblem(error: unknown): CannotTell {
  return new CannotTell(
    `the engine of scans in files does not answer (${errorMessage(error).split('\n')[0]})`,
    'see the log of engine, and restart the service',
    { cause: error, found: problem('scanStoreSilent') },
  )
}

function causeText(error: unknown): string {
  return errorMessage(error instanceof Error && error.cause !== undefined ? error.cause : error)
}
