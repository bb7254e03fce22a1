import { problem } from '@everscan/contract/problems/problem.ts'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { roleAllows } from '@everscan/contract/schema/common.ts'
import type { FastifyRequest } from 'fastify'
import { release } from '../../release.ts'
import { isRole } from '../http/authentication.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'
import { hasScope } from '../../product/accounts/scopes.ts'
import type { McpContext, McpRequest } from './mcp-request.ts'
import { runTool, recordUnknownTool } from './run-tool.ts'
import type { Tool } from './tool.ts'
import { describeTool, tools } from './tools.ts'

const instructions = `Everscan manages dynamic QR codes: printed pictures stay the same while their destination changes, and each scan is counted. The API key decides the organization and what is allowed. Tools that change something have "dryRun", which is true by default: they then check everything and return what would change, and write nothing. Show the result, and call again with "dryRun": false to do it. Codes in use may be printed: a changed destination takes effect for everybody at once. Nothing can be deleted here; "status": "ARCHIVED" takes a code out of use, and "ACTIVE" brings it back.`

/** Answers one message of MCP. Each gets a server of its own, so no state outlives it. */
export async function answerMessage(context: McpContext, of: McpRequest): Promise<Response> {
  const { caller, request, signal } = of
  const { server } = new McpServer(
    { name: 'everscan', title: 'Everscan', version: release },
    { capabilities: { tools: {} }, instructions, jsonSchemaValidator: unusedValidator },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.filter((tool) => isAllowed(caller, tool)).map(describeTool),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (tool !== undefined) return runTool(context, of, { tool, input: params.arguments ?? {} })
    await recordUnknownTool(context, of)
    const { message, ...data } = problem('noSuchTool')
    // The SDK's own error class repeats its code in the message.
    throw Object.assign(new Error(message), { code: ErrorCode.InvalidParams, data })
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    const answer = transport.handleRequest(webRequest(request, context.config.publicUrl), {
      parsedBody: request.body,
    })
    return await Promise.race([answer, leaving(signal)])
  } finally {
    await server.close()
  }
}

/** It would check the answers of clients to questions. We ask none, and it takes long to create. */
const unusedValidator = {
  getValidator: () => {
    throw new Error('no client is asked anything')
  },
}

/** Returns whether a key may use a tool. The gate checks it again for each call. */
function isAllowed({ role, keyBounds }: Caller, { endpoint }: Tool): boolean {
  if (!isRole(endpoint.role) || endpoint.scope === undefined) return false
  return roleAllows(role, endpoint.role) && hasScope({ keyBounds }, endpoint.scope)
}

const passedOn = ['accept', 'content-type', 'mcp-protocol-version'] as const

function webRequest({ headers }: FastifyRequest, publicUrl: string): Request {
  const given = passedOn.flatMap((name): [string, string][] => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return new Request(`${publicUrl}/mcp`, { method: 'POST', headers: given })
}

/** Ends the wait for an answer that nobody reads. */
function leaving(signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    const leave = (): void => resolve(new Response(null, { status: 499 }))
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
  })
}
