import { sql } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { changeOfHost, recordChanges } from '../../db/feeds/changes.ts'

/** A host name whose order this worker places; no other does until the lease is over. */
export type OrderClaim = {
  hostname: string
  leasedUntilMs: number
  /** Failed orders since the last that succeeded. */
  attempts: number
  /** When the certificate in use ends; null: there is none. */
  expiresAtMs: number | null
}

/** A certificate that an authority issued. */
export type IssuedCertificate = {
  chain: string
  /** Sealed. */
  privateKey: string
  validFromMs: number
  expiresAtMs: number
}

/** Certificates are renewed when this share of their life is over. */
const renewalShare = 2 / 3

/**
 * Claims host names whose order is due, those that wait longest first: `publicHost` and every
 * domain that is or was proved. A lease that runs out can be claimed again.
 */
export async function claimOrders(
  db: Database,
  {
    publicHost,
    nowMs,
    leaseMs,
    limit,
  }: { publicHost: string | undefined; nowMs: number; leaseMs: number; limit: number },
): Promise<OrderClaim[]> {
  await sql`/* catalogue.addCertificates */
    insert into certificates (hostname, attempts, next_order_at_ms)
    select hostname, 0, ${nowMs} from domains where status <> 'PENDING'
    on conflict (hostname) do nothing`.execute(db.kysely)
  if (publicHost !== undefined)
    await sql`/* catalogue.addCertificate */
      insert into certificates (hostname, attempts, next_order_at_ms)
      values (${publicHost}, 0, ${nowMs})
      on conflict (hostname) do nothing`.execute(db.kysely)
  const { rows } = await sql<Omit<OrderClaim, 'leasedUntilMs'>>`/* catalogue.dueCertificates */
    select c.hostname, c.attempts, c.expires_at_ms as "expiresAtMs"
    from certificates as c
    where c.next_order_at_ms <= ${nowMs}
    and (c.leased_until_ms is null or c.leased_until_ms < ${nowMs})
    and (c.hostname = ${publicHost ?? ''} or exists (
      select 1 from domains as d where d.hostname = c.hostname and d.status <> 'PENDING'
    ))
    order by c.next_order_at_ms
    limit ${limit}`.execute(db.kysely)
  const leasedUntilMs = nowMs + leaseMs
  const claims: OrderClaim[] = []
  for (const row of rows) {
    const { numUpdatedRows } = await db.kysely
      .updateTable('certificates')
      .set({ leased_until_ms: leasedUntilMs })
      .where('hostname', '=', row.hostname)
      .where('next_order_at_ms', '<=', nowMs)
      .where((where) =>
        where.or([where('leased_until_ms', 'is', null), where('leased_until_ms', '<', nowMs)]),
      )
      .modifyEnd(tag('catalogue.claimOrder'))
      .executeTakeFirst()
    if (numUpdatedRows === 1n) claims.push({ ...row, leasedUntilMs })
  }
  return claims
}

/** Stores a certificate that was issued for a claim. The feed of changes tells the fronts. */
export async function storeCertificate(
  db: Database,
  { hostname }: OrderClaim,
  issued: IssuedCertificate,
): Promise<void> {
  const { chain, privateKey, validFromMs, expiresAtMs } = issued
  await inTransaction(db, async (tx) => {
    await tx.kysely
      .updateTable('certificates')
      .set({
        chain,
        private_key: privateKey,
        valid_from_ms: validFromMs,
        expires_at_ms: expiresAtMs,
        attempts: 0,
        next_order_at_ms: Math.floor(validFromMs + (expiresAtMs - validFromMs) * renewalShare),
        leased_until_ms: null,
        problem: null,
        told_days: null,
      })
      .where('hostname', '=', hostname)
      .modifyEnd(tag('catalogue.storeCertificate'))
      .execute()
    await recordChanges(tx, [changeOfHost(hostname)])
  })
}

/** Ends a claim without a certificate. The one in use stays. */
export async function failOrder(
  db: Database,
  { hostname, leasedUntilMs }: OrderClaim,
  { attempts, nextOrderAtMs, problem }: { attempts: number; nextOrderAtMs: number; problem: string },
): Promise<void> {
  await db.kysely
    .updateTable('certificates')
    .set({ attempts, next_order_at_ms: nextOrderAtMs, problem, leased_until_ms: null })
    .where('hostname', '=', hostname)
    .where('leased_until_ms', '=', leasedUntilMs)
    .modifyEnd(tag('catalogue.failOrder'))
    .execute()
}
