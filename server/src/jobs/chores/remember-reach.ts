import { saveReached } from '../../catalogue/installation/public-addresses.ts'
import type { Chore } from '../start-jobs.ts'

/**
 * Saves, once, that a scan reached PUBLIC_URL from outside. `outsideAtMs` returns when, in
 * milliseconds since 1970, or undefined before the first.
 */
export function rememberReach(publicUrl: string, outsideAtMs: () => number | undefined): Chore {
  let isSaved = false
  return {
    name: 'rememberReach',
    everyMs: 2_000,
    run: async (db) => {
      const atMs = outsideAtMs()
      if (atMs === undefined || isSaved) return
      await saveReached(db, publicUrl, atMs)
      isSaved = true
    },
  }
}
