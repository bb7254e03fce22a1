import { tag, type Database } from '../../db/database.ts'

// This review spans organizations: it is for the operator, and never for a caller of the API.

/** Proved domains that an operator should know of, as organization/host, in order. */
export type DomainReview = {
  /** Domains that are proved, or were and are FAILING. */
  proved: number
  /** Domains without proof for 7 days. */
  failing: string[]
  /** Domains whose proof the last look did not find. */
  withoutProof: string[]
  /** Domains that were not looked at since `sinceMs`. */
  overdue: string[]
}

/** Reads the review of all organizations' domains. Claims that were never proved are none. */
export async function readDomainReview(
  db: Database,
  { sinceMs }: { sinceMs: number },
): Promise<DomainReview> {
  const rows = await db.kysely
    .selectFrom('domains')
    .innerJoin('organizations', 'organizations.id', 'domains.organization_id')
    .select([
      'organizations.slug',
      'domains.hostname',
      'domains.status',
      'domains.checked_at_ms as checkedAtMs',
      'domains.dns_problem as problem',
    ])
    .where('domains.status', '<>', 'PENDING')
    .orderBy('organizations.slug')
    .orderBy('domains.hostname')
    .modifyEnd(tag('catalogue.readDomainReview'))
    .execute()
  const named = (which: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(which).map(({ slug, hostname }) => `${slug}/${hostname}`)
  return {
    proved: rows.length,
    failing: named(({ status }) => status === 'FAILING'),
    withoutProof: named(({ status, problem }) => status === 'ACTIVE' && problem !== null),
    overdue: named(({ checkedAtMs }) => checkedAtMs === null || checkedAtMs < sinceMs),
  }
}
