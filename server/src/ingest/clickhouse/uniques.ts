import type { ScannedCode } from '../../analytics/insert/insert.ts'
import type { IngestContext } from '../ingest-context.ts'

type Counting = Pick<IngestContext, 'calls' | 'db' | 'store'>

/** The human scans of a code in a batch, possibly none. */
export type CodeScans = ScannedCode & { scans: number; shortCode?: string; domain?: string }

/** Returns the codes, each with its unique scans of all time. */
export async function withUniques<Code extends ScannedCode & { scans?: number }>(
  { calls, store }: Pick<Counting, 'calls' | 'store'>,
  codes: readonly Code[],
): Promise<(Code & { uniqueScans: number })[]> {
  const counts = new Map<string, number>()
  const scanned = codes.filter(({ scans = 1 }) => scans > 0)
  for (const count of await calls.uniqueScansOf(store, scanned)) counts.set(keyOf(count), count.uniqueScans)
  return codes.map((code) => ({ ...code, uniqueScans: counts.get(keyOf(code)) ?? 0 }))
}

const dueAtOnce = 5000

/**
 * Counts the unique scans that were deferred. Throws if the store or catalogue is unavailable; the
 * next call continues.
 */
export async function countDueUniques(context: Counting): Promise<void> {
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
