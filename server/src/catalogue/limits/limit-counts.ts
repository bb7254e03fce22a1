import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../db/database.ts'
import { rowsAsTable } from '../../db/dialects/row-sets.ts'
import { silentShares } from './limit-members.ts'

/** A minute of a key, account or network. */
export type LimitCount = { kind: string; holder: string; windowMs: number }

/**
 * Takes a part of a limit: `want`, or what is left. `owed` was used before without asking, and
 * counts in any case. Returns what was granted, and all that is granted now. One statement, so
 * all members together are never granted more than the limit.
 */
export async function takePart(
  db: Database,
  { kind, holder, windowMs }: LimitCount,
  { limit, want, owed }: { limit: number; want: number; owed: number },
): Promise<{ granted: number; total: number }> {
  const cap = sql<number>`(${number(limit)} - ${silentShares(db, number(limit))})`
  const sizeAfter = (before: RawBuilder<number>) => {
    const left = sql<number>`(${cap} - ${before})`
    return sql<number>`(case
      when ${left} <= 0 then 0
      when ${left} < ${number(want)} then ${left}
      else ${number(want)}
    end)`
  }
  const first = sizeAfter(number(owed))
  const next = sizeAfter(sql<number>`(limit_counts.granted + ${number(owed)})`)
  const { rows } = await sql<{ granted: number | string; total: number | string }>`/* catalogue.takePart */
    insert into limit_counts (kind, holder, window_ms, granted, last_grant)
    values (${kind}, ${holder}, ${windowMs}, ${number(owed)} + ${first}, ${first})
    on conflict (kind, holder, window_ms) do update
    set granted = limit_counts.granted + ${number(owed)} + ${next}, last_grant = ${next}
    returning last_grant as granted, granted as total`.execute(db.kysely)
  const [row] = rows
  return { granted: Number(row?.granted), total: Number(row?.total) }
}

/** Types a number, which PostgreSQL would otherwise take for a text in places. */
function number(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as bigint)`
}

/** Counts what was used without asking. */
export async function addOwedParts(
  db: Database,
  owed: readonly (LimitCount & { used: number })[],
): Promise<void> {
  if (owed.length === 0) return
  const rows = owed.map(({ kind, holder, windowMs, used }) => ({
    kind,
    holder,
    window_ms: windowMs,
    granted: used,
    last_grant: 0,
  }))
  await sql`/* catalogue.addOwedParts */
    insert into limit_counts (kind, holder, window_ms, granted, last_grant)
    select r.kind, r.holder, r.window_ms, r.granted, r.last_grant
    from ${rowsAsTable(db, 'limit_counts', rows)} where true
    on conflict (kind, holder, window_ms) do update
    set granted = limit_counts.granted + excluded.granted`.execute(db.kysely)
}
