import { limits } from '@everscan/contract/schema/limits.ts'
import { deleteOldMcpCalls as deleteOlder } from '../../catalogue/ledger/mcp-calls.ts'
import type { Chore } from '../start-jobs.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Deletes the calls over MCP that the audit log no longer keeps. */
export const deleteOldMcpCalls: Chore = {
  name: 'deleteOldMcpCalls',
  takesTurns: true,
  everyMs: hourMs,
  run: async (db, nowMs) => deleteOlder(db, nowMs - limits.mcpCallDays * dayMs),
}
