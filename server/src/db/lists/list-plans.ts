import { type RawBuilder, sql } from 'kysely'
import type { CodeKind } from './qr-code-counts.ts'

/** Which codes of an organization a list holds. */
export type CodeFilter = CodeKind & {
  /** Part of the name, folded as `qr_codes.name_search` is; empty: any name. */
  namePart: string
  /** All of them. */
  tags: readonly string[]
}

export type CodeOrder = {
  sort: 'createdAt' | 'updatedAt' | 'name' | 'totalScans'
  order: 'asc' | 'desc'
  offset: number
  limit: number
}

/** How to find the codes of a list: what the query goes through, and how that already narrows and orders them. */
export type ListPlan = {
  /** `q` is the codes; `c` the counters, when they are sorted by them. */
  from: RawBuilder<unknown>
  where: readonly RawBuilder<unknown>[]
  orderBy?: RawBuilder<unknown>
  findsNames?: boolean
  findsTag?: string
  findsFolder?: boolean
  /** Where the id stands, when the codes themselves are not needed. */
  id?: RawBuilder<unknown>
}

/** The counters of an organization, or of a folder in it; no folder: also those of codes in folders. */
export function countersOf(organizationId: string, folderId: string | undefined): RawBuilder<unknown>[] {
  const ofOrganization = sql`c.organization_id = ${organizationId}`
  return folderId === undefined ? [ofOrganization] : [ofOrganization, sql`c.folder_id = ${folderId}`]
}
