import type { Problem } from '@everscan/contract/problems/problem.ts'
import { sql } from 'kysely'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { ended, leases } from '../../db/lease.ts'
import { recordEvents } from '../ledger/events.ts'
import type { DomainRow } from '../rows/domain-row.ts'
import { readProblem } from '../rows/named-problem.ts'
import { readDomain } from './domains.ts'

/** A certificate in use whose last order failed. */
export type FailingCertificate = { hostname: string; expiresAtMs: number; problem: string }

/** A warning that is due, and the domain that it is about; undefined: PUBLIC_URL. */
export type CertificateWarning = FailingCertificate & { domain: DomainRow | undefined }

/** Days before its end at which it is told that a certificate is not renewed. */
const warningDays = [1, 3, 7, 14, 30]
const dayMs = 86_400_000

/**
 * Returns the certificates in use that could not be renewed, those that end first. `found` is the
 * problem by name; undefined if an earlier release stored it.
 */
export async function readFailingCertificates(
  db: Database,
  publicHost: string | undefined,
): Promise<(FailingCertificate & { found: Problem | undefined })[]> {
  const { rows } = await sql<
    FailingCertificate & { named: string | null }
  >`/* catalogue.failingCertificates */
    select c.hostname, c.expires_at_ms as "expiresAtMs", c.problem, c.named_problem as named
    from certificates as c
    where c.problem is not null
    and c.expires_at_ms is not null
    and (c.hostname = ${publicHost ?? ''} or exists (
      select 1 from domains as d where d.hostname = c.hostname and d.status <> 'PENDING'
    ))
    order by c.expires_at_ms, c.hostname`.execute(db.kysely)
  return rows.map(({ named, ...row }) => ({ ...row, found: readProblem(row.problem, named) }))
}

/**
 * Takes the warnings that are due: 30, 14, 7, 3 and 1 days before the end of a certificate, each
 * once. Its event is recorded in the same transaction, and with `isMailed` that its mail is due.
 */
export async function takeCertificateWarnings(
  db: Database,
  { publicHost, nowMs, isMailed }: { publicHost: string | undefined; nowMs: number; isMailed: boolean },
): Promise<CertificateWarning[]> {
  const taken: CertificateWarning[] = []
  for (const failing of await readFailingCertificates(db, publicHost)) {
    const days = warningDays.find((one) => failing.expiresAtMs - nowMs <= one * dayMs)
    if (days !== undefined) taken.push(...(await takeWarning(db, failing, { days, nowMs, isMailed })))
  }
  return taken
}

async function takeWarning(
  db: Database,
  failing: FailingCertificate,
  { days, nowMs, isMailed }: { days: number; nowMs: number; isMailed: boolean },
): Promise<CertificateWarning[]> {
  const { hostname, expiresAtMs } = failing
  return inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx.kysely
      .updateTable('certificates')
      .set({ told_days: days })
      .where('hostname', '=', hostname)
      // Neither told by another worker nor renewed meanwhile.
      .where('expires_at_ms', '=', expiresAtMs)
      .where('problem', 'is not', null)
      .where((where) => where.or([where('told_days', 'is', null), where('told_days', '>', days)]))
      .modifyEnd(tag('catalogue.takeCertificateWarning'))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return []
    const owner = await tx.kysely
      .selectFrom('domains')
      .select(['organization_id as organizationId', 'id'])
      .where('hostname', '=', hostname)
      .where('status', '<>', 'PENDING')
      .executeTakeFirst()
    const domain = owner === undefined ? undefined : await readDomain(tx, owner)
    if (domain !== undefined) {
      const event = { event: 'domain.certificate_failing', atMs: nowMs, data: domain } as const
      await recordEvents(tx, domain.organizationId, { events: () => [event], nowMs })
      if (isMailed)
        await tx.kysely
          .updateTable('certificates')
          .set({
            mail_due_at_ms: nowMs,
            mail_left: null,
            mail_attempts: 0,
            // A worker that sends the mail of an earlier warning stops.
            ...ended(leases.certificateMail),
          })
          .where('hostname', '=', hostname)
          .modifyEnd(tag('catalogue.mailCertificateWarning'))
          .execute()
    }
    return [{ ...failing, domain }]
  })
}
