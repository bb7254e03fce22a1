import type { DuckDBValue } from '@duckdb/node-api'
import type { SegmentBlock } from '../segment-block.ts'
import type { ScanEngine } from './scan-engine.ts'
import { insertBlock, writeBlock, writeMerged, type MergedRows } from './write-segment.ts'

/** A file that is written: `facts` go into its metadata. */
export type WrittenFile = { path: string; facts: string }

/** The writing of files of scans, by an engine here or in another process: one at a time. */
export type FileWrites = {
  /** Returns the rows of a query. Integers of 64 bits and more are bigints. */
  rows: (sql: string) => Promise<DuckDBValue[][]>
  /** Runs a statement that changes tables of the engine, beside the others. */
  change: (sql: string) => Promise<void>
  /** Adds the scans of a block to a table with the columns of files and `file`. */
  insertBlock: (block: SegmentBlock, to: { table: string; file: string }) => Promise<void>
  writeBlock: (block: SegmentBlock, to: WrittenFile) => Promise<void>
  writeMerged: (rows: MergedRows, to: WrittenFile) => Promise<void>
}

/**
 * Has an engine of this process write files, when nobody reads: see `EngineLanes`. What runs at the
 * signal is abandoned.
 */
export function fileWrites(engine: ScanEngine, signal?: AbortSignal): FileWrites {
  const { files, lanes } = engine
  const inLane = <Result>(work: () => Promise<Result>) => lanes.run('writes', work, signal)
  const inTurn = <Result>(work: () => Promise<Result>) => inLane(() => files.inTurn(work, signal))
  return {
    change: (sql) => inLane(() => engine.change(sql, {}, signal)),
    insertBlock: (block, to) => inTurn(() => insertBlock(files, block, to)),
    rows: (sql) => inTurn(() => files.rows(sql)),
    writeBlock: (block, to) => inTurn(() => writeBlock(files, block, to)),
    writeMerged: (rows, to) => inTurn(() => writeMerged(files, rows, to)),
  }
}
