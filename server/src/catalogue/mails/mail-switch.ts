import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import { systemOrigin, type ChangeOrigin } from '../rows/change-origins.ts'

export type MailSwitchRow = { id: string; name: string; stoppedAtMs: number | null }

/**
 * Stops the mails of an organization, or allows them again: no mail that its members cause begins
 * after that. Returns undefined if it does not exist. Its own audit log does not name the person of
 * the operator; that of the operator, if `operatorId` is given, does.
 */
export async function switchMails(
  db: Database,
  organizationId: string,
  {
    stopped,
    operatorId,
    origin,
    nowMs,
  }: { stopped: boolean; operatorId?: string | undefined; origin: ChangeOrigin; nowMs: number },
): Promise<MailSwitchRow | undefined> {
  return inTransaction(db, async (tx) => {
    // A mail that is counted meanwhile is sent before this answers, or not at all.
    await lockName(tx, 'counts of mails')
    const before = await readMailSwitch(tx, organizationId)
    if (before === undefined || (before.stoppedAtMs !== null) === stopped) return before
    const stoppedAtMs = stopped ? nowMs : null
    await tx.kysely
      .updateTable('organizations')
      .set({ mails_stopped_at_ms: stoppedAtMs })
      .where('id', '=', organizationId)
      .modifyEnd(tag('catalogue.switchMails'))
      .execute()
    const entry = { action: stopped ? 'mails.stop' : 'mails.allow', target: before, nowMs } as const
    const isForeign = operatorId !== undefined && operatorId !== organizationId
    await recordAudit(tx, organizationId, [{ ...entry, origin: isForeign ? systemOrigin : origin }])
    if (isForeign) await recordAudit(tx, operatorId, [{ ...entry, origin }])
    return { ...before, stoppedAtMs }
  })
}

/** Returns since when an organization sends no mails, or undefined if it does not exist. */
export async function readMailSwitch(
  db: Database,
  organizationId: string,
): Promise<MailSwitchRow | undefined> {
  return db.kysely
    .selectFrom('organizations')
    .select(['id', 'name', 'mails_stopped_at_ms as stoppedAtMs'])
    .where('id', '=', organizationId)
    .modifyEnd(tag('catalogue.readMailSwitch'))
    .executeTakeFirst()
}
