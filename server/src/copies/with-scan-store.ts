import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { clickHouseScans } from '../analytics/clickhouse-scans.ts'
import type { ScanStore } from '../analytics/scan-store.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { scansInFiles } from '../analytics/scans-in-files.ts'
import { openClickHouse } from '../analytics/store/open-clickhouse.ts'
import { FatalError } from '../errors.ts'
import { readIdentity } from '../processes/identity-file.ts'
import type { Config } from '../settings/settings.ts'
import { storeKindOf } from '../settings/store-kind.ts'
import { dataDirProblem } from '../write-problem.ts'
import { lockDataDir } from '../processes/data-dir.ts'
import { killedText } from '../processes/memory-limits.ts'
import { engineSocket } from '../processes/listening.ts'
import { levelMemory } from '../processes/supervisor.ts'

const entry = fileURLToPath(new URL('../main.mjs', import.meta.url))

type Place = Pick<Config, 'clickhouseUrl' | 'scanStore' | 'dataDir' | 'environment'>

/**
 * Calls `work` with the scans of an installation, whether or not its service runs. Without the
 * service, it starts the engine of the data directory, and locks the directory meanwhile. Throws an
 * Error that says what to do if the store does not answer.
 */
export async function withScanStore<Result>(
  place: Place,
  work: (scans: ScanStore) => Promise<Result>,
): Promise<Result> {
  const scans =
    storeKindOf(place) === 'files' ? scansInFiles(engineSocket(place)) : clickHouseScans(openAt(place))
  return await whileAnswering(place, scans, () => work(scans))
}

/** The same with the store in ClickHouse. */
export async function withClickHouse<Result>(
  place: Place,
  work: (store: ClickHouse) => Promise<Result>,
): Promise<Result> {
  const store = openAt(place)
  return await whileAnswering(place, store, () => work(store))
}

function openAt({ clickhouseUrl, dataDir }: Place): ClickHouse {
  return openClickHouse(
    clickhouseUrl === undefined ? { socketPath: engineSocket({ dataDir }) } : { url: clickhouseUrl },
  )
}

async function whileAnswering<Result>(
  place: Place,
  store: Pick<ScanStore, 'ping' | 'close'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const { clickhouseUrl, dataDir } = place
  try {
    refuseOtherKind(place)
    if (await store.ping()) return await work()
    if (clickhouseUrl !== undefined)
      throw new Error(
        'the ClickHouse server of CLICKHOUSE_URL does not answer: start it, or correct the setting.',
      )
    const unwritable = dataDirProblem(dataDir)
    if (unwritable !== undefined) throw new Error(unwritable)
    const lock = await lockDataDir(dataDir).catch((error: unknown) => {
      throw new Error(
        'the scan store of the running service does not answer: try again when the service is ready.',
        { cause: error },
      )
    })
    try {
      return await withEngine(place, work)
    } finally {
      lock.release()
    }
  } finally {
    await store.close()
  }
}

/**
 * Throws a `FatalError` if the data directory has its scans in another kind of store: a command of
 * a shell may lack a setting that the service has.
 */
export function refuseOtherKind(place: Pick<Place, 'clickhouseUrl' | 'scanStore' | 'dataDir'>): void {
  const [known] = readIdentity(place.dataDir)?.scanStore?.split(':') ?? []
  const kind = storeKindOf(place)
  if (known === 'files' && kind === 'embedded')
    throw new FatalError(
      `the scans of ${place.dataDir} are in files: set SCAN_STORE=files, as the service has it.`,
    )
  if (known === 'embedded' && kind === 'files')
    throw new FatalError(
      `the scans of ${place.dataDir} are in its embedded scan store: remove SCAN_STORE=files.`,
    )
}

/**
 * Runs the engine of a data directory during `work`, by default chDB; no other process may use the
 * directory.
 */
export async function withEngine<Result>(
  {
    dataDir,
    environment,
    scanStore = 'chdb',
  }: Pick<Place, 'dataDir' | 'environment'> & Partial<Pick<Place, 'scanStore'>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const engine = fork(entry, ['engine', '0'], {
    env: { ...environment, DATA_DIR: dataDir, SCAN_STORE: scanStore, LOG_LEVEL: 'error' },
    // The memory limits of the engine, not those of the command.
    execArgv: levelMemory,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Ctrl-C in a terminal goes to the whole group; the engine must end only on request, or with
    // this process.
    detached: true,
  })
  try {
    await ready(engine)
    return await work()
  } finally {
    await end(engine)
  }
}

async function ready(engine: ChildProcess): Promise<void> {
  const exited = once(engine, 'exit').then(([, signal]) => {
    throw new Error(
      signal === 'SIGKILL'
        ? `the embedded scan store was ${killedText()}.`
        : 'the embedded scan store did not start: the lines above say why.',
    )
  })
  const isReady = new Promise<void>((resolve) => {
    engine.on('message', (message: { type: string }) => {
      if (message.type === 'ready') resolve()
    })
  })
  await Promise.race([isReady, exited])
  // A later exit is not a failure: it follows the stop message.
  exited.catch(() => undefined)
}

const endMs = 30_000

async function end(engine: ChildProcess): Promise<void> {
  if (engine.exitCode !== null || engine.signalCode !== null) return
  const exited = once(engine, 'exit')
  if (engine.connected) engine.send({ type: 'stop' })
  const killed = setTimeout(() => engine.kill('SIGKILL'), endMs)
  await exited
  clearTimeout(killed)
}
