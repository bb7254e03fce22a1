import type { ScannedCode } from '../analytics/insert/insert.ts'
import type { IngestContext } from './ingest-context.ts'

/** Scans of a code in a batch: the human ones, so there may be none. */
export type CodeScans = ScannedCode & { scans: number; shortCode?: string; domain?: string }

/** The codes, each with its unique scans of all times. */
export async function withUniques<Code extends ScannedCode & { scans?: number }>(
  { calls, store }: IngestContext,
  codes: readonly Code[],
): Promise<(Code & { uniqueScans: number })[]> {
  const counts = new Map<string, number>()
  const scanned = codes.filter(({ scans = 1 }) => scans > 0)
  for (const count of await calls.uniqueScansOf(store, scanned)) counts.set(keyOf(count), count.uniqueScans)
  return codes.map((code) => ({ ...code, uniqueScans: counts.get(keyOf(code)) ?? 0 }))
}

const dueAtOnce = 5000

/** Counts the unique scans that were put off. Throws when something is not available; the next call goes on. */
export async function countDueUniques(context: IngestContext): Promise<void> {
  const { calls, db } = context
  for (;;) {
    const due = await calls.readDueUniques(db, dueAtOnce)
    const saved = await calls.saveDueUniques(db, await withUniques(context, due))
    if (due.length < dueAtOnce || saved === 0) return
  }
}

function keyOf({ organizationId, qrCodeId }: ScannedCode): string {
  return `${organizationId} ${qrCodeId}`
}
