import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { MemberPage } from '@everscan/contract/resources/members.ts'
import type { MyOrganizations, OrganizationDetails } from '@everscan/contract/resources/organizations.ts'
import { memberSessions } from '../../catalogue/accounts/sessions.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { cookieName, openTestApi, somePerson, type Person } from '../testing/api.ts'
import { openPasskeyApi } from '../testing/passkeys.ts'

/** Gives an account a second factor: a row as a confirmed one has. */
async function giveTwoFactor(db: Database, { userId }: Person, confirmed = true): Promise<void> {
  const row = { user_id: userId, secret: 'sealed', last_step: 0, created_at_ms: 1 }
  const confirmed_at_ms = confirmed ? 2 : null
  await db.kysely
    .insertInto('two_factors')
    .values({ ...row, confirmed_at_ms })
    .execute()
}

onEitherDatabase('an organization that requires two-factor sign-in', (open) => {
  const start = async () => {
    const db = await open()
    const api = await openTestApi(db)
    const path = `/organizations/${api.orgId}`
    const ada = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const ben = await somePerson(db, 'Ben', { organizationId: api.orgId, role: 'VIEWER' })
    const demand = (of: { session?: string; key?: string }, twoFactorRequired: boolean) =>
      api.call('PUT', path, { ...of, payload: { twoFactorRequired } })
    const read = (person: Person, part = '') => api.call('GET', `${path}${part}`, { session: person.session })
    return { db, api, path, ada, ben, demand, read }
  }

  test('an ADMIN without it cannot demand it: 409, and nothing changes', async () => {
    const { db, api, ada, ben, demand, read } = await start()
    const refused = await demand(ada, true)
    assert.deepEqual([refused.statusCode, refused.json<ErrorBody>().code], [409, 'CONFLICT'])
    // A secret that was never confirmed is no second factor.
    await giveTwoFactor(db, ada, false)
    assert.equal((await demand(ada, true)).statusCode, 409)
    assert.equal((await read(ben)).json<OrganizationDetails>().twoFactorRequired, false)
    assert.equal((await demand(ben, true)).statusCode, 403, 'a VIEWER changes nothing')
    assert.equal((await demand({ key: api.keys.ADMIN }, true)).statusCode, 200, 'a key has no factor')
  })

  test('members without it get 403 everywhere there, until they turn it on; keys and members with it go on', async () => {
    const { db, api, path, ada, ben, demand, read } = await start()
    await giveTwoFactor(db, ada)
    const answer = await demand(ada, true)
    assert.equal(answer.json<OrganizationDetails>().twoFactorRequired, true, answer.body)
    for (const part of ['', '/qr-codes', '/members', '/qr-codes/analytics']) {
      const refused = await read(ben, part)
      assert.equal(refused.statusCode, 403, part)
      assert.match(refused.json<ErrorBody>().message, /requires two-factor sign-in.*your account/)
    }
    const mine = await api.call('GET', '/users/me/organizations', { session: ben.session })
    assert.deepEqual(
      mine.json<MyOrganizations>().organizations.map(({ id, twoFactorRequired }) => [id, twoFactorRequired]),
      [[api.orgId, true]],
    )
    assert.equal((await read(ada)).statusCode, 200)
    assert.equal((await api.call('GET', path, { key: api.keys.VIEWER })).statusCode, 200)
    await giveTwoFactor(db, ben)
    assert.equal((await read(ben)).statusCode, 200)
  })

  test('a passkey is a second factor: it admits its owner, also one who signed in with it alone', async () => {
    const { db, api, ada, me, added, signIn, signInOptions } = await openPasskeyApi(await open())
    const path = `/organizations/${api.orgId}`
    const demand = () => api.call('PUT', path, { session: ada.session, payload: { twoFactorRequired: true } })
    assert.equal((await demand()).statusCode, 409)
    const { passkey, use } = await added()
    assert.equal((await demand()).statusCode, 200)
    const cookie = String((await signIn(use(await signInOptions()))).headers['set-cookie'])
    const alone = cookie.slice(cookieName.length + 1, cookie.indexOf(';'))
    for (const session of [ada.session, alone]) {
      const answer = await api.call('GET', `${path}/members`, { session })
      assert.equal(answer.json<MemberPage>().data[0]?.twoFactor, true, answer.body)
    }
    const living = async () =>
      (await memberSessions(db, [{ organizationId: api.orgId, id: ada.sessionId }], Date.now())).length
    assert.equal(await living(), 1)
    await me('DELETE', `/${passkey.id}`, { currentPassword: ada.password })
    assert.equal((await api.call('GET', path, { session: alone })).statusCode, 403)
    assert.equal(await living(), 0)
  })

  test('does not reveal itself to people who are no members, and asks nothing in other organizations', async () => {
    const { db, api, path, ada, demand } = await start()
    await giveTwoFactor(db, ada)
    await demand(ada, true)
    const eve = await somePerson(db, 'Eve', { organizationId: api.foreignOrgId, role: 'ADMIN' })
    const refused = await api.call('GET', path, { session: eve.session })
    assert.match(refused.json<ErrorBody>().message, /not a member/)
    const own = await api.call('GET', `/organizations/${api.foreignOrgId}`, { session: eve.session })
    assert.equal(own.statusCode, 200)
  })

  test('ends the streams of members without it', async () => {
    const { db, api, ada, ben, demand } = await start()
    await giveTwoFactor(db, ada)
    const living = async () => {
      const asked = [ada, ben].map(({ sessionId }) => ({ organizationId: api.orgId, id: sessionId }))
      return (await memberSessions(db, asked, Date.now())).map(({ id }) => id).sort()
    }
    assert.deepEqual(await living(), [ada.sessionId, ben.sessionId].sort())
    await demand(ada, true)
    assert.deepEqual(await living(), [ada.sessionId])
  })

  test('the list of members names who lacks it, to signed-in ADMINs only; the audit log has the change', async () => {
    const { db, api, path, ada, ben, demand, read } = await start()
    await giveTwoFactor(db, ada)
    const factors = async (person: Person) =>
      (await read(person, '/members')).json<MemberPage>().data.map(({ name, twoFactor }) => [name, twoFactor])
    assert.deepEqual(await factors(ada), [
      ['Ben', false],
      ['Ada', true],
    ])
    const listed = await api.call('GET', `${path}/members`, { key: api.keys.ADMIN })
    for (const member of [
      ...(await read(ben, '/members')).json<MemberPage>().data,
      ...listed.json<MemberPage>().data,
    ])
      assert.ok(!('twoFactor' in member))
    for (const required of [true, true, false]) await demand(ada, required)
    const log = await api.call('GET', `${path}/audit-log?action=organization.update`, {
      session: ada.session,
    })
    const fields = log.json<{ data: { fields: string[] }[] }>().data.map((entry) => entry.fields)
    assert.deepEqual(fields, [['twoFactorRequired'], ['twoFactorRequired']])
  })
})
