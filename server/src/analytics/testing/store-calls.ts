import type { ClickHouse } from '../store/clickhouse.ts'

/**
 * Returns the calls of a store as a plain object, for test stores that replace some of them to
 * fail, count or wait.
 */
export function storeCalls(store: ClickHouse): ClickHouse {
  return {
    database: store.database,
    select: (...call) => store.select(...call),
    bytes: (...call) => store.bytes(...call),
    command: (...call) => store.command(...call),
    insert: (...call) => store.insert(...call),
    createDatabase: () => store.createDatabase(),
    replicas: () => store.replicas(),
    caughtUp: (work) => store.caughtUp(work),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}

/** The calls of a store, which says that it is the only replica of itself. */
export function replicatedCalls(store: ClickHouse): ClickHouse {
  const pinned = storeCalls(store)
  return {
    ...pinned,
    replicas: async () => ({ pinned, all: [pinned], majority: 1, isPinned: true, catchUp: async () => {} }),
  }
}
