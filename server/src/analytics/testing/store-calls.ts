import type { ScanStore } from '../store/store.ts'

/**
 * Returns the calls of a store as a plain object, for test stores that replace some of them to
 * fail, count or wait.
 */
export function storeCalls(store: ScanStore): ScanStore {
  return {
    database: store.database,
    select: (...call) => store.select(...call),
    bytes: (...call) => store.bytes(...call),
    command: (...call) => store.command(...call),
    insert: (...call) => store.insert(...call),
    createDatabase: () => store.createDatabase(),
    ping: () => store.ping(),
    close: () => store.close(),
  }
}
