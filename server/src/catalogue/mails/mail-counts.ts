import type { MailKind } from '@everscan/contract/views/sent-mails.ts'
import { sql } from 'kysely'
import { inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import type { MailCountKind } from '../../db/mail-tables.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'

/** A mail that a member makes the service send. */
export type CountedMail = {
  organizationId: string
  /** The account or the key; null if it is unknown. */
  senderId: string | null
  kind: MailKind
  domain: string
}

/** Mails a day, in UTC. */
export type MailBudgets = { mailsPerAccountPerDay: number; mailsPerInstallationPerDay: number }

/** Why a mail must not be sent. `account`, `installation`: not before the next day. */
export type MailStop = 'stopped' | 'account' | 'installation'

const dayMs = 86_400_000
/** Counts are kept this long. */
const daysKept = 90

export const mailDay = (nowMs: number) => Math.floor(nowMs / dayMs)
export const nextMailDayMs = (nowMs: number) => (mailDay(nowMs) + 1) * dayMs

/**
 * Counts a mail that is sent now, in the transaction of what it belongs to. Returns why it must not
 * be sent, and counts nothing then. All machines count one mail after the other.
 */
export async function countMail(
  tx: Database,
  mail: CountedMail,
  { budgets, nowMs }: { budgets: MailBudgets; nowMs: number },
): Promise<MailStop | undefined> {
  const { organizationId, senderId, kind, domain } = mail
  await lockName(tx, 'counts of mails')
  const stop = await mailStop(tx, mail, { budgets, nowMs })
  if (stop !== undefined) return stop
  await addMail(tx, { organizationId, senderId, kind, domain }, mailDay(nowMs))
  return undefined
}

async function addMail(
  tx: Database,
  { organizationId, senderId, kind, domain }: Omit<CountedMail, 'kind'> & { kind: MailCountKind },
  day: number,
): Promise<void> {
  await tx.kysely
    .insertInto('mail_counts')
    .values({
      day,
      organization_id: organizationId,
      sender_id: senderId ?? '',
      kind,
      domain,
      mails: 1,
      refused: 0,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'organization_id', 'sender_id', 'kind', 'domain'])
        .doUpdateSet((set) => ({ mails: set('mail_counts.mails', '+', 1) })),
    )
    .modifyEnd(tag('catalogue.countMail'))
    .execute()
}

/** The kind of mails to addresses that nobody has proved: of no organization and no member. */
export const unproved = 'unproved'

/**
 * Counts a mail to an address that nobody has proved, as of a sign-up. Returns false if there were
 * `mailsMax` of them today, and counts nothing then. They have a budget of their own, so that
 * strangers cannot use up that of members.
 */
export async function countUnprovedMail(
  db: Database,
  domain: string,
  { mailsMax, nowMs }: { mailsMax: number; nowMs: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockName(tx, 'counts of mails')
    const day = mailDay(nowMs)
    const { mails } = await tx.kysely
      .selectFrom('mail_counts')
      .select((select) =>
        select.fn.coalesce(select.fn.sum<number | string>('mails'), select.lit(0)).as('mails'),
      )
      .where('day', '=', day)
      .where('kind', '=', unproved)
      .modifyEnd(tag('catalogue.readUnprovedMails'))
      .executeTakeFirstOrThrow()
    if (Number(mails) >= mailsMax) return false
    await addMail(tx, { organizationId: '', senderId: null, kind: unproved, domain }, day)
    return true
  })
}

/** Returns why a mail must not be sent now. */
export async function mailStop(
  db: Database,
  { organizationId, senderId }: Pick<CountedMail, 'organizationId' | 'senderId'>,
  { budgets, nowMs }: { budgets: MailBudgets; nowMs: number },
): Promise<MailStop | undefined> {
  const organization = await db.kysely
    .selectFrom('organizations')
    .select('mails_stopped_at_ms as stoppedAtMs')
    .where('id', '=', organizationId)
    .modifyEnd(tag('catalogue.readMailSwitch'))
    .executeTakeFirst()
  if (organization?.stoppedAtMs != null) return 'stopped'
  const counted = await db.kysely
    .selectFrom('mail_counts')
    .select((select) => [
      select.fn.coalesce(select.fn.sum<number | string>('mails'), select.lit(0)).as('all'),
      select.fn
        .coalesce(
          select.fn.sum<number | string>(
            select
              .case()
              .when('sender_id', '=', senderId ?? '')
              .then(select.ref('mails'))
              .else(0)
              .end(),
          ),
          select.lit(0),
        )
        .as('ofSender'),
    ])
    .where('day', '=', mailDay(nowMs))
    .where('kind', '!=', unproved)
    .modifyEnd(tag('catalogue.readMailCounts'))
    .executeTakeFirstOrThrow()
  if (senderId !== null && Number(counted.ofSender) >= budgets.mailsPerAccountPerDay) return 'account'
  return Number(counted.all) >= budgets.mailsPerInstallationPerDay ? 'installation' : undefined
}

/** Counts that the mail server did not take a counted mail. */
export async function countRefusedMail(
  db: Database,
  { organizationId, senderId, kind, domain }: CountedMail,
  nowMs: number,
): Promise<void> {
  await db.kysely
    .updateTable('mail_counts')
    .set((set) => ({ refused: set('refused', '+', 1) }))
    .where('day', '=', mailDay(nowMs))
    .where('organization_id', '=', organizationId)
    .where('sender_id', '=', senderId ?? '')
    .where('kind', '=', kind)
    .where('domain', '=', domain)
    .modifyEnd(tag('catalogue.countRefusedMail'))
    .execute()
}

export type MailCountRow = CountedMail & {
  day: number
  mails: number
  refused: number
  organizationName: string | null
  stoppedAtMs: number | null
  senderName: string | null
}

/** Returns a page of what was sent by whom, newest day first, and the total. */
export async function listMailCounts(
  db: Database,
  { page, limit, organizationId }: { page: number; limit: number; organizationId?: string | undefined },
): Promise<{ rows: MailCountRow[]; total: number }> {
  const counts = db.kysely
    .selectFrom('mail_counts')
    .where('kind', '!=', unproved)
    .$if(organizationId !== undefined, (query) =>
      query.where('mail_counts.organization_id', '=', organizationId ?? ''),
    )
  const rows = await counts
    .leftJoin('organizations', 'organizations.id', 'mail_counts.organization_id')
    .select([
      'day',
      'mail_counts.organization_id as organizationId',
      'sender_id as senderId',
      sql.ref<MailKind>('kind').as('kind'),
      'domain',
      'mails',
      'refused',
      'organizations.name as organizationName',
      'organizations.mails_stopped_at_ms as stoppedAtMs',
    ])
    .orderBy('day', 'desc')
    .orderBy('mails', 'desc')
    .orderBy('mail_counts.organization_id')
    .orderBy('sender_id')
    .orderBy('kind')
    .orderBy('domain')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listMailCounts'))
    .execute()
  const { total } = await counts
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const names = await senderNames(
    db,
    rows.map(({ senderId }) => senderId),
  )
  return {
    rows: rows.map(({ senderId, ...row }) => ({
      ...row,
      senderId: senderId === '' ? null : senderId,
      senderName: names.get(senderId) ?? null,
    })),
    total,
  }
}

async function senderNames(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const users = await db.kysely
    .selectFrom('users')
    .select(['id', 'email as name'])
    .where(isOneOf(db, 'id', ids))
    .execute()
  const keys = await db.kysely
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where(isOneOf(db, 'id', ids))
    .execute()
  return new Map([...users, ...keys].map(({ id, name }) => [id, name]))
}

/** Deletes counts that are too old for anybody to ask. */
export async function deleteOldMailCounts(db: Database, nowMs: number): Promise<void> {
  await db.kysely
    .deleteFrom('mail_counts')
    .where('day', '<', mailDay(nowMs) - daysKept)
    .modifyEnd(tag('catalogue.deleteOldMailCounts'))
    .execute()
}
