import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  keyScopes,
  type ApiKey,
  type ApiKeyPage,
  type CreatedApiKey,
  type KeyScope,
} from '@everscan/contract/resources/api-keys.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { onEitherDatabase, type OpenTestDatabase } from '../../db/testing/databases.ts'
import { openTestApi, testConfig } from '../testing/api.ts'

const nowMs = Date.parse('2027-01-01T12:00:00.000Z')

/** An API with a function that creates keys, and one that uses them from an address. */
async function start(open: OpenTestDatabase, { rateLimitPerMinute = 0 } = {}) {
  const db = await open()
  const clock = { nowMs }
  const config = { ...testConfig, rateLimitPerMinute }
  const api = await openTestApi(db, { clock: () => clock.nowMs, config })
  const path = `/organizations/${api.orgId}/api-keys`
  const admin = { key: api.keys.ADMIN }
  const send = (by: { key: string }, body: object) =>
    api.call('POST', path, { ...by, payload: { name: 'Made', role: 'ADMIN', ...body } })
  const created = async (body: object, by = admin) => {
    const answer = await send(by, body)
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json<CreatedApiKey>()
  }
  const refused = async (body: object, by = admin) => {
    const answer = await send(by, body)
    assert.equal(answer.statusCode, 400, `${JSON.stringify(body)}: ${answer.body}`)
    const { code, details = [] } = answer.json<ErrorBody>()
    assert.equal(code, 'VALIDATION_ERROR')
    return details.map(({ path: of, message }) => `${of}: ${message}`)
  }
  const use = (key: string, address?: string) =>
    api.call('GET', '/users/me/organizations', {
      key,
      ...(address !== undefined && { headers: { 'x-forwarded-for': address } }),
    })
  return { db, api, clock, path, admin, send, created, refused, use }
}

const all = { scopes: null, networks: null, expiresAt: null }

onEitherDatabase('the limits of a new key', (open) => {
  test('201: scopes, networks and expiry are in the answer and in the list; without them there are none', async () => {
    const { api, created, path, admin } = await start(open)
    const given = {
      scopes: ['imports', 'codes:read'],
      networks: ['2001:DB8::/32', '203.0.113.7', '::ffff:203.0.113.7'],
      expiresAt: '2027-06-30',
    }
    const read = {
      scopes: ['codes:read', 'imports'],
      networks: ['2001:db8::/32', '203.0.113.7/32'],
      expiresAt: '2027-07-01T00:00:00.000Z',
    }
    const made = [await created(given), await created({}), await created(all)]
    const listed = (await api.call('GET', path, admin)).json<ApiKeyPage>()
    for (const [index, expected] of [read, all, all].entries()) {
      const { key, id, scopes, networks, expiresAt } = made[index] ?? assert.fail()
      assert.deepEqual({ scopes, networks, expiresAt }, expected)
      assert.deepEqual({ ...listed.data.find((one) => one.id === id), key }, made[index])
    }
    const revoked = await api.call('DELETE', `${path}/${made[0]?.id}`, admin)
    assert.deepEqual(revoked.json<ApiKey>().networks, read.networks)
  })

  test('400: scopes that are unknown, doubled or none; networks that are none, too many or no networks', async () => {
    const { refused, created } = await start(open)
    const addresses = Array.from({ length: limits.keyNetworksMax + 1 }, (_, index) => `10.0.0.${index}`)
    const cases: [body: object, problem: RegExp][] = [
      [{ scopes: [] }, /^scopes: must not be empty/],
      [{ scopes: ['codes:read', 'codes:read'] }, /^scopes: must not contain the same entry twice/],
      [{ scopes: ['everything'] }, /^scopes\[0\]: must be one of "codes:read", .*, got "everything"/],
      [{ scopes: ['CODES:READ'] }, /^scopes\[0\]: must be one of/],
      [{ scopes: 'codes:read' }, /^scopes: must be an array/],
      [{ scopes: [null] }, /^scopes\[0\]: must be/],
      [{ networks: [] }, /^networks: must not be empty/],
      [{ networks: addresses }, /^networks: must have at most 50 entries, got 51/],
      [{ networks: ['10.0.0.1', 'office'] }, /^networks\[1\]: must be an IP address .*, got "office"/],
      [
        { networks: ['10.0.0.1/8'] },
        /^networks\[0\]: must begin .* as in 10\.0\.0\.0\/8, got "10\.0\.0\.1\/8"/,
      ],
      [{ networks: ['1'.repeat(50)] }, /^networks\[0\]: must have at most 49 characters/],
      [{ networks: [5] }, /^networks\[0\]: must be a string/],
      [{ networks: '10.0.0.0/8' }, /^networks: must be an array/],
    ]
    for (const [body, expected] of cases) assert.match((await refused(body))[0] ?? '', expected)
    const several = await refused({ networks: ['a', 'b'], expiresAt: '2027-02-30' })
    assert.deepEqual(
      several.map((told) => told.split(':')[0]),
      ['networks[0]', 'networks[1]', 'expiresAt'],
    )
    assert.equal((await created({ networks: addresses.slice(1) })).networks?.length, limits.keyNetworksMax)
  })

  test('a date means the end of that day in UTC; 400 for days that are over or do not exist', async () => {
    const { refused, created, clock, use } = await start(open)
    const today = await created({ expiresAt: '2027-01-01' })
    assert.equal(today.expiresAt, '2027-01-02T00:00:00.000Z')
    clock.nowMs = Date.parse('2027-01-01T23:59:59.999Z')
    assert.equal((await use(today.key)).statusCode, 200)
    clock.nowMs += 1
    assert.equal((await use(today.key)).json<ErrorBody>().code, 'API_KEY_EXPIRED')
    for (const expiresAt of ['2027-01-01', '2026-12-31', '2027-01-01T23:59:59Z'])
      assert.deepEqual(await refused({ expiresAt }), [`expiresAt: must be in the future, got "${expiresAt}"`])
    for (const expiresAt of ['2027-02-30', '9999-12-31', '2027-06-30T24:30:00Z', '2028-12-31T23:59:60Z'])
      assert.deepEqual(await refused({ expiresAt }), [
        `expiresAt: must be a day and time that exist, got "${expiresAt}"`,
      ])
    for (const expiresAt of ['', '2027-06', '2027-06-30T10:00', '2027-06-30T10:00:00', '30.06.2027', 'soon'])
      assert.match(
        (await refused({ expiresAt }))[0] ?? '',
        /^expiresAt: must be a date or a time with time zone/,
      )
  })

  test('a key gives only its own scopes; without any in the request, all of them', async () => {
    const { created, refused, send } = await start(open)
    const maker = { key: (await created({ scopes: ['codes:write', 'admin'] })).key }
    for (const scopes of [['codes:read'], ['codes:write'], ['admin'], ['codes:read', 'codes:write', 'admin']])
      assert.deepEqual((await created({ scopes }, maker)).scopes, scopes)
    for (const body of [{}, { scopes: null }])
      assert.deepEqual((await created(body, maker)).scopes, ['codes:write', 'admin'])
    for (const scope of ['analytics:read', 'imports'])
      assert.deepEqual(await refused({ scopes: ['admin', scope] }, maker), [
        `scopes[1]: must be a scope of the key of this request, which has codes:write, admin, got "${scope}"`,
      ])
    // The third generation has no more than the second.
    const second = { key: (await created({ scopes: ['admin'] }, maker)).key }
    assert.equal((await refused({ scopes: ['codes:read'] }, second)).length, 1)
    const third = { key: (await created({}, second)).key }
    assert.equal((await refused({ scopes: [...keyScopes] }, third)).length, keyScopes.length - 1)
    for (const scope of keyScopes.filter((one) => one !== 'admin')) {
      const other = { key: (await created({ scopes: [scope] })).key }
      assert.equal((await send(other, { scopes: [scope] })).statusCode, 403)
    }
  })

  test('a key gives only networks within its own; without any in the request, all of them', async () => {
    const { created, refused } = await start(open)
    const networks = ['127.0.0.0/8', '2001:db8::/32']
    const maker = { key: (await created({ networks })).key }
    for (const inner of [['127.0.0.1'], ['127.0.0.0/8'], ['2001:db8:7::/48', '127.1.0.0/16']])
      assert.equal((await created({ networks: inner }, maker)).networks?.length, inner.length)
    for (const body of [{}, { networks: null }])
      assert.deepEqual((await created(body, maker)).networks, networks)
    for (const outer of ['0.0.0.0/0', '126.0.0.0/7', '10.0.0.1', '::/0', '2001:db8::/31', '::ffff:10.0.0.1'])
      assert.deepEqual(await refused({ networks: ['127.0.0.1', outer] }, maker), [
        `networks[1]: must lie within a network of the key of this request, which has ${networks.join(', ')}, got "${outer}"`,
      ])
    const second = { key: (await created({ networks: ['127.0.0.1'] }, maker)).key }
    assert.equal((await refused({ networks: ['127.0.0.0/8'] }, second)).length, 1)
    assert.deepEqual((await created({}, second)).networks, ['127.0.0.1/32'])
  })

  test('a key gives at most its time, also as a date; every field that goes too far is named', async () => {
    const { created, refused } = await start(open)
    const bounds = { scopes: ['admin'], networks: ['127.0.0.1'], expiresAt: '2027-06-30' }
    const maker = { key: (await created(bounds)).key }
    assert.equal((await created({ expiresAt: '2027-06-30' }, maker)).expiresAt, '2027-07-01T00:00:00.000Z')
    assert.equal((await created({}, maker)).expiresAt, '2027-07-01T00:00:00.000Z')
    const wider = { scopes: ['imports'], networks: ['127.0.0.2'], expiresAt: '2027-07-01' }
    const problems = await refused(wider, maker)
    assert.deepEqual(
      problems.map((told) => told.split(':')[0]),
      ['scopes[0]', 'networks[0]', 'expiresAt'],
    )
    assert.match(problems[2] ?? '', /must be at most 2027-07-01T00:00:00\.000Z/)
  })

  test('403 from outside of the networks, which names the address of the caller and nothing else', async () => {
    const { created, use, api } = await start(open)
    const { key } = await created({ networks: ['203.0.113.0/24', '2001:db8:1::/48'] })
    for (const address of ['203.0.113.0', '203.0.113.255', '2001:db8:1::7', '::ffff:203.0.113.9'])
      assert.equal((await use(key, address)).statusCode, 200, address)
    for (const address of ['203.0.114.0', '127.0.0.1', '2001:db8:2::7', '::ffff:203.0.114.9', '::1']) {
      const answer = await use(key, address)
      assert.equal(answer.statusCode, 403, address)
      const { requestId: _, ...body } = answer.json<ErrorBody>()
      const told = problem('apiKeyFromElsewhere', { address })
      assert.deepEqual(body, { statusCode: 403, code: 'FORBIDDEN', error: 'Forbidden', ...told })
    }
    // Not even whether the organization in the path is its own.
    for (const orgId of [api.orgId, api.foreignOrgId]) {
      const answer = await api.call('GET', `/organizations/${orgId}/qr-codes`, { key })
      assert.match(answer.json<ErrorBody>().message, /not accepted from your address, 127\.0\.0\.1/)
    }
  })

  test('a use from outside neither counts against the rate of the key nor as its last use', async () => {
    const { created, use, api, path, admin } = await start(open, { rateLimitPerMinute: 5 })
    const { key, id } = await created({ networks: ['203.0.113.0/24'] })
    for (let count = 0; count < 20; count++) assert.equal((await use(key, '198.51.100.1')).statusCode, 403)
    const lastUsed = async () => {
      const { data } = (await api.call('GET', path, admin)).json<ApiKeyPage>()
      return data.find((one) => one.id === id)?.lastUsedAt
    }
    assert.equal(await lastUsed(), null)
    assert.equal((await use(key, '203.0.113.1')).headers['ratelimit-remaining'], '4')
  })

  test('revoked and expired keys say so from anywhere', async () => {
    const { created, use, clock, api, path, admin } = await start(open)
    const body = { networks: ['203.0.113.0/24'], expiresAt: '2027-01-05' }
    const [expired, revoked] = [await created(body), await created(body)]
    await api.call('DELETE', `${path}/${revoked.id}`, admin)
    assert.equal((await use(revoked.key, '198.51.100.1')).json<ErrorBody>().code, 'API_KEY_REVOKED')
    clock.nowMs += 7 * 86_400_000
    assert.equal((await use(expired.key, '198.51.100.1')).json<ErrorBody>().code, 'API_KEY_EXPIRED')
  })

  test('scopes of a row are those that it was given, in the order of the table', async () => {
    const { db, created } = await start(open)
    const scopes: KeyScope[] = ['admin', 'analytics:read', 'codes:read']
    const { id } = await created({ scopes, networks: ['10.0.0.0/8', '::1'] })
    const row = await db.kysely
      .selectFrom('api_keys')
      .select(['scopes', 'networks'])
      .where('id', '=', id)
      .executeTakeFirst()
    assert.deepEqual(row, { scopes: 'codes:read,analytics:read,admin', networks: '10.0.0.0/8,::1/128' })
  })
})
