import { indexQrCodes as indexCodes } from '../../catalogue/codes/search-index.ts'
import type { Chore } from '../start-jobs.ts'

/**
 * Makes codes of an earlier release searchable. It leaves a third of the time to other writers, and
 * ends soon when the service stops.
 */
export const indexQrCodes: Chore = {
  name: 'indexQrCodes',
  everyMs: 1_000,
  run: async (db) => indexCodes(db, { timeMs: 2_000 }),
}
