import { areCountriesNeeded, countriesNeeded, recordChanges } from '../../db/feeds/changes.ts'
import type { Database } from '../../db/database.ts'
import { recordAudit, type NewAuditEntry } from '../ledger/audit-log.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import { type NewEvent, recordEvents } from '../ledger/events.ts'
import { noticesOf, onNotice } from '../domains/domain-notices.ts'
import { saveAccess } from './code-access.ts'
import { saveSupersededVersions } from './qr-code-history.ts'
import { changedFields } from './qr-code-merging.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'

/** A creation, change or deletion of a code. */
export type QrCodeTransition = {
  /** Undefined for a new code. */
  before?: QrCodeRow | undefined
  /** Undefined for a deleted code. */
  after?: QrCodeRow | undefined
  origin: ChangeOrigin
  nowMs: number
  /** Set if the action is not one of the three that follow from before and after. */
  action?: 'qr-code.rollback' | 'qr-code.restore' | undefined
}

/**
 * Records changes of codes of one organization for the caches of the fronts, the history, the audit
 * log and the events. Every change calls this in its own transaction, after the rows are written.
 * Anything else that must learn of changes is called from here. Throws ApiError 409
 * DOMAIN_ON_NOTICE for a change that a notice forbids.
 */
export async function recordQrCodeChanges(
  tx: Database,
  organizationId: string,
  transitions: readonly QrCodeTransition[],
): Promise<void> {
  const codes = transitions.flatMap(({ before, after }) => after ?? before ?? [])
  if (codes.length === 0) return
  await requireNoNotice(tx, organizationId, transitions)
  const isFirstByCountry = transitions.some(asksCountry) && !(await areCountriesNeeded(tx))
  const entries = isFirstByCountry ? [countriesNeeded] : []
  await recordChanges(tx, [...entries, ...codes.map((row) => row.codeKey)])
  await saveSupersededVersions(
    tx,
    transitions.flatMap(({ before, after }) =>
      before === undefined || after === undefined ? [] : [{ before, after }],
    ),
  )
  const nowMs = Math.max(...transitions.map((one) => one.nowMs))
  await saveAccess(
    tx,
    transitions.flatMap(({ before, after }) => (after === undefined ? [] : [{ before, after }])),
    nowMs,
  )
  await recordAudit(tx, organizationId, transitions.flatMap(auditEntries))
  await recordEvents(tx, organizationId, { events: () => transitions.flatMap(qrCodeEvents), nowMs })
}

/**
 * A host name leads nowhere else in the time between a notice and its end: codes on it can only be
 * archived or deleted.
 */
async function requireNoNotice(
  tx: Database,
  organizationId: string,
  transitions: readonly QrCodeTransition[],
): Promise<void> {
  const changed = transitions.flatMap(({ before, after }) =>
    after === undefined || (before !== undefined && isEnding(before, after)) ? [] : [after],
  )
  const notices = await noticesOf(
    tx,
    organizationId,
    changed.map(({ domainId }) => domainId),
  )
  for (const { domainId, domain } of changed) {
    const endsAtMs = notices.get(domainId ?? '')
    if (endsAtMs !== undefined) throw onNotice(domain, endsAtMs)
  }
}

/** Whether a change archives a code and does nothing else. */
export function isEnding(before: QrCodeRow, after: QrCodeRow): boolean {
  return after.status === 'ARCHIVED' && changedFields(before, after).every((field) => field === 'status')
}

function asksCountry({ after }: QrCodeTransition): boolean {
  return (
    after?.rules.some(({ when }) => when?.countries !== undefined || when?.not?.countries !== undefined) ??
    false
  )
}

function auditEntries({ before, after, origin, nowMs, action }: QrCodeTransition): NewAuditEntry[] {
  const code = after ?? before
  if (code === undefined) return []
  const entry = { target: { id: code.id, name: code.name }, origin, nowMs }
  // An import is one entry, however many codes it creates.
  if (before === undefined)
    return origin.via === 'import' ? [] : [{ ...entry, action: action ?? 'qr-code.create' }]
  if (after === undefined) return [{ ...entry, action: 'qr-code.delete' }]
  const fields = changedFields(before, after)
  return fields.length === 0 ? [] : [{ ...entry, action: action ?? 'qr-code.update', fields }]
}

/** Returns the events of a change. A change that archives and renames a code is two events. */
export function qrCodeEvents({ before, after, nowMs, action }: Omit<QrCodeTransition, 'origin'>): NewEvent[] {
  const code = after ?? before
  if (code === undefined) return []
  const common = { atMs: nowMs, qrCodeId: code.id, data: code }
  if (before === undefined)
    return [{ event: action === 'qr-code.restore' ? 'qr.restored' : 'qr.created', ...common }]
  if (after === undefined) return [{ event: 'qr.deleted', ...common }]
  const fields: readonly string[] = changedFields(before, after)
  const events: NewEvent[] = []
  if (fields.some((field) => field !== 'status')) events.push({ event: 'qr.updated', ...common })
  if (fields.includes('status'))
    events.push({ event: after.status === 'ARCHIVED' ? 'qr.archived' : 'qr.restored', ...common })
  return events
}
