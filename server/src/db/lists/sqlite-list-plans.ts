import { qrCodeTypes } from '@everscan/contract/code-types/code-types.ts'
import { qrCodeStatuses } from '@everscan/contract/resources/qr-codes.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database.ts'
import { countTagged, type CodeCounts } from './qr-code-counts.ts'
import { countersOf, type CodeFilter, type CodeOrder, type ListPlan, type SearchWord } from './list-plans.ts'

// SQLite keeps no statistics for this service, so the plan of a list is chosen here: the one that
// reads the fewest rows, each weighted by its cost. Most counts of rows are known exactly, the
// others take less than a millisecond. See docs/adr/0035-plans-of-lists-on-sqlite.md.

/** Texts are indexed by each sequence of three of their characters. */
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
  if (hasAccess(filter)) return accessPlan(filter)
  if (isOnDomain(filter)) return domainPlan(filter)
  // Out-of-date search columns are told apart by columns that the index of names does not have.
  const narrowed =
    counts.ofKind < counts.all || filter.tags.length > 0 || !filter.isIndexed || filter.domainId === null
  const whole = counts.all * (narrowed ? cost.code : cost.next)
  const matches = await countFound(db, filter, sampleMax.count)
  return cheapest([
    { cost: whole, plan: () => orderedPlan(db, filter, { sort: 'name', order: 'asc' }) },
    { cost: counts.ofKind < counts.all ? counts.ofKind * cost.code : Infinity, plan: () => kindPlan(filter) },
    { cost: matches * cost.found, plan: () => wordsPlan(filter) },
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
  if (hasAccess(filter)) return accessPlan(filter, order)
  const { words, tags } = filter
  const ofOneKind = counts.ofKind < counts.all
  const plain = words.length === 0 && tags.length === 0 && filter.domainId === undefined
  /** The part of an ordered plan that fills the page, if matches are spread evenly. */
  const share = Math.min(1, (order.offset + order.limit) / total)
  const inOrder: Candidate = {
    cost:
      orderedCodes(filter, order, counts) *
      share *
      (plain && !ofOneKind ? cost.next : tagsFirst(filter, order) ? cost.found : cost.code),
    plan: () => orderedPlan(db, filter, order),
  }
  const found = indexedWords(filter)
  // Matches of words are in the order of creation too.
  if (found.length > 0 && order.sort === 'createdAt') {
    const matches = Math.max(total, ofOneKind || tags.length > 0 ? counts.all * 0.05 : 0)
    inOrder.cost = matches * share * cost.found
    inOrder.plan = () => wordsPlan(filter, order)
  }
  const enough = 2 * (order.offset + order.limit) * cost.code
  if (inOrder.cost <= enough) return inOrder.plan()
  // Without other conditions, the total is that of the domain.
  const onDomain = plainOnDomain(filter) ? total : counts.all
  const onlyWords =
    !ofOneKind && tags.length === 0 && filter.domainId === undefined && found.length === words.length
  const matches = onlyWords && found.length > 0 ? total : await countFound(db, filter, sampleMax.page)
  return cheapest([
    inOrder,
    { cost: ofOneKind ? counts.ofKind * cost.code : Infinity, plan: () => kindPlan(filter, order) },
    { cost: isOnDomain(filter) ? onDomain * cost.code : Infinity, plan: () => domainPlan(filter, order) },
    { cost: matches * cost.code, plan: () => wordsPlan(filter, order) },
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
function orderedCodes(filter: CodeFilter, { sort }: Order, counts: CodeCounts): number {
  const { type, status, folderIds } = filter
  if (sort !== 'totalScans' && sort !== 'createdAt') return counts.all
  if (folderIds !== undefined) return hasFolderOrder(filter, sort) ? counts.inFolder : counts.all
  const isOfOne = (type === undefined) !== (status === undefined)
  return sort === 'createdAt' && isOfOne ? counts.ofKind : counts.all
}

/** Returns whether an index has the codes of these folders in the order of the list. */
function hasFolderOrder({ folderIds }: CodeFilter, sort: 'totalScans' | 'createdAt'): boolean {
  // Counters without a folder are in no index of folders.
  if (folderIds === null) return sort === 'createdAt'
  return folderIds?.length === 1
}

/**
 * Returns whether tags are checked first. The indexes of names and of changes know nothing else of
 * a code, but its tags are found without reading it.
 */
function tagsFirst({ tags }: CodeFilter, { sort }: Order): boolean {
  return tags.length > 0 && (sort === 'name' || sort === 'updatedAt')
}

/** Returns the plan along an index that has the order of the list. */
function orderedPlan(db: Database, filter: CodeFilter, { sort, order }: Order): ListPlan {
  const { organizationId, type, status, tags, isIndexed } = filter
  const direction = sql.raw(order)
  if (sort === 'totalScans')
    return {
      from: sql`scan_counters as c indexed by ${sql.raw(hasFolderOrder(filter, sort) ? 'scan_counters_folder' : 'scan_counters_total')}
        cross join qr_codes as q on q.organization_id = c.organization_id and q.id = c.qr_code_id`,
      where: countersOf(db, filter),
      findsFolder: true,
      orderBy: sql`c.total_scans ${direction}, c.qr_code_id ${direction}`,
    }
  const created = hasFolderOrder(filter, 'createdAt')
    ? 'qr_codes_folder'
    : type !== undefined
      ? 'qr_codes_type'
      : status !== undefined
        ? 'qr_codes_status'
        : 'qr_codes_created'
  const names = isIndexed ? 'qr_codes_name_order' : 'qr_codes_name'
  const indexes = { createdAt: created, updatedAt: 'qr_codes_updated', name: names }
  const [tag] = tags
  if (tag !== undefined && tagsFirst(filter, { sort, order }))
    return {
      from: sql`qr_codes as n indexed by ${sql.raw(indexes[sort])}
        cross join qr_code_tags as t
          on t.organization_id = n.organization_id and t.qr_code_id = n.id and t.tag = ${tag}
        cross join qr_codes as q on q.organization_id = n.organization_id and q.id = n.id`,
      where: [sql`n.organization_id = ${organizationId}`],
      orderBy: sql`n.${sql.raw(sort !== 'name' ? 'updated_at_ms' : isIndexed ? 'name_order' : 'name_search')} ${direction}, n.id ${direction}`,
      findsTag: tag,
    }
  return {
    from: sql`qr_codes as q indexed by ${sql.raw(indexes[sort])}`,
    where: [sql`q.organization_id = ${organizationId}`],
  }
}

/** Returns the plan through all codes of a kind. */
function kindPlan({ organizationId, type, status, folderIds }: CodeFilter, order?: Order): ListPlan {
  // All columns of the index are named, so that it is used as far as possible.
  const types = type === undefined ? [sql`q.type in (${sql.join(qrCodeTypes)})`] : []
  const statuses =
    status === undefined && (type === undefined || folderIds !== undefined)
      ? [sql`q.status in (${sql.join(qrCodeStatuses)})`]
      : []
  return {
    from: sql`qr_codes as q indexed by qr_codes_kind ${countersFor(order)}`,
    where: [sql`q.organization_id = ${organizationId}`, ...types, ...statuses],
  }
}

/** Whether only codes with access are in the state of a list. */
function hasAccess({ state }: CodeFilter): boolean {
  return state !== undefined && state.is !== 'LIVE' && state.is !== 'ARCHIVED'
}

/** Returns the plan through all codes that have access, which are few. */
function accessPlan({ organizationId }: CodeFilter, order?: Order): ListPlan {
  return {
    from: sql`qr_codes as q indexed by qr_codes_access ${countersFor(order)}`,
    where: [sql`q.organization_id = ${organizationId}`],
  }
}

function isOnDomain({ domainId }: CodeFilter): boolean {
  return domainId !== undefined && domainId !== null
}

/** Whether a list has all codes of a domain. */
function plainOnDomain(filter: CodeFilter): boolean {
  const { type, status, words, tags, folderIds, state } = filter
  const isPlain = words.length === 0 && tags.length === 0 && folderIds === undefined
  return isOnDomain(filter) && isPlain && (type ?? status ?? state) === undefined
}

/** Returns the plan through all codes on a domain. */
function domainPlan({ organizationId }: CodeFilter, order?: Order): ListPlan {
  return {
    from: sql`qr_codes as q indexed by qr_codes_domain ${countersFor(order)}`,
    where: [sql`q.organization_id = ${organizationId}`],
  }
}

/** Returns the plan through all codes that have the indexed words. */
function wordsPlan(filter: CodeFilter, order?: Order): ListPlan {
  const found = indexedWords(filter)
  return {
    from: sql`qr_code_words as n
      cross join qr_codes as q indexed by qr_codes_found on q.number = n.rowid ${countersFor(order)}`,
    where: [sql`n.qr_code_words match ${matchOf(found)}`, sql`q.organization_id = ${filter.organizationId}`],
    // The index finds a whole short code as a part of others, too.
    findsWords: found.filter(({ codes }) => codes === undefined),
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

async function countFound(db: Database, filter: CodeFilter, rowsMax: number): Promise<number> {
  const found = indexedWords(filter)
  if (found.length === 0) return Infinity
  const query = sql`select 1 from qr_code_words where qr_code_words match ${matchOf(found)}`
  return countUpTo(db, query, rowsMax)
}

/** Counts the rows of a query. Infinity: more than `rowsMax`. */
async function countUpTo(db: Database, query: RawBuilder<unknown>, rowsMax: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* db.countUpTo */
    select count(*) as "count" from (${query} limit ${rowsMax + 1})`.execute(db.kysely)
  const count = rows[0]?.count ?? 0
  return count > rowsMax ? Infinity : count
}

/** Returns the words that the index of texts finds, all of them by the same query. */
function indexedWords({ words, isIndexed }: CodeFilter): readonly SearchWord[] {
  // Codes with out-of-date search columns are not found there.
  return isIndexed ? words.filter(({ text }) => Array.from(text).length >= partCharsMin) : []
}

/** Returns the query of the index of texts for all of these words. */
function matchOf(words: readonly SearchWord[]): string {
  return words
    .map(({ text, place, codeParts = [], codes = [] }) => {
      const columns = place === 'name' ? '{name_folded}' : '{name_folded content_folded}'
      const parts = [
        `${columns} : ${quoted(text)}`,
        ...[...codeParts, ...codes].map((part) => `canonical_code : ${quoted(part)}`),
      ]
      return `(${parts.join(' OR ')})`
    })
    .join(' AND ')
}

function quoted(phrase: string): string {
  return `"${phrase.replaceAll('"', '""')}"`
}
