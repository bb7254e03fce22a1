import type { CertificateProof } from '@everscan/contract/domains/domains.ts'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import { sql } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import type { Reach } from '../../dns-looks.ts'
import type { CertificateProofKind } from '../../db/certificate-tables.ts'
import { changeOfHost, recordChanges } from '../../db/feeds/changes.ts'
import { storedProblem } from '../rows/named-problem.ts'

/** A host name whose order this worker places; no other does until the lease is over. */
export type OrderClaim = {
  hostname: string
  leasedUntilMs: number
  /** Failed orders since the last that succeeded. */
  attempts: number
  /** When the certificate in use ends; null: there is none. */
  expiresAtMs: number | null
  /** How the certificate in use was proved. */
  provedBy: CertificateProofKind | null
  /** Whether the name is to be proved by a TXT record: it does not lead here yet. */
  isByDns: boolean
  /** The order that waits for that record; null: none does. */
  dnsOrder: DnsOrder | null
}

/** An order that a person proves with a TXT record. */
export type DnsOrder = {
  orderUrl: string
  /** The value of the record; empty: the authority has proved the name already. */
  value: string
  orderedAtMs: number
}

/** A certificate that an authority issued. */
export type IssuedCertificate = {
  chain: string
  /** Sealed. */
  privateKey: string
  validFromMs: number
  expiresAtMs: number
  provedBy?: CertificateProofKind
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
  const { rows } = await sql<DueRow>`/* catalogue.dueCertificates */
    select c.hostname, c.attempts, c.expires_at_ms as "expiresAtMs", c.proved_by as "provedBy",
      c.dns_order_url as "orderUrl", c.dns_value as "value", c.dns_ordered_at_ms as "orderedAtMs",
      d.certificate_proof as "proof", d.reach
    from certificates as c
    left join domains as d on d.hostname = c.hostname and d.status <> 'PENDING'
    where c.next_order_at_ms <= ${nowMs}
    and (c.leased_until_ms is null or c.leased_until_ms < ${nowMs})
    and (c.hostname = ${publicHost ?? ''} or d.id is not null)
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
    if (numUpdatedRows === 1n) claims.push({ ...claimOf(row), leasedUntilMs })
  }
  return claims
}

type DueRow = Pick<OrderClaim, 'hostname' | 'attempts' | 'expiresAtMs' | 'provedBy'> & {
  orderUrl: string | null
  value: string | null
  orderedAtMs: number | null
  proof: CertificateProof | null
  reach: Reach | null
}

function claimOf({
  orderUrl,
  value,
  orderedAtMs,
  proof,
  reach,
  ...row
}: DueRow): Omit<OrderClaim, 'leasedUntilMs'> {
  // A name that leads here needs nobody for its renewal.
  const isByDns = proof === 'dns' && reach !== 'HERE' && reach !== 'PLAIN'
  const dnsOrder =
    orderUrl === null || orderedAtMs === null ? null : { orderUrl, value: value ?? '', orderedAtMs }
  return { ...row, isByDns, dnsOrder }
}

/** Saves the order that waits for a TXT record, which the domain then shows. */
export async function saveDnsOrder(
  db: Database,
  { hostname, leasedUntilMs }: OrderClaim,
  { orderUrl, value, orderedAtMs }: DnsOrder,
): Promise<void> {
  await db.kysely
    .updateTable('certificates')
    .set({ dns_order_url: orderUrl, dns_value: value === '' ? null : value, dns_ordered_at_ms: orderedAtMs })
    .where('hostname', '=', hostname)
    .where('leased_until_ms', '=', leasedUntilMs)
    .modifyEnd(tag('catalogue.saveDnsOrder'))
    .execute()
}

/** Ends a claim whose order waits for a TXT record. It failed only if a certificate ends. */
export async function postponeOrder(
  db: Database,
  { hostname, leasedUntilMs }: OrderClaim,
  { nextOrderAtMs, problem }: { nextOrderAtMs: number; problem: Problem | null },
): Promise<void> {
  await db.kysely
    .updateTable('certificates')
    .set({ next_order_at_ms: nextOrderAtMs, ...told(problem), leased_until_ms: null })
    .where('hostname', '=', hostname)
    .where('leased_until_ms', '=', leasedUntilMs)
    .modifyEnd(tag('catalogue.postponeOrder'))
    .execute()
}

function told(problem: Problem | null) {
  return { problem: problem?.message ?? null, named_problem: storedProblem(problem) }
}

const noDnsOrder = { dns_order_url: null, dns_value: null, dns_ordered_at_ms: null }

/** Stores a certificate that was issued for a claim. The feed of changes tells the fronts. */
export async function storeCertificate(
  db: Database,
  { hostname }: Pick<OrderClaim, 'hostname'>,
  issued: IssuedCertificate,
): Promise<void> {
  const { chain, privateKey, validFromMs, expiresAtMs, provedBy = 'http-01' } = issued
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
        ...told(null),
        told_days: null,
        mail_due_at_ms: null,
        proved_by: provedBy,
        ...noDnsOrder,
      })
      .where('hostname', '=', hostname)
      .modifyEnd(tag('catalogue.storeCertificate'))
      .execute()
    await recordChanges(tx, [changeOfHost(hostname)])
  })
}

/**
 * Ends a claim without a certificate. The one in use stays, and so does an order that waits for a
 * TXT record unless it is over.
 */
export async function failOrder(
  db: Database,
  { hostname, leasedUntilMs }: OrderClaim,
  {
    attempts,
    nextOrderAtMs,
    problem,
    isOver,
  }: { attempts: number; nextOrderAtMs: number; problem: Problem; isOver: boolean },
): Promise<void> {
  await db.kysely
    .updateTable('certificates')
    .set({
      attempts,
      next_order_at_ms: nextOrderAtMs,
      ...told(problem),
      leased_until_ms: null,
      ...(isOver && noDnsOrder),
    })
    .where('hostname', '=', hostname)
    .where('leased_until_ms', '=', leasedUntilMs)
    .modifyEnd(tag('catalogue.failOrder'))
    .execute()
}
