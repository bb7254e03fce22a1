import { destinationsOf } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { Fields } from '@everscan/contract/schema/fields.ts'
import { tag, type Database } from '../../db/database.ts'
import type { DomainRow } from '../rows/domain-row.ts'

// The owner of a host name sees no more of codes that others printed there before it than anybody
// sees who scans them.

/** An active code of a former owner. */
export type FormerCodeRow = {
  shortCode: string
  domain: string
  type: QrCodeType
  /** Each address once, those of rules included. */
  destinations: readonly string[]
  /** When it ends; null: no notice was given. */
  endsAtMs: number | null
  createdAtMs: number
}

type Owner = Pick<DomainRow, 'organizationId' | 'hostname' | 'status'>

/** Selects active codes of former owners of a host name, which end after `nowMs`. */
function selectFormer(db: Database, { organizationId, hostname }: Owner, nowMs: number) {
  return db.kysely
    .selectFrom('domains as d')
    .innerJoin('qr_codes as q', (join) =>
      join.onRef('q.organization_id', '=', 'd.organization_id').onRef('q.domain_id', '=', 'd.id'),
    )
    .where('d.hostname', '=', hostname)
    .where('d.organization_id', '<>', organizationId)
    .where('d.proved_at_ms', 'is not', null)
    .where('q.status', '=', 'ACTIVE')
    .where((where) =>
      where.or([where('d.notice_ends_at_ms', 'is', null), where('d.notice_ends_at_ms', '>', nowMs)]),
    )
}

/**
 * Counts codes of former owners that a host name still answers, and returns when the last of them
 * ends; null: not all of them were given notice.
 */
export async function countFormerCodes(
  db: Database,
  owner: Owner,
  nowMs: number,
): Promise<{ formerCodes: number; formerEndsAtMs: number | null }> {
  if (owner.status === 'PENDING') return { formerCodes: 0, formerEndsAtMs: null }
  const { total, noticed, endsAtMs } = await selectFormer(db, owner, nowMs)
    .select((select) => [
      select.fn.countAll<number>().as('total'),
      select.fn.count<number>('d.notice_ends_at_ms').as('noticed'),
      select.fn.max('d.notice_ends_at_ms').as('endsAtMs'),
    ])
    .modifyEnd(tag('catalogue.countFormerCodes'))
    .executeTakeFirstOrThrow()
  return { formerCodes: total, formerEndsAtMs: noticed === total ? endsAtMs : null }
}

/**
 * Returns a page of the codes of former owners that a host name still answers, newest first, and
 * the total. A claim without proof has none.
 */
export async function listFormerCodes(
  db: Database,
  owner: Owner,
  { page, limit, nowMs }: { page: number; limit: number; nowMs: number },
): Promise<{ rows: FormerCodeRow[]; total: number }> {
  const { formerCodes: total } = await countFormerCodes(db, owner, nowMs)
  if (total === 0) return { rows: [], total }
  const rows = await selectFormer(db, owner, nowMs)
    .innerJoin('short_codes as s', 's.canonical_code', 'q.canonical_code')
    .select([
      's.short_code as shortCode',
      'q.type',
      'q.data',
      'q.rules',
      'd.notice_ends_at_ms as endsAtMs',
      'q.created_at_ms as createdAtMs',
    ])
    .orderBy('q.created_at_ms', 'desc')
    .orderBy('q.canonical_code')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listFormerCodes'))
    .execute()
  return {
    total,
    rows: rows.map(({ type, data, rules, ...row }) => ({
      ...row,
      type,
      domain: owner.hostname,
      destinations: addressesIn(type, [
        JSON.parse(data),
        ...(JSON.parse(rules ?? '[]') as { data: Fields }[]).map((rule) => rule.data),
      ]),
    })),
  }
}

function addressesIn(type: QrCodeType, contents: readonly Fields[]): string[] {
  return [...new Set(contents.flatMap((data) => destinationsOf(type, data).map(({ url }) => url)))]
}
