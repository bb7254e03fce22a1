import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { ended, leases } from '../../db/lease.ts'
import { isOneOf } from '../../db/dialects/row-sets.ts'
import { changeOfHost, recordChanges } from '../../db/feeds/changes.ts'
import { lockHost } from '../../db/scans/host-forms.ts'
import { ApiError } from '../../errors.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import { systemOrigin, type ChangeOrigin } from '../rows/change-origins.ts'
import type { DomainRow } from '../rows/domain-row.ts'
import { readDomain, type DomainKey } from './domains.ts'

const noticeMs = limits.domainNoticeDays * 86_400_000

/** The columns of a claim whose organization has no notice, and no mail about one. */
export const noNotice = {
  notice_at_ms: null,
  notice_ends_at_ms: null,
  notice_mail_due_at_ms: null,
  ...ended(leases.noticeMail),
} as const

/** `isMailed`: this installation sends mails, so one about the change is due. */
type Change = { origin: ChangeOrigin; nowMs: number; isMailed: boolean }
type Former = { organizationId: string; id: string; noticeAtMs: number | null; endsAtMs: number | null }

/**
 * Gives notice to every former owner of a host name that has none yet, and returns the domain, or
 * undefined if it does not exist. A notice that was given keeps its end. Throws
 * ApiError 409 CONFLICT without proof, and if there is no former owner.
 */
export async function giveNotice(
  db: Database,
  key: DomainKey,
  change: Change,
): Promise<DomainRow | undefined> {
  return changeFormer(db, key, change, (former) => {
    if (former.length === 0) throw conflict(problem('noticeToNobody'))
    return {
      of: former.filter(({ endsAtMs }) => endsAtMs === null),
      set: { notice_at_ms: change.nowMs, notice_ends_at_ms: change.nowMs + noticeMs },
    }
  })
}

/**
 * Withdraws the notices that have not ended, and returns the domain, or undefined if it does not
 * exist. Throws ApiError 409 CONFLICT without proof, and if there is no such notice.
 */
export async function withdrawNotice(
  db: Database,
  key: DomainKey,
  change: Change,
): Promise<DomainRow | undefined> {
  return changeFormer(db, key, change, (former) => {
    const of = former.filter(({ endsAtMs }) => endsAtMs !== null && endsAtMs > change.nowMs)
    if (of.length === 0) throw conflict(problem('noNotice'))
    return { of, set: noNotice }
  })
}

type Columns = { notice_at_ms: number | null; notice_ends_at_ms: number | null }

async function changeFormer(
  db: Database,
  key: DomainKey,
  { origin, nowMs, isMailed }: Change,
  plan: (former: readonly Former[]) => { of: readonly Former[]; set: Columns },
): Promise<DomainRow | undefined> {
  return inTransaction(db, async (tx) => {
    const found = await readDomain(tx, key)
    if (found === undefined) return undefined
    const { hostname } = found
    await lockHost(tx, hostname)
    // It may have passed to another organization before the lock.
    const row = await readDomain(tx, key)
    if (row === undefined) return undefined
    if (row.status === 'PENDING') throw conflict(problem('noticeOfUnproved', { hostname }))
    const { of, set } = plan(await readFormer(tx, row))
    if (of.length === 0) return row
    await tx.kysely
      .updateTable('domains')
      .set({
        ...set,
        ...(isMailed && { notice_mail_due_at_ms: nowMs }),
        notice_mail_left: null,
        notice_mail_attempts: 0,
        // A worker that sends an earlier mail stops.
        ...ended(leases.noticeMail),
      })
      .where('hostname', '=', hostname)
      .where(
        isOneOf(
          tx,
          'id',
          of.map(({ id }) => id),
        ),
      )
      .modifyEnd(tag('catalogue.changeNotice'))
      .execute()
    await recordChanges(tx, [changeOfHost(hostname)])
    const entry = { action: 'domain.update', fields: ['notice'], nowMs } as const
    await recordAudit(tx, key.organizationId, [{ ...entry, target: { id: key.id, name: hostname }, origin }])
    // The member who acted is a matter of the other organization.
    for (const { organizationId, id } of of)
      await recordAudit(tx, organizationId, [
        { ...entry, target: { id, name: hostname }, origin: systemOrigin },
      ])
    return row
  })
}

async function readFormer(tx: Database, { hostname, organizationId }: DomainRow): Promise<Former[]> {
  return tx.kysely
    .selectFrom('domains')
    .select(['organization_id as organizationId', 'id'])
    .select(['notice_at_ms as noticeAtMs', 'notice_ends_at_ms as endsAtMs'])
    .where('hostname', '=', hostname)
    .where('organization_id', '<>', organizationId)
    .where('proved_at_ms', 'is not', null)
    .modifyEnd(tag('catalogue.formerOwners'))
    .execute()
}

/** Returns when codes on those of the domains end that have notice, by domain. */
export async function noticesOf(
  db: Database,
  organizationId: string,
  domainIds: readonly (string | null)[],
): Promise<Map<string, number>> {
  const ids = [...new Set(domainIds.filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const rows = await db.kysely
    .selectFrom('domains')
    .select(['id', 'notice_ends_at_ms as endsAtMs'])
    .where('organization_id', '=', organizationId)
    .where('notice_ends_at_ms', 'is not', null)
    .where(isOneOf(db, 'id', ids))
    .modifyEnd(tag('catalogue.noticesOf'))
    .execute()
  return new Map(rows.map(({ id, endsAtMs }) => [id, endsAtMs ?? 0]))
}

/** For a change of a code whose host name has another owner, which gave notice. */
export function onNotice(hostname: string, endsAtMs: number): ApiError {
  const day = new Date(endsAtMs).toISOString().slice(0, 10)
  return new ApiError(409, 'DOMAIN_ON_NOTICE', problem('domainOnNotice', { hostname, day }))
}

function conflict(found: Problem): ApiError {
  return new ApiError(409, 'CONFLICT', found)
}
