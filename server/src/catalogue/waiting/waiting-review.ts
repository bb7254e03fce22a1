import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'

// This review spans organizations: it is for the operator, and never for a caller of the API.

/** A host name, the organization that has it, and its codes there; or one that has it no more. */
export type HostReview = {
  hostname: string
  slug: string
  /** Whether the organization has the name now. */
  isOwner: boolean
  codes: number
  /** Codes that wait for its proof, without those that are lost. */
  waiting: number
}

/** Returns every domain of every organization with its codes, and those that wait. */
export async function readHostReview(db: Database): Promise<HostReview[]> {
  const { rows } = await sql<{
    hostname: string
    slug: string
    status: string
    codes: number | string
    waiting: number | string
  }>`/* catalogue.hostReview */
    select d.hostname, o.slug, d.status,
      (select count(*) from qr_codes as q where q.organization_id = d.organization_id and q.domain_id = d.id)
        as "codes",
      (
        select count(*)
        from waiting_qr_codes as w
        where w.organization_id = d.organization_id and w.hostname = d.hostname and w.lost_at_ms is null
      ) as "waiting"
    from domains as d
    join organizations as o on o.id = d.organization_id
    order by d.hostname, o.slug`.execute(db.kysely)
  return rows.map(({ status, codes, waiting, ...row }) => ({
    ...row,
    isOwner: status !== 'PENDING',
    codes: Number(codes),
    waiting: Number(waiting),
  }))
}
