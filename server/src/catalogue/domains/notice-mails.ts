import { tag, type Database } from '../../db/database.ts'
import { claimDue, ended, leases, renewed, updateHeld, type LeaseTerms } from '../../db/lease.ts'

/** The mail about a notice or its withdrawal, which one worker sends until its lease ends. */
export type NoticeMail = {
  organizationId: string
  domainId: string
  hostname: string
  /** When codes of the organization end; null: the notice was withdrawn. */
  endsAtMs: number | null
  /** The addresses that it has yet to reach; undefined: all. */
  left: readonly string[] | undefined
  /** Counts from 1. */
  attempts: number
  leaseNumber: number
}

/**
 * Claims the mail that is due for longest, or returns undefined. A worker that dies leaves it to
 * the next one, when its lease is over: no mail is lost, and one may come twice.
 */
export async function claimNoticeMail(
  db: Database,
  { nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<NoticeMail | undefined> {
  const find = ({ kysely }: Database) =>
    kysely
      .selectFrom('domains')
      .select(['organization_id as organizationId', 'id as domainId', 'hostname'])
      .select(['notice_ends_at_ms as endsAtMs', 'notice_mail_left as left'])
      .where('notice_mail_due_at_ms', '<=', nowMs)
      .orderBy('notice_mail_due_at_ms')
      .modifyEnd(tag('catalogue.findNoticeMail'))
  const [mail] = await claimDue(db, leases.noticeMail, { find, nowMs, leaseMs })
  if (mail === undefined) return undefined
  return { ...mail, left: mail.left === null ? undefined : (JSON.parse(mail.left) as string[]) }
}

/**
 * Notes the addresses that a mail has yet to reach, and keeps it for longer. Throws `LeaseLost`,
 * also if another mail took its place.
 */
export async function renewNoticeMail(
  db: Database,
  mail: NoticeMail,
  { left, ...terms }: LeaseTerms & { left: readonly string[] },
): Promise<void> {
  const changes = { notice_mail_left: JSON.stringify(left), ...renewed(leases.noticeMail, terms) }
  await updateHeld(db, leases.noticeMail, mail, changes)
}

/** Ends a claim. `dueAtMs`: when it is tried again; null: it is done. Throws `LeaseLost`. */
export async function endNoticeMail(
  db: Database,
  mail: NoticeMail,
  { dueAtMs }: { dueAtMs: number | null },
): Promise<void> {
  const changes = { notice_mail_due_at_ms: dueAtMs, ...ended(leases.noticeMail) }
  await updateHeld(db, leases.noticeMail, mail, changes)
}
