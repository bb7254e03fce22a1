import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '@everscan/contract/schema/common.ts'
import type { Member, MemberPage } from '@everscan/contract/resources/members.ts'
import { createApiKey, listApiKeys } from '../../catalogue/organizations/api-keys.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import { createUser, saveMember } from '../../catalogue/accounts/users.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'

onEitherDatabase('members', (open) => {
  test('are listed, newest first, also for a VIEWER', async () => {
    const { api, ada, grace } = await someTeam(await open())
    const answer = await api.call('GET', `/organizations/${api.orgId}/members`, { key: api.keys.VIEWER })
    const { data, pagination } = answer.json<MemberPage>()
    assert.deepEqual(
      data.map(({ id, name, email, role }) => [id, name, email, role]),
      [
        [grace, 'Grace', 'grace@example.com', 'EDITOR'],
        [ada, 'Ada', 'ada@example.com', 'ADMIN'],
      ],
    )
    assert.equal(pagination.total, 2)
  })

  test('get another role, and so do the keys that they created', async () => {
    const { db, api, grace, put } = await someTeam(await open())
    const key = await keyOf(db, api, { userId: grace, role: 'EDITOR' })
    const codes = `/organizations/${api.orgId}/qr-codes`
    const payload = { type: 'URL', name: 'a', data: { url: 'https://example.com/' } }
    assert.equal((await api.call('POST', codes, { key, payload })).statusCode, 201)
    const answer = await put(grace, 'VIEWER')
    assert.equal(answer.json<Member>().role, 'VIEWER')
    assert.equal((await api.call('POST', codes, { key, payload })).statusCode, 403)
    assert.equal((await api.call('GET', codes, { key })).statusCode, 200)
  })

  test('409: the last ADMIN can neither change role nor leave', async () => {
    const { ada, grace, put, remove } = await someTeam(await open())
    assert.equal((await put(ada, 'EDITOR')).statusCode, 409)
    assert.equal((await remove(ada)).statusCode, 409)
    assert.equal((await put(ada, 'ADMIN')).statusCode, 200)
    assert.equal((await put(grace, 'ADMIN')).statusCode, 200)
    assert.equal((await put(ada, 'EDITOR')).statusCode, 200)
    assert.equal((await remove(grace)).statusCode, 409)
  })

  test('if all ADMINs leave at the same time, one stays', async () => {
    const { ada, grace, put, remove } = await someTeam(await open())
    for (let round = 0; round < 5; round++) {
      await put(ada, 'ADMIN')
      await put(grace, 'ADMIN')
      const answers = await Promise.all([put(ada, 'VIEWER'), put(grace, 'VIEWER'), put(ada, 'EDITOR')])
      assert.ok(answers.some(({ statusCode }) => statusCode === 409))
      const admins = await Promise.all([remove(ada), remove(grace)])
      assert.ok(admins.some(({ statusCode }) => statusCode === 409))
      if (admins.some(({ statusCode }) => statusCode === 200)) return
    }
  })

  test('are removed with their keys revoked, and the log has both', async () => {
    const { db, api, ada, grace, remove } = await someTeam(await open())
    const theirs = await keyOf(db, api, { userId: grace, role: 'VIEWER' })
    const others = await keyOf(db, api, { userId: ada, role: 'VIEWER' })
    const codes = `/organizations/${api.orgId}/qr-codes`
    assert.deepEqual((await remove(grace)).json(), { id: grace, deleted: true })
    assert.equal((await remove(grace)).statusCode, 404)
    const refused = await api.call('GET', codes, { key: theirs })
    assert.equal(refused.json<{ code: string }>().code, 'API_KEY_REVOKED')
    assert.equal((await api.call('GET', codes, { key: others })).statusCode, 200)
    const { rows } = await listApiKeys(db, api.orgId, { page: 1, limit: 100 })
    assert.equal(rows.filter(({ revokedAtMs }) => revokedAtMs !== null).length, 1)
    const log = await api.call('GET', `/organizations/${api.orgId}/audit-log?limit=2`, {
      key: api.keys.ADMIN,
    })
    const actions = log.json<{ data: { action: string }[] }>().data.map(({ action }) => action)
    assert.deepEqual(actions.sort(), ['api-key.revoke', 'member.remove'])

    // A key created by a removed member does not work.
    const late = await keyOf(db, api, { userId: grace, role: 'VIEWER' })
    assert.equal((await api.call('GET', codes, { key: late })).statusCode, 403)
  })

  test('400 for an unknown role, 404 for a user who is not a member here', async () => {
    const { db, api, put, remove } = await someTeam(await open())
    const stranger = await createUser(db, { email: 'eve@example.com', name: 'Eve' })
    await saveMember(db, api.foreignOrgId, { userId: stranger?.id ?? '', role: 'ADMIN' })
    for (const id of [stranger?.id ?? '', 'usr_unknown']) {
      assert.equal((await put(id, 'VIEWER')).statusCode, 404)
      assert.equal((await remove(id)).statusCode, 404)
    }
    assert.equal((await put(stranger?.id ?? '', 'OWNER')).statusCode, 400)
  })
})

async function someTeam(db: Database) {
  const api = await openTestApi(db)
  const memberOf = async (name: string, role: Role, nowMs: number) => {
    const user = await createUser(db, { email: `${name.toLowerCase()}@example.com`, name })
    const userId = user?.id ?? ''
    await saveMember(db, api.orgId, { userId, role, nowMs })
    return userId
  }
  const key = api.keys.ADMIN
  const path = (id: string) => `/organizations/${api.orgId}/members/${id}`
  return {
    db,
    api,
    ada: await memberOf('Ada', 'ADMIN', 1_000),
    grace: await memberOf('Grace', 'EDITOR', 2_000),
    put: (id: string, role: string) => api.call('PUT', path(id), { key, payload: { role } }),
    remove: (id: string) => api.call('DELETE', path(id), { key }),
  }
}

async function keyOf(db: Database, api: TestApi, maker: { userId: string; role: Role }): Promise<string> {
  const { value } = await createApiKey(db, api.orgId, { name: 'Theirs', ...maker, origin: someOrigin })
  return value
}
