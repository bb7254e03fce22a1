import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient, etagOf } from './create-client.ts'
import { fileNameOf } from './file-names.ts'
import { json, startFakeService } from './testing/server.ts'

const pagination = { page: 1, limit: 2, total: 3, totalPages: 2, hasNext: true, hasPrev: false }

test('the base URL may end with slashes or with the prefix of the API', async (t) => {
  const { baseUrl, received } = await startFakeService(t, (response) =>
    json(response, 200, { organizations: [] }),
  )
  for (const end of ['', '/', '//', '/api/v1', '/api/v1/', '/qr', '/qr/api/v1/']) {
    await createClient({ baseUrl: baseUrl + end, apiKey: 'evs_test' }).organizations.listMine()
  }
  const plain = '/api/v1/users/me/organizations'
  assert.deepEqual(
    received.map(({ url }) => url),
    [plain, plain, plain, plain, plain, `/qr${plain}`, `/qr${plain}`],
  )
})

test('invalid settings throw a TypeError', () => {
  const good = { baseUrl: 'https://qr.example.com', apiKey: 'evs_test' }
  for (const bad of [
    { baseUrl: '' },
    { baseUrl: 'qr.example.com' },
    { baseUrl: 'ftp://qr.example.com' },
    { baseUrl: 'https://user@qr.example.com' },
    { baseUrl: 'https://qr.example.com?x' },
    { apiKey: '' },
    { apiKey: undefined as unknown as string },
    { apiKey: 'evs_\n' },
    { timeoutMs: 0 },
    { timeoutMs: Number.NaN },
    { retries: -1 },
    { retries: 1.5 },
  ]) {
    assert.throws(() => createClient({ ...good, ...bad }), TypeError, JSON.stringify(bad))
  }
})

test('every call sends the key; bodies are JSON', async (t) => {
  const { client, received } = await startFakeService(t, (response) => json(response, 201, { id: 'qr_1' }))
  const body = { type: 'WIFI', name: 'Gäste', data: { ssid: 'Guests' } } as const
  await client.qrCodes.create('org_1', body)
  const [request] = received
  assert.equal(request?.method, 'POST')
  assert.equal(request?.url, '/api/v1/organizations/org_1/qr-codes')
  assert.equal(request?.headers['x-api-key'], 'evs_test')
  assert.equal(request?.headers['content-type'], 'application/json')
  assert.deepEqual(JSON.parse(request?.body ?? ''), body)
})

test('an id is always one segment of the path', async (t) => {
  const { client, received } = await startFakeService(t, (response) => json(response, 200, {}))
  await client.qrCodes.read('org_1', 'a/../b?c#d%2f')
  assert.equal(received[0]?.url, '/api/v1/organizations/org_1/qr-codes/a%2F..%2Fb%3Fc%23d%252f')
  for (const id of ['', '.', '..']) await assert.rejects(client.qrCodes.delete('org_1', id), TypeError)
  assert.equal(received.length, 1)
})

test('queries repeat the values of a list and leave out absent values', async (t) => {
  const { client, received } = await startFakeService(t, (response) =>
    json(response, 200, { data: [], pagination }),
  )
  await client.qrCodes.list('org_1', { tag: ['a b', 'c&d'], search: 'é', page: 2 })
  assert.equal(
    received[0]?.url,
    '/api/v1/organizations/org_1/qr-codes?tag=a+b&tag=c%26d&search=%C3%A9&page=2',
  )
  await client.qrCodes.list('org_1')
  assert.equal(received[1]?.url, '/api/v1/organizations/org_1/qr-codes')
})

test('iterate reads every page, one at a time', async (t) => {
  const { client, received } = await startFakeService(t, (response, _, count) => {
    const page = { ...pagination, page: count, hasNext: count < 2 }
    json(response, 200, { data: count === 1 ? [{ id: 'a' }, { id: 'b' }] : [{ id: 'c' }], pagination: page })
  })
  const ids: string[] = []
  for await (const code of client.qrCodes.iterate('org_1', { limit: 2, status: 'ACTIVE' })) {
    ids.push(code.id)
    if (code.id === 'b') assert.equal(received.length, 1)
  }
  assert.deepEqual(ids, ['a', 'b', 'c'])
  assert.equal(
    received[1]?.url,
    '/api/v1/organizations/org_1/qr-codes?limit=2&order=asc&status=ACTIVE&page=2',
  )
})

test('the ETag of a record can be sent as If-Match', async (t) => {
  const { client, received } = await startFakeService(t, (response, _, count) =>
    json(response, 200, { id: 'qr_1' }, { etag: `"v${count}"` }),
  )
  const code = await client.qrCodes.read('org_1', 'qr_1')
  const changed = await client.qrCodes.update('org_1', 'qr_1', { name: 'x' }, { ifMatch: etagOf(code) })
  await client.qrCodes.delete('org_1', 'qr_1', { ifMatch: etagOf(changed) })
  assert.deepEqual(
    received.map(({ method, headers }) => [method, headers['if-match']]),
    [
      ['GET', undefined],
      ['PUT', '"v1"'],
      ['DELETE', '"v2"'],
    ],
  )
  assert.equal(etagOf({}), undefined)
})

test('a download has bytes, a content type and a file name', async (t) => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  const { client, received } = await startFakeService(t, (response) => {
    response.writeHead(200, {
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="Men_.png"; filename*=UTF-8''Men%C3%BC.png`,
    })
    response.end(bytes)
  })
  const download = await client.qrCodes.download('org_1', 'qr_1', { format: 'png', size: 512 })
  assert.deepEqual(download, { bytes, contentType: 'image/png', fileName: 'Menü.png' })
  assert.equal(received[0]?.url, '/api/v1/organizations/org_1/qr-codes/qr_1/download?format=png&size=512')
})

test('analytics and keys call the right paths', async (t) => {
  const { client, received } = await startFakeService(t, (response) => json(response, 200, {}))
  await client.qrCodes.analytics('org_1', 'qr_1', { interval: 'week', country: ['DE', 'AT'] })
  await client.apiKeys.create('org_1', { name: 'Print shop', role: 'EDITOR' })
  await client.apiKeys.list('org_1', { limit: 5 })
  await client.apiKeys.revoke('org_1', 'key_1')
  assert.deepEqual(
    received.map(({ method, url }) => `${method} ${url.replace('/api/v1/organizations/org_1', '')}`),
    [
      'GET /qr-codes/qr_1/analytics?interval=week&country=DE&country=AT',
      'POST /api-keys',
      'GET /api-keys?limit=5',
      'DELETE /api-keys/key_1',
    ],
  )
})

test('a file name is read in every form of RFC 6266', () => {
  assert.equal(fileNameOf(null), undefined)
  assert.equal(fileNameOf('inline'), undefined)
  assert.equal(fileNameOf('attachment; filename=a.png'), 'a.png')
  assert.equal(fileNameOf('attachment; filename="a \\"b\\".png"'), 'a "b".png')
  assert.equal(fileNameOf(`attachment; filename="a.png"; filename*=utf-8'de'%C3%A4.png`), 'ä.png')
  assert.equal(fileNameOf(`attachment; filename="a.png"; filename*=UTF-8''%zz.png`), 'a.png')
})
