import { problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'
import type { McpContext } from './mcp-request.ts'

export const mcpPath = '/mcp'

/** Every key may connect. Each tool has the role and the scope of its endpoint. */
const door = { id: 'mcp', role: 'anyCaller', scope: 'anyScope' } as const

/**
 * Adds the MCP endpoint (Model Context Protocol, streamable HTTP). It is stateless: any process of
 * any machine answers any request, with JSON, and there are no sessions and no streams.
 */
export function addMcp(app: FastifyInstance, context: Omit<McpContext, 'app'>): void {
  const callers = new WeakMap<FastifyRequest, Caller>()
  app.route({
    method: 'POST',
    url: mcpPath,
    bodyLimit: limits.bodyBytesMax,
    // Before the body is read, as for every endpoint.
    onRequest: async (request, reply) => {
      requireOwnOrigin(request, context.config.publicUrl)
      takeKey(request)
      const caller = await context.gate(door, request, reply).catch(explainMissingKey)
      if (caller !== undefined && 'organizationId' in caller) callers.set(request, caller)
    },
    handler: async (request, reply) => {
      const caller = callers.get(request)
      if (caller === undefined) throw new Error('the gate admitted no key')
      requireOneMessage(request.body)
      const left = new AbortController()
      reply.raw.once('close', () => left.abort())
      // Loaded at the first use: most installations never need the SDK.
      const { answerMessage } = await import('./mcp-server.ts')
      const answer = await answerMessage({ ...context, app }, { caller, request, signal: left.signal })
      return reply
        .code(answer.status)
        .type('application/json; charset=utf-8')
        .send(await answer.text())
    },
  })
}

/**
 * Throws ApiError 403 for a page of another site (DNS rebinding: such a page can choose its own
 * `Host`, so only the configured address counts). Programs send no `Origin`.
 */
function requireOwnOrigin({ headers: { origin } }: FastifyRequest, publicUrl: string): void {
  if (origin === undefined || origin === publicUrl) return
  throw new ApiError(403, 'FORBIDDEN', problem('pageOfOtherSite'))
}

/** Only keys are accepted: a cookie of the dashboard counts for nothing here. */
function takeKey({ headers }: FastifyRequest): void {
  delete headers.cookie
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer === undefined) return
  if (headers['x-api-key'] !== undefined && headers['x-api-key'] !== bearer)
    throw new ApiError(400, 'VALIDATION_ERROR', problem('apiKeysDiffer'))
  headers['x-api-key'] = bearer
}

function explainMissingKey(error: unknown): never {
  if (!(error instanceof ApiError) || error.status !== 401) throw error
  throw new ApiError(401, 'UNAUTHORIZED', problem('bearerNotValid'), {
    cause: error,
    headers: { 'www-authenticate': 'Bearer realm="Everscan"' },
  })
}

/** A batch could hide any number of calls behind one request, and MCP no longer has batches. */
function requireOneMessage(body: unknown): void {
  if (body === undefined) throw new ApiError(400, 'VALIDATION_ERROR', problem('bodyEmpty'))
  if (Array.isArray(body)) throw new ApiError(400, 'VALIDATION_ERROR', problem('messagesInBatch'))
}
