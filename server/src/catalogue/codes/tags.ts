import { tag as queryTag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import { searchText } from './search-text.ts'

/** Returns the tags of these codes by code id. The map omits codes without tags. */
export async function readTags(
  db: Database,
  organizationId: string,
  qrCodeIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (qrCodeIds.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('qr_code_tags')
    .select(['qr_code_id', 'tag'])
    .where('organization_id', '=', organizationId)
    .where(isOneOf(db, 'qr_code_id', qrCodeIds))
    .orderBy('qr_code_id')
    .orderBy('position')
    .modifyEnd(queryTag('catalogue.readTags'))
    .execute()
  const tags = new Map<string, string[]>()
  for (const row of rows) {
    const list = tags.get(row.qr_code_id)
    if (list === undefined) tags.set(row.qr_code_id, [row.tag])
    else list.push(row.tag)
  }
  return tags
}

type TaggedCode = { organizationId: string; id: string; tags: readonly string[] }

/** Inserts the tags of codes that have none yet. */
export async function insertTags(tx: Database, codes: readonly TaggedCode[]): Promise<void> {
  const rows = codes.flatMap(({ organizationId, id, tags }) =>
    tags.map((tag, position) => ({ organization_id: organizationId, qr_code_id: id, tag, position })),
  )
  await insertRows(tx, 'qr_code_tags', { rows })
}

/** Replaces all tags of some codes of one organization. */
export async function replaceTags(tx: Database, codes: readonly TaggedCode[]): Promise<void> {
  const [first] = codes
  if (first === undefined) return
  const ids = codes.map(({ id }) => id)
  await tx.kysely
    .deleteFrom('qr_code_tags')
    .where('organization_id', '=', first.organizationId)
    .where(isOneOf(tx, 'qr_code_id', ids))
    .execute()
  await insertTags(tx, codes)
}

export type TagCount = { tag: string; count: number }

/** Tags read per query; an organization can have as many tags as codes. */
const tagsReadMax = 10_000

/**
 * Returns a page of an organization's tags with the number of their codes, most used first, and the
 * total of matches.
 */
export async function listTags(
  db: Database,
  organizationId: string,
  { page, limit, search = '' }: { page: number; limit: number; search?: string | undefined },
): Promise<{ rows: TagCount[]; total: number }> {
  const folded = searchText(search)
  const matching: TagCount[] = []
  for (let after = '', read = tagsReadMax; read === tagsReadMax;) {
    const rows = await countTags(db, organizationId, after)
    // Tags are not stored folded, and neither database folds every script.
    matching.push(...rows.filter(({ tag }) => searchText(tag).includes(folded)))
    read = rows.length
    after = rows.at(-1)?.tag ?? after
  }
  matching.sort((one, other) => other.count - one.count || (one.tag < other.tag ? -1 : 1))
  return { rows: matching.slice((page - 1) * limit, page * limit), total: matching.length }
}

async function countTags(db: Database, organizationId: string, after: string): Promise<TagCount[]> {
  return (
    db.kysely
      .selectFrom('qr_code_tag_counts')
      .select((select) => ['tag', select.cast<number>(select.fn.sum('codes'), 'bigint').as('count')])
      .where('organization_id', '=', organizationId)
      // The counts of all folders.
      .where('folder_id', '=', '*')
      .where('tag', '>', after)
      .groupBy('tag')
      .having((having) => having.fn.sum('codes'), '>', 0)
      .orderBy('tag')
      .limit(tagsReadMax)
      .modifyEnd(queryTag('catalogue.listTags'))
      .execute()
  )
}
