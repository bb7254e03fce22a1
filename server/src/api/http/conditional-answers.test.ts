import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'

onEitherDatabase('reads with an entity tag', (open) => {
  test('304: for every read that has not changed, and only then', async () => {
    const db = await open()
    const { read, change, organization } = await openWithCodes(db)
    const { id } = await change('POST', '/qr-codes', poster)
    for (const path of ['/qr-codes', '/qr-codes?search=post', `/qr-codes/${id}`, '/api-keys']) {
      const first = await read(path)
      assert.equal(first.statusCode, 200)
      assert.equal(first.headers['cache-control'], 'private, no-cache')
      const known = { 'if-none-match': String(first.headers['etag']) }
      const second = await read(path, known)
      assert.equal(second.statusCode, 304, path)
      assert.equal(second.body, '')
      assert.equal(second.headers['content-type'], undefined)
      assert.equal(second.headers['etag'], first.headers['etag'])
      assert.equal((await read(path, { 'if-none-match': '"other", W/"one"' })).statusCode, 200)
      const head = await read(path, known, 'HEAD')
      assert.equal(head.statusCode, 304, `HEAD ${path}`)
      assert.equal((await read(path, {}, 'HEAD')).headers['etag'], first.headers['etag'])
      // A client without permission does not learn that it is unchanged.
      assert.equal((await read(path, { ...known, 'x-api-key': 'nonsense' })).statusCode, 401)
      if (path === '/api-keys') continue
      await change('PUT', `/qr-codes/${id}`, { name: `Poster ${path.length}` })
      const changed = await read(path, known)
      assert.equal(changed.statusCode, 200, path)
      assert.notEqual(changed.headers['etag'], first.headers['etag'])
    }
    const before = await read(`/qr-codes/${id}`)
    await db.kysely
      .updateTable('scan_counters')
      .set({ total_scans: 7 })
      .where('organization_id', '=', organization)
      .execute()
    const known = { 'if-none-match': String(before.headers['etag']) }
    const after = await read(`/qr-codes/${id}`, known)
    assert.equal(after.statusCode, 200, 'a scan changes the record')
    assert.equal(after.json<QrCode>().totalScans, 7)
    const matched = { 'if-match': String(before.headers['etag']) }
    assert.equal(
      (await change('PUT', `/qr-codes/${id}`, { name: 'B' }, matched)).statusCode,
      200,
      'but a scan is not a change',
    )
    assert.equal((await change('PUT', `/qr-codes/${id}`, { name: 'C' }, matched)).statusCode, 412)
  })

  test('long responses are compressed for clients that accept it, and decompress to the same bytes', async () => {
    const { read, change } = await openWithCodes(await open())
    for (let i = 0; i < 5; i++) await change('POST', '/qr-codes', { ...poster, name: `Poster ${i}` })
    const plain = await read('/qr-codes')
    assert.equal(plain.headers['content-encoding'], undefined)
    const gzip = await read('/qr-codes', { 'accept-encoding': 'gzip' })
    assert.equal(gzip.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(gzip.rawPayload).toString(), plain.body)
    assert.match(String(gzip.headers['vary']), /accept-encoding/i)
    const brotli = await read('/qr-codes', { 'accept-encoding': 'gzip, deflate, br, zstd' })
    assert.equal(brotli.headers['content-encoding'], 'br')
    assert.equal(brotliDecompressSync(brotli.rawPayload).toString(), plain.body)
    assert.ok(brotli.rawPayload.length * 4 < plain.rawPayload.length)
    for (const answer of [gzip, brotli]) {
      assert.equal(answer.headers['etag'], plain.headers['etag'])
      const known = { 'accept-encoding': 'gzip', 'if-none-match': String(answer.headers['etag']) }
      assert.equal((await read('/qr-codes', known)).statusCode, 304)
    }
    for (const odd of ['identity', 'gzip;q=0', 'nonsense', '*;q=0', ''])
      assert.equal((await read('/qr-codes', { 'accept-encoding': odd })).body, plain.body, odd)
  })

  test('a record has a strong tag, so it is not compressed; nor is a picture', async () => {
    const { read, change } = await openWithCodes(await open())
    const metadata = { text: 'a'.repeat(500), more: 'b'.repeat(500), most: 'c'.repeat(500) }
    const { id } = await change('POST', '/qr-codes', { ...poster, metadata })
    for (const path of [`/qr-codes/${id}`, `/qr-codes/${id}/download`]) {
      const answer = await read(path, { 'accept-encoding': 'gzip' })
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-encoding'], undefined)
    }
    const svg = await read(`/qr-codes/${id}/download?format=svg`, { 'accept-encoding': 'gzip' })
    assert.equal(svg.headers['content-encoding'], 'gzip')
    assert.match(String(svg.headers['vary']), /accept(,|$)/i)
  })

  test('a compressed request body is a 4xx and is not decompressed', async () => {
    const api = await openTestApi(await open())
    const answer = await api.call('POST', `/organizations/${api.orgId}/qr-codes`, {
      key: api.keys.ADMIN,
      payload: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    })
    assert.equal(answer.statusCode, 415)
  })
})

const poster = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }

async function openWithCodes(db: Database) {
  const api = await openTestApi(db)
  const base = `/organizations/${api.orgId}`
  const key = api.keys.ADMIN
  return {
    organization: api.orgId,
    read: (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      api.call(method, base + path, 'x-api-key' in headers ? { headers } : { key, headers }),
    change: async (
      method: 'POST' | 'PUT',
      path: string,
      payload: object,
      headers: Record<string, string> = {},
    ) => {
      const answer = await api.call(method, base + path, { key, payload, headers })
      return { statusCode: answer.statusCode, id: answer.json<{ id: string }>().id }
    },
  }
}
