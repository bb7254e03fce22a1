import { clickHouseScans, type ClickHouseScans } from '../clickhouse-scans.ts'
import { createClusterStore } from './cluster-store.ts'
import { startTestEngine, type TestEngine } from './engine.ts'
import { migrateScanStore } from '../store/migrations.ts'
import { openClickHouse } from '../store/open-clickhouse.ts'
import type { ClickHouse } from '../store/clickhouse.ts'
import { storeCalls } from './store-calls.ts'

/** A separate engine, a connection to it, and its scans. `remove` ends them. */
export type TestStore = {
  engine: TestEngine
  store: ClickHouse
  scanStore: ClickHouseScans
  remove: () => Promise<void>
}

/**
 * Set by `npm test`: the directory of an engine with the schema, to copy. Creating the schema takes
 * more than half of the time of an engine that tests ask little.
 */
export const storeTemplate = process.env['EVERSCAN_TEST_STORE_TEMPLATE']

/** Returns an ended engine with the schema of this release, to be copied and removed. */
export async function createStoreTemplate(): Promise<TestEngine> {
  const { engine, store } = await startTestStore()
  await store.close()
  await engine.stop()
  return engine
}

/** `none`: the schema is as it is found. `from`: the directory of an ended engine, to be copied. */
export type TestStoreOptions = { schema?: 'none'; from?: string }

/**
 * Starts an engine with the schema of this release, unless `schema` is `none`. If
 * `EVERSCAN_TEST_CLICKHOUSE_URL` names a cluster, a store that is no copy is a new database there:
 * see `deploy/clickhouse-cluster-test.sh`.
 */
export async function startTestStore({ schema, from }: TestStoreOptions = {}): Promise<TestStore> {
  const { EVERSCAN_TEST_CLICKHOUSE_URL: cluster } = process.env
  if (cluster !== undefined && from === undefined) return startClusterStore(cluster, schema)
  const copied = from ?? (schema === undefined ? storeTemplate : undefined)
  const engine = await startTestEngine(copied === undefined ? {} : { from: copied })
  const store = openClickHouse({ socketPath: engine.socketPath })
  if (schema === undefined) await migrateScanStore(store)
  const remove = async () => {
    await store.close()
    await engine.remove()
  }
  return { engine, store, scanStore: clickHouseScans(store), remove }
}

async function startClusterStore(cluster: string, schema: 'none' | undefined): Promise<TestStore> {
  const { store, remove } = await createClusterStore(cluster)
  if (schema === undefined) await migrateScanStore(store)
  // Not enumerable, so that tests that never use it can copy the rest.
  return Object.defineProperty({ store, scanStore: clickHouseScans(store), remove } as TestStore, 'engine', {
    get: refuseEngine,
  })
}

function refuseEngine(): never {
  throw new Error('this test is about one server, not about a cluster')
}

/** Wraps a store so that it inserts as a release did whose table had fewer columns. */
export async function knownColumnsOf(whole: ClickHouse): Promise<ClickHouse> {
  const found = await whole.select<{ name: string }>(
    `select name from system.columns where database = currentDatabase() and table = 'scans'`,
  )
  const known = new Set(found.map(({ name }) => name))
  return {
    ...storeCalls(whole),
    insert: (table, columns, rows, { settings, ...options } = {}) =>
      whole.insert(
        table,
        columns.filter((name) => known.has(name)),
        rows,
        { ...options, settings: { ...settings, input_format_skip_unknown_fields: 1 } },
      ),
  }
}
