import { countedCodeOf } from '../../figures/counted-codes.ts'
import type { Period } from '../../figures/period.ts'
import type { CodeRanking, CountedCode } from '../../scan-store.ts'
import type { Select } from '../parquet/select.ts'
import { conditionOf, conditionOfRest, timesOfBoth, timesSql, type FileScope } from './file-scope.ts'
import { relationOf, type ListedScans } from './listed-scans.ts'
import { listedIds, type ReadableIds } from './readable-ids.ts'

/** A ranking whose ids of codes a query can read. */
type FileRanking = Omit<CodeRanking, 'scope' | 'codes'> & { scope: FileScope; codes?: ReadableIds }

/** See `mostScannedQrCodes` of `ScanStore`. */
export async function mostScannedQrCodes(
  select: Select,
  listed: ListedScans,
  { scope, limit, offset }: { scope: FileScope; limit: number; offset: number },
): Promise<string[]> {
  const { sql, params } = conditionOf(scope)
  const rows = await select<{ id: string }>(
    `/* analytics.mostScannedQrCodes */
     select qr_code_id as id
     from ${relationOf(listed, scope)}
     where ${sql} and class = 'human'
     group by qr_code_id
     order by count(*) desc, qr_code_id
     limit $limit offset $offset`,
    { ...params, limit, offset },
  )
  return rows.map(({ id }) => id)
}

/** Conditions for the scans of a period and of the one before it. */
const [isNow, isBefore] = [timesSql(), timesSql('before')]

/** See `rankCodes` of `ScanStore`. */
export async function rankCodes(
  select: Select,
  listed: ListedScans,
  { scope, before, codes, sort, order, limit, offset }: FileRanking,
): Promise<string[]> {
  const isOfBoth = sort === 'change'
  // The list of codes leaves out all others.
  const selection = scope.selection?.mode === 'only' ? scope.selection : undefined
  const rest = conditionOfRest({ ...scope, selection })
  const ofSort = sort === 'uniqueScans' ? 'and is_unique' : ''
  const previous = isOfBoth ? `count(*) filter (where ${isBefore})` : '0'
  const value = isOfBoth ? 'if(previous = 0, null, (counted - previous) / previous)' : 'counted'
  const rows = await select<{ id: string }>(
    `/* analytics.rankCodes */
     select id
     from (
       select id, sum(counted)::bigint as counted, sum(previous)::bigint as previous, max(listed) as listed
       from (
         select
           qr_code_id as id, count(*) filter (where ${isNow}) as counted, ${previous} as previous,
           ${codes === undefined ? 1 : 0} as listed
         from ${relationOf(listed, isOfBoth ? timesOfBoth(scope, before) : scope)}
         where organization_id = $organizationId
           and (${isOfBoth ? `${isNow} or ${isBefore}` : isNow}) ${rest.sql} and class = 'human' ${ofSort}
         group by qr_code_id
         ${codes === undefined ? '' : `union all select id, 0, 0, 1 from (${codes.sql})`})
       group by id)
     where listed = 1
     order by ${value} ${order} nulls last, id
     limit $limit offset $offset`,
    {
      organizationId: scope.organizationId,
      ...periodParams(scope, isOfBoth ? before : undefined),
      ...rest.params,
      ...codes?.params,
      limit,
      offset,
    },
  )
  return rows.map(({ id }) => id)
}

/** See `countCodes` of `ScanStore`. */
export async function countCodes(
  select: Select,
  listed: ListedScans,
  { scope, before, ids }: { scope: FileScope; before: Period; ids: readonly string[] },
): Promise<CountedCode[]> {
  if (ids.length === 0) return []
  const all = conditionOf(scope)
  const page = listedIds('pageIds', ids)
  const rest = conditionOfRest({ ...scope, selection: { mode: 'only', ids: page } })
  const rows = await select<Omit<CountedCode, 'percentage' | 'change'>>(
    `/* analytics.countCodes */
     select '' as "qrCodeId", count(*) as scans, 0 as "uniqueScans", 0 as "previousScans"
     from ${relationOf(listed, scope)}
     where ${all.sql} and class = 'human'
     union all
     select
       qr_code_id, count(*) filter (where ${isNow}), count(*) filter (where ${isNow} and is_unique),
       count(*) filter (where ${isBefore})
     from ${relationOf(listed, timesOfBoth(scope, before))}
     where organization_id = $organizationId and (${isNow} or ${isBefore}) ${rest.sql} and class = 'human'
     group by qr_code_id`,
    { ...all.params, ...periodParams(scope, before), ...rest.params },
  )
  const counts = new Map(rows.map((row) => [row.qrCodeId, row]))
  const none = { scans: 0, uniqueScans: 0, previousScans: 0 }
  const total = counts.get('')?.scans ?? 0
  return ids.map((qrCodeId) => countedCodeOf({ ...none, ...counts.get(qrCodeId), qrCodeId }, total))
}

function periodParams({ startMs, endMs }: FileScope, before: Period | undefined): Record<string, number> {
  return {
    startMs,
    endMs,
    ...(before !== undefined && { beforeStartMs: before.startMs, beforeEndMs: before.endMs }),
  }
}
