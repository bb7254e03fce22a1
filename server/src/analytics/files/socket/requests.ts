import type { ReadParams } from '../parquet/select.ts'
import type { WrittenFile } from '../parquet/file-writes.ts'
import type { MergedRows } from '../parquet/write-segment.ts'

/**
 * The first message on a connection to the engine. `read` is followed by `SelectMessage`s, answered
 * one by one from one list of scans, until the client closes the connection. The others are one
 * question, and may follow each other.
 */
export type EngineMessage =
  | { type: 'read'; deadlineMs: number | undefined }
  | { type: 'keepIds'; ids: string }
  | { type: 'rows'; sql: string }
  | { type: 'change'; sql: string }
  | { type: 'insertBlock'; block: readonly Uint8Array[]; to: { table: string; file: string } }
  | { type: 'writeBlock'; block: readonly Uint8Array[]; to: WrittenFile }
  | { type: 'writeMerged'; rows: MergedRows; to: WrittenFile }
  | { type: 'ping' }

export type SelectMessage = { sql: string; params: ReadParams | undefined }

/** The answer to any message. `isOutage`: the same question may be answered later. */
export type EngineAnswer = { value: unknown } | { failure: { message: string; isOutage: boolean } }
