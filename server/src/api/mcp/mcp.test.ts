import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditLogPage } from '@everscan/contract/resources/audit-log.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js'
import type { LightMyRequestResponse } from 'fastify'
import { createApiKey, revokeApiKey } from '../../catalogue/organizations/api-keys.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import { onSqlite } from '../../db/testing/databases.ts'
import { cookieName, openTestApi, publicUrl, somePerson, testConfig, type TestApi } from '../testing/api.ts'
import { connectMcp, listen, use } from '../testing/mcp.ts'
import { runStyleJob } from '../../product/styles/style-jobs.ts'
import type { StyleWorkers } from '../../product/styles/style-work.ts'

const accept = 'application/json, text/event-stream'
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

type Sent = {
  headers?: Record<string, string>
  body?: unknown
  key?: string | null
  method?: 'GET' | 'POST' | 'DELETE'
}

/** Sends a message, by default a ping with the key of an EDITOR. */
function post(
  { app, keys }: TestApi,
  { headers, body = ping, key = keys.EDITOR, method = 'POST' }: Sent = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method,
    url: '/mcp',
    headers: {
      accept,
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...(key !== null && { 'x-api-key': key }),
      ...headers,
    },
    ...(method === 'POST' && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
}

const call = (name: string, input: object) => ({
  ...ping,
  method: 'tools/call',
  params: { name, arguments: input },
})

async function callNames({ call: send, orgId, keys }: TestApi) {
  const log = await send('GET', `/organizations/${orgId}/audit-log?action=mcp.call`, { key: keys.ADMIN })
  return log.json<AuditLogPage>().data.map(({ target }) => target.name)
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

const make = (client: Client, name: string) =>
  use(client, 'create_qr_codes', {
    qrCodes: [{ type: 'URL', name, data: { url: 'https://example.com/' } }],
    dryRun: false,
  })

onSqlite('/mcp', (open) => {
  test('401: without a valid key, with the way to send one; a session is none', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { session } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    for (const headers of [
      {},
      { 'x-api-key': 'ek_unknown' },
      { authorization: 'Bearer ek_unknown' },
      { authorization: 'Basic YTpi' },
      { cookie: `${cookieName}=${session}`, origin: publicUrl },
    ] as Record<string, string>[]) {
      const answer = await post(api, { key: null, headers })
      assert.equal(answer.statusCode, 401)
      assert.equal(answer.headers['www-authenticate'], 'Bearer realm="Everscan"')
      assert.match(answer.json<ErrorBody>().message, /Authorization: Bearer KEY/)
    }
  })

  test('a key is accepted in either header; two different keys are a 400', async () => {
    const api = await openTestApi(await open())
    const { EDITOR, VIEWER } = api.keys
    assert.equal((await post(api, { key: null, headers: bearer(EDITOR) })).statusCode, 200)
    assert.equal((await post(api, { headers: bearer(EDITOR) })).statusCode, 200)
    const answer = await post(api, { headers: bearer(VIEWER) })
    assert.deepEqual([answer.statusCode, answer.json<ErrorBody>().code], [400, 'VALIDATION_ERROR'])
  })

  test('403: revoked keys, and keys from outside of their networks', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const keyFor = (networks?: string[]) =>
      createApiKey(db, api.orgId, {
        name: 'K',
        role: 'VIEWER',
        origin: someOrigin,
        ...(networks && { networks }),
      })
    const revoked = await keyFor()
    await revokeApiKey(
      db,
      { organizationId: api.orgId, id: revoked.key.id },
      { origin: someOrigin, nowMs: 1 },
    )
    const outside = await keyFor(['203.0.113.0/24'])
    assert.equal((await post(api, { key: revoked.value })).json<ErrorBody>().code, 'API_KEY_REVOKED')
    assert.match(
      (await post(api, { key: outside.value })).json<ErrorBody>().message,
      /not accepted from your/,
    )
    const inside = await post(api, { key: outside.value, headers: { 'x-forwarded-for': '203.0.113.7' } })
    assert.equal(inside.statusCode, 200)
  })

  test('403: pages of other sites, also if the Host is theirs (DNS rebinding)', async () => {
    const api = await openTestApi(await open())
    const origin = 'https://evil.example.com'
    assert.equal((await post(api, { headers: { origin } })).statusCode, 403)
    assert.equal((await post(api, { headers: { origin, host: 'evil.example.com' } })).statusCode, 403)
    assert.equal((await post(api, { headers: { origin: 'null' } })).statusCode, 403)
    assert.equal((await post(api, { headers: { origin: publicUrl } })).statusCode, 200)
  })

  test('wrong messages are refused: JSON, form, size, batches, version, media types, methods', async () => {
    const api = await openTestApi(await open())
    const large = JSON.stringify({ ...ping, params: { text: 'x'.repeat(limits.bodyBytesMax) } })
    const wrong: [status: number, sent: Sent][] = [
      [400, { body: '{' }],
      [400, { body: '' }],
      [400, { body: '{"__proto__":1}' }],
      [400, { body: {} }],
      [400, { body: { jsonrpc: '1.0', id: 1, method: 'ping' } }],
      [400, { body: [ping] }],
      [400, { headers: { 'mcp-protocol-version': '1999-01-01' } }],
      [406, { headers: { accept: 'application/json' } }],
      [413, { body: large }],
      [415, { headers: { 'content-type': 'text/plain' } }],
      [405, { method: 'GET' }],
      [405, { method: 'DELETE' }],
    ]
    for (const [status, sent] of wrong) {
      const answer = await post(api, sent)
      assert.equal(answer.statusCode, status, JSON.stringify(sent).slice(0, 200))
      if (status === 405) assert.equal(answer.headers['allow'], 'POST')
    }
    const unknown = await post(api, { body: { ...ping, method: 'no/such' } })
    assert.equal(unknown.json<{ error: { code: number } }>().error.code, -32601)
    const notification = await post(api, { body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
    assert.deepEqual([notification.statusCode, notification.body], [202, ''])
    // None of them called a tool.
    assert.deepEqual(await callNames(api), [])
  })

  test('a version that is not known here is answered with the newest that is', async () => {
    const api = await openTestApi(await open())
    const initialize = (protocolVersion: string) =>
      post(api, {
        body: {
          ...ping,
          method: 'initialize',
          params: { protocolVersion, capabilities: {}, clientInfo: { name: 'a', version: '1' } },
        },
      })
    const agreed = async (version: string) =>
      (await initialize(version)).json<{ result: { protocolVersion: string } }>().result.protocolVersion
    assert.equal(await agreed('2025-03-26'), '2025-03-26')
    assert.equal(await agreed('2099-01-01'), LATEST_PROTOCOL_VERSION)
    const { headers } = await initialize(LATEST_PROTOCOL_VERSION)
    assert.equal(headers['mcp-session-id'], undefined)
    assert.equal(headers['cache-control'], 'no-store')
  })

  test('arguments that are no plain data are refused, and the call is recorded', async () => {
    const api = await openTestApi(await open())
    const deep = '{"a":'.repeat(40) + '1' + '}'.repeat(40)
    const inputs = [`{"search":"a\\u0000b"}`, `{"tag":[${deep}]}`, `{"constructor":{"prototype":1}}`]
    for (const input of inputs) {
      const answer = await post(api, {
        body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_qr_codes","arguments":${input}}}`,
      })
      assert.ok(answer.statusCode === 400 || /"isError":true/.test(answer.body), answer.body)
    }
    assert.deepEqual([...new Set(await callNames(api))], ['find_qr_codes: VALIDATION_ERROR'])
  })

  test('429: a call counts as one request of the key, whatever it does inside', async () => {
    const api = await openTestApi(await open(), { config: { ...testConfig, rateLimitPerMinute: 3 } })
    const input = { qrCodes: [{ type: 'URL', name: 'A', data: { url: 'https://example.com/' } }] }
    for (let count = 0; count < 3; count++)
      assert.equal((await post(api, { body: call('create_qr_codes', input) })).statusCode, 200)
    const { statusCode, headers } = await post(api)
    assert.equal(statusCode, 429)
    assert.ok(headers['retry-after'] !== undefined && headers['ratelimit-limit'] === '3')
  })

  test('a client that leaves ends its work on styles; nothing is created, and the log says so', async () => {
    const begun = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<void>()
    const slow: StyleWorkers = {
      for:
        ({ signal }) =>
        (name, input) => {
          begun.resolve()
          const left = new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => {
              ended.resolve()
              reject(signal.reason as Error)
            })
          })
          return Promise.race([left, sleep(60_000, undefined, { ref: false })]).then(
            (): Promise<never> => runStyleJob(name, input) as never,
          ) as never
        },
    }
    const api = await openTestApi(await open(), { styleWorkers: slow })
    const baseUrl = await listen(api)
    const client = await connectMcp(baseUrl, api.keys.EDITOR)
    const code = { type: 'URL', name: 'A', data: { url: 'https://example.com/' } }
    const input = { qrCodes: [{ ...code, style: { foregroundColor: '#123456' } }], dryRun: false }
    const calling = client.callTool({ name: 'create_qr_codes', arguments: input }).catch(() => 'left')
    await begun.promise
    await client.close()
    assert.equal(await calling, 'left')
    await ended.promise
    for (let tries = 0; (await callNames(api)).length === 0 && tries < 100; tries++) await sleep(20)
    assert.deepEqual(await callNames(api), ['create_qr_codes: the client left'])
    const other = await connectMcp(baseUrl, api.keys.VIEWER)
    assert.deepEqual((await use<{ data: unknown[] }>(other, 'find_qr_codes')).data, [])
  })

  test('two clients at once get their own answers, with equal ids of messages', async () => {
    const api = await openTestApi(await open())
    const baseUrl = await listen(api)
    const mine = await connectMcp(baseUrl, api.keys.EDITOR)
    const theirs = await connectMcp(baseUrl, api.keys.foreign)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        Promise.all([make(mine, `mine ${at}`), make(theirs, `theirs ${at}`)]),
      ),
    )
    for (const [client, name] of [
      [mine, 'mine'],
      [theirs, 'theirs'],
    ] as const) {
      const { data } = await use<{ data: { name: string }[] }>(client, 'find_qr_codes', { limit: 100 })
      assert.equal(data.length, 20)
      assert.ok(data.every((code) => code.name.startsWith(`${name} `)))
    }
  })

  test('a request cannot say that it comes from inside', async () => {
    const api = await openTestApi(await open())
    const answer = await api.call('GET', `/organizations/${api.orgId}/qr-codes`, {
      headers: { 'x-request-id': 'inner', 'x-inner-call': 'true' },
    })
    assert.equal(answer.statusCode, 401)
  })
})
