import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import type { Gate } from '../http/authentication.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'

export type McpContext = {
  /** The API, whose endpoints the tools use. */
  app: FastifyInstance
  db: Database
  config: { publicUrl: string }
  clock: () => number
  gate: Gate
}

/** A request of a caller that the gate admitted. The signal is aborted when the client leaves. */
export type McpRequest = { caller: Caller; request: FastifyRequest; signal: AbortSignal }
