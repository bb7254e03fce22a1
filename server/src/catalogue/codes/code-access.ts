import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'

/** A code before and after a change. */
type Change = { before?: QrCodeRow | undefined; after: QrCodeRow }

/**
 * Brings the counters of limits and the times of events up to date with changed codes of one
 * organization. A counter lives as long as its limit: another number keeps the count. Part of
 * `recordQrCodeChanges`.
 */
export async function saveAccess(tx: Database, changes: readonly Change[], nowMs: number): Promise<void> {
  // Nearly every code has no access, and then nothing is read or written.
  const touched = changes.filter(({ before, after }) => (before?.access ?? after.access) !== null)
  const organizationId = touched[0]?.after.organizationId
  if (organizationId === undefined) return
  await saveLimits(tx, organizationId, touched)
  await saveMoments(tx, organizationId, { changes: touched, nowMs })
}

const limitOf = (row: QrCodeRow | undefined) => row?.access?.scanLimit

async function saveLimits(tx: Database, organizationId: string, changes: readonly Change[]): Promise<void> {
  const ended = changes.filter(
    ({ before, after }) => limitOf(before) !== undefined && limitOf(after) === undefined,
  )
  if (ended.length > 0)
    await tx.kysely
      .deleteFrom('scan_limits')
      .where('organization_id', '=', organizationId)
      .where(
        isOneOf(
          tx,
          'qr_code_id',
          ended.map(({ after }) => after.id),
        ),
      )
      .execute()
  await insertRows(tx, 'scan_limits', {
    rows: changes.flatMap(({ before, after }) => {
      const limit = limitOf(after)
      if (limit === undefined || limitOf(before) !== undefined) return []
      const isFull = after.scanCount >= limit
      return [
        {
          organization_id: organizationId,
          qr_code_id: after.id,
          scan_limit: limit,
          taken: after.scanCount,
          resets: after.limitResets,
          full_at_ms: isFull ? after.updatedAtMs : null,
          full_told: isFull ? 1 : 0,
        },
      ]
    }),
  })
  for (const { ids, limit, resets } of groupedLimits(changes))
    await tx.kysely
      .updateTable('scan_limits')
      .set({
        scan_limit: limit,
        ...(resets === undefined ? {} : { taken: 0, resets }),
        full_told: 0,
        full_at_ms:
          resets === undefined
            ? sql<number>`case when taken >= ${limit} then cast(${nowOf(changes)} as bigint) end`
            : null,
      })
      .where('organization_id', '=', organizationId)
      .where(isOneOf(tx, 'qr_code_id', ids))
      .execute()
}

function nowOf(changes: readonly Change[]): number {
  return Math.max(...changes.map(({ after }) => after.updatedAtMs))
}

type LimitGroup = { ids: string[]; limit: number; resets: number | undefined }

/** Changed limits, those with equal changes together. `resets` is undefined if the count stays. */
function groupedLimits(changes: readonly Change[]): Iterable<LimitGroup> {
  const groups = new Map<string, LimitGroup>()
  for (const { before, after } of changes) {
    const limit = after.access?.scanLimit
    const limitBefore = before?.access?.scanLimit
    if (limit === undefined || limitBefore === undefined) continue
    const resets = after.limitResets === before?.limitResets ? undefined : after.limitResets
    if (limit === limitBefore && resets === undefined) continue
    const key = `${limit} ${resets}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { ids: [after.id], limit, resets })
    else group.ids.push(after.id)
  }
  return groups.values()
}

async function saveMoments(
  tx: Database,
  organizationId: string,
  { changes, nowMs }: { changes: readonly Change[]; nowMs: number },
): Promise<void> {
  const moved = changes.filter(
    ({ before, after }) =>
      before?.access?.startsAt !== after.access?.startsAt || before?.access?.endsAt !== after.access?.endsAt,
  )
  if (moved.length === 0) return
  await tx.kysely
    .deleteFrom('access_moments')
    .where('organization_id', '=', organizationId)
    .where(
      isOneOf(
        tx,
        'qr_code_id',
        moved.map(({ after }) => after.id),
      ),
    )
    .execute()
  await insertRows(tx, 'access_moments', {
    rows: moved.flatMap(({ after: { id, access } }) =>
      (
        [
          ['qr.opened', access?.startsAt],
          ['qr.ended', access?.endsAt],
        ] as const
      ).flatMap(([event, time]) => {
        const atMs = time === undefined ? 0 : Date.parse(time)
        return atMs > nowMs ? [{ organization_id: organizationId, qr_code_id: id, event, at_ms: atMs }] : []
      }),
    ),
  })
}
