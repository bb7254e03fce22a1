import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { usedMsMax } from '../../remembered-ids.ts'
import type { ScanEngine } from './scan-engine.ts'

/** A query may still read a table that no new one uses. */
const keptMsMore = 60_000

/**
 * Makes ids, separated by commas, a table of the engine with the column `id`, and returns its name.
 * It is dropped when nothing reads it any more.
 */
export async function keepIds(engine: ScanEngine, ids: string): Promise<string> {
  // A later engine must never give the name to another list.
  const name = `ids_${randomUUID().replaceAll('-', '')}`
  await engine.change(`create table ${name} as select unnest(string_split($ids, ',')) as id`, { ids })
  void sleep(usedMsMax + keptMsMore, undefined, { ref: false })
    .then(() => engine.change(`drop table ${name}`))
    // The engine was closed meanwhile, and the table with it.
    .catch(() => {})
  return name
}
