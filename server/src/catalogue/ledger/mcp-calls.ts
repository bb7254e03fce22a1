import { limits } from '@everscan/contract/schema/limits.ts'
import { tag, type Database } from '../../db/database.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'

const action = 'mcp.call'

/** A call of a tool over MCP. */
export type McpCall = {
  id: string
  tool: string
  /** Absent if the call did what the tool does; otherwise `dry run`, or why it failed. */
  outcome: string | undefined
  origin: ChangeOrigin
  nowMs: number
}

/**
 * Adds a call to the audit log of an organization. If its entry exists already, only changes the
 * outcome: a call may fail after one of its transactions.
 */
export async function recordMcpCall(
  tx: Database,
  organizationId: string,
  { id, tool, outcome, origin, nowMs }: McpCall,
): Promise<void> {
  const name = outcome === undefined ? tool : `${tool}: ${outcome}`
  await tx.kysely
    .insertInto('audit_log')
    .values({
      organization_id: organizationId,
      id,
      action,
      actor_kind: origin.actor.kind,
      actor_id: origin.actor.id,
      actor_name: origin.actor.name,
      target_id: tool,
      target_name: name,
      fields: '',
      via: origin.via,
      country: origin.country,
      user_agent: origin.userAgent,
      request_id: origin.requestId,
      created_at_ms: nowMs,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doUpdateSet({ target_name: name }))
    .modifyEnd(tag('catalogue.recordMcpCall'))
    .execute()
}

/** The batch size: on SQLite, this deletion blocks all other writers. */
const deletedAtOnceMax = 1_000

/**
 * Deletes the calls from before this time, and of each organization all but the newest
 * `limits.mcpCallsMax`. Returns their number.
 */
export async function deleteOldMcpCalls(
  db: Database,
  beforeMs: number,
  { callsMax = limits.mcpCallsMax }: { callsMax?: number } = {},
): Promise<number> {
  const organizations = await db.kysely
    .selectFrom('organizations')
    .select('id')
    .modifyEnd(tag('catalogue.organizationsWithCalls'))
    .execute()
  let deleted = 0
  for (const { id } of organizations) {
    deleted += await deleteCalls(db, id, { beforeMs })
    deleted += await deleteCalls(db, id, { beyond: callsMax })
  }
  return deleted
}

async function deleteCalls(
  db: Database,
  organizationId: string,
  { beforeMs, beyond = 0 }: { beforeMs?: number; beyond?: number },
): Promise<number> {
  for (let deleted = 0; ;) {
    const { numDeletedRows } = await db.kysely
      .deleteFrom('audit_log')
      .where('organization_id', '=', organizationId)
      .where('id', 'in', (select) =>
        select
          .selectFrom('audit_log')
          .select('id')
          .where('organization_id', '=', organizationId)
          .where('action', '=', action)
          .$if(beforeMs !== undefined, (query) => query.where('created_at_ms', '<', beforeMs ?? 0))
          .orderBy('created_at_ms', 'desc')
          .orderBy('id', 'desc')
          .limit(deletedAtOnceMax)
          .offset(beyond),
      )
      .modifyEnd(tag('catalogue.deleteMcpCalls'))
      .executeTakeFirst()
    deleted += Number(numDeletedRows)
    if (numDeletedRows < BigInt(deletedAtOnceMax)) return deleted
  }
}
