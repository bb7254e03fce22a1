import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { tag, type Database } from '../../db/database.ts'
import type { TestApi } from './api.ts'

/** Makes an API answer on a port of this machine, until the tests of the file end. */
export async function listen({ app }: TestApi): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

/** Connects the client of the SDK with an API key. */
export async function connectMcp(baseUrl: string, key: string): Promise<Client> {
  const client = new Client({ name: 'everscan-tests', version: '1.0.0' })
  const headers = { authorization: `Bearer ${key}`, 'user-agent': 'everscan-tests/1.0' }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), { requestInit: { headers } }),
  )
  // From here on, the client checks each result against the schema of its tool.
  await client.listTools()
  return client
}

/** The data of a successful call. */
export async function use<Data>(client: Client, name: string, input: object = {}): Promise<Data> {
  const result = await callTool(client, name, input)
  if (result.isError === true) throw new Error(textOf(result))
  return result.structuredContent as Data
}

/** The error of a failed call: its message, and the rest of the API's error body. */
export async function failure(
  client: Client,
  name: string,
  input: object = {},
): Promise<{ message: string; statusCode: number; code: string; details?: { path: string }[] }> {
  const result = await callTool(client, name, input)
  if (result.isError !== true) throw new Error(`${name} succeeded: ${textOf(result)}`)
  const [message = '', body = ''] = textOf(result).split('\n')
  return { message, ...JSON.parse(body) }
}

export async function callTool(client: Client, name: string, input: object = {}): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...input } })) as CallToolResult
}

function textOf({ content: [first] }: CallToolResult): string {
  return first?.type === 'text' ? first.text : ''
}

/** Every row of the catalogue by table, except the calls over MCP and the last use of keys. */
export async function everyRow(db: Database): Promise<Record<string, string[]>> {
  const tables = await db.kysely.introspection.getTables()
  const rows: Record<string, string[]> = {}
  for (const { name } of tables) {
    const all = (await db.kysely
      .selectFrom(name as 'api_keys')
      .selectAll()
      .modifyEnd(tag('test.everyRow'))
      .execute()) as Record<string, unknown>[]
    rows[name] = all
      .filter(({ action }) => action !== 'mcp.call')
      .map(({ last_used_at_ms: _lastUse, ...row }) => JSON.stringify(row))
      .toSorted((one, other) => (one < other ? -1 : 1))
  }
  return rows
}
