import { nobody } from '../../store/first-scans.ts'
import type { StoredDay } from '../../insert/stored-scans.ts'
import { quoted } from '../parquet/file-sql.ts'
import type { Ask } from './key-ranges.ts'
import { allTimes, relationOf } from './listed-scans.ts'

type Code = { organizationId: string; qrCodeId: string }

/** The scans of a code, and those with the mark "unique". */
export type StoredCount = Code & { scans: number; uniqueScans: number }

/** Returns the hits of all classes, by writer and day. */
export function readStoredDays(ask: Ask): Promise<StoredDay[]> {
  return ask((select, listed) =>
    select<StoredDay>(
      `/* analytics.readStoredDays */
       select writer, epoch_ms(time) // 86400000 as day, count(*) as hits
       from ${relationOf(listed, allTimes)}
       group by all`,
    ),
  )
}

/** Returns the scans of those of the codes that have some. */
export function readStoredCounts(ask: Ask, codes: readonly Code[]): Promise<StoredCount[]> {
  return ask((select, listed) =>
    select<StoredCount>(
      `/* analytics.readStoredCounts */
       select organization_id as "organizationId", qr_code_id as "qrCodeId", count(*) as scans,
         count(*) filter (where is_unique) as "uniqueScans"
       from ${relationOf(listed, allTimes)}
       where class = 'human' and ${isOneOfCodes}
       group by all`,
      paramsOf(codes),
    ),
  )
}

/**
 * Returns those of the codes of which a visitor has no unique scan, or several, with the number of
 * such visitors.
 */
export function readWrongMarks(ask: Ask, codes: readonly Code[]): Promise<(Code & { visitors: number })[]> {
  return ask((select, listed) =>
    select<Code & { visitors: number }>(
      `/* analytics.readWrongMarks */
       select "organizationId", "qrCodeId", count(*) as visitors
       from (
         select organization_id as "organizationId", qr_code_id as "qrCodeId", visitor
         from ${relationOf(listed, allTimes)}
         where class = 'human' and visitor != ${quoted(nobody)}::uuid and ${isOneOfCodes}
         group by all
         having count(*) filter (where is_unique) <> 1)
       group by all
       order by all`,
      paramsOf(codes),
    ),
  )
}

/** The bounds of organizations spare the engine most groups of rows: files are sorted by them. */
const isOneOfCodes = `organization_id >= $firstOwner and organization_id <= $lastOwner
  and (organization_id, qr_code_id) in (select unnest($owners), unnest($codes))`

function paramsOf(codes: readonly Code[]) {
  const owners = codes.map(({ organizationId }) => organizationId)
  const sorted = owners.toSorted()
  return {
    firstOwner: sorted[0] ?? '',
    lastOwner: sorted.at(-1) ?? '',
    owners,
    codes: codes.map(({ qrCodeId }) => qrCodeId),
  }
}
