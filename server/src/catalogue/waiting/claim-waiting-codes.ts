import { codeKey, shortCodeProblem } from '@everscan/contract/resources/short-codes.ts'
import { tag, type Database } from '../../db/database.ts'
import { insertRows, isOneOf } from '../../db/dialects/row-sets.ts'
import { freeAdoptedCodes } from '../../db/scans/adopted-codes.ts'
import { copyHistory } from '../codes/bin.ts'
import { findAndLockFolders } from '../codes/folders.ts'
import { insertQrCodeRows } from '../codes/qr-code-writes.ts'
import { recordQrCodeChanges } from '../codes/record-qr-code-changes.ts'
import { findAndLockDomains } from '../domains/code-domains.ts'
import { createId } from '../../ids.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { archiveKind } from '../imports/archive-imports.ts'
import { insertImportJob } from '../imports/imports.ts'
import { parseWaiting, selectWaiting, selectWaitingColumns } from './waiting-codes.ts'

/** The kind of the jobs that make codes of those that waited. */
export const waitingKind = 'waiting'

/** A host name that the organization has by now, and for which codes or hits wait. */
export type AwaitedHost = { domainId: string; hostname: string }

/** Returns the host names of an organization that it has, and for which something waits. */
export async function awaitedHosts(db: Database, organizationId: string): Promise<AwaitedHost[]> {
  return awaited(db)
    .select(['d.id as domainId', 'd.hostname'])
    .where('d.organization_id', '=', organizationId)
    .orderBy('d.hostname')
    .modifyEnd(tag('catalogue.awaitedHosts'))
    .execute()
}

function awaited(db: Database) {
  return db.kysely
    .selectFrom('domains as d')
    .where('d.status', '<>', 'PENDING')
    .where((where) =>
      where.or([
        where.exists(
          where
            .selectFrom('waiting_qr_codes as w')
            .select('w.id')
            .whereRef('w.organization_id', '=', 'd.organization_id')
            .whereRef('w.hostname', '=', 'd.hostname')
            .where('w.lost_at_ms', 'is', null),
        ),
        where.exists(
          where
            .selectFrom('waiting_hits as h')
            .select('h.job_id')
            .whereRef('h.organization_id', '=', 'd.organization_id')
            .whereRef('h.hostname', '=', 'd.hostname'),
        ),
      ]),
    )
}

/**
 * Starts a job for each organization that has a host name by now for which codes or hits wait.
 * Imports of archives and moves end first: their hits must find the same codes waiting, however
 * often they are read.
 */
export async function startWaitingJobs(db: Database, nowMs: number): Promise<void> {
  const organizations = await awaited(db)
    .select('d.organization_id as organizationId')
    .distinct()
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('jobs as j')
            .select('j.id')
            .whereRef('j.organization_id', '=', 'd.organization_id')
            .where('j.kind', 'in', [archiveKind, 'move', waitingKind])
            .where('j.status', 'in', ['PENDING', 'PROCESSING']),
        ),
      ),
    )
    .modifyEnd(tag('catalogue.startWaitingJobs'))
    .execute()
  for (const { organizationId } of organizations) {
    const key = { organizationId, id: createId('job') }
    await insertImportJob(db, key, { kind: waitingKind, input: {}, progress: { hits: 0 }, nowMs })
  }
}

/**
 * Makes codes of at most `limit` of those that wait for a host name that the organization has.
 * Those whose short code is assigned by now, or has not the form of the host name, are lost.
 * Returns how many of both there were.
 */
export async function claimWaitingCodes(
  tx: Database,
  organizationId: string,
  { domainId, hostname }: AwaitedHost,
  { origin, nowMs, limit }: { origin: ChangeOrigin; nowMs: number; limit: number },
): Promise<number> {
  const form = (await findAndLockDomains(tx, organizationId, [domainId])).get(domainId)
  if (form === undefined) return 0
  const waiting = await selectWaitingColumns(selectWaiting(tx, organizationId))
    .where('q.hostname', '=', hostname)
    .where('q.lost_at_ms', 'is', null)
    .orderBy('q.id')
    .limit(limit)
    .modifyEnd(tag('catalogue.waitingCodes'))
    .execute()
  const folders = await findAndLockFolders(
    tx,
    organizationId,
    waiting.flatMap(({ folderId }) => folderId ?? []),
  )
  const rows = waiting.map((selected): QrCodeRow => {
    const { isLost: _, ...row } = parseWaiting(selected)
    const key = codeKey({ ...row, codes: form })
    const folderId = row.folderId !== null && folders.has(row.folderId) ? row.folderId : null
    return { ...row, domainId, codeKey: key, folderId }
  })
  const fit = rows.filter(({ shortCode }) => shortCodeProblem(shortCode, form) === undefined)
  const assigned = await assign(tx, organizationId, fit)
  const claimed = fit.filter(({ id }) => assigned.has(id))
  const ids = claimed.map(({ id }) => id)
  // The worker counts their scans: those from before an upgrade are in the scan store.
  await insertQrCodeRows(tx, claimed, { restoredAtMs: nowMs })
  await copyHistory(tx, organizationId, { ids, from: 'waiting_qr_code_history', to: 'qr_code_history' })
  await recordQrCodeChanges(
    tx,
    organizationId,
    claimed.map((after) => ({ after, origin, nowMs })),
  )
  await tx.kysely
    .deleteFrom('waiting_qr_codes')
    .where('organization_id', '=', organizationId)
    .where(isOneOf(tx, 'id', ids))
    .modifyEnd(tag('catalogue.endWaiting'))
    .execute()
  await tx.kysely
    .updateTable('waiting_qr_codes')
    .set({ lost_at_ms: nowMs })
    .where('organization_id', '=', organizationId)
    .where(
      isOneOf(
        tx,
        'id',
        rows.flatMap(({ id }) => (assigned.has(id) ? [] : [id])),
      ),
    )
    .modifyEnd(tag('catalogue.loseWaitingCodes'))
    .execute()
  return rows.length
}

/** Assigns the short codes that are free. Returns the ids of their codes. */
async function assign(
  tx: Database,
  organizationId: string,
  rows: readonly QrCodeRow[],
): Promise<Set<unknown>> {
  // The order of every caller that assigns short codes.
  const values = rows
    .map((row) => ({
      canonical_code: row.codeKey,
      short_code: row.shortCode,
      organization_id: organizationId,
      qr_code_id: row.id,
      created_at_ms: row.createdAtMs,
      deleted_at_ms: null,
    }))
    .sort((a, b) => (a.canonical_code < b.canonical_code ? -1 : 1))
  const keys = values.map(({ canonical_code: key }) => key)
  await freeAdoptedCodes(tx, organizationId, keys)
  return new Set(
    await insertRows(tx, 'short_codes', { rows: values, skipTaken: true, returning: 'qr_code_id' }),
  )
}
