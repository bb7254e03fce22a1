import type { ListQrCodesQuery } from '@everscan/contract/qr-codes.ts'
import { sql, type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from 'kysely'
import { tag, type Database } from '../db/database.ts'
import type { Tables } from '../db/tables.ts'
import { completeQrCodes, selectQrCodes, type QrCodeRow } from './qr-code-rows.ts'
import { containsPattern } from './search-text.ts'
import { normalTags } from './tags.ts'

/** The query of the list, with page and limit decided; `tag` means all of them. */
export type ListQrCodes = Pick<
  ListQrCodesQuery,
  'type' | 'folderId' | 'search' | 'status' | 'tag' | 'sort' | 'order'
> & { page: number; limit: number }

const sortColumns = {
  createdAt: 'q.created_at_ms',
  updatedAt: 'q.updated_at_ms',
  name: 'q.name_search',
  totalScans: 'c.total_scans',
} as const

/** A page of an organization's codes, and how many match in all. Equal values are ordered by creation. */
export async function listQrCodes(
  db: Database,
  organizationId: string,
  query: ListQrCodes,
): Promise<{ rows: QrCodeRow[]; total: number }> {
  const { page, limit, sort = 'createdAt', order = 'desc' } = query
  const selected = await selectQrCodes(db, organizationId)
    .where((where) => matches(where, query))
    .orderBy(sortColumns[sort], order)
    .orderBy('q.id', order)
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listQrCodes'))
    .execute()
  const rows = await completeQrCodes(db, selected)
  return { rows, total: await countQrCodes(db, organizationId, query) }
}

/** How many codes of an organization match. */
export async function countQrCodes(
  db: Database,
  organizationId: string,
  query: Omit<ListQrCodes, 'page' | 'limit'>,
): Promise<number> {
  const { total } = await db.kysely
    .selectFrom('qr_codes as q')
    .where('q.organization_id', '=', organizationId)
    .where((where) => matches(where, query))
    .select((select) => select.fn.countAll<number>().as('total'))
    .modifyEnd(tag('catalogue.countQrCodes'))
    .executeTakeFirstOrThrow()
  return total
}

type CodeTables = Tables & { q: Tables['qr_codes'] }

function matches(
  where: ExpressionBuilder<CodeTables, 'q'>,
  query: Omit<ListQrCodes, 'page' | 'limit'>,
): ExpressionWrapper<CodeTables, 'q', SqlBool> {
  const { type, folderId, status, search = '', tag: tags = [] } = query
  const conditions = [
    ...(type === undefined ? [] : [where('q.type', '=', type)]),
    ...(folderId === undefined ? [] : [where('q.folder_id', '=', folderId)]),
    ...(status === undefined ? [] : [where('q.status', '=', status)]),
    ...(search === '' ? [] : [sql<SqlBool>`q.name_search like ${containsPattern(search)} escape '\\'`]),
    ...normalTags(tags).map((name) =>
      where.exists(
        where
          .selectFrom('qr_code_tags as t')
          .select('t.tag')
          .whereRef('t.organization_id', '=', 'q.organization_id')
          .whereRef('t.qr_code_id', '=', 'q.id')
          .where('t.tag', '=', name),
      ),
    ),
  ]
  return where.and(conditions)
}
