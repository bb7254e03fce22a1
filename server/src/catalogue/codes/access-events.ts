import { inTransaction, tag, type Database } from '../../db/database.ts'
import { recordEvents, type NewEvent } from '../ledger/events.ts'
import { readQrCodes } from './batches.ts'

/** Codes of one transaction, which blocks all other writers on SQLite. */
const codesAtOnceMax = 200
/**
 * A limit counts as used up when its count stood at the limit for this long: fronts give back what
 * is left of their leases within a second.
 */
const settledMs = 2_000

type Due = {
  organizationId: string
  qrCodeId: string
  event: 'qr.opened' | 'qr.ended' | 'qr.full'
  atMs: number
}

/**
 * Records the events of codes that have opened, ended, or used up their limit since, each once:
 * the mark of an event goes in the transaction that records it. An archived code has no events,
 * because nobody finds it open or closed by its access.
 */
export async function recordAccessEvents(db: Database, nowMs: number): Promise<void> {
  for (;;) {
    const due = await inTransaction(db, async (tx) => {
      const found = [...(await takeMoments(tx, nowMs)), ...(await takeFull(tx, nowMs))]
      for (const [organizationId, group] of Map.groupBy(found, (one) => one.organizationId))
        await record(tx, organizationId, { due: group, nowMs })
      return found.length
    })
    if (due < codesAtOnceMax) return
  }
}

async function record(
  tx: Database,
  organizationId: string,
  { due, nowMs }: { due: readonly Due[]; nowMs: number },
): Promise<void> {
  const codes = await readQrCodes(
    tx,
    organizationId,
    due.map(({ qrCodeId }) => qrCodeId),
  )
  const events = due.flatMap(({ qrCodeId, event, atMs }): NewEvent[] => {
    const data = codes.get(qrCodeId)
    return data === undefined || data.status !== 'ACTIVE' ? [] : [{ event, atMs, qrCodeId, data }]
  })
  if (events.length > 0) await recordEvents(tx, organizationId, { events: () => events, nowMs })
}

async function takeMoments(tx: Database, nowMs: number): Promise<Due[]> {
  const due = await tx.kysely
    .selectFrom('access_moments')
    .selectAll()
    .where('at_ms', '<=', nowMs)
    .orderBy('at_ms')
    .limit(codesAtOnceMax)
    .modifyEnd(tag('catalogue.dueAccessMoments'))
    .execute()
  const taken: Due[] = []
  for (const { organization_id, qr_code_id, event, at_ms } of due) {
    // Another worker, or a change of the code, may have taken it.
    const { numDeletedRows } = await tx.kysely
      .deleteFrom('access_moments')
      .where('organization_id', '=', organization_id)
      .where('qr_code_id', '=', qr_code_id)
      .where('event', '=', event)
      .where('at_ms', '=', at_ms)
      .executeTakeFirst()
    if (numDeletedRows > 0n)
      taken.push({ organizationId: organization_id, qrCodeId: qr_code_id, event, atMs: at_ms })
  }
  return taken
}

async function takeFull(tx: Database, nowMs: number): Promise<Due[]> {
  const due = await tx.kysely
    .selectFrom('scan_limits')
    .select(['organization_id', 'qr_code_id'])
    .where('full_at_ms', '<=', nowMs - settledMs)
    .where('full_told', '=', 0)
    .orderBy('full_at_ms')
    .limit(codesAtOnceMax)
    .modifyEnd(tag('catalogue.fullLimits'))
    .execute()
  const taken: Due[] = []
  for (const { organization_id, qr_code_id } of due) {
    const told = await tx.kysely
      .updateTable('scan_limits')
      .set({ full_told: 1 })
      .where('organization_id', '=', organization_id)
      .where('qr_code_id', '=', qr_code_id)
      .where('full_at_ms', '<=', nowMs - settledMs)
      .where('full_told', '=', 0)
      .returning('full_at_ms')
      .executeTakeFirst()
    if (told !== undefined)
      taken.push({
        organizationId: organization_id,
        qrCodeId: qr_code_id,
        event: 'qr.full',
        atMs: Number(told.full_at_ms),
      })
  }
  return taken
}
