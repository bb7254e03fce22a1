import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { clickHouseScans, type ClickHouseScans } from '../analytics/clickhouse-scans.ts'
import { openClickHouse } from '../analytics/store/open-clickhouse.ts'
import { dataDirProblem } from '../write-problem.ts'
import { lockDataDir } from '../processes/data-dir.ts'
import { killedText } from '../processes/memory-limits.ts'
import { socketPath } from '../processes/listening.ts'
import { levelMemory } from '../processes/supervisor.ts'

const entry = fileURLToPath(new URL('../main.mjs', import.meta.url))

type Place = { clickhouseUrl: string | undefined; dataDir: string; environment: NodeJS.ProcessEnv }

/**
 * Calls `work` with the scan store of an installation, whether or not its service runs. Without the
 * service, it starts the embedded store, and locks the data directory meanwhile. Throws an Error
 * that says what to do if the store does not answer.
 */
export async function withScanStore<Result>(
  place: Place,
  work: (store: ClickHouseScans) => Promise<Result>,
): Promise<Result> {
  const { clickhouseUrl, dataDir } = place
  const store = clickHouseScans(
    openClickHouse(
      clickhouseUrl === undefined ? { socketPath: socketPath(dataDir, 'engine') } : { url: clickhouseUrl },
    ),
  )
  try {
    if (await store.ping()) return await work(store)
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
      return await withEngine(place, () => work(store))
    } finally {
      lock.release()
    }
  } finally {
    await store.close()
  }
}

/** Runs the embedded scan store during `work`; no other process may use the data directory. */
export async function withEngine<Result>(
  { dataDir, environment }: Pick<Place, 'dataDir' | 'environment'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const engine = fork(entry, ['engine', '0'], {
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
