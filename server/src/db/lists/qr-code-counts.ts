import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import { sql, type RawBuilder } from 'kysely'
import { inTransaction, lockName, type Database } from '../database.ts'
import { isOneOf } from '../dialects/row-sets.ts'

/** The requested kind of codes; an absent field stands for all. */
export type CodeKind = {
  organizationId: string
  type?: QrCodeType | undefined
  status?: QrCodeStatus | undefined
  /** Null: only codes without a folder. */
  folderIds?: readonly string[] | null | undefined
}

export type CodeCounts = {
  /** All codes of the organization. */
  all: number
  /** The codes in the requested folders; without any, all. */
  inFolder: number
  /** The codes of the kind. */
  ofKind: number
  /**
   * Increases with every change of a code of the organization: two equal revisions mean that
   * nothing changed between them.
   */
  revision: number
}

/**
 * On PostgreSQL each connection counts in its own rows. The rows of an organization with more than
 * this many are added up.
 */
const rowsMax = 100

/** Counts codes without reading them. */
export async function countCodes(
  db: Database,
  { organizationId, type, status, folderIds }: CodeKind,
): Promise<CodeCounts> {
  const all = inAnyFolder(db)
  const inFolder =
    folderIds === undefined
      ? all
      : folderIds === null
        ? sql`folder_id = ${noFolder}`
        : isOneOf(db, 'folder_id', folderIds)
  const { rows } = await sql<CodeCounts>`/* db.countCodes */
    select
      cast(coalesce(sum(case when ${all} then codes end), 0) as bigint) as "all",
      cast(coalesce(sum(case when ${inFolder} then codes end), 0) as bigint) as "inFolder",
      cast(coalesce(sum(case
        when ${inFolder}
        and (cast(${type ?? null} as text) is null or type = ${type ?? null})
        and (cast(${status ?? null} as text) is null or status = ${status ?? null})
        then codes
      end), 0) as bigint) as "ofKind",
      cast(coalesce(sum(case when ${all} then writes end), 0) as bigint) as "revision"
    from qr_code_counts
    where organization_id = ${organizationId} and (${all} or ${inFolder})`.execute(db.kysely)
  return rows[0] ?? { all: 0, inFolder: 0, ofKind: 0, revision: 0 }
}

/** How codes without a folder are counted. */
const noFolder = ''

/**
 * Counts the codes in each of these folders, without reading them. The map omits folders without
 * codes.
 */
export async function countInFolders(
  db: Database,
  organizationId: string,
  folderIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ folderId: string; codes: number }>`/* db.countInFolders */
    select folder_id as "folderId", cast(sum(codes) as bigint) as "codes"
    from qr_code_counts
    where organization_id = ${organizationId} and ${isOneOf(db, 'folder_id', folderIds)}
    group by folder_id
    having sum(codes) > 0`.execute(db.kysely)
  return new Map(rows.map(({ folderId, codes }) => [folderId, codes]))
}

/**
 * Counts the codes of a kind that have a tag, without reading them. Not for codes without a folder,
 * whose tags are not counted by themselves.
 */
export async function countTagged(
  db: Database,
  { organizationId, type, status, folderIds }: CodeKind & { folderIds?: readonly string[] | undefined },
  tag: string,
): Promise<number> {
  const { rows } = await sql<{ codes: number }>`/* db.countTagged */
    select cast(coalesce(sum(codes), 0) as bigint) as "codes"
    from qr_code_tag_counts
    where organization_id = ${organizationId}
    and ${isOneOf(db, 'folder_id', folderIds ?? ['*'])}
    and tag = ${tag}
    ${type === undefined ? sql`` : sql`and type = ${type}`}
    ${status === undefined ? sql`` : sql`and status = ${status}`}`.execute(db.kysely)
  return rows[0]?.codes ?? 0
}

/** Returns an expression for the revision of an organization, as in `CodeCounts`. */
export function revisionOf(db: Database, organizationId: string): RawBuilder<number> {
  return sql`(
    select cast(coalesce(sum(writes), 0) as bigint)
    from qr_code_counts
    where organization_id = ${organizationId} and ${inAnyFolder(db)}
  )`
}

/**
 * Returns the condition for all folders together. PostgreSQL counts them in separate rows, SQLite
 * in one row for each kind.
 */
function inAnyFolder({ dialect }: Database): RawBuilder<unknown> {
  return dialect === 'postgres' ? sql`folder_id = '*'` : sql`true`
}

/**
 * Adds up the rows of organizations that have many of them. The sums stay the same, so no
 * transaction has to wait for it. Part of the worker's periodic work.
 */
export async function addUpCodeCounts(db: Database): Promise<void> {
  // On SQLite each kind has one row.
  if (db.dialect !== 'postgres') return
  const { rows } = await sql<{ organizationId: string }>`/* db.addUpCodeCounts */
    select organization_id as "organizationId"
    from qr_code_counts
    group by organization_id
    having count(*) > ${rowsMax} + 2 * count(distinct (type, status, folder_id))`.execute(db.kysely)
  for (const { organizationId } of rows)
    await inTransaction(db, async (tx) => {
      await lockName(tx, 'add up code counts')
      // A row that a transaction is changing is left for the next time, so neither of the two waits
      // for the other.
      await sql`/* db.addUpCodeCounts */
        with free as (
          select ctid
          from qr_code_counts
          where organization_id = ${organizationId}
          for update skip locked
        ), old as (
          delete from qr_code_counts
          where organization_id = ${organizationId} and ctid in (select ctid from free)
          returning *
        )
        insert into qr_code_counts (organization_id, type, status, folder_id, codes, writes)
        select organization_id, type, status, folder_id, sum(codes), sum(writes)
        from old
        group by organization_id, type, status, folder_id`.execute(tx.kysely)
    })
  await addUpTagCounts(db)
}

/**
 * Adds the rows of connections to those that were added up before, and no others: there can be many
 * tags.
 */
async function addUpTagCounts(db: Database): Promise<void> {
  const { rows } = await sql<{ organizationId: string }>`/* db.addUpTagCounts */
    select organization_id as "organizationId"
    from qr_code_tag_counts
    where writer <> 0
    group by organization_id
    having count(*) > ${rowsMax}`.execute(db.kysely)
  for (const { organizationId } of rows)
    await inTransaction(db, async (tx) => {
      await lockName(tx, 'add up code counts')
      await sql`/* db.addUpTagCounts */
        with free as (
          select ctid
          from qr_code_tag_counts
          where organization_id = ${organizationId} and writer <> 0
          for update skip locked
        ), old as (
          delete from qr_code_tag_counts
          where organization_id = ${organizationId} and writer <> 0 and ctid in (select ctid from free)
          returning *
        )
        insert into qr_code_tag_counts (organization_id, folder_id, tag, type, status, codes)
        select organization_id, folder_id, tag, type, status, sum(codes)
        from old
        group by organization_id, folder_id, tag, type, status
        on conflict (organization_id, folder_id, tag, type, status, writer) do update
        set codes = qr_code_tag_counts.codes + excluded.codes`.execute(tx.kysely)
      await sql`/* db.addUpTagCounts */
        delete from qr_code_tag_counts
        where organization_id = ${organizationId} and writer = 0 and codes = 0`.execute(tx.kysely)
    })
}
