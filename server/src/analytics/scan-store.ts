import { errorMessage } from '../errors.ts'

/**
 * The scan store did not answer, or not in time. Scans are safe in the journal, and the same call
 * may succeed later.
 */
export class ScanStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`the scan store is not available: ${errorMessage(cause).split('\n')[0]}`, { cause })
    this.name = 'ScanStoreUnavailable'
  }
}
