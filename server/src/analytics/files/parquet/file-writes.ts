import type { DuckDBValue } from '@duckdb/node-api'
import type { SegmentBlock } from '../segment-block.ts'
import type { ScanEngine } from './scan-engine.ts'
import { writeBlock, writeMerged } from './write-segment.ts'

/** A file that is written: `facts` go into its metadata. */
export type WrittenFile = { path: string; facts: string }

/** The rows of some files that a condition holds for. */
export type MergedRows = { from: readonly string[]; where: string }

/** The writing of files of scans, by an engine here or in another process: one at a time. */
export type FileWrites = {
  /** Returns the rows of a query. Integers of 64 bits and more are bigints. */
  rows: (sql: string) => Promise<DuckDBValue[][]>
  writeBlock: (block: SegmentBlock, to: WrittenFile) => Promise<void>
  writeMerged: (rows: MergedRows, to: WrittenFile) => Promise<void>
}

/** Has an engine of this process write files. */
export function fileWrites({ files }: Pick<ScanEngine, 'files'>): FileWrites {
  return {
    rows: (sql) => files.inTurn(() => files.rows(sql)),
    writeBlock: (block, to) => files.inTurn(() => writeBlock(files, block, to)),
    writeMerged: (rows, to) => files.inTurn(() => writeMerged(files, rows, to)),
  }
}
