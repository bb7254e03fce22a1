import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { qrCodeStatuses } from '@everscan/contract/resources/qr-codes.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database.ts'
import { countTagged, type CodeCounts } from './qr-code-counts.ts'
import { countersOf, type CodeFilter, type CodeOrder, type ListPlan } from './list-plans.ts'

// SQLite keeps no statistics for this service, so the plan of a list is chosen here: the one that
// reads the fewest rows, each weighted by its cost. Most counts of rows are known exactly, the
// others take less than a millisecond. See docs/adr/0035-plans-of-lists-on-sqlite.md.

/** Names are indexed by each sequence of three of their characters. */
const partCharsMin = 3
/** The choice counts matches up to this number. */
const sampleMax = { page: 5_000, count: 20_000 }

/**
 * Approximate costs in tenths of a microsecond: the next entry of an index, a match looked up in a
 * small index, a code looked up. Only their ratios matter. `node bench/src/list-costs.ts` measures
 * them with a million codes.
 */
const cost = { next: 1, found: 4, code: 15 }

type Candidate = { cost: number; plan: () => ListPlan }

/** Chooses the plan of a count, which has to read every match. */
export async function planCount(db: Database, filter: CodeFilter, counts: CodeCounts): Promise<ListPlan> {
  const narrowed = counts.ofKind < counts.all || filter.tags.length > 0
  const whole = counts.all * (narrowed ? cost.code : cost.next)
  const matches = await countNames(db, filter, sampleMax.count)
  return cheapest([
    { cost: whole, plan: () => orderedPlan(filter, { sort: 'name', order: 'asc' }) },
    { cost: counts.ofKind < counts.all ? counts.ofKind * cost.code : Infinity, plan: () => kindPlan(filter) },
    { cost: matches * cost.found, plan: () => namesPlan(filter) },
    ...(await tagPlans(db, filter)),
  ])
}

/**
 * Chooses the plan of a page: in the order of the list until the page is full, or through few codes
 * that are then sorted.
 */
export async function planPage(
  db: Database,
  filter: CodeFilter,
  { total, counts, ...order }: CodeOrder & { total: number; counts: CodeCounts },
): Promise<ListPlan> {
  const { namePart, tags } = filter
  const ofOneKind = counts.ofKind < counts.all
  const plain = namePart === '' && tags.length === 0
  /** The part of an ordered plan that fills the page, if matches are spread evenly. */
  const share = Math.min(1, (order.offset + order.limit) / total)
  const inOrder: Candidate = {
    cost:
      orderedCodes(filter, order, counts) *
      share *
      (plain && !ofOneKind ? cost.next : tagsFirst(filter, order) ? cost.found : cost.code),
    plan: () => orderedPlan(filter, order),
  }
  // Matches of names are in the order of creation too.
  if (indexed(namePart) && order.sort === 'createdAt') {
    const matches = Math.max(total, ofOneKind || tags.length > 0 ? counts.all * 0.05 : 0)
    inOrder.cost = matches * share * cost.found
    inOrder.plan = () => namesPlan(filter, order)
  }
  const enough = 2 * (order.offset + order.limit) * cost.code
  if (inOrder.cost <= enough) return inOrder.plan()
  const onlyNames = !ofOneKind && tags.length === 0
  const matches = onlyNames && indexed(namePart) ? total : await countNames(db, filter, sampleMax.page)
  return cheapest([
    inOrder,
    { cost: ofOneKind ? counts.ofKind * cost.code : Infinity, plan: () => kindPlan(filter, order) },
    { cost: matches * cost.code, plan: () => namesPlan(filter, order) },
    ...(await tagPlans(db, filter, order)),
  ])
}

function cheapest(candidates: readonly Candidate[]): ListPlan {
  const [best] = [...candidates].sort((a, b) => a.cost - b.cost)
  if (best === undefined) throw new Error('there is always a plan')
  return best.plan()
}

type Order = Pick<CodeOrder, 'sort' | 'order'>

/** Returns how many codes `orderedPlan` reads at most. */
function orderedCodes({ type, status, folderId }: CodeFilter, { sort }: Order, counts: CodeCounts): number {
  if (sort !== 'totalScans' && sort !== 'createdAt') return counts.all
  if (folderId !== undefined) return counts.inFolder
  const isOfOne = (type === undefined) !== (status === undefined)
  return sort === 'createdAt' && isOfOne ? counts.ofKind : counts.all
}

/**
 * Returns whether tags are checked first. The indexes of names and of changes know nothing else of
 * a code, but its tags are found without reading it.
 */
function tagsFirst({ tags }: CodeFilter, { sort }: Order): boolean {
  return tags.length > 0 && (sort === 'name' || sort === 'updatedAt')
}

/** Returns the plan along an index that has the order of the list. */
function orderedPlan(filter: CodeFilter, { sort, order }: Order): ListPlan {
  const { organizationId, type, status, folderId, tags } = filter
  const direction = sql.raw(order)
  if (sort === 'totalScans')
    return {
      from: sql`scan_counters as c indexed by ${sql.raw(folderId === undefined ? 'scan_counters_total' : 'scan_counters_folder')}
        cross join qr_codes as q on q.organization_id = c.organization_id and q.id = c.qr_code_id`,
      where: countersOf(organizationId, folderId),
      findsFolder: true,
      orderBy: sql`c.total_scans ${direction}, c.qr_code_id ${direction}`,
    }
  const created =
    folderId !== undefined
      ? 'qr_codes_folder'
      : type !== undefined
        ? 'qr_codes_type'
        : status !== undefined
          ? 'qr_codes_status'
          : 'qr_codes_created'
  const indexes = { createdAt: created, updatedAt: 'qr_codes_updated', name: 'qr_codes_name' }
  const [tag] = tags
  if (tag !== undefined && tagsFirst(filter, { sort, order }))
    return {
      from: sql`qr_codes as n indexed by ${sql.raw(indexes[sort])}
        cross join qr_code_tags as t
          on t.organization_id = n.organization_id and t.qr_code_id = n.id and t.tag = ${tag}
        cross join qr_codes as q on q.organization_id = n.organization_id and q.id = n.id`,
      where: [sql`n.organization_id = ${organizationId}`],
      orderBy: sql`n.${sql.raw(sort === 'name' ? 'name_search' : 'updated_at_ms')} ${direction}, n.id ${direction}`,
      findsTag: tag,
    }
  return {
    from: sql`qr_codes as q indexed by ${sql.raw(indexes[sort])}`,
    where: [sql`q.organization_id = ${organizationId}`],
  }
}

/** Returns the plan through all codes of a kind. */
function kindPlan({ organizationId, type, status, folderId }: CodeFilter, order?: Order): ListPlan {
  // All columns of the index are named, so that it is used as far as possible.
  const types = type === undefined ? [sql`q.type in (${sql.join(qrCodeTypes)})`] : []
  const statuses =
    status === undefined && (type === undefined || folderId !== undefined)
      ? [sql`q.status in (${sql.join(qrCodeStatuses)})`]
      : []
  return {
    from: sql`qr_codes as q indexed by qr_codes_kind ${countersFor(order)}`,
    where: [sql`q.organization_id = ${organizationId}`, ...types, ...statuses],
  }
}

/** Returns the plan through all codes whose name has the part. */
function namesPlan({ organizationId, namePart }: CodeFilter, order?: Order): ListPlan {
  const phrase = `"${namePart.replaceAll('"', '""')}"`
  return {
    from: sql`qr_code_names as n
      cross join qr_codes as q indexed by qr_codes_found on q.number = n.rowid ${countersFor(order)}`,
    where: [sql`n.qr_code_names match ${phrase}`, sql`q.organization_id = ${organizationId}`],
    findsNames: true,
    ...(order?.sort === 'createdAt' ? { orderBy: sql`n.rowid ${sql.raw(order.order)}` } : {}),
  }
}

/** Returns the plans through all codes that have a tag, one for each tag. */
async function tagPlans(
  db: Database,
  { organizationId, tags }: CodeFilter,
  order?: Order,
): Promise<Candidate[]> {
  const plans: Candidate[] = []
  for (const tag of tags) {
    const rows = await countTagged(db, { organizationId }, tag)
    const plan = (): ListPlan => ({
      from: sql`qr_code_tags as t
        cross join qr_codes as q on q.organization_id = t.organization_id and q.id = t.qr_code_id ${countersFor(order)}`,
      where: [sql`t.organization_id = ${organizationId}`, sql`t.tag = ${tag}`],
      findsTag: tag,
    })
    plans.push({ cost: rows * cost.code, plan })
  }
  return plans
}

function countersFor(order: Order | undefined): RawBuilder<unknown> {
  return order?.sort === 'totalScans'
    ? sql`cross join scan_counters as c on c.organization_id = q.organization_id and c.qr_code_id = q.id`
    : sql``
}

async function countNames(db: Database, { namePart }: CodeFilter, rowsMax: number): Promise<number> {
  if (!indexed(namePart)) return Infinity
  const phrase = `"${namePart.replaceAll('"', '""')}"`
  return countUpTo(db, sql`select 1 from qr_code_names where qr_code_names match ${phrase}`, rowsMax)
}

/** Counts the rows of a query. Infinity: more than `rowsMax`. */
async function countUpTo(db: Database, query: RawBuilder<unknown>, rowsMax: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* db.countUpTo */
    select count(*) as "count" from (${query} limit ${rowsMax + 1})`.execute(db.kysely)
  const count = rows[0]?.count ?? 0
  return count > rowsMax ? Infinity : count
}

function indexed(namePart: string): boolean {
  return Array.from(namePart).length >= partCharsMin
}
