import type { FieldProblem, Problem } from '@everscan/contract/problems/problem.ts'
import type { OutgoingHttpHeaders } from 'node:http'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { FastifyRequest } from 'fastify'
import { recordMcpCall } from '../../catalogue/ledger/mcp-calls.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { rehearsalOf } from '../../db/rehearsal.ts'
import { ApiError } from '../../errors.ts'
import { createId } from '../../ids.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import { apiPrefix } from '../http/endpoint-routes.ts'
import { errorBody, toApiError } from '../http/error-answers.ts'
import { validatorOf } from '../../product/validation/validator.ts'
import { callInside } from './call-inside.ts'
import type { McpContext, McpRequest } from './mcp-request.ts'
import type { RequestParts, Sent, Tool, ToolResult } from './tool.ts'
import { inputSchema } from './tools.ts'

/**
 * Runs a tool and records the call in the audit log. An answer is returned only once its entry is
 * stored; the entry of a change is stored in the transaction of the change.
 */
export async function runTool(
  context: McpContext,
  { caller, request, signal }: McpRequest,
  { tool, input }: { tool: Tool; input: Record<string, unknown> },
): Promise<CallToolResult> {
  const { origin } = caller
  const me: Caller = { ...caller, origin: { ...origin, via: 'mcp' } }
  const dryRun = tool.changes !== undefined && input['dryRun'] !== false
  const entry = new CallEntry(context, me, { tool: tool.name, outcome: dryRun ? 'dry run' : undefined })
  const db = databaseFor(tool, { db: context.db, dryRun, entry })
  const send = async (endpoint: Endpoint, parts: RequestParts = {}): Promise<Sent> => {
    const inject = injected(endpoint, { request, orgId: me.organizationId, parts })
    const answer = await callInside(context.app, { caller: me, db, signal }, await inject)
    if (answer.statusCode >= 400) throw answeredError(answer)
    return { body: answer.rawPayload, json: () => answer.json() }
  }
  try {
    const { dryRun: _isDryRun, ...given } = checked(tool, input)
    const result = await tool.run({ dryRun, send }, given)
    await entry.store()
    return toolResult(result)
  } catch (thrown) {
    const error = toApiError(thrown)
    if (error.status >= 500) request.log.error({ err: error.cause ?? error, tool: tool.name }, error.message)
    const outcome = signal.aborted ? 'the client left' : error.code
    await entry.storeOutcome(dryRun ? `dry run, ${outcome}` : outcome)
    return errorResult(errorBody(error, request.id))
  }
}

/** Records a call of a tool that does not exist. Its name is the client's, so it is not stored. */
export async function recordUnknownTool(context: McpContext, { caller }: McpRequest): Promise<void> {
  const me = { ...caller, origin: { ...caller.origin, via: 'mcp' as const } }
  await new CallEntry(context, me, { tool: 'unknown', outcome: 'NOT_FOUND' }).store()
}

/** The entry of one call in the audit log. */
class CallEntry {
  readonly #context: McpContext
  readonly #caller: Caller
  readonly #call: { id: string; tool: string; outcome: string | undefined }
  #isStored = false

  constructor(context: McpContext, caller: Caller, call: { tool: string; outcome: string | undefined }) {
    this.#context = context
    this.#caller = caller
    this.#call = { id: createId('aud'), ...call }
  }

  /** Writes the entry in the transaction of a change, if no earlier transaction has. */
  readonly beforeCommit = async (tx: Database): Promise<void> => {
    const { organizationId, origin } = this.#caller
    await recordMcpCall(tx, organizationId, { ...this.#call, origin, nowMs: this.#context.clock() })
    this.#isStored = true
  }

  /** Writes the entry, unless a transaction of the call wrote it. */
  async store(): Promise<void> {
    if (!this.#isStored) await inTransaction(this.#context.db, this.beforeCommit)
  }

  /** Writes the entry of a call that failed, also if a transaction of it wrote it before. */
  async storeOutcome(outcome: string): Promise<void> {
    this.#call.outcome = outcome
    await inTransaction(this.#context.db, this.beforeCommit)
  }
}

function databaseFor(
  { changes }: Tool,
  { db, dryRun, entry }: { db: Database; dryRun: boolean; entry: CallEntry },
): Database {
  if (changes === undefined) return db
  if (dryRun && changes.ownDryRun === undefined) return rehearsalOf(db)
  return { ...db, beforeCommit: entry.beforeCommit }
}

/** Throws ApiError 400 that names every wrong field. */
function checked(tool: Tool, input: Record<string, unknown>): Record<string, unknown> {
  const copy = structuredClone(input)
  validatorOf(inputSchema(tool), 'body')(copy)
  return copy
}

/** The request to the API. Of the client's headers, it has only those that say who it is. */
async function injected(
  { method, path }: Endpoint,
  { request, orgId, parts }: { request: FastifyRequest; orgId: string; parts: RequestParts },
) {
  const { params = {}, query = {}, body, form, idempotencyKey } = parts
  const named: Readonly<Record<string, unknown>> = { ...params, orgId }
  const pathname = path.replaceAll(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(String(named[name])),
  )
  const encoded = form === undefined ? undefined : new Response(form)
  const headers: OutgoingHttpHeaders = {
    'x-request-id': request.id,
    'user-agent': request.headers['user-agent'] ?? '',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(encoded !== undefined && { 'content-type': encoded.headers.get('content-type') ?? '' }),
    ...(typeof idempotencyKey === 'string' && { 'idempotency-key': idempotencyKey }),
  }
  return {
    method,
    url: `${apiPrefix}${pathname}${searchOf(query)}`,
    remoteAddress: request.ip,
    headers,
    ...(body !== undefined && { payload: JSON.stringify(body) }),
    ...(encoded !== undefined && { payload: Buffer.from(await encoded.arrayBuffer()) }),
  }
}

function searchOf(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  return search.size === 0 ? '' : `?${search.toString()}`
}

function answeredError({ statusCode, body }: { statusCode: number; body: string }): ApiError {
  const { code, details, ...told } = JSON.parse(body) as ErrorBody & Problem & { details?: FieldProblem[] }
  return new ApiError(statusCode, code, told, details === undefined ? {} : { details })
}

function toolResult(result: ToolResult): CallToolResult {
  if ('content' in result) return result
  const structuredContent = withoutPictures(result.data)
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

function errorResult({ message, ...error }: ErrorBody): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `${message}\n${JSON.stringify(error)}` }] }
}

/** Leaves the data of logos out: up to a megabyte for each code, which no model can read. */
function withoutPictures(data: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(data, (key, value: unknown) =>
      key === 'dataUri' && typeof value === 'string' ? `(${value.length} characters, left out)` : value,
    ),
  ) as Record<string, unknown>
}
