import type { CertificateProof } from '@everscan/contract/domains/domains.ts'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import { sql } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { claimDue, ended, leases, updateHeld } from '../../db/lease.ts'
import type { Reach } from '../../dns-looks.ts'
import type { CertificateProofKind } from '../../db/certificate-tables.ts'
import { changeOfHost, recordChanges } from '../../db/feeds/changes.ts'
import { storedProblem } from '../rows/named-problem.ts'

/** A host name whose order this worker places; no other does until the lease is over. */
export type OrderClaim = {
  hostname: string
  leaseNumber: number
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
  const find = ({ kysely }: Database) =>
    kysely
      .selectFrom('certificates')
      .leftJoin('domains', (join) =>
        join.onRef('domains.hostname', '=', 'certificates.hostname').on('domains.status', '<>', 'PENDING'),
      )
      .select([
        'certificates.hostname',
        'certificates.attempts',
        'certificates.expires_at_ms as expiresAtMs',
        'certificates.proved_by as provedBy',
        'certificates.dns_order_url as orderUrl',
        'certificates.dns_value as value',
        'certificates.dns_ordered_at_ms as orderedAtMs',
        'domains.certificate_proof as proof',
        'domains.reach',
      ])
      .where('certificates.next_order_at_ms', '<=', nowMs)
      .where((where) =>
        where.or([
          where('certificates.hostname', '=', publicHost ?? ''),
          where('domains.id', 'is not', null),
        ]),
      )
      .orderBy('certificates.next_order_at_ms')
      .modifyEnd(tag('catalogue.dueCertificates'))
  const claimed = await claimDue(db, leases.certificateOrder, { find, limit, nowMs, leaseMs })
  return claimed.map(claimOf)
}

type ClaimedRow = Pick<OrderClaim, 'hostname' | 'attempts' | 'expiresAtMs' | 'provedBy' | 'leaseNumber'> & {
  orderUrl: string | null
  value: string | null
  orderedAtMs: number | null
  proof: CertificateProof | null
  reach: Reach | null
}

function claimOf({ orderUrl, value, orderedAtMs, proof, reach, ...row }: ClaimedRow): OrderClaim {
  // A name that leads here needs nobody for its renewal.
  const isByDns = proof === 'dns' && reach !== 'HERE' && reach !== 'PLAIN'
  const dnsOrder =
    orderUrl === null || orderedAtMs === null ? null : { orderUrl, value: value ?? '', orderedAtMs }
  return { ...row, isByDns, dnsOrder }
}

/** Saves the order that waits for a TXT record, which the domain then shows. Throws `LeaseLost`. */
export async function saveDnsOrder(
  db: Database,
  claim: OrderClaim,
  { orderUrl, value, orderedAtMs }: DnsOrder,
): Promise<void> {
  const order = { dns_order_url: orderUrl, dns_value: value === '' ? null : value }
  await updateHeld(db, leases.certificateOrder, claim, { ...order, dns_ordered_at_ms: orderedAtMs })
}

/**
 * Ends a claim whose order waits for a TXT record. It failed only if a certificate ends. Throws
 * `LeaseLost`.
 */
export async function postponeOrder(
  db: Database,
  claim: OrderClaim,
  { nextOrderAtMs, problem }: { nextOrderAtMs: number; problem: Problem | null },
): Promise<void> {
  await updateHeld(db, leases.certificateOrder, claim, {
    next_order_at_ms: nextOrderAtMs,
    ...told(problem),
    ...ended(leases.certificateOrder),
  })
}

function told(problem: Problem | null) {
  return { problem: problem?.message ?? null, named_problem: storedProblem(problem) }
}

const noDnsOrder = { dns_order_url: null, dns_value: null, dns_ordered_at_ms: null }

/**
 * Stores a certificate that was issued for a claim. The feed of changes tells the fronts. Throws
 * `LeaseLost`.
 */
export async function storeCertificate(
  db: Database,
  claim: Pick<OrderClaim, 'hostname' | 'leaseNumber'>,
  issued: IssuedCertificate,
): Promise<void> {
  const { chain, privateKey, validFromMs, expiresAtMs, provedBy = 'http-01' } = issued
  await inTransaction(db, async (tx) => {
    await updateHeld(tx, leases.certificateOrder, claim, {
      chain,
      private_key: privateKey,
      valid_from_ms: validFromMs,
      expires_at_ms: expiresAtMs,
      attempts: 0,
      next_order_at_ms: Math.floor(validFromMs + (expiresAtMs - validFromMs) * renewalShare),
      ...ended(leases.certificateOrder),
      ...told(null),
      told_days: null,
      // Nobody is to be told of the certificate before it.
      mail_due_at_ms: null,
      ...ended(leases.certificateMail),
      proved_by: provedBy,
      ...noDnsOrder,
    })
    await recordChanges(tx, [changeOfHost(claim.hostname)])
  })
}

/**
 * Ends a claim without a certificate. The one in use stays, and so does an order that waits for a
 * TXT record unless it is over. Throws `LeaseLost`.
 */
export async function failOrder(
  db: Database,
  claim: OrderClaim,
  {
    attempts,
    nextOrderAtMs,
    problem,
    isOver,
  }: { attempts: number; nextOrderAtMs: number; problem: Problem; isOver: boolean },
): Promise<void> {
  await updateHeld(db, leases.certificateOrder, claim, {
    attempts,
    next_order_at_ms: nextOrderAtMs,
    ...told(problem),
    ...ended(leases.certificateOrder),
    ...(isOver && noDnsOrder),
  })
}
