import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QrCode, QrCodePage } from '@everscan/contract/resources/qr-codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'

const payload = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }

onEitherDatabase('Idempotency-Key', (open) => {
  test('many simultaneous requests with one key create one code, and all get its record', async () => {
    const { create, count } = await openCreate(await open())
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('order-17')))
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([201]))
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
    assert.equal(new Set(answers.map(({ headers }) => headers['location'])).size, 1)
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')
    assert.equal(replayed.length, 19)
    assert.equal(await count(), 1)
  })

  test('409 for another body with the same key; another organization has its own keys', async () => {
    const { api, create, count } = await openCreate(await open())
    await create('a')
    const other = await create('a', { ...payload, name: 'Other' })
    assert.equal(other.statusCode, 409)
    const foreign = await api.call('POST', `/organizations/${api.foreignOrgId}/qr-codes`, {
      key: api.keys.foreign,
      payload,
      headers: { 'idempotency-key': 'a' },
    })
    assert.equal(foreign.statusCode, 201)
    assert.equal(foreign.headers['idempotent-replayed'], undefined)
    assert.equal(await count(), 1)
  })

  test('a failed request can be retried, and a key expires after 24 hours', async () => {
    let nowMs = Date.now()
    const { create, count } = await openCreate(await open(), () => nowMs)
    assert.equal((await create('a', { ...payload, folderId: 'fld_unknown' })).statusCode, 400)
    const first = await create('a')
    assert.equal(first.statusCode, 201)
    nowMs += 24 * 3_600_000 - 1
    assert.equal((await create('a')).json<QrCode>().id, first.json<QrCode>().id)
    nowMs += 1
    assert.notEqual((await create('a')).json<QrCode>().id, first.json<QrCode>().id)
    assert.equal(await count(), 2)
  })

  test('400: a malformed key', async () => {
    const { create, count } = await openCreate(await open())
    for (const key of ['', 'a b', 'a'.repeat(256)]) assert.equal((await create(key)).statusCode, 400, key)
    assert.equal(await count(), 0)
  })
})

async function openCreate(db: Parameters<typeof openTestApi>[0], clock: () => number = Date.now) {
  const api = await openTestApi(db, { clock })
  const path = `/organizations/${api.orgId}/qr-codes`
  const key = api.keys.EDITOR
  return {
    api,
    create: (idempotencyKey: string, body: object = payload) =>
      api.call('POST', path, { key, payload: body, headers: { 'idempotency-key': idempotencyKey } }),
    count: async () => (await api.call('GET', path, { key })).json<QrCodePage>().pagination.total,
  }
}
