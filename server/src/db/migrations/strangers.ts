import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { isStranger, waitingCodes } from './versions/domains/0063-waiting-codes.ts'
import { domains } from './versions/domains/0041-domains.ts'

/** Codes that an upgrade makes wait, on a host name that their organization has not proved. */
export type Strangers = { slug: string; hostname: string; codes: number }

/**
 * Returns the codes that the missing migrations make wait, by organization and host name: see
 * record 92. Its organization is to be asked whether it has the name.
 */
export async function readStrangers(db: Database, missing: readonly string[]): Promise<Strangers[]> {
  if (!missing.includes(waitingCodes.name) || missing.includes(domains.name)) return []
  const host =
    db.dialect === 'sqlite'
      ? sql`substr(q.canonical_code, 1, instr(q.canonical_code, '/') - 1)`
      : sql`split_part(q.canonical_code, '/', 1)`
  type Row = Omit<Strangers, 'codes'> & { codes: number | string }
  const { rows } = await sql<Row>`/* db.strangers */
    select o.slug, ${host} as "hostname", count(*) as "codes"
    from qr_codes as q
    join organizations as o on o.id = q.organization_id
    where q.domain_id is not null and ${sql.raw(isStranger(db, 'q'))}
    group by o.slug, ${host}
    order by o.slug, ${host}`.execute(db.kysely)
  return rows.map((row) => ({ ...row, codes: Number(row.codes) }))
}
