import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiKey, ApiKeyPage, CreatedApiKey } from '@everscan/contract/resources/api-keys.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { saveMember } from '../../catalogue/accounts/users.ts'
import { openTestApi, somePerson, testConfig } from '../testing/api.ts'

onEitherDatabase('API keys', (open) => {
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

  test('a key expires with the key that creates it at the latest; 400 names expiresAt', async () => {
    let nowMs = Date.parse('2027-01-01T00:00:00.000Z')
    const { call, keys, orgId } = await openTestApi(await open(), { clock: () => nowMs })
    const path = `/organizations/${orgId}/api-keys`
    const expiresAt = '2027-01-02T00:00:00.000Z'
    const create = async (key: string, more: object) =>
      call('POST', path, { key, payload: { name: 'Made', role: 'ADMIN', ...more } })
    const maker = (await create(keys.ADMIN, { expiresAt })).json<CreatedApiKey>().key
    for (const later of ['2027-01-02T00:00:00.001Z', '2099-01-01T00:00:00.000Z']) {
      const refused = await create(maker, { expiresAt: later })
      assert.equal(refused.statusCode, 400, refused.body)
      const { details, message } = refused.json<ErrorBody>()
      assert.equal(details?.[0]?.path, 'expiresAt')
      assert.match(message, /^expiresAt: must be at most 2027-01-02T00:00:00\.000Z, .*got "2/)
    }
    const earlier = '2027-01-01T12:00:00.000Z'
    const made: CreatedApiKey[] = []
    for (const more of [{ expiresAt: earlier }, { expiresAt }, {}, { expiresAt: null }]) {
      const answer = await create(maker, more)
      assert.equal(answer.statusCode, 201, answer.body)
      made.push(answer.json<CreatedApiKey>())
    }
    assert.deepEqual(
      made.map((one) => one.expiresAt),
      [earlier, expiresAt, expiresAt, expiresAt],
    )
    // The third generation ends with the first.
    const third = await create(made[2]?.key ?? '', {})
    assert.equal(third.json<CreatedApiKey>().expiresAt, expiresAt)
    nowMs = Date.parse(expiresAt)
    for (const { key } of [...made, third.json<CreatedApiKey>()])
      assert.equal((await call('GET', path, { key })).json<ErrorBody>().code, 'API_KEY_EXPIRED')
  })

  test('a new key is an EDITOR by default, for keys and for sessions', async () => {
    const db = await open()
    const { call, keys, orgId } = await openTestApi(db)
    const path = `/organizations/${orgId}/api-keys`
    const { session } = await somePerson(db, 'Ada', { organizationId: orgId, role: 'ADMIN' })
    for (const caller of [{ key: keys.ADMIN }, { session }]) {
      const made = await call('POST', path, { ...caller, payload: { name: 'a' } })
      assert.equal(made.statusCode, 201, made.body)
      assert.equal(made.json<CreatedApiKey>().role, 'EDITOR')
    }
  })

  test('no key has a higher role than its maker: 403 below ADMIN, and it falls with its account', async () => {
    const db = await open()
    const { call, keys, orgId } = await openTestApi(db)
    const path = `/organizations/${orgId}/api-keys`
    const payload = { name: 'a', role: 'ADMIN' }
    for (const key of [keys.EDITOR, keys.VIEWER])
      assert.equal((await call('POST', path, { key, payload })).statusCode, 403)
    const { session, userId } = await somePerson(db, 'Ada', { organizationId: orgId, role: 'ADMIN' })
    const first = (await call('POST', path, { session, payload })).json<CreatedApiKey>()
    const second = (await call('POST', path, { key: first.key, payload })).json<CreatedApiKey>()
    assert.equal(second.role, 'ADMIN')
    await saveMember(db, orgId, { userId, role: 'EDITOR' })
    for (const { key } of [first, second])
      assert.equal((await call('POST', path, { key, payload })).statusCode, 403)
  })

  test('the list says by which key or account each was made; those of a revoked key keep working', async () => {
    const db = await open()
    const { call, keys, orgId } = await openTestApi(db)
    const path = `/organizations/${orgId}/api-keys`
    const { session, userId } = await somePerson(db, 'Ada', { organizationId: orgId, role: 'ADMIN' })
    const payload = { name: 'CI', role: 'ADMIN' }
    const ci = (await call('POST', path, { session, payload })).json<CreatedApiKey>()
    assert.deepEqual(ci.madeBy, { kind: 'user', id: userId, name: 'Ada' })
    const made = await call('POST', path, { key: ci.key, payload: { name: 'Made' } })
    const { id, key } = made.json<CreatedApiKey>()
    const revoked = (await call('DELETE', `${path}/${ci.id}`, { session })).json<ApiKey>()
    assert.deepEqual(revoked.madeBy, ci.madeBy)
    const { data } = (await call('GET', path, { key: keys.ADMIN })).json<ApiKeyPage>()
    const ofRevoked = data.filter(({ madeBy }) => madeBy.id === ci.id)
    assert.deepEqual(
      ofRevoked.map((one) => [one.id, one.madeBy, one.revokedAt]),
      [[id, { kind: 'api-key', id: ci.id, name: 'CI' }, null]],
    )
    assert.equal((await call('GET', '/users/me/organizations', { key })).statusCode, 200)
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
