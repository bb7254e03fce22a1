import { type RawBuilder, sql } from 'kysely'
import type { CodeKind } from './qr-code-counts.ts'

/** The codes of an organization that a list contains. */
export type CodeFilter = CodeKind & {
  /** Part of the name, folded as in `qr_codes.name_search`; empty: any name. */
  namePart: string
  /** A code must have all of them. */
  tags: readonly string[]
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
  findsNames?: boolean
  findsTag?: string
  findsFolder?: boolean
  /** The column of the id, if the codes themselves are not needed. */
  id?: RawBuilder<unknown>
}

/**
 * Returns the conditions for the counters of an organization, or of a folder in it. Without a
 * folder, the counters of codes in folders are included.
 */
export function countersOf(organizationId: string, folderId: string | undefined): RawBuilder<unknown>[] {
  const ofOrganization = sql`c.organization_id = ${organizationId}`
  return folderId === undefined ? [ofOrganization] : [ofOrganization, sql`c.folder_id = ${folderId}`]
}
