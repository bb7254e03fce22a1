import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createClient, type Client } from '@everscan/client/create-client.ts'
import { inherited, type Service } from '../support/service.ts'
import { openTenant } from '../support/shared-service.ts'

const entry = join(import.meta.dirname, '..', '..', 'src', 'main.mjs')

describe('bad input', () => {
  let service: Service
  let client: Client
  let orgId: string
  let codesUrl: string

  before(async () => {
    ;({ service } = await openTenant())
    client = createClient({ baseUrl: service.baseUrl, apiKey: service.apiKey })
    orgId = (await client.organizations.listMine())[0]?.id ?? ''
    codesUrl = `${service.baseUrl}/api/v1/organizations/${orgId}/qr-codes`
  })
  after(() => service.remove())

  type Problem = { statusCode: number; code: string; message: string; error: string; requestId: string }

  async function problemOf(answer: Response): Promise<Problem> {
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    const problem = (await answer.json()) as Problem
    assert.equal(problem.statusCode, answer.status)
    assert.ok(problem.message.length > 0 && problem.error.length > 0 && problem.requestId.length > 0)
    assert.equal(answer.headers.get('x-request-id'), problem.requestId)
    return problem
  }

  async function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(codesUrl, {
      method: 'POST',
      headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  }

  const good = { type: 'URL', name: 'A', data: { url: 'https://example.com/' } }

  test('401 without a key, and with an empty, a malformed or an unknown one', async () => {
    const keys = [
      undefined,
      '',
      'x',
      'evs_00000000000000000000000000000000000000',
      "' or 1=1 --",
      'é'.repeat(3),
    ]
    for (const key of keys) {
      const answer = await fetch(codesUrl, { headers: key === undefined ? {} : { 'x-api-key': key } })
      assert.equal(answer.status, 401, String(key))
      assert.equal((await problemOf(answer)).code, 'UNAUTHORIZED')
    }
  })

  test('403 for a revoked key, from the next request on', async () => {
    const { id, key } = await client.apiKeys.create(orgId, { name: 'To be revoked' })
    const other = createClient({ baseUrl: service.baseUrl, apiKey: key, retries: 0 })
    await other.qrCodes.list(orgId)
    await client.apiKeys.revoke(orgId, id)
    await assert.rejects(other.qrCodes.list(orgId), { status: 403, code: 'API_KEY_REVOKED' })
  })

  test('403 for another organization, identical whether or not it exists', async () => {
    for (const other of ['org_01k3v9abcdefghjkmnpqrstvwx', 'org_1', '%00', 'x'.repeat(150)]) {
      const url = `${service.baseUrl}/api/v1/organizations/${other}/qr-codes`
      const answer = await fetch(url, { headers: { 'x-api-key': service.apiKey } })
      assert.equal(answer.status, 403, other)
      assert.equal((await problemOf(answer)).code, 'FORBIDDEN')
    }
  })

  test('400 names the field and what was expected', async () => {
    const cases: [unknown, RegExp][] = [
      [{ ...good, colour: 'red' }, /colour/],
      [{ ...good, data: 'https://example.com/' }, /data/],
      [{ ...good, data: [] }, /data/],
      [{ ...good, data: null }, /data/],
      [{ ...good, data: {} }, /data\.url/],
      [{ ...good, data: { url: 7 } }, /data\.url/],
      [{ ...good, data: { url: 'https://example.com/', more: 1 } }, /more/],
      [{ ...good, data: { url: 'javascript:alert(1)' } }, /data\.url.*http/],
      [{ ...good, data: { url: 'JaVaScRiPt:alert(1)' } }, /data\.url/],
      [{ ...good, data: { url: 'data:text/html,x' } }, /data\.url/],
      [{ ...good, data: { url: '//example.com' } }, /data\.url/],
      [{ ...good, data: { url: 'https://user:pw@example.com/' } }, /data\.url/],
      [{ ...good, data: { url: `https://example.com/${'x'.repeat(2100)}` } }, /data\.url.*2.?048/],
      [
        { ...good, data: { url: `${service.baseUrl.replace('127.0.0.1', 'localhost')}/ABCDEFG` } },
        /data\.url/,
      ],
      [{ ...good, name: '' }, /name/],
      [{ ...good, name: '   ' }, /name/],
      [{ ...good, type: 'url' }, /type/],
      [{ type: 'URL', data: good.data }, /name/],
      [{ ...good, tags: ['a', 7] }, /tags/],
      [{ ...good, folderId: 'fld_nowhere' }, /folderId/],
      [{ ...good, shortCode: 'abc' }, /shortCode/],
      [{ ...good, shortCode: 'healthz' }, /shortCode/],
      [{ ...good, id: 'qr_1' }, /id/],
      [[], /body|object/i],
      ['{"type":"URL",', /JSON/],
      ['', /body|JSON/],
      ['{"__proto__":{"x":1},"type":"URL"}', /./],
    ]
    for (const [body, message] of cases) {
      const answer = await post(body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      const problem = await problemOf(answer)
      assert.equal(problem.code, 'VALIDATION_ERROR')
      assert.match(problem.message, message, JSON.stringify(body))
    }
    assert.equal((await client.qrCodes.list(orgId)).pagination.total, 0, 'nothing was partly written')
  })

  test('400 for query parameters, 413 for 3 MB, 415, 404, 405', async () => {
    const get = (query: string): Promise<Response> =>
      fetch(`${codesUrl}?${query}`, { headers: { 'x-api-key': service.apiKey } })
    for (const query of [
      'limit=101',
      'limit=0',
      'limit=1.5',
      'limit=x',
      'page=0',
      'colour=red',
      'status=GONE',
      'sort=x',
    ])
      assert.equal((await problemOf(await get(query))).code, 'VALIDATION_ERROR', query)
    const large = await post({ ...good, name: 'x'.repeat(3 * 1024 * 1024) })
    assert.equal(large.status, 413)
    assert.equal((await problemOf(large)).code, 'PAYLOAD_TOO_LARGE')
    const text = await post('hello', { 'content-type': 'text/plain' })
    assert.equal(text.status, 415)
    assert.equal((await problemOf(text)).code, 'UNSUPPORTED_MEDIA_TYPE')
    const headers = { 'x-api-key': service.apiKey }
    assert.equal((await fetch(`${service.baseUrl}/api/v1/nowhere`, { headers })).status, 404)
    const wrong = await fetch(codesUrl, { method: 'DELETE', headers })
    assert.equal(wrong.status, 405)
    assert.match(wrong.headers.get('allow') ?? '', /GET/)
    assert.equal((await problemOf(wrong)).code, 'METHOD_NOT_ALLOWED')
  })

  test('an unknown short code is a 404 page; HEAD and POST get the decided responses', async () => {
    const unknown = await fetch(`${service.baseUrl}/ZZZZZZZ`)
    assert.equal(unknown.status, 404)
    assert.match(unknown.headers.get('content-type') ?? '', /^text\/html/)
    assert.match(unknown.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const { shortCode } = await client.qrCodes.create(orgId, { ...good, type: 'URL' })
    const url = `${service.baseUrl}/${shortCode}`
    assert.equal((await fetch(url, { method: 'HEAD', redirect: 'manual' })).status, 302)
    assert.equal((await fetch(url, { method: 'POST', redirect: 'manual' })).status, 405)
    assert.equal(
      (await fetch(`${url}?next=https://evil.example`, { redirect: 'manual' })).headers.get('location'),
      good.data.url,
    )
  })

  test('a user agent of 100 KB gets 431, and the connection after it works', async () => {
    const { shortCode } = await client.qrCodes.create(orgId, { ...good, type: 'URL' })
    const asked = async (userAgent: string): Promise<number> => {
      const sent = httpRequest(`${service.baseUrl}/${shortCode}`, { headers: { 'user-agent': userAgent } })
      sent.end()
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      return answer.statusCode ?? 0
    }
    assert.equal(await asked('x'.repeat(100_000)), 431)
    assert.equal(await asked('x'.repeat(8_000)), 302)
  })

  test('a second service on the same data directory reports the conflict and leaves the first one alone', async () => {
    const env = { ...inherited(), DATA_DIR: service.dataDir, PORT: '0' }
    const { status, stderr } = spawnSync(process.execPath, [entry], {
      env,
      encoding: 'utf8',
      timeout: 20_000,
    })
    assert.equal(status, 1)
    assert.match(stderr, /DATA_DIR: .* is in use by another running Everscan/)
    await client.qrCodes.list(orgId)
  })
})

describe('missing resources of the machine', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'everscan-machine-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  const start = (env: Record<string, string>): { status: number | null; output: string } => {
    const settings = {
      ...inherited(),
      HOST: '127.0.0.1',
      DATA_DIR: join(dataDir, env['PORT'] ?? ''),
      ...env,
    }
    const ended = spawnSync(process.execPath, [entry], { env: settings, encoding: 'utf8', timeout: 60_000 })
    return { status: ended.status, output: ended.stdout + ended.stderr }
  }

  test('a port in use stops the start and is named', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { status, output } = start({ PORT: String(port) })
    other.close()
    assert.equal(status, 1)
    assert.ok(output.includes(`cannot listen on 127.0.0.1:${port}`), output)
  })
})

describe('bad settings', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'everscan-settings-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  test('an invalid setting stops the start with its name and the expected value', () => {
    const cases = [
      ['PORT', 'x', /PORT: must be a whole number/],
      ['PUBLIC_URL', 'ftp://example.com', /PUBLIC_URL: must be a URL that begins with http/],
      ['DATABASE_URL', 'mysql://secret@host/', /DATABASE_URL: must be a URL that begins with postgres/],
      ['JOURNAL_SYNC', 'sometimes', /JOURNAL_SYNC: must be one of interval, always, never/],
      ['TRUST_PROXY', '10.0.0.0/40', /TRUST_PROXY: .*"10\.0\.0\.0\/40"/],
      ['SECRET', 'short', /SECRET: must have at least 32 characters/],
    ] as const
    for (const [name, value, message] of cases) {
      const env = { ...inherited(), DATA_DIR: join(dataDir, name), [name]: value }
      const { status, stderr } = spawnSync(process.execPath, [entry], {
        env,
        encoding: 'utf8',
        timeout: 20_000,
      })
      assert.equal(status, 1, name)
      assert.match(stderr, message)
      assert.doesNotMatch(stderr, /secret@|    at /)
    }
  })
})
