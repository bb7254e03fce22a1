import { tag, type Database } from '../../db/database.ts'
import type { CertificateWarning } from './certificate-warnings.ts'
import { readDomain } from './domains.ts'

/** The mail of a warning, which one worker sends until its lease ends. */
export type CertificateMail = {
  warning: CertificateWarning & { domain: NonNullable<CertificateWarning['domain']> }
  /** The addresses that it has yet to reach; undefined: all. */
  left: readonly string[] | undefined
  /** Counts from 1. */
  attempts: number
  leasedUntilMs: number
}

/**
 * Claims the mail of a warning that is due for longest, or returns undefined. A worker that dies
 * leaves it to the next one, when its lease is over: no mail is lost, and one may come twice.
 */
export async function claimCertificateMail(
  db: Database,
  { nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<CertificateMail | undefined> {
  for (;;) {
    const found = await db.kysely
      .selectFrom('certificates')
      .select(['hostname', 'expires_at_ms as expiresAtMs', 'problem', 'mail_due_at_ms as dueAtMs'])
      .select(['mail_left as left', 'mail_attempts as attempts'])
      .where('mail_due_at_ms', '<=', nowMs)
      .orderBy('mail_due_at_ms')
      .limit(1)
      .modifyEnd(tag('catalogue.findCertificateMail'))
      .executeTakeFirst()
    if (found === undefined) return undefined
    const { hostname, expiresAtMs, problem, dueAtMs, left, attempts } = found
    const owner = await db.kysely
      .selectFrom('domains')
      .select(['organization_id as organizationId', 'id'])
      .where('hostname', '=', hostname)
      .where('status', '<>', 'PENDING')
      .executeTakeFirst()
    const domain = owner === undefined ? undefined : await readDomain(db, owner)
    const isDue = domain !== undefined && expiresAtMs !== null && problem !== null
    const leasedUntilMs = nowMs + leaseMs
    const { numUpdatedRows } = await db.kysely
      .updateTable('certificates')
      // Nobody is to be told of a domain that was deleted meanwhile.
      .set({ mail_due_at_ms: isDue ? leasedUntilMs : null, mail_attempts: attempts + 1 })
      .where('hostname', '=', hostname)
      .where('mail_due_at_ms', '=', dueAtMs)
      .modifyEnd(tag('catalogue.claimCertificateMail'))
      .executeTakeFirst()
    if (numUpdatedRows === 0n || !isDue) continue
    return {
      warning: { hostname, expiresAtMs, problem, domain },
      left: left === null ? undefined : (JSON.parse(left) as string[]),
      attempts: attempts + 1,
      leasedUntilMs,
    }
  }
}

/**
 * Notes the addresses that a mail has yet to reach, and when it is tried again; null: it is done.
 * Changes nothing if another worker has it by now.
 */
export async function recordCertificateMail(
  db: Database,
  { warning: { hostname }, leasedUntilMs }: CertificateMail,
  { left, dueAtMs }: { left: readonly string[]; dueAtMs: number | null },
): Promise<void> {
  await db.kysely
    .updateTable('certificates')
    .set({ mail_left: JSON.stringify(left), mail_due_at_ms: dueAtMs })
    .where('hostname', '=', hostname)
    .where('mail_due_at_ms', '=', leasedUntilMs)
    .modifyEnd(tag('catalogue.recordCertificateMail'))
    .execute()
}
