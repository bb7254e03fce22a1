// The calls that ingest makes of a scan store, in memory: a batch is stored whole or not at all,
// and the same batch twice is twice there, as without deduplication.
import type { ScannedCode } from '../../analytics/insert/insert.ts'
import type { ScanBlock } from '../../analytics/insert/scan-block.ts'
import { readNative } from '../../analytics/testing/read-native.ts'
import type { IngestCalls } from '../clickhouse/ingest-calls.ts'

export type Row = {
  batchId: string
  organizationId: string
  qrCodeId: string
  writer: string
  sequence: number
  visitor: string
  shortCode: string
  referrer: string
}

export class MemoryStore {
  rows: Row[] = []

  insert(block: ScanBlock): void {
    for (const row of readNative(block.native()))
      this.rows.push({
        batchId: block.batchId,
        organizationId: row['organization_id'] ?? '',
        qrCodeId: row['qr_code_id'] ?? '',
        writer: row['writer'] ?? '',
        sequence: Number(Buffer.from(row['sequence'] ?? '', 'hex').readBigUInt64LE()),
        visitor: row['visitor'] ?? '',
        shortCode: row['short_code'] ?? '',
        referrer: row['referrer'] ?? '',
      })
  }

  /** Total and unique scans of a code. */
  figuresOf({ organizationId, qrCodeId }: ScannedCode): { scans: number; uniqueScans: number } {
    const of = this.rows.filter((row) => row.organizationId === organizationId && row.qrCodeId === qrCodeId)
    return { scans: of.length, uniqueScans: new Set(of.map(({ visitor }) => visitor)).size }
  }

  calls(): Partial<IngestCalls> {
    const rowsOf = (batchId: string) => this.rows.filter((row) => row.batchId === batchId)
    const after = (writer: string, sequence: number) =>
      this.rows.filter((row) => row.writer === writer && row.sequence > sequence)
    return {
      insertBatch: async (_store, block) => this.insert(block),
      countBatch: async (_store, batchId) => rowsOf(batchId).length,
      settleBatch: async (_store, block) => {
        if (rowsOf(block.batchId).length === block.rows) return 'stored'
        this.rows = this.rows.filter((row) => row.batchId !== block.batchId)
        this.insert(block)
        return 'inserted'
      },
      refeedFirstScans: async () => {},
      uniqueScansOf: async (_store, codes) =>
        codes.map((code) => ({ ...code, uniqueScans: this.figuresOf(code).uniqueScans })),
      lastStoredSequence: async (_store, stretch) =>
        Math.max(0, ...after(stretch.writer, stretch.after).map(({ sequence }) => sequence)),
      storedSequences: async (_store, stretch) =>
        after(stretch.writer, stretch.after)
          .filter(({ batchId }) => !stretch.exceptBatchIds.includes(batchId))
          .map(({ sequence }) => sequence),
      storedBatch: async (_store, batchId) => {
        const codes = Map.groupBy(rowsOf(batchId), ({ organizationId }) => organizationId)
        const scans = [...codes.values()].flatMap((rows) => {
          const [first] = rows
          if (first === undefined) return []
          const { organizationId, qrCodeId, shortCode } = first
          return [{ organizationId, qrCodeId, shortCode, domain: '', scans: rows.length, hits: rows.length }]
        })
        return { scans, days: new Map() }
      },
      wantedEvents: async () => new Map() as never,
      addDeadLetters: async () => {},
      keepRows: async () => {},
    }
  }
}
