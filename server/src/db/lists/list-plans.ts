import type { QrCodeState } from '@everscan/contract/access/access.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'
import { isOneOf } from '../dialects/row-sets.ts'
import type { CodeKind } from './qr-code-counts.ts'

/** A word that a code must have. */
export type SearchWord = {
  /** Folded as `qr_codes.name_folded`. */
  text: string
  /** Folded as `qr_codes.name_search`, for rows whose search columns are out of date. */
  olderText: string
  /** `any`: the name, the tags, where the code leads, or its short code. */
  place: 'name' | 'any'
  /** Parts of the key of a code: in canonical form, and as an exact code has it. */
  codeParts?: readonly string[]
  /** The keys of whole codes (`codeKey`). */
  codes?: readonly string[]
}

/** The codes of an organization that a list contains. */
export type CodeFilter = CodeKind & {
  words: readonly SearchWord[]
  /**
   * False while the search columns of some code of the organization are out of date: the worker has
   * yet to compute them after an update of the service. Such codes are found by `name_search`.
   */
  isIndexed: boolean
  /** A code must have all of them. */
  tags: readonly string[]
  /** The domain that a code must be on; null: PUBLIC_URL. */
  domainId?: string | null | undefined
  /** The state that a code must have at a time. */
  state?: { is: QrCodeState; atMs: number } | undefined
}

export type CodeOrder = {
  sort: 'createdAt' | 'updatedAt' | 'name' | 'totalScans'
  order: 'asc' | 'desc'
  offset: number
  limit: number
}

/**
 * The way to find the codes of a list: the tables that the query reads, and how far they already
 * narrow and order the codes.
 */
export type ListPlan = {
  /** `q` is the codes. `c` is the counters, if the codes are sorted by them. */
  from: RawBuilder<unknown>
  where: readonly RawBuilder<unknown>[]
  orderBy?: RawBuilder<unknown>
  findsWords?: readonly SearchWord[]
  findsTag?: string
  findsFolder?: boolean
  /** The column of the id, if the codes themselves are not needed. */
  id?: RawBuilder<unknown>
}

/**
 * Returns the conditions for the counters of an organization, or of folders in it. Without folders,
 * the counters of codes in folders are included.
 */
export function countersOf(
  db: Database,
  { organizationId, folderIds }: Pick<CodeFilter, 'organizationId' | 'folderIds'>,
): RawBuilder<unknown>[] {
  const ofOrganization = sql`c.organization_id = ${organizationId}`
  return folderIds === undefined ? [ofOrganization] : [ofOrganization, inFolders(db, 'c', folderIds)]
}

/** Returns the condition for codes or counters in these folders. Null: in no folder. */
export function inFolders(
  db: Database,
  table: 'c' | 'q',
  folderIds: readonly string[] | null,
): RawBuilder<unknown> {
  const column = sql.ref(`${table}.folder_id`)
  if (folderIds === null) return sql`${column} is null`
  // One folder is the common case, and an index has its order.
  const [only] = folderIds
  return folderIds.length === 1 ? sql`${column} = ${only}` : isOneOf(db, `${table}.folder_id`, folderIds)
}

/** Returns the condition for codes `q` in a state, as `stateOf` of the contract determines it. */
export function inState({ is, atMs }: NonNullable<CodeFilter['state']>): RawBuilder<unknown> {
  const ended = sql`(q.ends_at_ms is not null and q.ends_at_ms <= ${atMs})`
  const scheduled = sql`(q.starts_at_ms is not null and q.starts_at_ms > ${atMs})`
  const full = sql`exists (
    select 1
    from scan_limits as l
    where l.organization_id = q.organization_id
    and l.qr_code_id = q.id
    and l.taken >= l.scan_limit
  )`
  const active = sql`q.status = 'ACTIVE'`
  // `access is not null` finds the few codes that have access by their index.
  const few = sql`${active} and q.access is not null`
  switch (is) {
    case 'ARCHIVED':
      return sql`q.status = 'ARCHIVED'`
    case 'ENDED':
      return sql`${few} and ${ended}`
    case 'SCHEDULED':
      return sql`${few} and not ${ended} and ${scheduled}`
    case 'FULL':
      return sql`${few} and not ${ended} and not ${scheduled} and ${full}`
    case 'LIVE':
      return sql`${active} and not ${ended} and not ${scheduled} and not ${full}`
    default:
      return is satisfies never
  }
}
