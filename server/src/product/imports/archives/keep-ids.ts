import type { ScanStore } from '../../../analytics/scan-store.ts'
import { usedIds } from '../../../catalogue/imports/archive-ids.ts'
import type { Database } from '../../../db/database.ts'
import type { KeepIds } from './start-archive-import.ts'

const idsAtOnce = 5_000

/** Returns how an import keeps the ids that neither the catalogue nor the scan store has known. */
export function keepIds(db: Database, store: Pick<ScanStore, 'scannedIds'>): KeepIds {
  return {
    usedOf: async (ids) => {
      const used = await usedIds(db, ids)
      // Organizations are few, and codes are the only other records that scans have.
      const scanned = ids.filter((id) => isOf('qr', id) || isOf('org', id))
      for (let from = 0; from < scanned.length; from += idsAtOnce)
        for (const id of await store.scannedIds(scanned.slice(from, from + idsAtOnce))) used.add(id)
      return used
    },
  }
}

function isOf(prefix: 'qr' | 'org', id: string): boolean {
  return id.split('_')[0] === prefix
}
