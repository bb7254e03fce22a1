import { catalogueProblem } from '../db/database-problems.ts'
import { requireWritable } from '../db/installation.ts'
import { openDatabase } from '../db/open-database.ts'
import { failed, ok, type Check, type Finding } from './check.ts'
import type { DoctorContext } from './context.ts'

export const writes: Check = {
  name: 'catalogue.writes',
  title: 'Writes',
  run: async (context) => {
    await context.catalogue()
    return judgeWrites(await writeProblemOf(context))
  },
}

/**
 * Returns why the service could not change the catalogue, whose schema is that of this release;
 * undefined if it can. Changes no row. A file can be written if DATA_DIR can.
 */
export async function writeProblemOf({
  config,
  log,
}: Pick<DoctorContext, 'config' | 'log'>): Promise<string | undefined> {
  if (config.databaseUrl === undefined) return undefined
  const db = await openDatabase({ ...config, role: 'writer', log })
  try {
    await requireWritable(db)
    return undefined
  } catch (error) {
    const problem = catalogueProblem(error, config)
    if (problem === undefined) throw error
    return problem.sentence
  } finally {
    await db.close()
  }
}

function judgeWrites(problem: string | undefined): Finding {
  if (problem === undefined) return ok('it can be changed')
  return failed(`${problem}; nothing can be saved, and scans wait in the journal`, 'do what it says')
}
