import {
  countBatch,
  insertBatch,
  refeedFirstScans,
  settleBatch,
  uniqueScansOf,
} from '../../analytics/insert/insert.ts'
import type { ScanBlock } from '../../analytics/insert/scan-block.ts'
import { scansOfBatch } from '../../analytics/figures/scan-lists.ts'
import { lastStoredSequence, storedBatch, storedSequences } from '../../analytics/insert/stored-scans.ts'
import { wantedEvents } from '../../db/feeds/event-pages.ts'
import {
  commitBatch,
  openIntents,
  readCheckpoint,
  readDueUniques,
  saveCheckpoint,
  saveDueUniques,
  saveIntents,
} from '../../db/scans/ingest-checkpoints.ts'
import { addDeadLetters } from '../set-aside/dead-letters.ts'
import type { KeptBatch, KeptRows } from './kept-rows.ts'

/**
 * All effects of ingest outside of the journal. Passed in, so that tests can make each of them
 * fail, or stop the worker before or after it.
 */
export const ingestCalls = {
  readCheckpoint,
  openIntents,
  saveIntents,
  insertBatch,
  countBatch,
  settleBatch,
  refeedFirstScans,
  uniqueScansOf,
  wantedEvents,
  scansOfBatch,
  addDeadLetters,
  lastStoredSequence,
  storedSequences,
  storedBatch,
  keepRows: (kept: KeptRows, batch: KeptBatch, block: ScanBlock) => kept.keep(batch, block),
  commitBatch,
  saveCheckpoint,
  readDueUniques,
  saveDueUniques,
}

export type IngestCalls = typeof ingestCalls
