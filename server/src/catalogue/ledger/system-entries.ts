import { sql } from 'kysely'
import type { AuditAction } from '@everscan/contract/resources/audit-log.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import type { OrganizationScans } from '../../db/scans/scan-counters.ts'
import { recordAudit } from './audit-log.ts'
import { systemOrigin } from '../rows/change-origins.ts'

/**
 * A start detects an older catalogue by its pulse, and the worker later by its scans: only one
 * entry is written.
 */
const repeatMs = 60 * 60_000

/**
 * Adds a system entry to the audit log of every organization that got none for this action within
 * the last hour.
 */
export async function recordForAll(tx: Database, action: AuditAction, nowMs: number): Promise<void> {
  const organizations = await tx.kysely
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where((where) =>
      where.not(
        where.exists(
          tx.kysely
            .selectFrom('audit_log')
            .select('audit_log.id')
            .where('audit_log.organization_id', '=', sql.ref<string>('organizations.id'))
            .where('action', '=', action)
            .where('audit_log.created_at_ms', '>', nowMs - repeatMs),
        ),
      ),
    )
    .modifyEnd(tag('catalogue.organizationsToTell'))
    .execute()
  for (const { id, name } of organizations)
    await recordAudit(tx, id, [{ action, target: { id, name }, origin: systemOrigin, nowMs }])
}

const actions = { recounted: 'scans.recount', putBack: 'scans.put-back', lost: 'scans.lost' } as const

/**
 * Records the result of comparing catalogue and scan store in the audit log of each organization,
 * with its own numbers.
 */
export async function recordFoundScans(
  db: Database,
  found: Readonly<Record<keyof typeof actions, readonly OrganizationScans[]>>,
  nowMs: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const kind of Object.keys(actions) as (keyof typeof actions)[])
      for (const { organizationId, scans } of found[kind]) {
        // An organization that was deleted since has no log.
        const organization = await tx.kysely
          .selectFrom('organizations')
          .select('id')
          .where('id', '=', organizationId)
          .modifyEnd(tag('catalogue.organizationToTell'))
          .executeTakeFirst()
        if (organization === undefined) continue
        const target = { id: organizationId, name: `${scans > 0 && kind === 'recounted' ? '+' : ''}${scans}` }
        await recordAudit(tx, organizationId, [
          { action: actions[kind], target, origin: systemOrigin, nowMs },
        ])
      }
  })
}
