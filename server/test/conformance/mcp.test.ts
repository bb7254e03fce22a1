// MCP of a started service, over its public port and over the command, with the SDK's own client.
import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ListToolsResultSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { inherited, type Service } from '../support/service.ts'
import { openTenant } from '../support/shared-service.ts'

const main = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')

type Changes = { changes: { id?: string; after: QrCode }[] }

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'everscan-tests', version: '1.0.0' })
  await client.connect(transport)
  return client
}

async function use<Data>(client: Client, name: string, input: object): Promise<Data> {
  const result = (await client.callTool({ name, arguments: { ...input } })) as CallToolResult
  assert.notEqual(result.isError, true, JSON.stringify(result.content))
  return result.structuredContent as Data
}

const environment = (key: string) => ({
  ...Object.fromEntries(Object.entries(inherited()).map(([name, value]) => [name, value ?? ''])),
  EVERSCAN_API_KEY: key,
})

/** Runs the command without input. */
function run(words: readonly string[], key: string) {
  return spawnSync(process.execPath, [main, 'mcp', ...words], { env: environment(key), encoding: 'utf8' })
}

describe('MCP of a started service', () => {
  let service: Service
  before(async () => {
    ;({ service } = await openTenant())
  })
  after(() => service.remove())

  const overHttp = () =>
    connect(
      new StreamableHTTPClientTransport(new URL('/mcp', service.baseUrl), {
        requestInit: { headers: { authorization: `Bearer ${service.apiKey}` } },
      }),
    )
  const overStdio = () =>
    connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [main, 'mcp', '--url', service.baseUrl],
        env: environment(service.apiKey),
      }),
    )
  /** Starts the command without a client. */
  const command = (key: string, url = service.baseUrl): ChildProcess =>
    spawn(process.execPath, [main, 'mcp', '--url', url], {
      env: environment(key),
      stdio: ['pipe', 'pipe', 'pipe'],
    })

  for (const [way, open] of [
    ['HTTP', overHttp],
    ['the command', overStdio],
  ] as const)
    test(`over ${way}, a code is tried, created and changed, and its scans follow at once`, async () => {
      const client = await open()
      const listed = await client.request({ method: 'tools/list' }, ListToolsResultSchema)
      assert.equal(listed.tools.length, 14)
      const qrCodes = [{ type: 'URL', name: way, data: { url: 'https://example.com/a' } }]
      await use(client, 'create_qr_codes', { qrCodes })
      const found = () => use<{ data: QrCode[] }>(client, 'find_qr_codes', { search: way })
      assert.deepEqual((await found()).data, [])
      const { changes } = await use<Changes>(client, 'create_qr_codes', { qrCodes, dryRun: false })
      const made = changes[0]?.after
      assert.ok(made !== undefined)
      const destination = async () =>
        (await fetch(`${service.baseUrl}/${made.shortCode}`, { redirect: 'manual' })).headers.get('location')
      assert.equal(await destination(), 'https://example.com/a')
      const change = { id: made.id, data: { url: 'https://example.com/b' } }
      await use(client, 'change_qr_code', change)
      assert.equal(await destination(), 'https://example.com/a')
      await use(client, 'change_qr_code', { ...change, dryRun: false })
      assert.equal(await destination(), 'https://example.com/b')
      await client.close()
    })

  const answerOf = async (key: string, url?: string) => {
    const child = command(key, url)
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const ended = once(child, 'exit')
    child.stdin?.end(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })}\n`)
    await ended
    return JSON.parse(output) as { id: number; error: { code: number; message: string } }
  }

  test('the command answers what came before the end of its input, and prints nothing else', async () => {
    const child = command(service.apiKey)
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const ended = once(child, 'exit')
    child.stdin?.write('this is no message\n')
    for (const id of [1, 2, 3])
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`)
    child.stdin?.end()
    assert.deepEqual(await ended, [0, null])
    const lines = output.trim().split('\n')
    const answers = lines.map((line) => JSON.parse(line) as { id: number; result: object })
    assert.deepEqual(
      answers.map(({ id, result }) => [id, result]).toSorted(([a], [b]) => Number(a) - Number(b)),
      [1, 2, 3].map((id) => [id, {}]),
    )
  })

  test('a request that the service refuses, or cannot get, has an error that says why', async () => {
    const refused = await answerOf('evs_wrong')
    assert.deepEqual([refused.id, refused.error.code], [7, -32_000])
    assert.match(refused.error.message, /The API key is missing or invalid/)
    // Nothing listens on port 1.
    const unreached = await answerOf(service.apiKey, 'http://127.0.0.1:1')
    assert.match(unreached.error.message, /http:\/\/127\.0\.0\.1:1 did not answer/)
  })

  test('without a key the command ends with a sentence, and a wrong URL is wrong usage', () => {
    const noKey = run([], '')
    assert.deepEqual([noKey.status, noKey.stdout], [1, ''])
    assert.match(noKey.stderr, /EVERSCAN_API_KEY is not set/)
    assert.equal(run(['--url', 'ftp://example.com'], 'evs_a').status, 2)
  })
})
