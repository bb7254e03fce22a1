// The promises that must hold when a simulation has recovered.
import type { ScannedCode } from '../../analytics/insert/insert.ts'
import type { Database } from '../../db/database.ts'
import type { MemoryStore } from './memory-store.ts'
import type { SimulatedScan } from './simulated-front.ts'

/** Answered scans are in the store once, and every scan at most once, each of its owner. */
export function problemsOfScans({ rows }: MemoryStore, scans: readonly SimulatedScan[]): string[] {
  const stored = Map.groupBy(rows, ({ referrer }) => referrer)
  return scans.flatMap(({ number, organizationId, isAnswered }) => {
    const found = stored.get(`s${number}.example`) ?? []
    return [
      ...(found.length > 1 ? [`a scan is in the store ${found.length} times`] : []),
      ...(found.length === 0 && isAnswered ? ['an answered scan is lost'] : []),
      ...(found.some((row) => row.organizationId !== organizationId) ? ['a scan has another owner'] : []),
    ]
  })
}

/** Counters are what the store has. */
export async function problemsOfCounters(
  db: Database,
  store: MemoryStore,
  codes: readonly ScannedCode[],
): Promise<string[]> {
  const problems: string[] = []
  for (const code of codes) {
    const { total_scans: total, unique_scans: unique } = await db.kysely
      .selectFrom('scan_counters')
      .selectAll()
      .where('organization_id', '=', code.organizationId)
      .where('qr_code_id', '=', code.qrCodeId)
      .executeTakeFirstOrThrow()
    const { scans, uniqueScans } = store.figuresOf(code)
    if (total !== scans || unique !== uniqueScans)
      problems.push(`counters are ${total}, ${unique}, the store has ${scans}, ${uniqueScans}`)
  }
  return problems
}

/** A limit lets in no more than it may, and counts everybody whom it let in. */
export async function problemsOfLimit(
  db: Database,
  { organizationId, qrCodeId }: ScannedCode,
  entered: number,
): Promise<string[]> {
  const { taken, scan_limit: limit } = await db.kysely
    .selectFrom('scan_limits')
    .select(['taken', 'scan_limit'])
    .where('organization_id', '=', organizationId)
    .where('qr_code_id', '=', qrCodeId)
    .executeTakeFirstOrThrow()
  return [
    ...(entered > limit ? [`a code with a limit of ${limit} let ${entered} in`] : []),
    ...(taken < entered ? [`${entered} were let in, and ${taken} are counted`] : []),
  ]
}
