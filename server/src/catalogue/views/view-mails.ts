import type { Problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { sql } from 'kysely'
import { forUpdate, inTransaction, tag, type Database } from '../../db/database.ts'
import { claimDue, ended, leases, renewed, updateHeld } from '../../db/lease.ts'
import { askAgain, beginAsking } from '../mails/consents.ts'
import { domainOf, type AddressHash } from '../mails/address-hash.ts'
import {
  countMail,
  mailDay,
  type CountedMail,
  type MailBudgets,
  type MailStop,
} from '../mails/mail-counts.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import { systemOrigin, type ChangeOrigin } from '../rows/change-origins.ts'
import { storedProblem } from '../rows/named-problem.ts'
import { viewColumns, viewRow, type ViewMailRow, type ViewRow } from './view-rows.ts'
import { selectView, type ViewKey } from './views.ts'

export type MailedView = ViewRow & { mail: ViewMailRow }

/** A view whose mail one worker sends until its lease ends. */
export type ViewMailClaim = ViewKey & {
  view: MailedView
  /** The addresses that the mail has yet to reach. */
  left: readonly string[]
  /** Counts from 1. */
  attempts: number
  leaseNumber: number
}

/**
 * Asks the workers to send the mail of a view now, and to ask addresses again that did not answer.
 * Returns undefined if it has no mail.
 */
export async function requestViewMail(
  db: Database,
  key: ViewKey,
  { hash, origin, nowMs }: { hash: AddressHash; origin: ChangeOrigin; nowMs: number },
): Promise<ViewRow | undefined> {
  return inTransaction(db, async (tx) => {
    const row = await tx.kysely
      .updateTable('views')
      .set((set) => {
        // A mail that waits for its next attempt begins anew, with all addresses.
        const isWaiting = set('mail_lease_until_ms', 'is', null)
        return {
          mail_due_at_ms: nowMs,
          mail_left: set.case().when(isWaiting).then(null).else(set.ref('mail_left')).end(),
          mail_attempts: set.case().when(isWaiting).then(0).else(set.ref('mail_attempts')).end(),
        }
      })
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .where('mail_to', 'is not', null)
      .returning(viewColumns)
      .modifyEnd(tag('catalogue.requestViewMail'))
      .executeTakeFirst()
    if (row === undefined) return undefined
    await recordAudit(tx, key.organizationId, [{ action: 'view.send-mail', target: row, origin, nowMs }])
    const view = viewRow(row)
    const { organizationId } = key
    await askAgain(tx, { organizationId, addresses: view.mail?.to ?? [] }, { hash, nowMs })
    return view
  })
}

/**
 * Claims the mail that is due for longest, of any organization, or returns undefined. However many
 * regular mails were missed, one is sent. `nextAtMs` returns when the next regular one is due.
 */
export async function claimViewMail(
  db: Database,
  { nowMs, leaseMs, nextAtMs }: { nowMs: number; leaseMs: number; nextAtMs: (view: MailedView) => number },
): Promise<ViewMailClaim | undefined> {
  const find = ({ kysely }: Database) =>
    kysely
      .selectFrom('views')
      .select([...viewColumns, 'mail_left as left'])
      .where('mail_due_at_ms', '<=', nowMs)
      .where('mail_to', 'is not', null)
      .where('mail_every', 'is not', null)
      .orderBy('mail_due_at_ms')
      .modifyEnd(tag('catalogue.findDueViewMail'))
  const set = (found: FoundMail) => {
    const { view, left } = mailOf(found)
    const next = view.mail.nextAtMs
    return { mail_left: JSON.stringify(left), mail_next_at_ms: next <= nowMs ? nextAtMs(view) : next }
  }
  const [found] = await claimDue(db, leases.viewMail, { find, set, nowMs, leaseMs })
  if (found === undefined) return undefined
  const { id, organizationId, attempts, leaseNumber } = found
  return { ...mailOf(found), id, organizationId, attempts, leaseNumber }
}

type FoundMail = Parameters<typeof viewRow>[0] & { left: string | null }

function mailOf({ left, ...row }: FoundMail): { view: MailedView; left: readonly string[] } {
  const view = viewRow(row) as MailedView
  return { view, left: left === null ? view.mail.to : (JSON.parse(left) as string[]) }
}

/** A mail of a view to one address: its figures, or the question whether it wants them. */
export type BegunMail = { address: string; kind: 'view' | 'consent' }

/**
 * Why a mail is not sent. `asked`: another one asks the address already. `organization`: its
 * maximum of a day.
 */
export type ViewMailStop = MailStop | 'organization' | 'asked'

class Stopped extends Error {
  readonly stop: ViewMailStop

  constructor(stop: ViewMailStop) {
    super(stop)
    this.stop = stop
  }
}

/**
 * Renews the lease before a mail to one address, and counts the mail. Returns why it must not be
 * sent, and counts nothing then. Throws `LeaseLost`.
 */
export async function beginViewMail(
  db: Database,
  claim: ViewMailClaim,
  {
    mail: { address, kind },
    hash,
    budgets,
    nowMs,
    leaseMs,
  }: { mail: BegunMail; hash: AddressHash; budgets: MailBudgets; nowMs: number; leaseMs: number },
): Promise<ViewMailStop | undefined> {
  const { organizationId } = claim
  try {
    await inTransaction(db, async (tx) => {
      await updateHeld(tx, leases.viewMail, claim, renewed(leases.viewMail, { nowMs, leaseMs }))
      const stop = await countMail(tx, countedMail(claim, { address, kind }), { budgets, nowMs })
      if (stop !== undefined) throw new Stopped(stop)
      if (kind === 'consent' && !(await beginAsking(tx, { organizationId, address }, { hash, nowMs })))
        throw new Stopped('asked')
      if (!(await countDay(tx, organizationId, nowMs))) throw new Stopped('organization')
    })
    return undefined
  } catch (error) {
    if (error instanceof Stopped) return error.stop
    throw error
  }
}

/** Returns what is counted of a mail to one address. */
export function countedMail({ view }: ViewMailClaim, { address, kind }: BegunMail): CountedMail {
  const { organizationId, mail } = view
  return { organizationId, senderId: mail.senderId, kind, domain: domainOf(address) }
}

/**
 * Returns false, and counts nothing, if the organization has sent `limits.viewMailsPerDay` today.
 */
async function countDay(tx: Database, organizationId: string, nowMs: number): Promise<boolean> {
  const day = mailDay(nowMs)
  const counted = await tx.kysely
    .insertInto('view_mail_days')
    .values({ organization_id: organizationId, day, mails: 1 })
    .onConflict((conflict) =>
      conflict
        .column('organization_id')
        .doUpdateSet((set) => ({
          day,
          mails: set
            .case()
            .when('view_mail_days.day', '=', day)
            .then(set('view_mail_days.mails', '+', 1))
            .else(1)
            .end(),
        }))
        .where((where) =>
          where.or([
            where('view_mail_days.day', '<>', day),
            where('view_mail_days.mails', '<', limits.viewMailsPerDay),
          ]),
        ),
    )
    .modifyEnd(tag('catalogue.countViewMail'))
    .executeTakeFirst()
  return (counted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** Records that a mail reached an address, or was given up for it. Throws `LeaseLost`. */
export async function recordViewMail(
  db: Database,
  claim: ViewMailClaim,
  { left, sentAtMs }: { left: readonly string[]; sentAtMs?: number },
): Promise<void> {
  await updateHeld(db, leases.viewMail, claim, {
    mail_left: JSON.stringify(left),
    ...(sentAtMs !== undefined && { mail_last_sent_at_ms: sentAtMs }),
  })
}

/**
 * Ends a claim: the mail is done, or continues at `retryAtMs`. `problem` is for the members who
 * read the view. Throws `LeaseLost`.
 */
export async function endViewMail(
  db: Database,
  claim: ViewMailClaim,
  { problem, retryAtMs, left }: { problem: Problem | null; retryAtMs?: number; left?: readonly string[] },
): Promise<void> {
  const told = { mail_last_error: problem?.message ?? null, mail_last_problem: storedProblem(problem) }
  const isDone = retryAtMs === undefined
  await updateHeld(db, leases.viewMail, claim, {
    ...told,
    ...ended(leases.viewMail),
    mail_due_at_ms: isDone ? sql.ref('mail_next_at_ms') : retryAtMs,
    ...(isDone && { mail_left: null, mail_attempts: 0 }),
    ...(!isDone && left !== undefined && { mail_left: JSON.stringify(left) }),
  })
}

/**
 * Takes an address off the list of a mail, at the wish of its owner. Without another address, the
 * mail ends. Returns false if the view or its mail is gone; the address then gets none either.
 */
export async function leaveViewMail(
  db: Database,
  key: ViewKey,
  { address, nowMs }: { address: string; nowMs: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const found = await selectView(tx, key).modifyEnd(forUpdate(tx)).executeTakeFirst()
    const view = found && viewRow(found)
    if (view === undefined || view.mail?.to.includes(address) !== true) return false
    const to = view.mail.to.filter((one) => one !== address)
    const left = await tx.kysely
      .selectFrom('views')
      .select('mail_left as left')
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .executeTakeFirst()
    const isLast = to.length === 0
    const leftAfter =
      left?.left == null
        ? null
        : JSON.stringify((JSON.parse(left.left) as string[]).filter((one) => one !== address))
    await tx.kysely
      .updateTable('views')
      .set({
        mail_to: isLast ? null : JSON.stringify(to),
        mail_left: isLast ? null : leftAfter,
        ...(isLast && {
          mail_every: null,
          mail_by: null,
          mail_language: null,
          mail_next_at_ms: null,
          mail_due_at_ms: null,
          ...ended(leases.viewMail),
        }),
        updated_at_ms: nowMs,
      })
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .modifyEnd(tag('catalogue.leaveViewMail'))
      .execute()
    await recordAudit(tx, key.organizationId, [
      { action: 'view.leave-mail', target: view, fields: ['mail'], origin: systemOrigin, nowMs },
    ])
    return true
  })
}

/** Returns the addresses of the view's mail now: an owner may have taken one off the list. */
export async function readViewAddresses(db: Database, key: ViewKey): Promise<readonly string[]> {
  const found = await selectView(db, key).modifyEnd(tag('catalogue.readViewAddresses')).executeTakeFirst()
  return (found && viewRow(found).mail?.to) ?? []
}
