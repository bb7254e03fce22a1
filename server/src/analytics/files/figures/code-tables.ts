import { countedCodeOf } from '../../figures/counted-codes.ts'
import type { Period } from '../../figures/period.ts'
import type { CodeRanking, CountedCode } from '../../scan-store.ts'
import type { Select } from '../parquet/select.ts'
import type { FileScope } from './file-scope.ts'
import type { ListedScans } from './listed-scans.ts'
import { listedIds, type ReadableIds } from './readable-ids.ts'
import { scansByCodeSql } from './rolled-scans.ts'

/** A ranking whose ids of codes a query can read. */
type FileRanking = Omit<CodeRanking, 'scope' | 'codes'> & { scope: FileScope; codes?: ReadableIds }

/** See `mostScannedQrCodes` of `ScanStore`. */
export async function mostScannedQrCodes(
  select: Select,
  listed: ListedScans,
  { scope, limit, offset }: { scope: FileScope; limit: number; offset: number },
): Promise<string[]> {
  const { sql, params } = scansByCodeSql(listed, scope)
  const rows = await select<{ id: string }>(
    `/* analytics.mostScannedQrCodes */
     select id
     from (${sql})
     group by id
     order by sum(scans) desc, id
     limit $limit offset $offset`,
    { ...params, limit, offset },
  )
  return rows.map(({ id }) => id)
}

/** See `rankCodes` of `ScanStore`. */
export async function rankCodes(
  select: Select,
  listed: ListedScans,
  { scope, before, codes, sort, order, limit, offset }: FileRanking,
): Promise<string[]> {
  // The list of codes leaves out all others.
  const selection = scope.selection?.mode === 'only' ? scope.selection : undefined
  const now = scansByCodeSql(listed, { ...scope, selection })
  const earlier =
    sort === 'change' ? scansByCodeSql(listed, { ...during(scope, before), selection }, 'before') : undefined
  const column = sort === 'uniqueScans' ? 'unique_scans' : 'scans'
  const isListed = codes === undefined ? 1 : 0
  const parts = [
    `select id, ${column} as counted, 0 as previous, ${isListed} as listed from (${now.sql}) where ${column} > 0`,
    ...(earlier === undefined ? [] : [`select id, 0, scans, ${isListed} from (${earlier.sql})`]),
    ...(codes === undefined ? [] : [`select id, 0, 0, 1 from (${codes.sql})`]),
  ]
  const value = earlier === undefined ? 'counted' : 'if(previous = 0, null, (counted - previous) / previous)'
  const rows = await select<{ id: string }>(
    `/* analytics.rankCodes */
     select id
     from (
       select id, sum(counted)::bigint as counted, sum(previous)::bigint as previous, max(listed) as listed
       from (${parts.join('\nunion all\n')})
       group by id)
     where listed = 1
     order by ${value} ${order} nulls last, id
     limit $limit offset $offset`,
    { ...now.params, ...earlier?.params, ...codes?.params, limit, offset },
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
  const all = scansByCodeSql(listed, scope)
  const ofPage = { ...scope, selection: { mode: 'only', ids: listedIds('pageIds', ids) } } as const
  const [now, earlier] = [
    scansByCodeSql(listed, ofPage),
    scansByCodeSql(listed, during(ofPage, before), 'before'),
  ]
  const rows = await select<Omit<CountedCode, 'percentage' | 'change'>>(
    `/* analytics.countCodes */
     select
       "qrCodeId", sum(scans)::bigint as scans, sum(unique_scans)::bigint as "uniqueScans",
       sum(previous)::bigint as "previousScans"
     from (
       select '' as "qrCodeId", scans, 0 as unique_scans, 0 as previous from (${all.sql})
       union all
       select id, scans, unique_scans, 0 from (${now.sql})
       union all
       select id, 0, 0, scans from (${earlier.sql}))
     group by 1`,
    { ...all.params, ...now.params, ...earlier.params },
  )
  const counts = new Map(rows.map((row) => [row.qrCodeId, row]))
  const none = { scans: 0, uniqueScans: 0, previousScans: 0 }
  const total = counts.get('')?.scans ?? 0
  return ids.map((qrCodeId) => countedCodeOf({ ...none, ...counts.get(qrCodeId), qrCodeId }, total))
}

function during(scope: FileScope, { startMs, endMs }: Period): FileScope {
  return { ...scope, startMs, endMs }
}
