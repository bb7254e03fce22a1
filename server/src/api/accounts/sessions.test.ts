import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { AuditLogPage } from '@everscan/contract/resources/audit-log.ts'
import type { CreatedApiKey } from '@everscan/contract/resources/api-keys.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { MyOrganizations, Organization } from '@everscan/contract/resources/organizations.ts'
import type { SessionPage, SignedIn } from '@everscan/contract/resources/sessions.ts'
import { createSession } from '../../catalogue/accounts/sessions.ts'
import { saveMember } from '../../catalogue/accounts/users.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import type { ApiOptions } from '../create-api.ts'
import { cookieName, openTestApi, somePerson, testConfig } from '../testing/api.ts'

const dayMs = 86_400_000
const newPassword = 'another long password'

onEitherDatabase('sessions', (open) => {
  const start = async (options: Partial<ApiOptions> = {}) => {
    const db = await open()
    const api = await openTestApi(db, options)
    const ada = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const signIn = (body: object = {}, rest: { session?: string; headers?: Record<string, string> } = {}) =>
      api.call('POST', '/auth/sign-in', {
        payload: { email: ada.email, password: ada.password, ...body },
        ...rest,
      })
    return {
      db,
      api,
      ada,
      signIn,
      /** Signs in and returns the token from the cookie. */
      signedIn: async (body?: object, rest?: { session?: string }) =>
        tokenOf((await signIn(body, rest)).headers['set-cookie']),
      me: async (session: string) => (await api.call('GET', '/users/me', { session })).statusCode,
    }
  }

  test('sign in: the cookie is the session; its token is nowhere else and is stored as a hash', async () => {
    const { db, api, ada, signIn } = await start()
    const answer = await signIn({ email: ' ADA@example.com '.trim() })
    assert.equal(answer.statusCode, 200, answer.body)
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    const [pair, ...attributes] = cookie.split('; ')
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure'])
    const token = tokenOf(cookie)
    assert.equal(pair, `${cookieName}=${token}`)
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    assert.ok(!answer.body.includes(token))
    const { user, session } = answer.json<SignedIn>()
    assert.deepEqual([user.email, user.twoFactor, session.current], [ada.email, false, true])
    const stored = await db.kysely.selectFrom('sessions').selectAll().execute()
    assert.ok(!JSON.stringify(stored).includes(token))
    assert.ok(stored.some((row) => row.token_hash === createHash('sha256').update(token).digest('hex')))
    assert.equal(
      (await api.call('GET', '/users/me', { session: token })).json<{ id: string }>().id,
      ada.userId,
    )
  })

  test('a session sent with a sign-in ends, and an unknown token is never adopted', async () => {
    const { ada, signedIn, me } = await start()
    const fixed = 'A'.repeat(43)
    const token = await signedIn({}, { session: fixed })
    assert.notEqual(token, fixed)
    assert.deepEqual([await me(fixed), await me(token)], [401, 200])
    const next = await signedIn({}, { session: token })
    assert.deepEqual([await me(token), await me(next), await me(ada.session)], [401, 200, 200])
  })

  test('401, identical: unknown address, wrong password, account without a password', async () => {
    const { db, signIn } = await start()
    const { userId } = await somePerson(db, 'Bare')
    await db.kysely.updateTable('users').set({ password_hash: null }).where('id', '=', userId).execute()
    const bodies = []
    for (const wrong of [
      { password: 'wrong wrong wrong' },
      { email: 'nobody@example.com' },
      { email: 'bare@example.com' },
      { password: 'x' },
    ]) {
      const answer = await signIn(wrong)
      assert.equal(answer.statusCode, 401)
      assert.equal(answer.headers['set-cookie'], undefined)
      const { requestId: _, ...body } = answer.json<ErrorBody>()
      bodies.push(JSON.stringify(body))
    }
    assert.equal(new Set(bodies).size, 1)
  })

  test('an unknown address takes as long as a wrong password', async (t) => {
    const { signIn } = await start()
    // Of all threads of this process, whatever else the machine does.
    const processorMsOf = async (body: object) => {
      const before = process.cpuUsage()
      await signIn(body)
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }
    const known: number[] = []
    const unknown: number[] = []
    for (let i = 0; i < 5; i++) {
      known.push(await processorMsOf({ password: 'wrong wrong wrong' }))
      unknown.push(await processorMsOf({ email: `nobody${i}@example.com` }))
    }
    // The minimum of each, because what else this process does only adds time.
    const [unknownMs, knownMs] = [Math.min(...unknown), Math.min(...known)]
    const ratio = unknownMs / knownMs
    t.diagnostic(`unknown ${unknownMs.toFixed(1)} ms, known ${knownMs.toFixed(1)} ms`)
    // Without the dummy work the ratio is below 0.1.
    assert.ok(ratio > 0.4 && ratio < 2.5, `ratio ${ratio}`)
  })

  test('429: failed attempts wait longer and longer, per network; the owner can sign in from another one', async () => {
    let nowMs = Date.now()
    const { signIn } = await start({ clock: () => nowMs })
    const from = (address: string, body: object) => signIn(body, { headers: { 'x-forwarded-for': address } })
    for (let i = 0; i < 5; i++) await from(`2001:db8:1:${i}::1`, { password: 'wrong wrong wrong' })
    const refused = await from('2001:db8:1:9::1', {})
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal((await from('203.0.113.9', {})).statusCode, 200)
    nowMs += 1_000
    assert.equal((await from('2001:db8:1:9::1', {})).statusCode, 200)
  })

  test('sign out: the session ends at once, and the cookie is deleted even without a session', async () => {
    const { api, ada, me } = await start()
    for (const session of [ada.session, ada.session, 'nonsense']) {
      const answer = await api.call('POST', '/auth/sign-out', { session })
      assert.equal(answer.statusCode, 200, answer.body)
      assert.match(String(answer.headers['set-cookie']), new RegExp(`^${cookieName}=; Max-Age=0; `))
      assert.equal(await me(session), 401)
    }
    assert.equal((await api.call('POST', '/auth/sign-out')).statusCode, 200)
  })

  test('a new password ends all sessions, and the session that changed it gets a new one', async () => {
    const { api, ada, signIn, signedIn, me } = await start()
    const other = await signedIn()
    const change = (body: object, session = ada.session) =>
      api.call('POST', '/users/me/password', { session, payload: { newPassword, ...body } })
    const wrong = await change({ currentPassword: 'wrong wrong wrong' })
    assert.equal(wrong.statusCode, 400)
    assert.equal(wrong.json<ErrorBody>().details?.[0]?.path, 'currentPassword')
    assert.equal((await change({ currentPassword: ada.password, newPassword: 'short' })).statusCode, 400)
    const answer = await change({ currentPassword: ada.password })
    assert.equal(answer.statusCode, 200, answer.body)
    const token = tokenOf(answer.headers['set-cookie'])
    assert.deepEqual([await me(ada.session), await me(other), await me(token)], [401, 401, 200])
    assert.equal((await signIn()).statusCode, 401)
    assert.equal((await signIn({ password: newPassword })).statusCode, 200)
  })

  test('a password has 10 to 200 characters, each of which counts as it was typed', async () => {
    const { api, ada, signIn } = await start()
    const change = (wanted: string) =>
      api.call('POST', '/users/me/password', {
        session: ada.session,
        payload: { currentPassword: ada.password, newPassword: wanted },
      })
    const long = `${'Tr4mway Lantern, '.repeat(11)}and a tram.. x`
    assert.equal(long.length, 201)
    const longest = long.slice(0, -1)
    for (const wrong of ['9 letters', long]) {
      const answer = await change(wrong)
      assert.equal(answer.json<ErrorBody>().details?.[0]?.path, 'newPassword', wrong)
    }
    assert.equal((await change(longest)).statusCode, 200)
    for (const wrong of [
      longest.slice(0, -1),
      `${longest.slice(0, -1)}y`,
      longest.toLowerCase(),
      ` ${longest}`,
    ])
      assert.notEqual((await signIn({ password: wrong })).statusCode, 200, wrong)
    assert.equal((await signIn({ password: longest })).statusCode, 200)
  })

  test('of many simultaneous password changes one succeeds', async () => {
    const { db, api, ada } = await start()
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) =>
        api.call('POST', '/users/me/password', {
          session: ada.session,
          payload: { currentPassword: ada.password, newPassword: `${newPassword} ${i}` },
        }),
      ),
    )
    assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
    assert.equal((await db.kysely.selectFrom('sessions').select('id').execute()).length, 1)
  })

  test('are listed and ended only by their owner, and are rejected from the next request on', async () => {
    const { db, api, ada, signedIn, me } = await start()
    const other = await signedIn()
    const third = await signedIn()
    const eve = await somePerson(db, 'Eve')
    const list = async (session: string) =>
      (await api.call('GET', '/users/me/sessions', { session })).json<SessionPage>()
    const { data, pagination } = await list(third)
    assert.equal(pagination.total, 3)
    assert.deepEqual(
      data.map(({ current }) => current),
      [true, false, false],
    )
    const end = (session: string, id = '') => api.call('DELETE', `/users/me/sessions/${id}`, { session })
    const foreign = await end(eve.session, ada.sessionId)
    const unknown = await end(eve.session, 'ses_00000000000000000000000000')
    assert.deepEqual([foreign.statusCode, unknown.statusCode], [404, 404])
    assert.equal(foreign.json<ErrorBody>().message, unknown.json<ErrorBody>().message)
    assert.equal((await end(third, ada.sessionId)).statusCode, 200)
    assert.deepEqual([await me(ada.session), await me(other)], [401, 200])
    const ended = await api.call('DELETE', '/users/me/sessions', { session: third })
    assert.deepEqual(ended.json(), { ended: 1 })
    assert.deepEqual([await me(other), await me(third), await me(eve.session)], [401, 200, 200])
  })

  test('end after 7 days without use, and 30 days after they began; a clock step does not end them', async () => {
    let nowMs = Date.now()
    const { db, signedIn, me } = await start({ clock: () => nowMs })
    const token = await signedIn()
    const lastUse = async () => {
      const rows = await db.kysely.selectFrom('sessions').select('last_used_at_ms').execute()
      return Math.max(...rows.map((row) => row.last_used_at_ms))
    }
    const begunMs = nowMs
    for (const stepMs of [dayMs, -dayMs, 3_600_000, -3_600_000]) {
      nowMs += stepMs
      assert.equal(await me(token), 200)
    }
    const idle = await signedIn()
    for (let day = 6; day < 30; day += 6) {
      nowMs = begunMs + day * dayMs
      assert.equal(await me(token), 200, `day ${day}`)
      // The last use is recorded after the response.
      while ((await lastUse()) !== nowMs) await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal(await me(idle), 401)
    nowMs = begunMs + 30 * dayMs - 1
    assert.equal(await me(token), 200)
    nowMs = begunMs + 30 * dayMs
    assert.equal(await me(token), 401)
  })

  test('record their use at most once a minute', async () => {
    let nowMs = Date.now() + dayMs
    const { db, ada, me } = await start({ clock: () => nowMs })
    const lastUse = async () => {
      const row = await db.kysely.selectFrom('sessions').selectAll().executeTakeFirstOrThrow()
      return row.last_used_at_ms
    }
    await Promise.all(Array.from({ length: 20 }, () => me(ada.session)))
    while ((await lastUse()) !== nowMs) await new Promise((resolve) => setImmediate(resolve))
    const notedMs = nowMs
    nowMs += 59_999
    await me(ada.session)
    nowMs += 1
    await me(ada.session)
    while ((await lastUse()) === notedMs) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(await lastUse(), notedMs + 60_000)
  })

  test('are limited to 50 per account: the least recently used one ends', async () => {
    const beginMs = Date.now() + dayMs
    const { db, ada, signedIn, me } = await start({ clock: () => beginMs + 100 })
    const tokens: string[] = []
    for (let i = 0; i < 49; i++) {
      const { token } = await createSession(db, ada.userId, { userAgent: null, nowMs: beginMs + i })
      tokens.push(token)
    }
    assert.equal(await me(ada.session), 200)
    const count = async () =>
      await db.kysely.selectFrom('sessions').select('last_used_at_ms as atMs').execute()
    while (!(await count()).some(({ atMs }) => atMs === beginMs + 100))
      await new Promise((resolve) => setImmediate(resolve))
    assert.equal((await count()).length, 50)
    const next = await signedIn()
    assert.equal((await count()).length, 50)
    assert.deepEqual([await me(ada.session), await me(next), await me(tokens[0] ?? '')], [200, 200, 401])
  })

  test('follow the current state of the account: another role, or no longer a member', async () => {
    const { db, api, ada } = await start()
    const codes = `/organizations/${api.orgId}/qr-codes`
    const payload = { type: 'URL', name: 'a', data: { url: 'https://example.com/' } }
    const create = async () => (await api.call('POST', codes, { session: ada.session, payload })).statusCode
    assert.equal(await create(), 201)
    await saveMember(db, api.orgId, { userId: ada.userId, role: 'VIEWER' })
    assert.equal(await create(), 403)
    await db.kysely.deleteFrom('members').where('user_id', '=', ada.userId).execute()
    const answer = await api.call('GET', codes, { session: ada.session })
    assert.equal(answer.statusCode, 403)
    assert.match(answer.body, /not a member/)
  })

  test('the audit log names the account and the dashboard; a key created with a session belongs to its account', async () => {
    const { db, api, ada } = await start()
    const path = `/organizations/${api.orgId}`
    const made = await api.call('POST', `${path}/api-keys`, { session: ada.session, payload: { name: 'a' } })
    assert.equal(made.statusCode, 201, made.body)
    const { key } = made.json<CreatedApiKey>()
    const log = await api.call('GET', `${path}/audit-log?limit=1`, { session: ada.session })
    const [entry] = log.json<AuditLogPage>().data
    assert.deepEqual(entry?.actor, { kind: 'user', id: ada.userId, name: 'Ada' })
    assert.equal(entry?.origin.via, 'dashboard')
    await saveMember(db, api.orgId, { userId: ada.userId, role: 'VIEWER' })
    assert.equal((await api.call('GET', `${path}/api-keys`, { key })).statusCode, 403)
  })

  test('429: over the rate of one account, in whichever session, but not of another', async () => {
    const { db, api, ada } = await start({
      config: { ...testConfig, rateLimitPerMinute: 2 },
      clock: () => dayMs * 20_000,
    })
    const eve = await somePerson(db, 'Eve')
    await db.kysely
      .updateTable('sessions')
      .set({ last_used_at_ms: dayMs * 20_000 })
      .execute()
    const get = (session: string) => api.call('GET', '/users/me', { session })
    await get(ada.session)
    assert.equal((await get(ada.session)).headers['ratelimit-remaining'], '0')
    assert.equal((await get(ada.session)).statusCode, 429)
    const second = await createSession(db, ada.userId, { userAgent: null, nowMs: dayMs * 20_000 })
    assert.equal((await get(second.token)).statusCode, 429)
    assert.equal((await get(eve.session)).statusCode, 200)
  })

  test('organizations of an account: list all, create one more, and leave it', async () => {
    const { db, api, ada } = await start()
    await saveMember(db, api.foreignOrgId, { userId: ada.userId, role: 'VIEWER' })
    const { session } = ada
    const mine = async () =>
      (await api.call('GET', '/users/me/organizations', { session })).json<MyOrganizations>().organizations
    assert.deepEqual(
      (await mine()).map(({ name, role }) => [name, role]),
      [
        ['Mine', 'ADMIN'],
        ['Foreign', 'VIEWER'],
      ],
    )
    const make = (name: string) => api.call('POST', '/organizations', { session, payload: { name } })
    const made = await make('Third')
    assert.equal(made.statusCode, 201, made.body)
    const { id, slug, role } = made.json<Organization>()
    assert.deepEqual([slug, role], ['third', 'ADMIN'])
    const log = await api.call('GET', `/organizations/${id}/audit-log`, { session })
    assert.equal(log.json<AuditLogPage>().data[0]?.action, 'member.join')

    const leave = (organizationId: string) =>
      api.call('DELETE', `/users/me/organizations/${organizationId}`, { session })
    assert.equal((await leave(id)).statusCode, 409, 'the last ADMIN stays')
    assert.deepEqual((await leave(api.foreignOrgId)).json(), { id: api.foreignOrgId, left: true })
    const again = await leave(api.foreignOrgId)
    const unknown = await leave('org_00000000000000000000000000')
    assert.deepEqual([again.statusCode, unknown.statusCode], [404, 404])
    assert.equal(again.json<ErrorBody>().message, unknown.json<ErrorBody>().message)

    const many = await Promise.all(Array.from({ length: 25 }, (_, i) => make(`More ${i}`)))
    assert.equal(many.filter(({ statusCode }) => statusCode === 201).length, 18)
    assert.equal(many.filter(({ statusCode }) => statusCode === 409).length, 7)
    assert.equal((await mine()).length, 20)
  })

  test('only the account itself can change its name', async () => {
    const { api, ada } = await start()
    const put = (payload: object) => api.call('PUT', '/users/me', { session: ada.session, payload })
    assert.equal((await put({ name: 'Ada Lovelace' })).json<{ name: string }>().name, 'Ada Lovelace')
    for (const wrong of [{}, { name: '' }, { name: 'a\nb' }, { name: 'a', email: 'b@example.com' }])
      assert.equal((await put(wrong)).statusCode, 400)
  })
})

function tokenOf(setCookie: unknown): string {
  return /=([^;]*)/.exec(String(setCookie))?.[1] ?? ''
}
