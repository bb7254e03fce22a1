import { join } from 'node:path'
import { createHeadReporter } from '../../ingest/journal-heads.ts'
import type { Chore } from '../start-jobs.ts'

/** Publishes the journal heads of this machine, for copies that other machines make. */
export function reportHeads(dataDir: string, machine: string): Chore {
  const run = createHeadReporter({ journalRoot: join(dataDir, 'journal'), machine })
  return { name: 'tellHeads', everyMs: 1000, run }
}
