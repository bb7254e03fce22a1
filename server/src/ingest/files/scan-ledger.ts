import type { StoredDay } from '../../analytics/insert/stored-scans.ts'
import type { Database } from '../../db/database.ts'
import { hitsByDay } from '../../db/scans/lost-hits.ts'
import type { OrganizationScans } from '../../db/scans/scan-counters.ts'
import { addScanDays, dayOf, readScanDays, setScanDays, type DayHits } from '../../db/scans/scan-days.ts'
import { takeOutReturned } from '../../db/scans/scan-findings.ts'
import { changeScanLosses, readScanLosses } from '../../db/scans/scan-losses.ts'

/** How the ledger of the catalogue and the scans in files differed. */
export type LedgerDifference = {
  /** Hits that the catalogue did not know of, and that were not lost either. */
  unknownHits: number
  /** Lost hits that files have again. */
  putBackHits: number
  /** Hits that files no longer have, by day. */
  lost: readonly { day: number; hits: number }[]
}

/** Lost hits and scans that are stored again. */
export type Returned = { days: readonly DayHits[]; scans: readonly OrganizationScans[] }

/** Counts the hits of a batch, in its transaction. Lost ones among them came back. */
export async function addToLedger(
  tx: Database,
  { days, returned }: { days: readonly DayHits[]; returned: Returned | undefined },
): Promise<void> {
  await addScanDays(tx, days)
  if (returned === undefined) return
  await changeScanLosses(
    tx,
    returned.days.map((one) => ({ ...one, hits: -one.hits })),
  )
  await takeOutReturned(tx, returned)
}

/**
 * Sets the ledger to the hits that files have. What it had more is lost, until files have it again,
 * on days whose scans were not deleted. In the transaction that lists these files.
 */
export async function balanceLedger(
  tx: Database,
  stored: readonly StoredDay[],
  { deletedBeforeMs }: { deletedBeforeMs: number },
): Promise<LedgerDifference> {
  const losses = byDay(await readScanLosses(tx))
  const differences = ledgerDifferences(await readScanDays(tx), stored, { deletedBeforeMs })
  const lacking = differences.map(({ writer, day, hits, known }) => ({ writer, day, hits: known - hits }))
  await changeScanLosses(tx, lacking)
  await setScanDays(tx, differences)
  const found = differences
    .map(({ writer, day, hits, known }) => ({ writer, day, more: hits - known }))
    .filter(({ more }) => more > 0)
    .map(({ writer, day, more }) => ({
      more,
      lost: Math.min(more, losses.get(keyOf({ writer, day }))?.hits ?? 0),
    }))
  const putBackHits = found.reduce((sum, { lost }) => sum + lost, 0)
  return {
    putBackHits,
    unknownHits: found.reduce((sum, { more }) => sum + more, 0) - putBackHits,
    lost: hitsByDay(lacking.filter(({ hits }) => hits > 0)),
  }
}

/** Returns the days on which ledger and files differ, but for those whose scans were deleted. */
export function ledgerDifferences(
  ledger: readonly DayHits[],
  stored: readonly StoredDay[],
  { deletedBeforeMs }: { deletedBeforeMs: number },
): (DayHits & { known: number })[] {
  const firstDay = dayOf(deletedBeforeMs)
  const [hits, known] = [byDay(stored), byDay(ledger)]
  return [...new Map([...known, ...hits])].flatMap(([key, { writer, day }]) => {
    const [is, was] = [hits.get(key)?.hits ?? 0, known.get(key)?.hits ?? 0]
    return is === was || day < firstDay ? [] : [{ writer, day, hits: is, known: was }]
  })
}

function byDay(days: readonly DayHits[]): Map<string, DayHits> {
  return new Map(days.map((one) => [keyOf(one), one]))
}

function keyOf({ writer, day }: Pick<DayHits, 'writer' | 'day'>): string {
  return `${writer} ${day}`
}
