import { ownersOf } from '../../figures/archive-lines.ts'
import { idsAtOnce, idsMsMax, pieceMsMax } from '../../figures/long-reads.ts'
import type { ArchiveScope } from '../../scan-store.ts'
import type { Ask } from './key-ranges.ts'
import { allTimes, relationOf } from './listed-scans.ts'

/** See `scannedCodes` of `ScanStore`. */
export async function* scannedCodes(ask: Ask, organizationId: string): AsyncGenerator<string[]> {
  for (let after = ''; ;) {
    const rows = await ask(
      (select, listed) =>
        select<{ id: string }>(
          `/* analytics.scannedCodes */
           select distinct qr_code_id as id
           from ${relationOf(listed, allTimes)}
           where organization_id in ($owner, $closedOwner) and qr_code_id > $after
           order by id
           limit ${idsAtOnce}`,
          { ...ownerParams(organizationId), after },
        ),
      pieceMsMax,
    )
    if (rows.length === 0) return
    yield rows.map(({ id }) => id)
    after = rows.at(-1)?.id ?? ''
  }
}

/** See `scannedIds` of `ScanStore`. */
export async function scannedIds(ask: Ask, ids: readonly string[]): Promise<string[]> {
  const rows = await ask((select, listed) => {
    const found = (column: string) =>
      `select distinct ${column} as id
       from ${relationOf(listed, allTimes)}
       where ${column} in (select unnest($ids))`
    return select<{ id: string }>(
      `/* analytics.scannedIds */ ${found('qr_code_id')} union ${found('organization_id')}`,
      { ids },
    )
  }, idsMsMax)
  return rows.map(({ id }) => id)
}

/** See `scanMonths` of `ScanStore`. */
export async function scanMonths(ask: Ask, { organizationId, without }: ArchiveScope): Promise<string[]> {
  const rows = await ask(
    (select, listed) =>
      select<{ month: string }>(
        `/* analytics.scanMonths */
         select distinct (year(time) * 100 + month(time))::varchar as month
         from ${relationOf(listed, allTimes)}
         where organization_id in ($owner, $closedOwner)
           and not exists (
             select 1 from (select unnest(string_split($without, ',')) as id) as left_out
             where left_out.id = qr_code_id)
         order by month`,
        { ...ownerParams(organizationId), without: [...without].join(',') },
      ),
    pieceMsMax,
  )
  return rows.map(({ month }) => month)
}

function ownerParams(organizationId: string): { owner: string; closedOwner: string } {
  const [owner = '', closedOwner = ''] = ownersOf(organizationId)
  return { owner, closedOwner }
}
