import { sql } from 'kysely'
import type { AuditAction } from '@everscan/contract/resources/audit-log.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import type { OrganizationScans } from '../../db/scans/scan-counters.ts'
import { recordAudit } from './audit-log.ts'
import { systemOrigin } from '../rows/change-origins.ts'

/** A start finds an older catalogue by its pulse and the worker then by its scans: that is told once. */
const againMs = 60 * 60_000

/** Writes an entry by the service itself into the audit log of every organization, unless one was written within the hour. */
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
            .where('audit_log.created_at_ms', '>', nowMs - againMs),
        ),
      ),
    )
    .modifyEnd(tag('catalogue.organizationsToTell'))
    .execute()
  for (const { id, name } of organizations)
    await recordAudit(tx, id, [{ action, target: { id, name }, origin: systemOrigin, nowMs }])
}

const actions = { recounted: 'scans.recount', putBack: 'scans.put-back', lost: 'scans.lost' } as const

/** Tells each organization, in its audit log, what a comparison of catalogue and scan store changed in its own figures. */
export async function recordFoundScans(
  db: Database,
  found: Readonly<Record<keyof typeof actions, readonly OrganizationScans[]>>,
  nowMs: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const kind of Object.keys(actions) as (keyof typeof actions)[])
      for (const { organizationId, scans } of found[kind]) {
        // One that was deleted since has no log.
        const isThere = await tx.kysely
          .selectFrom('organizations')
          .select('id')
          .where('id', '=', organizationId)
          .modifyEnd(tag('catalogue.organizationToTell'))
          .executeTakeFirst()
        if (isThere === undefined) continue
        const target = { id: organizationId, name: `${scans > 0 && kind === 'recounted' ? '+' : ''}${scans}` }
        await recordAudit(tx, organizationId, [
          { action: actions[kind], target, origin: systemOrigin, nowMs },
        ])
      }
  })
}
