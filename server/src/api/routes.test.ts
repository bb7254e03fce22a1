import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roleAllows, roles } from '@everscan/contract/schema/common.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { uploadRoutes } from '@everscan/contract/schema/uploads.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { createApiKey } from '../catalogue/organizations/api-keys.ts'
import { onEitherDatabase } from '../db/testing/databases.ts'
import { routes } from './routes.ts'
import { openTestApi, somePerson, type TestApi } from './testing/api.ts'
import { callEndpoint, checkError, pathOf, type Answer } from './testing/endpoint-calls.ts'
import { someOrigin } from '../catalogue/testing/catalogue.ts'

const keyed = routes.filter(({ role }) => role !== 'public' && role !== 'session')
const forUsers = routes.filter(({ role, sessionOnly }) => role === 'session' || sessionOnly === true)
const withSession = routes.filter(({ role }) => role !== 'public')
const inOrganization = keyed.filter(({ path }) => path.startsWith('/organizations/:orgId'))
const inOrganizationByKey = inOrganization.filter(({ sessionOnly }) => sessionOnly !== true)

test('every endpoint with a file, and no other, is among those whose bodies may take longer', () => {
  const withFile = routes.filter(({ form }) => form !== undefined)
  assert.deepEqual(
    withFile.map(({ method, path }) => `${method} ${path}`).toSorted(),
    uploadRoutes.map(({ method, path }) => `${method} ${path}`).toSorted(),
  )
  for (const { id, takes, role } of withFile) {
    assert.equal(takes, 'uploads', `${id}: organizations hold few of them at once`)
    assert.notEqual(role, 'public', id)
  }
})

test('every endpoint has its own handler', async () => {
  for (const route of routes) assert.equal((await route.handler()).id, route.id)
})

onEitherDatabase('every endpoint', (open) => {
  test('429: public endpoints limit the tries of a network, also with RATE_LIMIT_PER_MINUTE=0', async () => {
    const api = await openTestApi(await open(), { clock: () => 1_000 })
    const guarded = routes.filter(({ triesPerMinute }) => triesPerMinute !== undefined)
    assert.ok(guarded.length >= 6)
    for (const endpoint of guarded) {
      const tryFrom = async (address: string) =>
        api.call(endpoint.method, endpoint.path, { payload: {}, headers: { 'x-forwarded-for': address } })
      for (let tries = 0; tries < (endpoint.triesPerMinute ?? 0); tries++)
        assert.notEqual((await tryFrom('203.0.113.7')).statusCode, 429, endpoint.id)
      const answer = await tryFrom('203.0.113.7')
      checkError(answer, { status: 429, code: 'RATE_LIMITED', title: endpoint.id })
      assert.ok(Number(answer.headers['retry-after']) > 0)
      assert.notEqual((await tryFrom('203.0.113.8')).statusCode, 429, endpoint.id)
    }
  })

  test('401: without a key, with an unknown key, with a malformed key', async () => {
    const api = await openTestApi(await open())
    for (const [index, endpoint] of keyed.entries()) {
      // Networks that try many unknown keys get 429.
      const headers = { 'x-forwarded-for': `203.0.113.${index}` }
      for (const key of [undefined, '', 'nonsense', `evs_${'a'.repeat(38)}`, 'a'.repeat(5000), "' or 1=1"]) {
        const answer = await callEndpoint(api, endpoint, { headers, ...(key !== undefined && { key }) })
        checkError(answer, { status: 401, code: 'UNAUTHORIZED', title: endpoint.id })
        assert.equal(answer.json<ErrorBody>().error, 'Unauthorized')
        assert.match(answer.json<ErrorBody>().message, /missing or invalid/)
      }
    }
  })

  test('401 and 403: without a session, with an unknown one, with a key where a signed-in user is required', async () => {
    const db = await open()
    const api = await openTestApi(db)
    for (const endpoint of withSession) {
      const refused = { status: 401, code: 'UNAUTHORIZED', title: endpoint.id }
      for (const session of ['', 'nonsense', 'a'.repeat(43), 'a'.repeat(5000), "' or 1=1"])
        checkError(await callEndpoint(api, endpoint, { session }), refused)
      if (endpoint.role === 'session') checkError(await callEndpoint(api, endpoint, {}), refused)
    }
    for (const endpoint of forUsers) {
      const title = endpoint.id
      const forbidden = { status: 403, code: 'FORBIDDEN', title }
      checkError(await callEndpoint(api, endpoint, { key: api.keys.ADMIN }), forbidden)
      const nonsense = await callEndpoint(api, endpoint, { key: 'nonsense' })
      checkError(nonsense, { status: 401, code: 'UNAUTHORIZED', title })
    }
  })

  test('400: a key and a session in one request', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { session } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    for (const endpoint of withSession) {
      const answer = await callEndpoint(api, endpoint, { session, key: api.keys.ADMIN })
      checkError(answer, { status: 400, code: 'VALIDATION_ERROR', title: endpoint.id })
    }
  })

  test('403 API_KEY_REVOKED and API_KEY_EXPIRED', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const expired = { origin: someOrigin, name: 'a', role: 'ADMIN', expiresAtMs: Date.now() - 1 } as const
    const { value: expiredKey } = await createApiKey(db, api.orgId, expired)
    const { value: revokedKey, key } = await createApiKey(db, api.orgId, {
      origin: someOrigin,
      name: 'a',
      role: 'ADMIN',
    })
    await api.call('DELETE', `/organizations/${api.orgId}/api-keys/${key.id}`, { key: api.keys.ADMIN })
    for (const endpoint of keyed) {
      const title = endpoint.id
      checkError(await callEndpoint(api, endpoint, { key: revokedKey }), {
        status: 403,
        code: 'API_KEY_REVOKED',
        title,
      })
      checkError(await callEndpoint(api, endpoint, { key: expiredKey }), {
        status: 403,
        code: 'API_KEY_EXPIRED',
        title,
      })
    }
  })

  test('403: another organization, with identical responses whether or not it exists', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { session } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const callers = [{ key: api.keys.ADMIN }, { session }]
    for (const [endpoint, caller] of inOrganization.flatMap((one) =>
      callers.map((each) => [one, each] as const),
    )) {
      const answers = []
      for (const orgId of [api.foreignOrgId, 'org_00000000000000000000000000', 'nonsense', 'a%2Fb', '%00']) {
        const answer = await callEndpoint(api, endpoint, { ...caller, orgId })
        checkError(answer, { status: 403, code: 'FORBIDDEN', title: endpoint.id })
        answers.push(comparable(answer))
      }
      assert.equal(new Set(answers).size, 1, endpoint.id)
    }
  })

  test('403: a role that is too low; a sufficient role is admitted', async () => {
    const db = await open()
    const api = await openTestApi(db)
    for (const role of roles) {
      const { session } = await somePerson(db, role, { organizationId: api.orgId, role })
      const calls = [
        ...inOrganizationByKey.map((endpoint) => ({ endpoint, caller: { key: api.keys[role] } })),
        ...inOrganization.map((endpoint) => ({ endpoint, caller: { session } })),
      ]
      for (const { endpoint, caller } of calls) {
        const answer = await callEndpoint(api, endpoint, caller)
        if (roleAllows(role, endpoint.role as typeof role))
          assert.notEqual(answer.statusCode, 403, endpoint.id)
        else checkError(answer, { status: 403, code: 'FORBIDDEN', title: endpoint.id })
      }
    }
  })

  test("404: identical responses for another organization's id, an unknown id and a malformed id", async () => {
    const db = await open()
    const api = await openTestApi(db)
    const foreign = await foreignIds(api)
    for (const endpoint of inOrganizationByKey.filter(({ path }) => path.includes('/:id'))) {
      const answers = []
      for (const id of [
        ...foreign,
        'qr_00000000000000000000000000',
        'nonsense',
        '%00',
        "'",
        'a'.repeat(199),
      ]) {
        const answer = await callEndpoint(api, endpoint, { key: api.keys.ADMIN, id })
        checkError(answer, { status: 404, code: 'NOT_FOUND', title: `${endpoint.id} ${id}` })
        answers.push(comparable(answer))
      }
      assert.equal(new Set(answers).size, 1, endpoint.id)
    }
    // And the other organization's code is unchanged.
    const path = `/organizations/${api.foreignOrgId}/qr-codes/${foreign[0]}`
    const { name } = (await api.call('GET', path, { key: api.keys.foreign })).json<QrCode>()
    assert.equal(name, 'a')
  })

  test('405 with Allow: the methods that a path does not have', async () => {
    const api = await openTestApi(await open())
    for (const path of new Set(routes.map((endpoint) => endpoint.path))) {
      const own: string[] = routes.filter((endpoint) => endpoint.path === path).map(({ method }) => method)
      for (const method of (['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).filter(
        (m) => !own.includes(m),
      )) {
        const answer = await api.call(method, pathOf(path, api), { key: api.keys.ADMIN })
        checkError(answer, { status: 405, code: 'METHOD_NOT_ALLOWED', title: `${method} ${path}` })
        for (const allowed of own) assert.ok(String(answer.headers['allow']).split(', ').includes(allowed))
      }
    }
  })
})

/** Ids of a code, a folder and a key of the other organization. */
async function foreignIds({ call: send, foreignOrgId, keys }: TestApi): Promise<string[]> {
  const path = `/organizations/${foreignOrgId}`
  const key = keys.foreign
  const code = await send('POST', `${path}/qr-codes`, {
    key,
    payload: { type: 'URL', name: 'a', data: { url: 'https://example.com/' } },
  })
  const folder = await send('POST', `${path}/folders`, { key, payload: { name: 'a' } })
  const made = await send('POST', `${path}/api-keys`, { key, payload: { name: 'a' } })
  return [code, folder, made].map((answer) => answer.json<{ id: string }>().id)
}

/** A response without what differs between any two: its request id and its time. */
function comparable({ statusCode, headers, body }: Answer): string {
  const { date: _, 'x-request-id': requestId, ...rest } = headers
  return JSON.stringify([statusCode, rest, body.replace(String(requestId), '')])
}
