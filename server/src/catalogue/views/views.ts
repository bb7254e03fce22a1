import { problem } from '@everscan/contract/problems/problem.ts'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import type { MailInterval, ViewQuery } from '@everscan/contract/views/views.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { forUpdate, inTransaction, lockName, tag, type Database } from '../../db/database.ts'
import { ended, leases } from '../../db/lease.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import type { SecretBox } from '../../secret-box.ts'
import { createToken, hashOfToken } from '../accounts/tokens.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { viewColumns, viewRow, type ViewMailRow, type ViewRow, type ViewShare } from './view-rows.ts'

export type ViewKey = { organizationId: string; id: string }

/** Null ends the link or the mail; an absent field keeps its value. */
export type ViewChanges = {
  name?: string | undefined
  query?: ViewQuery | undefined
  share?: ShareChanges | null | undefined
  mail?: { to: readonly string[]; every: MailInterval } | null | undefined
}

export type ShareChanges = {
  passwordHash?: string | null | undefined
  expiresAtMs?: number | null | undefined
  newLink?: boolean | undefined
}

type Change = {
  /** Seals the tokens of links. */
  box: SecretBox
  /** Returns when the next regular mail is due, in the time zone of the view. */
  mailAtMs: (every: MailInterval, query: ViewQuery) => number
  /** The language of the person who makes the change; null if it is unknown. */
  language: DashboardLanguage | null
  origin: ChangeOrigin
  nowMs: number
}

/**
 * Saves a view. Throws ApiError 409 CONFLICT if the organization already has `limits.viewsMax`.
 */
export async function createView(
  db: Database,
  organizationId: string,
  { name, query, share, mail, ...change }: Change & ViewChanges & { name: string; query: ViewQuery },
): Promise<ViewRow> {
  const { origin, nowMs } = change
  return inTransaction(db, async (tx) => {
    await lockName(tx, `views ${organizationId}`)
    await requireRoom(tx, organizationId)
    const id = createId('viw')
    const row = await tx.kysely
      .insertInto('views')
      .values({
        organization_id: organizationId,
        id,
        name,
        query: JSON.stringify(query),
        ...shareColumns(share ?? null, { before: null, id, ...change }),
        ...mailColumns(mail ?? null, { query, ...change }),
        created_at_ms: nowMs,
        updated_at_ms: nowMs,
      })
      .returning(viewColumns)
      .modifyEnd(tag('catalogue.createView'))
      .executeTakeFirstOrThrow()
    await recordAudit(tx, organizationId, [{ action: 'view.create', target: { id, name }, origin, nowMs }])
    return viewRow(row)
  })
}

/** Returns the view, or undefined if the organization has no such view. */
export async function readView(db: Database, { organizationId, id }: ViewKey): Promise<ViewRow | undefined> {
  const row = await selectView(db, { organizationId, id })
    .modifyEnd(tag('catalogue.readView'))
    .executeTakeFirst()
  return row && viewRow(row)
}

/** Returns a page of an organization's views, newest first, and the total. */
export async function listViews(
  db: Database,
  organizationId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: ViewRow[]; total: number }> {
  const views = db.kysely.selectFrom('views').where('organization_id', '=', organizationId)
  const rows = await views
    .select(viewColumns)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .modifyEnd(tag('catalogue.listViews'))
    .execute()
  const { total } = await views
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows: rows.map(viewRow), total }
}

/**
 * Changes the given fields of a view, or returns undefined if it does not exist. A change of the
 * mail ends the one in progress.
 */
export async function updateView(
  db: Database,
  key: ViewKey,
  { name, query, share, mail, ...change }: Change & ViewChanges,
): Promise<ViewRow | undefined> {
  const { origin, nowMs } = change
  return inTransaction(db, async (tx) => {
    const found = await selectView(tx, key).modifyEnd(forUpdate(tx)).executeTakeFirst()
    if (found === undefined) return undefined
    const before = viewRow(found)
    const after = { name: name ?? before.name, query: query ?? before.query }
    const mailAfter = mail === undefined ? before.mail : mail
    const changed = {
      name: after.name !== before.name,
      query: JSON.stringify(after.query) !== JSON.stringify(before.query),
      public: share !== undefined && (share !== null || before.share !== null),
      mail: mail !== undefined && textOfMail(mailAfter) !== textOfMail(before.mail),
    }
    const fields = Object.entries(changed).flatMap(([field, isChanged]) => (isChanged ? [field] : []))
    if (fields.length === 0) return before
    const row = await tx.kysely
      .updateTable('views')
      .set({
        name: after.name,
        query: JSON.stringify(after.query),
        ...(changed.public && shareColumns(share ?? null, { before: before.share, id: key.id, ...change })),
        ...((changed.mail || changed.query) && {
          ...mailColumns(mailAfter, { query: after.query, ...change }),
          ...(!changed.mail && {
            mail_by: before.mail?.setUpBy ?? null,
            mail_sender_id: before.mail?.senderId ?? null,
            mail_language: before.mail?.language ?? null,
          }),
          // A worker that sends the old mail stops.
          ...ended(leases.viewMail),
        }),
        updated_at_ms: nowMs,
      })
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .returning(viewColumns)
      .modifyEnd(tag('catalogue.updateView'))
      .executeTakeFirstOrThrow()
    const target = { id: key.id, name: after.name }
    await recordAudit(tx, key.organizationId, [{ action: 'view.update', target, fields, origin, nowMs }])
    return viewRow(row)
  })
}

/** Deletes a view with its link and its mail, or returns undefined if it does not exist. */
export async function deleteView(
  db: Database,
  key: ViewKey,
  { origin, nowMs }: Pick<Change, 'origin' | 'nowMs'>,
): Promise<ViewRow | undefined> {
  return inTransaction(db, async (tx) => {
    const row = await tx.kysely
      .deleteFrom('views')
      .where('organization_id', '=', key.organizationId)
      .where('id', '=', key.id)
      .returning(viewColumns)
      .modifyEnd(tag('catalogue.deleteView'))
      .executeTakeFirst()
    if (row === undefined) return undefined
    await recordAudit(tx, key.organizationId, [{ action: 'view.delete', target: row, origin, nowMs }])
    return viewRow(row)
  })
}

/** Returns the shared view with this token, or undefined if the link is unknown or has expired. */
export async function findSharedView(
  db: Database,
  token: string,
  nowMs: number,
): Promise<ViewRow | undefined> {
  const row = await db.kysely
    .selectFrom('views')
    .select(viewColumns)
    .where('share_hash', '=', hashOfToken(token))
    .where((where) =>
      where.or([where('share_expires_at_ms', 'is', null), where('share_expires_at_ms', '>', nowMs)]),
    )
    .modifyEnd(tag('catalogue.findSharedView'))
    .executeTakeFirst()
  return row && viewRow(row)
}

/** Returns the token of a link; undefined if SECRET is another one than when the link was made. */
export function openShareToken(box: SecretBox, { id, share }: Pick<ViewRow, 'id' | 'share'>) {
  return share === null ? undefined : box.open(share.sealedToken, id)
}

export function selectView(db: Database, { organizationId, id }: ViewKey) {
  return db.kysely
    .selectFrom('views')
    .select(viewColumns)
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
}

function shareColumns(
  share: ShareChanges | null,
  { before, id, box, nowMs }: { before: ViewShare | null; id: string } & Pick<Change, 'box' | 'nowMs'>,
) {
  if (share === null)
    return {
      share_hash: null,
      share_token: null,
      share_password: null,
      share_expires_at_ms: null,
      share_created_at_ms: null,
    }
  const { passwordHash = before?.passwordHash ?? null, expiresAtMs = before?.expiresAtMs ?? null } = share
  const kept = { share_password: passwordHash, share_expires_at_ms: expiresAtMs }
  if (before !== null && share.newLink !== true) return kept
  const token = createToken()
  return {
    ...kept,
    share_hash: hashOfToken(token),
    share_token: box.seal(token, id),
    share_created_at_ms: nowMs,
  }
}

/** The outcome of the last mail belongs to the addresses that it went to. */
function mailColumns(
  mail: Pick<ViewMailRow, 'to' | 'every'> | ViewChanges['mail'],
  {
    query,
    mailAtMs,
    language,
    origin,
  }: Pick<Change, 'mailAtMs' | 'language' | 'origin'> & { query: ViewQuery },
) {
  const nextAtMs = mail == null ? null : mailAtMs(mail.every, query)
  return {
    mail_to: mail == null ? null : JSON.stringify(addressesOf(mail)),
    mail_every: mail?.every ?? null,
    mail_by: mail == null ? null : origin.actor.name,
    mail_sender_id: mail == null ? null : origin.actor.id,
    mail_language: mail == null ? null : language,
    mail_next_at_ms: nextAtMs,
    mail_due_at_ms: nextAtMs,
    mail_left: null,
    mail_attempts: 0,
    mail_last_error: null,
    mail_last_problem: null,
  }
}

/** One mail goes to an address, however often and in whatever letter case it is named. */
function addressesOf({ to }: { to: readonly string[] }): string[] {
  return [...new Map(to.map((address) => [address.toLowerCase(), address])).values()]
}

function textOfMail(mail: { to: readonly string[]; every: MailInterval } | null): string {
  return mail === null ? '' : JSON.stringify([addressesOf(mail), mail.every])
}

async function requireRoom(tx: Database, organizationId: string): Promise<void> {
  const { total } = await tx.kysely
    .selectFrom('views')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (total < limits.viewsMax) return
  throw new ApiError(409, 'CONFLICT', problem('viewsFull', { max: limits.viewsMax }))
}
