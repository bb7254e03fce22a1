import type { ClickHouse } from '../../../analytics/store/clickhouse.ts'
import { usedIds } from '../../../catalogue/imports/archive-ids.ts'
import type { Database } from '../../../db/database.ts'
import type { KeepIds } from './start-archive-import.ts'

const idsAtOnce = 5_000
const deadlineMs = 600_000

/** Returns how an import keeps the ids that neither the catalogue nor the scan store has known. */
export function keepIds(db: Database, store: ClickHouse): KeepIds {
  return {
    usedOf: async (ids) => {
      const used = await usedIds(db, ids)
      // Organizations are few, and codes are the only other records that scans have.
      const scanned = ids.filter((id) => isOf('qr', id) || isOf('org', id))
      for (let from = 0; from < scanned.length; from += idsAtOnce)
        for (const id of await scannedOf(store, scanned.slice(from, from + idsAtOnce))) used.add(id)
      return used
    },
  }
}

function isOf(prefix: 'qr' | 'org', id: string): boolean {
  return id.split('_')[0] === prefix
}

async function scannedOf(store: ClickHouse, ids: readonly string[]): Promise<string[]> {
  const rows = await store.select<{ id: string }>(
    `/* analytics.scannedIds */
     select distinct qr_code_id as id from scans where qr_code_id in {ids:Array(String)}
     union distinct
     select distinct organization_id as id from scans where organization_id in {ids:Array(String)}`,
    { ids: [...ids] },
    { deadlineMs, settings: { priority: '3' } },
  )
  return rows.map(({ id }) => id)
}
