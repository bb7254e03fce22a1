import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKeyPage, CreatedApiKey } from '@everscan/contract/resources/api-keys.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { openTestApi, testConfig } from '../testing/api.ts'

forEachDatabase('API keys', (open) => {
  test('201: a key works until it is revoked, and its value is shown only once', async () => {
    const { call, keys, orgId } = await openTestApi(await open())
    const path = `/organizations/${orgId}/api-keys`
    const payload = { name: 'Print shop', role: 'EDITOR' }
    const created = await call('POST', path, { key: keys.ADMIN, payload })
    assert.equal(created.statusCode, 201, created.body)
    const { key, ...record } = created.json<CreatedApiKey>()
    assert.match(key, /^evs_[0-9A-Za-z]{38}$/)
    assert.equal(record.role, 'EDITOR')

    const mine = await call('GET', '/users/me/organizations', { key })
    assert.deepEqual(mine.json(), {
      organizations: [{ id: orgId, name: 'Mine', slug: 'mine', role: 'EDITOR' }],
    })

    const listed = await call('GET', `${path}?limit=2`, { key: keys.ADMIN })
    const { data, pagination } = listed.json<ApiKeyPage>()
    assert.deepEqual({ ...data[0], lastUsedAt: null }, record)
    assert.equal(pagination.total, 4)
    assert.ok(!listed.body.includes(key))

    const revoked = await call('DELETE', `${path}/${record.id}`, { key: keys.ADMIN })
    assert.equal(revoked.statusCode, 200, revoked.body)
    assert.match(revoked.json<{ revokedAt: string }>().revokedAt, /Z$/)
    const refused = await call('GET', '/users/me/organizations', { key })
    assert.equal(refused.statusCode, 403)
    assert.equal(refused.json<ErrorBody>().code, 'API_KEY_REVOKED')
  })

  test('403 API_KEY_EXPIRED: after the expiry; 400 for an expiry in the past', async () => {
    let nowMs = Date.now()
    const { call, keys, orgId } = await openTestApi(await open(), { clock: () => nowMs })
    const make = (expiresAt: unknown) =>
      call('POST', `/organizations/${orgId}/api-keys`, { key: keys.ADMIN, payload: { name: 'a', expiresAt } })
    const created = await make(new Date(nowMs + 60_000).toISOString())
    const { key } = created.json<CreatedApiKey>()
    assert.equal((await call('GET', '/users/me/organizations', { key })).statusCode, 200)
    nowMs += 60_001
    const expired = await call('GET', '/users/me/organizations', { key })
    assert.equal(expired.statusCode, 403)
    assert.equal(expired.json<ErrorBody>().code, 'API_KEY_EXPIRED')
    for (const wrong of [new Date(nowMs).toISOString(), '2016-12-31T23:59:60Z', 'tomorrow', 5])
      assert.equal((await make(wrong)).statusCode, 400, String(wrong))
    assert.equal((await make(null)).statusCode, 201)
  })

  test('429: over the rate of a key, with headers that state the wait', async () => {
    let nowMs = 1_700_000_040_000
    const { call, keys, orgId } = await openTestApi(await open(), {
      config: { ...testConfig, rateLimitPerMinute: 2 },
      clock: () => nowMs,
    })
    const list = (key: string) => call('GET', `/organizations/${orgId}/api-keys`, { key })
    const first = await list(keys.ADMIN)
    assert.equal(first.statusCode, 200)
    assert.equal(first.headers['ratelimit-limit'], '2')
    assert.equal(first.headers['ratelimit-remaining'], '1')
    await list(keys.ADMIN)
    const third = await list(keys.ADMIN)
    assert.equal(third.statusCode, 429)
    assert.equal(third.json<ErrorBody>().code, 'RATE_LIMITED')
    assert.equal(third.headers['retry-after'], third.headers['ratelimit-reset'])
    assert.equal((await list(keys.VIEWER)).statusCode, 403)
    nowMs += 60_000
    assert.equal((await list(keys.ADMIN)).statusCode, 200)
  })
})
