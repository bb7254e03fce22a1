import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database.ts'
import { containsLiterally } from '../dialects/like-pattern.ts'
import { revisionOf, type CodeCounts } from './qr-code-counts.ts'
import { planCount, planPage } from './sqlite-list-plans.ts'
import {
  type CodeFilter,
  type CodeOrder,
  countersOf,
  inFolders,
  inState,
  type ListPlan,
  type SearchWord,
} from './list-plans.ts'

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
  const plan = db.dialect === 'sqlite' ? await planCount(db, filter, counts) : codesPlan(db, filter)
  const { rows } = await sql<{ total: number; revision: number }>`/* db.countMatches */
    select
      (select count(*) from ${plan.from} where ${conditions(db, filter, plan)}) as total,
      ${revisionOf(db, filter.organizationId)} as revision`.execute(db.kysely)
  return rows[0] ?? { total: 0, revision: 0 }
}

/**
 * Returns the ids on one page of a list, in order. `total` is the number of matching codes, at
 * least 1.
 */
export async function idsOfPage(db: Database, filter: CodeFilter, page: PageOrder): Promise<string[]> {
  const chosen = db.dialect === 'sqlite' ? planPage(db, filter, page) : codesPlan(db, filter, page)
  const plan = scansPlan(db, filter, page) ?? (await chosen)
  const { rows } = await sql<{ id: string }>`/* db.idsOfPage */
    select ${plan.id ?? sql`q.id`} as id
    from ${plan.from}
    where ${conditions(db, filter, plan)}
    order by ${plan.orderBy ?? orderBy(page, filter)}
    limit ${page.limit}
    offset ${page.offset}`.execute(db.kysely)
  return rows.map((row) => row.id)
}

/**
 * Returns the plan for all codes, or those of folders, by their scans. Every row of counters has
 * its code, and knows its folder.
 */
function scansPlan(db: Database, filter: CodeFilter, { sort }: CodeOrder): ListPlan | undefined {
  const { type, status, words, tags, state, domainId } = filter
  const more = type ?? status ?? tags[0] ?? words[0] ?? state
  if (sort !== 'totalScans' || more !== undefined || domainId !== undefined) return undefined
  return {
    from: sql`scan_counters as c`,
    where: countersOf(db, filter),
    findsFolder: true,
    id: sql`c.qr_code_id`,
  }
}

/**
 * Returns the plan for PostgreSQL, which has statistics of every column and plans well by itself,
 * with one exception: see `fewByScans`.
 */
function codesPlan(db: Database, filter: CodeFilter, page?: PageOrder): ListPlan {
  const { organizationId } = filter
  if (page?.sort !== 'totalScans')
    return { from: sql`qr_codes as q`, where: [sql`q.organization_id = ${organizationId}`] }
  const { total, counts, offset, limit } = page
  const untilFull = (counts.inFolder * (offset + limit)) / total
  if (total <= fewMax && total < unevenMax * untilFull) return fewByScans(filter)
  return {
    from: sql`scan_counters as c
      join qr_codes as q on q.organization_id = c.organization_id and q.id = c.qr_code_id`,
    where: countersOf(db, filter),
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

function conditions(db: Database, filter: CodeFilter, plan: ListPlan): RawBuilder<unknown> {
  const { type, status, folderIds, words, tags, state, domainId } = filter
  const parts = [
    ...plan.where,
    ...(type === undefined ? [] : [sql`q.type = ${type}`]),
    ...(status === undefined ? [] : [sql`q.status = ${status}`]),
    ...(state === undefined ? [] : [inState(state)]),
    ...(domainId === undefined ? [] : [onDomain(domainId)]),
    ...(folderIds === undefined || plan.findsFolder === true ? [] : [inFolders(db, 'q', folderIds)]),
    ...words.filter((word) => plan.findsWords?.includes(word) !== true).map((word) => hasWord(word, filter)),
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

const onDomain = (id: string | null) => (id === null ? sql`q.domain_id is null` : sql`q.domain_id = ${id}`)

const contains = (column: string, part: string) =>
  sql`q.${sql.raw(column)} like ${containsLiterally(part)} escape '\\'`

/** Returns the condition for codes that have a word. */
function hasWord(
  { text, olderText, place, codeParts = [], codes = [] }: SearchWord,
  { isIndexed }: CodeFilter,
) {
  const texts = [
    contains('name_folded', text),
    ...(place === 'any' ? [contains('content_folded', text)] : []),
  ]
  const byCode = [
    ...codeParts.map((part) => contains('canonical_code', part)),
    ...codes.map((code) => sql`q.canonical_code = ${code}`),
  ]
  const inTexts = isIndexed
    ? texts
    : [
        sql`(q.search_version = q.version and (${sql.join(texts, sql` or `)}))`,
        sql`(q.search_version <> q.version and ${contains('name_search', olderText)})`,
      ]
  return sql`(${sql.join([...inTexts, ...byCode], sql` or `)})`
}

/**
 * Returns the order of a list. While the search columns are out of date, names are in the order of
 * their characters.
 */
export function orderBy(
  { sort, order }: Pick<CodeOrder, 'sort' | 'order'>,
  { isIndexed }: Pick<CodeFilter, 'isIndexed'>,
): RawBuilder<unknown> {
  const direction = sql.raw(order)
  const columns = {
    createdAt: sql`q.created_at_ms ${direction}, q.id`,
    updatedAt: sql`q.updated_at_ms ${direction}, q.id`,
    name: sql`q.${sql.raw(isIndexed ? 'name_order' : 'name_search')} ${direction}, q.id`,
    totalScans: sql`c.total_scans ${direction}, c.qr_code_id`,
  }
  return sql`${columns[sort]} ${direction}`
}
