import { problem } from '@everscan/contract/problems/problem.ts'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { clickHouseScans } from '../analytics/clickhouse-scans.ts'
import type { ScanStore } from '../analytics/scan-store.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { scansInFiles } from '../analytics/scans-in-files.ts'
import { openClickHouse } from '../analytics/store/open-clickhouse.ts'
import { FatalError } from '../errors.ts'
import { hasEmbeddedStore } from '../processes/identity-file.ts'
import type { Config } from '../settings/settings.ts'
import { dataDirProblem } from '../write-problem.ts'
import { lockDataDir } from '../processes/data-dir.ts'
import { killedText } from '../processes/memory-limits.ts'
import { engineSocket } from '../processes/listening.ts'
import { embeddedWord } from '../processes/messages.ts'
import { levelMemory } from '../processes/supervisor.ts'

const entry = fileURLToPath(new URL('../main.mjs', import.meta.url))

type Place = Pick<Config, 'clickhouseUrl' | 'dataDir' | 'environment'>

/**
 * Calls `work` with the scans of an installation, whether or not its service runs. Without the
 * service, it starts the engine of the data directory, and locks the directory meanwhile. Throws an
 * Error that says what to do if the store does not answer.
 */
export async function withScanStore<Result>(
  place: Place,
  work: (scans: ScanStore) => Promise<Result>,
): Promise<Result> {
  const { clickhouseUrl } = place
  if (clickhouseUrl !== undefined)
    return await withClickHouse(clickhouseUrl, (store) => work(clickHouseScans(store)))
  const scans = scansInFiles(engineSocket(place))
  try {
    refuseEmbedded(place.dataDir)
    if (await scans.ping()) return await work(scans)
    return await withLockedEngine(place, () => work(scans))
  } finally {
    await scans.close()
  }
}

/** The same with the store on a ClickHouse server. */
export async function withClickHouse<Result>(
  url: string,
  work: (store: ClickHouse) => Promise<Result>,
): Promise<Result> {
  const store = openClickHouse({ url })
  try {
    if (await store.ping()) return await work(store)
    throw new Error(
      'the ClickHouse server of CLICKHOUSE_URL does not answer: start it, or correct the setting.',
    )
  } finally {
    await store.close()
  }
}

async function withLockedEngine<Result>(place: Place, work: () => Promise<Result>): Promise<Result> {
  const { dataDir } = place
  const unwritable = dataDirProblem(dataDir)
  if (unwritable !== undefined) throw new Error(unwritable)
  const lock = await lockDataDir(dataDir).catch((error: unknown) => {
    throw new Error(
      'the scan store of the running service does not answer: try again when the service is ready.',
      { cause: error },
    )
  })
  try {
    return await withEngine(place, [], work)
  } finally {
    lock.release()
  }
}

/**
 * Throws a `FatalError` if a data directory has its scans in the embedded store of an earlier
 * release: only the command that makes files of it opens that one.
 */
export function refuseEmbedded(dataDir: string): void {
  if (hasEmbeddedStore(dataDir)) throw new FatalError(problem('scanStoreOld'))
}

/** Calls `work` with the embedded store of a data directory, which the caller has locked. */
export async function withEmbeddedStore<Result>(
  place: Pick<Place, 'dataDir' | 'environment'>,
  work: (store: ClickHouse) => Promise<Result>,
): Promise<Result> {
  const store = openClickHouse({ socketPath: engineSocket(place) })
  try {
    return await withEngine(place, [embeddedWord], () => work(store))
  } finally {
    await store.close()
  }
}

/** Runs the engine of a data directory during `work`; no other process may use the directory. */
async function withEngine<Result>(
  { dataDir, environment }: Pick<Place, 'dataDir' | 'environment'>,
  words: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const engine = fork(entry, ['engine', '0', ...words], {
    env: { ...environment, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
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
        ? `the engine of the scan store was ${killedText()}.`
        : 'the engine of the scan store did not start: the lines above say why.',
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
