import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { storeErrorName } from '../analytics/store/store-facts.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import { CatalogueUnavailable } from '../db/errors.ts'
import { errorCode } from '../journal/journal-io.ts'

/**
 * Returns why ingest is stuck, as `/readyz` tells it. What a store or the system says of it is long
 * and names files, so only its code is told; the log has all of it.
 */
export function failureOf(error: unknown): Problem {
  if (error instanceof CatalogueUnavailable) return problem('ingestCatalogueSilent')
  const ofStore = storeErrorName(error)
  if (ofStore !== undefined) return problem('ingestStoreRefused', { code: ofStore })
  if (error instanceof ScanStoreUnavailable) return problem('ingestStoreSilent')
  const code = errorCode(error)
  return code === undefined ? problem('ingestFailing') : problem('ingestFileFailed', { code })
}
