import { incrementPulse, saveKnownKeys } from '../../product/installation/identity.ts'
import type { Chore } from '../start-jobs.ts'

/** Counts the pulse of this data directory, which tells an older catalogue from this one. */
export function countPulse(dataDir: string): Chore {
  return { name: 'beat', everyMs: 60_000, run: (db) => incrementPulse(db, dataDir) }
}

/** Saves keys outside of the catalogue: those revoked stay so, whatever copy is restored. */
export function keepKnownKeys(dataDir: string): Chore {
  return { name: 'keepKnownKeys', everyMs: 15_000, run: (db) => saveKnownKeys(db, dataDir) }
}
