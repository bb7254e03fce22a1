import type { Problem } from '@everscan/contract/problems/problem.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { isShared } from '../../db/database.ts'
import type { IngestBase, IngestContext, Ingester } from '../ingest-context.ts'
import { takeBackWhole } from '../set-aside/take-back.ts'
import { ingestCalls, type IngestCalls } from './ingest-calls.ts'
import { ingestNext } from './ingest-next.ts'
import { KeptRows } from './kept-rows.ts'
import { reconcile } from './reconcile.ts'
import { countDueUniques } from './uniques.ts'

export type ClickHouseIngesterOptions = {
  store: ClickHouse
  calls?: Partial<IngestCalls>
  /** Whether no other worker uses the catalogue; by default, true on SQLite. */
  isAlone?: boolean
}

/** Returns the way of scans into ClickHouse. */
export function clickHouseIngester({ store, calls, isAlone }: ClickHouseIngesterOptions) {
  return (base: IngestBase, refusalOf: (dir: string) => Problem | undefined): Ingester => {
    // Not a copy: both see what the loop and the comparison change.
    const context: IngestContext = Object.assign(base, {
      store,
      calls: { ...ingestCalls, ...calls },
      kept: new KeptRows(base.journalRoot, base.clock, (dir) => refusalOf(dir) === undefined),
      isAlone: isAlone ?? !isShared(base.db),
    })
    return {
      compare: async (journals, signal) => {
        // On a replica that lags, rows that are stored would be missing, and put back twice.
        await store.caughtUp(() => reconcile(context, { journals, signal }))
      },
      ingestNext: (journal) => ingestNext(context, journal),
      // Rows in the store beyond the last frame of a journal are not looked up again.
      finish: async ({ writer, position, storedUpTo }) => {
        if (position !== undefined && storedUpTo > position.sequence)
          await context.calls.saveCheckpoint(base.db, writer, { ...position, sequence: storedUpTo })
      },
      takeBack: (dirs) => takeBackWhole(context, dirs),
      countDue: () => countDueUniques(context),
      removeKept: async (options) => void (await context.kept.remove(options)),
      close: () => context.kept.close(),
    }
  }
}
