import { tag, type Database } from '../../db/database.ts'
import {
  claimDue,
  ended,
  leases,
  renewed,
  updateHeld,
  updateIfHeld,
  type LeaseTerms,
} from '../../db/lease.ts'
import type { CertificateWarning } from './certificate-warnings.ts'
import { readDomain } from './domains.ts'

/** The mail of a warning, which one worker sends until its lease ends. */
export type CertificateMail = {
  hostname: string
  warning: CertificateWarning & { domain: NonNullable<CertificateWarning['domain']> }
  /** The addresses that it has yet to reach; undefined: all. */
  left: readonly string[] | undefined
  /** Counts from 1. */
  attempts: number
  leaseNumber: number
}

/**
 * Claims the mail of a warning that is due for longest, or returns undefined. A worker that dies
 * leaves it to the next one, when its lease is over: no mail is lost, and one may come twice.
 */
export async function claimCertificateMail(
  db: Database,
  { nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<CertificateMail | undefined> {
  const find = ({ kysely }: Database) =>
    kysely
      .selectFrom('certificates')
      .select(['hostname', 'expires_at_ms as expiresAtMs', 'problem', 'mail_left as left'])
      .where('mail_due_at_ms', '<=', nowMs)
      .orderBy('mail_due_at_ms')
      .modifyEnd(tag('catalogue.findCertificateMail'))
  for (;;) {
    const [claim] = await claimDue(db, leases.certificateMail, { find, nowMs, leaseMs })
    if (claim === undefined) return undefined
    const { hostname, expiresAtMs, problem, left, attempts, leaseNumber } = claim
    const owner = await db.kysely
      .selectFrom('domains')
      .select(['organization_id as organizationId', 'id'])
      .where('hostname', '=', hostname)
      .where('status', '<>', 'PENDING')
      .executeTakeFirst()
    const domain = owner === undefined ? undefined : await readDomain(db, owner)
    if (domain !== undefined && expiresAtMs !== null && problem !== null)
      return {
        hostname,
        warning: { hostname, expiresAtMs, problem, domain },
        left: left === null ? undefined : (JSON.parse(left) as string[]),
        attempts,
        leaseNumber,
      }
    // Nobody is to be told of a domain that was deleted meanwhile. Whoever has taken it since
    // finds the same.
    await updateIfHeld(db, leases.certificateMail, claim, endOfMail(null))
  }
}

/**
 * Notes the addresses that a mail has yet to reach, and keeps it for longer. Throws `LeaseLost`.
 */
export async function renewCertificateMail(
  db: Database,
  mail: CertificateMail,
  { left, ...terms }: LeaseTerms & { left: readonly string[] },
): Promise<void> {
  const changes = { mail_left: JSON.stringify(left), ...renewed(leases.certificateMail, terms) }
  await updateHeld(db, leases.certificateMail, mail, changes)
}

/** Ends a claim. `dueAtMs`: when it is tried again; null: it is done. Throws `LeaseLost`. */
export async function endCertificateMail(
  db: Database,
  mail: Pick<CertificateMail, 'hostname' | 'leaseNumber'>,
  { dueAtMs }: { dueAtMs: number | null },
): Promise<void> {
  await updateHeld(db, leases.certificateMail, mail, endOfMail(dueAtMs))
}

function endOfMail(dueAtMs: number | null) {
  return { mail_due_at_ms: dueAtMs, ...ended(leases.certificateMail) }
}
