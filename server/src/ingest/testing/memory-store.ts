// The calls that ingest makes of a scan store, in memory: a batch is stored whole or not at all,
// and the same batch twice is twice there, as without deduplication.
import { saveIntents, type IngestIntent } from '../../db/scans/ingest-checkpoints.ts'
import type { IngestCalls } from '../ingest-calls.ts'

export type Row = { writer: string; sequence: number; visitor: number }
type Stored = Row & { batchId: string }

export class MemoryStore {
  #rows: Stored[] = []
  readonly #stretches = new Map<string, IngestIntent>()
  readonly #rowsOf

  constructor(rowsOf: (intent: IngestIntent) => Row[]) {
    this.#rowsOf = rowsOf
  }

  count(writer: string, sequence: number): number {
    return this.#rows.filter((row) => row.writer === writer && row.sequence === sequence).length
  }

  totals(): { rows: number; uniques: number } {
    return { rows: this.#rows.length, uniques: new Set(this.#rows.map(({ visitor }) => visitor)).size }
  }

  insert(batchId: string): void {
    const stretch = this.#stretches.get(batchId)
    if (stretch === undefined) throw new Error('inserted without an intent')
    for (const row of this.#rowsOf(stretch)) this.#rows.push({ batchId, ...row })
  }

  /** The stretch of a batch is known from its intent, whether or not the catalogue kept it. */
  learn(intents: readonly IngestIntent[]): void {
    for (const intent of intents) this.#stretches.set(intent.batchId, intent)
  }

  calls(): Partial<IngestCalls> {
    const rowsOf = (batchId: string) => this.#rows.filter((row) => row.batchId === batchId)
    return {
      saveIntents: async (db, intents) => {
        this.learn(intents)
        return await saveIntents(db, intents)
      },
      insertBatch: async (_store, { batchId }) => this.insert(batchId),
      countBatch: async (_store, batchId) => rowsOf(batchId).length,
      settleBatch: async (_store, { batchId, rows }) => {
        if (rowsOf(batchId).length === rows) return 'stored'
        this.#rows = this.#rows.filter((row) => row.batchId !== batchId)
        this.insert(batchId)
        return 'inserted'
      },
      refeedFirstScans: async () => {},
      uniqueScansOf: async (_store, codes) =>
        codes.map((code) => ({ ...code, uniqueScans: this.totals().uniques })),
      lastStoredSequence: async (_store, { writer, after }) =>
        Math.max(0, ...this.#of(writer, after).map(({ sequence }) => sequence)),
      storedSequences: async (_store, { writer, after, exceptBatchIds }) =>
        this.#of(writer, after)
          .filter(({ batchId }) => !exceptBatchIds.includes(batchId))
          .map(({ sequence }) => sequence),
      wantedEvents: async () => new Map() as never,
      addDeadLetters: async () => {},
      keepRows: async () => {},
    }
  }

  #of(writer: string, after: number): Stored[] {
    return this.#rows.filter((row) => row.writer === writer && row.sequence > after)
  }
}
