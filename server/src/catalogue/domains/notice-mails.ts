import { tag, type Database } from '../../db/database.ts'

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
  leasedUntilMs: number
}

/**
 * Claims the mail that is due for longest, or returns undefined. A worker that dies leaves it to
 * the next one, when its lease is over: no mail is lost, and one may come twice.
 */
export async function claimNoticeMail(
  db: Database,
  { nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<NoticeMail | undefined> {
  for (;;) {
    const found = await db.kysely
      .selectFrom('domains')
      .select(['organization_id as organizationId', 'id as domainId', 'hostname'])
      .select(['notice_ends_at_ms as endsAtMs', 'notice_mail_due_at_ms as dueAtMs'])
      .select(['notice_mail_left as left', 'notice_mail_attempts as attempts'])
      .where('notice_mail_due_at_ms', '<=', nowMs)
      .orderBy('notice_mail_due_at_ms')
      .limit(1)
      .modifyEnd(tag('catalogue.findNoticeMail'))
      .executeTakeFirst()
    if (found === undefined) return undefined
    const { left, dueAtMs, ...mail } = found
    const leasedUntilMs = nowMs + leaseMs
    const { numUpdatedRows } = await db.kysely
      .updateTable('domains')
      .set({ notice_mail_due_at_ms: leasedUntilMs, notice_mail_attempts: mail.attempts + 1 })
      .where('organization_id', '=', mail.organizationId)
      .where('id', '=', mail.domainId)
      .where('notice_mail_due_at_ms', '=', dueAtMs)
      .modifyEnd(tag('catalogue.claimNoticeMail'))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) continue
    return {
      ...mail,
      left: left === null ? undefined : (JSON.parse(left) as string[]),
      attempts: mail.attempts + 1,
      leasedUntilMs,
    }
  }
}

/**
 * Notes the addresses that a mail has yet to reach, and when it is tried again; null: it is done.
 * Changes nothing if another worker has it by now, or another mail took its place.
 */
export async function recordNoticeMail(
  db: Database,
  { organizationId, domainId, leasedUntilMs }: NoticeMail,
  { left, dueAtMs }: { left: readonly string[]; dueAtMs: number | null },
): Promise<void> {
  await db.kysely
    .updateTable('domains')
    .set({ notice_mail_left: JSON.stringify(left), notice_mail_due_at_ms: dueAtMs })
    .where('organization_id', '=', organizationId)
    .where('id', '=', domainId)
    .where('notice_mail_due_at_ms', '=', leasedUntilMs)
    .modifyEnd(tag('catalogue.recordNoticeMail'))
    .execute()
}
