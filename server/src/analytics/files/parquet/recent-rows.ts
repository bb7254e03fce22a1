import type { SegmentBlock } from '../segment-block.ts'
import type { ScanEngine } from './scan-engine.ts'
import { columnTypes } from './file-sql.ts'
import { rowsOfBlock, withBlock } from './write-segment.ts'

let created = 0

/**
 * Creates an empty table of the engine for scans that are in no file yet, with the columns of
 * files, and returns its name. Whoever fills it drops it when no reader has it in a list any more.
 */
export async function createRecentRows(engine: ScanEngine): Promise<string> {
  const name = `recent_${++created}`
  const columns = Object.entries(columnTypes).map(([column, type]) => `${column} ${type}`)
  await engine.change(`create table ${name} (${columns.join(', ')})`)
  return name
}

/** Adds the rows of a block to such a table: readers see all of them, or none. */
export async function addRecentRows(
  { recent }: ScanEngine,
  name: string,
  block: SegmentBlock,
): Promise<void> {
  await recent.inTurn(() =>
    withBlock(recent, block, () => recent.run(`insert into ${name} by name ${rowsOfBlock}`)),
  )
}
