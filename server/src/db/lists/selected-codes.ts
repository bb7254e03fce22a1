import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database.ts'
import { isOneOf } from '../dialects/row-sets.ts'
import { orderBy } from './qr-code-lists.ts'
import { isSearchIndexed } from './search-index.ts'

/** The codes of an organization that match everything that is set. */
export type CodeSelection = {
  organizationId: string
  /** The folders of the codes; null: only codes without a folder. */
  folderIds?: readonly string[] | null | undefined
  type?: QrCodeType | undefined
  /** A code must have all of them. */
  tags: readonly string[]
  ids?: readonly string[] | undefined
}

export type SelectedCodes = {
  total: number
  active: number
  /** Separated by commas, in their order. Empty if there are none. */
  ids: string
}

/**
 * Reads all codes of a selection. The database joins the ids, because a hundred thousand rows would
 * take longer than the rest.
 */
export async function selectCodes(db: Database, selection: CodeSelection): Promise<SelectedCodes> {
  const { rows } = await sql<SelectedCodes>`/* db.selectCodes */
    select
      count(*) as "total",
      cast(coalesce(sum(case when status = 'ACTIVE' then 1 else 0 end), 0) as bigint) as "active",
      coalesce(string_agg(id, ',' order by id), '') as "ids"
    from (select q.id as id, q.status as status from qr_codes as q where ${conditions(db, selection)}) as selected`.execute(
    db.kysely,
  )
  return rows[0] ?? { total: 0, active: 0, ids: '' }
}

/** Counts the codes that the organization has or had. */
export async function countCodesEver(db: Database, organizationId: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`/* db.countCodesEver */
    select count(*) as "total" from short_codes where organization_id = ${organizationId}`.execute(db.kysely)
  return rows[0]?.total ?? 0
}

/**
 * Reads the codes that the organization has or had and that are not selected. Codes outlive their
 * deletion as short codes.
 */
export async function selectOtherCodes(
  db: Database,
  selection: CodeSelection,
): Promise<Pick<SelectedCodes, 'total' | 'ids'>> {
  const { rows } = await sql<{ total: number; ids: string }>`/* db.selectOtherCodes */
    select count(*) as "total", coalesce(string_agg(id, ',' order by id), '') as "ids"
    from (
      select distinct qr_code_id as id from short_codes where organization_id = ${selection.organizationId}
      except
      select q.id from qr_codes as q where ${conditions(db, selection)}
    ) as others`.execute(db.kysely)
  return rows[0] ?? { total: 0, ids: '' }
}

/** Returns the ids on one page of a selection by name, as codes are listed. */
export async function selectedIdsByName(
  db: Database,
  selection: CodeSelection,
  { order, offset, limit }: { order: 'asc' | 'desc'; offset: number; limit: number },
): Promise<string[]> {
  const isIndexed = await isSearchIndexed(db, selection.organizationId)
  const { rows } = await sql<{ id: string }>`/* db.selectedIdsByName */
    select q.id as "id"
    from qr_codes as q
    where ${conditions(db, selection)}
    order by ${orderBy({ sort: 'name', order }, { isIndexed })}
    limit ${limit}
    offset ${offset}`.execute(db.kysely)
  return rows.map(({ id }) => id)
}

function conditions(
  db: Database,
  { organizationId, folderIds, type, tags, ids }: CodeSelection,
): RawBuilder<unknown> {
  return sql.join(
    [
      sql`q.organization_id = ${organizationId}`,
      ...(folderIds === undefined
        ? []
        : [folderIds === null ? sql`q.folder_id is null` : isOneOf(db, 'q.folder_id', folderIds)]),
      ...(type === undefined ? [] : [sql`q.type = ${type}`]),
      ...(ids === undefined ? [] : [isOneOf(db, 'q.id', ids)]),
      ...tags.map(
        (tag) => sql`q.id in (
          select qr_code_id from qr_code_tags where organization_id = ${organizationId} and tag = ${tag}
        )`,
      ),
    ],
    sql` and `,
  )
}
