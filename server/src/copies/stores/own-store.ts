import { ClickHouseError } from '@clickhouse/client'
import { readStoreIdentity } from '../../analytics/store/store-identity.ts'
import { ScanStoreUnavailable } from '../../analytics/scan-store.ts'
import { hasCode, type ClickHouse } from '../../analytics/store/clickhouse.ts'
import type { Database } from '../../db/database.ts'
import { adoptedStore, readInstallation } from '../../db/installation.ts'
import { hasScanDays } from '../../db/scans/scan-days.ts'
import { FatalError } from '../../errors.ts'

const where = 'the ClickHouse database of CLICKHOUSE_URL'
const wayBack = 'correct CLICKHOUSE_URL, or restore the database'
const unknownDatabase = 81
const noStore = { identities: [], hasTable: false }

/**
 * Throws an Error with a sentence if the scan store is not that of the catalogue, or is gone: a
 * copy would be worth nothing.
 */
export async function requireOwnStore(store: ClickHouse, db: Database): Promise<void> {
  const installation = await readInstallation(db)
  if (installation === undefined || installation.scanStore === adoptedStore) return
  const { identities, hasTable } = await readStoreIdentity(store).catch((error: unknown) => {
    // A server whose database was dropped.
    if (error instanceof ScanStoreUnavailable && hasCode(error.cause, unknownDatabase)) return noStore
    throw error
  })
  if (identities.length > 0 && !identities.some((one) => one.installation === installation.id))
    throw new FatalError(`${where} holds the scans of another installation: ${wayBack}. No copy was made.`)
  if (hasTable) return
  if (!(await hasScanDays(db)))
    throw new FatalError(
      `${where} has no tables yet: start the service once (./everscan start). No copy was made.`,
    )
  throw new FatalError(
    `${where} is empty, but the catalogue knows of scans in it: ${wayBack}. If it is lost: ./everscan adopt scan-store. No copy was made.`,
  )
}

/** Returns an error of the scan store as a sentence with a remedy, and other errors as they are. */
export function scanStoreProblem(error: unknown): unknown {
  if (!(error instanceof ClickHouseError || error instanceof ScanStoreUnavailable)) return error
  const reason =
    error instanceof ClickHouseError ? (error.type ?? `error ${error.code}`) : 'it does not answer'
  return new FatalError(
    `${where} cannot be read (${reason}): ./everscan doctor says what is wrong with it. No copy was made.`,
    { cause: error },
  )
}
