import type { Batch } from './batches.ts'
import type { IngestBase, WriterJournal } from './ingest-context.ts'

/** Counts and logs the frames that did not become rows. */
export function reportBatch(
  { stats, log }: IngestBase,
  { dir, writer }: WriterJournal,
  batch: Pick<Batch, 'dropped' | 'poison' | 'damaged'>,
): void {
  for (const reason of batch.dropped) stats.dropped[reason]++
  if (batch.poison.length > 0) {
    stats.deadLetters += batch.poison.length
    log.error(
      { writer, dir, problems: batch.poison.slice(0, 3).map(({ problem }) => problem) },
      'scans were put aside as dead letters',
    )
  }
  for (const { segment, offset, bytes, problem } of batch.damaged) {
    stats.damagedBytes += bytes
    log.error(
      { dir, segment, offset, bytes, problem: problem?.message },
      'a damaged range of a journal was skipped',
    )
  }
}
