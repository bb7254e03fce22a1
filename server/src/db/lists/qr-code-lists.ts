import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database.ts'
import { containsLiterally } from '../dialects/like-pattern.ts'
import { revisionOf, type CodeCounts } from './qr-code-counts.ts'
import { planCount, planPage } from './sqlite-list-plans.ts'
import { type CodeFilter, type CodeOrder, countersOf, type ListPlan } from './list-plans.ts'

/** A page of a list that has `total` codes. */
type PageOrder = CodeOrder & { total: number; counts: CodeCounts }

/**
 * Counts the matching codes one by one. Also returns the revision of the organization (see
 * qr-code-counts.ts) that had them. With a million codes this takes up to a few hundred
 * milliseconds, so the caller should remember the count.
 */
export async function countMatches(
  db: Database,
  filter: CodeFilter,
  counts: CodeCounts,
): Promise<{ total: number; revision: number }> {
  const plan = db.dialect === 'sqlite' ? await planCount(db, filter, counts) : codesPlan(filter)
  const { rows } = await sql<{ total: number; revision: number }>`/* db.countMatches */
    select
      (select count(*) from ${plan.from} where ${conditions(filter, plan)}) as total,
      ${revisionOf(db, filter.organizationId)} as revision`.execute(db.kysely)
  return rows[0] ?? { total: 0, revision: 0 }
}

/**
 * Returns the ids on one page of a list, in order. `total` is the number of matching codes, at
 * least 1.
 */
export async function idsOfPage(db: Database, filter: CodeFilter, page: PageOrder): Promise<string[]> {
  const chosen = db.dialect === 'sqlite' ? planPage(db, filter, page) : codesPlan(filter, page)
  const plan = scansPlan(filter, page) ?? (await chosen)
  const { rows } = await sql<{ id: string }>`/* db.idsOfPage */
    select ${plan.id ?? sql`q.id`} as id
    from ${plan.from}
    where ${conditions(filter, plan)}
    order by ${plan.orderBy ?? orderBy(page)}
    limit ${page.limit}
    offset ${page.offset}`.execute(db.kysely)
  return rows.map((row) => row.id)
}

/**
 * Returns the plan for all codes, or those of a folder, by their scans. Every row of counters has
 * its code, and knows its folder.
 */
function scansPlan(
  { organizationId, type, status, folderId, namePart, tags }: CodeFilter,
  { sort }: CodeOrder,
): ListPlan | undefined {
  const more = type ?? status ?? tags[0]
  if (sort !== 'totalScans' || more !== undefined || namePart !== '') return undefined
  return {
    from: sql`scan_counters as c`,
    where: countersOf(organizationId, folderId),
    findsFolder: true,
    id: sql`c.qr_code_id`,
  }
}

/**
 * Returns the plan for PostgreSQL, which has statistics of every column and plans well by itself,
 * with one exception: see `fewByScans`.
 */
function codesPlan(filter: CodeFilter, page?: PageOrder): ListPlan {
  const { organizationId, folderId } = filter
  if (page?.sort !== 'totalScans')
    return { from: sql`qr_codes as q`, where: [sql`q.organization_id = ${organizationId}`] }
  const { total, counts, offset, limit } = page
  const untilFull = (counts.inFolder * (offset + limit)) / total
  if (total <= fewMax && total < unevenMax * untilFull) return fewByScans(filter)
  return {
    from: sql`scan_counters as c
      join qr_codes as q on q.organization_id = c.organization_id and q.id = c.qr_code_id`,
    where: countersOf(organizationId, folderId),
    findsFolder: true,
  }
}

/**
 * Up to this many codes are sorted by their scans. With more codes, the counters are read in order
 * until a page is full.
 */
const fewMax = 10_000
/**
 * The counters are also read in order if a page needs at most `total / unevenMax` of them when
 * matches are spread evenly. They are not, but a page hardly needs more than this many times as
 * many counters.
 */
const unevenMax = 10

/**
 * Reads the codes first, then their counters: a few thousand rows. The planner would read the
 * counters in order, hoping to meet codes with a tag soon. With a million codes and three thousand
 * of them with the tag, that took 240 ms.
 */
function fewByScans({ organizationId }: CodeFilter): ListPlan {
  return {
    from: sql`qr_codes as q
      join lateral (
        select total_scans, qr_code_id
        from scan_counters
        where organization_id = q.organization_id and qr_code_id = q.id
        offset 0
      ) as c on true`,
    where: [sql`q.organization_id = ${organizationId}`],
  }
}

function conditions(filter: CodeFilter, plan: ListPlan): RawBuilder<unknown> {
  const { type, status, folderId, namePart, tags } = filter
  const parts = [
    ...plan.where,
    ...(type === undefined ? [] : [sql`q.type = ${type}`]),
    ...(status === undefined ? [] : [sql`q.status = ${status}`]),
    ...(folderId === undefined || plan.findsFolder === true ? [] : [sql`q.folder_id = ${folderId}`]),
    ...(namePart === '' || plan.findsNames === true
      ? []
      : [sql`q.name_search like ${containsLiterally(namePart)} escape '\\'`]),
    ...tags
      .filter((tag) => tag !== plan.findsTag)
      .map(
        (tag) => sql`exists (
          select 1
          from qr_code_tags as other
          where other.organization_id = q.organization_id
          and other.qr_code_id = q.id
          and other.tag = ${tag}
        )`,
      ),
  ]
  return sql.join(parts, sql` and `)
}

export function orderBy({ sort, order }: CodeOrder): RawBuilder<unknown> {
  const direction = sql.raw(order)
  const columns = {
    createdAt: sql`q.created_at_ms ${direction}, q.id`,
    updatedAt: sql`q.updated_at_ms ${direction}, q.id`,
    name: sql`q.name_search ${direction}, q.id`,
    totalScans: sql`c.total_scans ${direction}, c.qr_code_id`,
  }
  return sql`${columns[sort]} ${direction}`
}
