import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type {
  AcceptedInvitation,
  CreatedInvitation,
  InvitationPage,
  ReceivedInvitation,
} from '@everscan/contract/resources/invitations.ts'
import type { MemberPage } from '@everscan/contract/resources/members.ts'
import { hashPassword, verifyPassword } from '../../catalogue/accounts/passwords.ts'
import { createUser, findUserByEmail, saveMember } from '../../catalogue/accounts/users.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import type { ApiOptions } from '../create-api.ts'
import { Secret, TOTP } from 'otpauth'
import { beginTwoFactor, confirmTwoFactor } from '../../catalogue/accounts/two-factor.ts'
import { someSource } from '../../catalogue/testing/catalogue.ts'
import { cookieName, openTestApi, publicUrl, somePerson, testAccountTools } from '../testing/api.ts'

const person = { name: 'Ada', password: 'a long enough one' }
const dayMs = 86_400_000

onEitherDatabase('invitations', (open) => {
  const start = async (options: Partial<ApiOptions> = {}) => {
    const db = await open()
    const api = await openTestApi(db, options)
    const path = `/organizations/${api.orgId}/invitations`
    const key = api.keys.ADMIN
    const invite = (payload: object) => api.call('POST', path, { key, payload })
    return {
      db,
      api,
      path,
      invite,
      invited: async (payload: object) => {
        const answer = await invite(payload)
        assert.equal(answer.statusCode, 201, answer.body)
        const made = answer.json<CreatedInvitation>()
        return { ...made, token: made.acceptUrl.split('#')[1] ?? '' }
      },
      accept: (payload: object, headers = {}) =>
        api.call('POST', '/invitations/accept', { payload, headers }),
      list: async () => (await api.call('GET', path, { key })).json<InvitationPage>().data,
      revoke: (id: string) => api.call('DELETE', `${path}/${id}`, { key }),
      members: async () => {
        const answer = await api.call('GET', `/organizations/${api.orgId}/members`, { key })
        return answer.json<MemberPage>().data.map(({ email, role }) => [email, role])
      },
    }
  }

  test('create an account and its membership; the token is shown only once and stored as a hash', async () => {
    const { db, api, invited, accept, list, members } = await start()
    const { token, ...made } = await invited({ email: ' Ada@Example.com'.trim(), role: 'EDITOR' })
    assert.equal(made.acceptUrl, `${publicUrl}/app/invitations#${token}`)
    assert.equal(Buffer.from(token, 'base64url').length, 32)
    assert.equal(made.invitedBy.name, 'ADMIN')
    assert.equal(Date.parse(made.expiresAt) - Date.parse(made.createdAt), 7 * dayMs)
    const [stored] = await db.kysely.selectFrom('invitations').selectAll().execute()
    assert.equal(stored?.token_hash, createHash('sha256').update(token).digest('hex'))
    assert.ok(!JSON.stringify(await list()).includes(token))

    const answer = await accept({ token, ...person })
    assert.equal(answer.statusCode, 200, answer.body)
    const { organization, member } = answer.json<AcceptedInvitation>()
    assert.deepEqual([organization.id, organization.role], [api.orgId, 'EDITOR'])
    assert.deepEqual([member.email, member.name], ['ada@example.com', 'Ada'])
    assert.deepEqual(await members(), [['ada@example.com', 'EDITOR']])
    const user = await findUserByEmail(db, 'ada@example.com')
    assert.ok(await verifyPassword(person.password, user?.passwordHash ?? ''))
    assert.notEqual((await list())[0]?.acceptedAt, null)
    assert.equal((await accept({ token, ...person })).statusCode, 404, 'a token works once')

    const log = await api.call('GET', `/organizations/${api.orgId}/audit-log?actorId=${member.id}`, {
      key: api.keys.ADMIN,
    })
    const { data } = log.json<{ data: { action: string; origin: { via: string } }[] }>()
    const actions = data.map(({ action, origin }) => `${action} ${origin.via}`)
    assert.deepEqual(actions.toSorted(), ['invitation.accept dashboard', 'member.join dashboard'])
  })

  test('the invited person reads who invites, to what, as what, and what accepting needs', async () => {
    const { db, api, invited } = await start()
    const ada = await somePerson(db, 'Ada')
    const { token, id } = await invited({ email: ada.email, role: 'EDITOR' })
    const read = async (asked: string, options: { session?: string } = {}) =>
      api.call('POST', '/invitations/received', { payload: { token: asked }, ...options })
    const { organization, ...received } = (await read(token)).json<ReceivedInvitation>()
    assert.ok(organization.length > 0)
    assert.deepEqual(
      [received.invitedBy, received.email, received.role, received.needs],
      ['ADMIN', ada.email, 'EDITOR', 'PASSWORD'],
    )
    const own = (await read(token, { session: ada.session })).json<ReceivedInvitation>()
    assert.equal(own.needs, 'NOTHING')
    const stranger = await invited({ email: 'new@example.com' })
    assert.equal((await read(stranger.token)).json<ReceivedInvitation>().needs, 'NAME_AND_PASSWORD')
    assert.equal((await read('a'.repeat(43))).statusCode, 404)
    await api.call('DELETE', `/organizations/${api.orgId}/invitations/${id}`, { key: api.keys.ADMIN })
    assert.equal((await read(token)).statusCode, 404)
  })

  test('an invitation shows neither a link nor a number of the one who invites', async () => {
    const { api, db, path, invited } = await start()
    const name = 'Your account is locked: call +49 30 1234567 or open https://evil.example/now'
    await api.call('PUT', `/organizations/${api.orgId}`, { key: api.keys.ADMIN, payload: { name } })
    const { token } = await invited({ email: 'new@example.com' })
    const answer = await api.call('POST', '/invitations/received', { payload: { token } })
    assert.equal(answer.json<ReceivedInvitation>().organization, 'Your account is locked call + or open ht')
    const { session, email } = await somePerson(db, 'Mallory', { organizationId: api.orgId, role: 'ADMIN' })
    for (const [own, shown] of [
      ['Mallory: call 0900 1234567', 'Mallory call'],
      ['somebody@example.org', 'somebody example org'],
      [email, email],
    ] as const) {
      assert.equal((await api.call('PUT', '/users/me', { session, payload: { name: own } })).statusCode, 200)
      const made = await api.call('POST', path, { session, payload: { email: 'newer@example.com' } })
      const payload = { token: made.json<CreatedInvitation>().acceptUrl.split('#')[1] }
      const received = await api.call('POST', '/invitations/received', { payload })
      assert.equal(received.json<ReceivedInvitation>().invitedBy, shown)
    }
  })

  test('signIn begins a session of the new and of the existing account, and none without a password', async () => {
    const { db, api, invited, accept } = await start()
    const cookiesOf = (answer: Awaited<ReturnType<typeof accept>>) =>
      String(answer.headers['set-cookie'] ?? '')
    const fresh = await invited({ email: 'new@example.com' })
    const joined = await accept({ token: fresh.token, ...person, signIn: true })
    assert.equal(joined.json<AcceptedInvitation>().signedIn, true)
    const [, session] = new RegExp(`${cookieName}=([^;]+)`).exec(cookiesOf(joined)) ?? []
    const me = await api.call('GET', '/users/me', { session: session ?? '' })
    assert.equal(me.json<{ email: string }>().email, 'new@example.com')

    const passwordHash = await hashPassword(person.password)
    await createUser(db, { email: 'ada@example.com', name: 'Ada', passwordHash })
    const known = await invited({ email: 'ada@example.com' })
    const wrong = await accept({ token: known.token, password: 'not the password', signIn: true })
    assert.deepEqual([wrong.statusCode, cookiesOf(wrong)], [400, ''])
    const right = await accept({ token: known.token, password: person.password, signIn: true })
    assert.deepEqual([right.json<AcceptedInvitation>().signedIn, cookiesOf(right) !== ''], [true, true])

    await createUser(db, { email: 'nopassword@example.com', name: 'Nobody' })
    const unowned = await invited({ email: 'nopassword@example.com' })
    const unproved = await accept({ token: unowned.token, signIn: true })
    assert.deepEqual([unproved.json<AcceptedInvitation>().signedIn, cookiesOf(unproved)], [false, ''])

    const quiet = await invited({ email: 'quiet@example.com' })
    const unasked = await accept({ token: quiet.token, ...person })
    assert.deepEqual([unasked.json<AcceptedInvitation>().signedIn, cookiesOf(unasked)], [false, ''])
  })

  test('an account with a second factor joins, and is not signed in by its password alone', async () => {
    const accounts = testAccountTools({})
    const { db, invited, accept } = await start({ accounts })
    const ada = await somePerson(db, 'Ada')
    const nowMs = Date.now()
    const begun = await beginTwoFactor(db, accounts.twoFactorBox, { ...ada, nowMs })
    const totp = new TOTP({ secret: Secret.fromBase32(begun?.secret ?? '') })
    const code = { ...ada, code: totp.generate({ timestamp: nowMs }), source: someSource, nowMs }
    assert.ok((await confirmTwoFactor(db, accounts.twoFactorBox, code)) !== undefined)
    const { token } = await invited({ email: ada.email })
    const joined = await accept({ token, password: ada.password, signIn: true })
    assert.equal(joined.statusCode, 200, joined.body)
    assert.equal(joined.json<AcceptedInvitation>().signedIn, false)
    assert.equal(joined.headers['set-cookie'], undefined)
  })

  test('one token creates one member, however many clients accept at the same time', async () => {
    const { invited, accept, members } = await start()
    const { token } = await invited({ email: 'ada@example.com' })
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        accept({ token, ...person }, { 'x-forwarded-for': `203.0.113.${at}` }),
      ),
    )
    const statuses = answers.map(({ statusCode }) => statusCode)
    assert.equal(statuses.filter((status) => status === 200).length, 1)
    assert.ok(statuses.every((status) => status === 200 || status === 404 || status === 400))
    assert.deepEqual(await members(), [['ada@example.com', 'VIEWER']])
  })

  test('an address with an account joins with its password; the token or the password alone is not enough', async () => {
    const { db, invited, accept, members } = await start()
    const passwordHash = await hashPassword(person.password)
    await createUser(db, { email: 'ada@example.com', name: 'Ada', passwordHash })
    const { token } = await invited({ email: 'ADA@example.com', role: 'ADMIN' })
    for (const wrong of [{}, person, { password: 'another long one' }, { name: 'Ada' }]) {
      const refused = await accept({ token, ...wrong })
      assert.equal(refused.statusCode, 400)
      assert.match(refused.body, /account/)
    }
    assert.deepEqual(await members(), [])
    assert.equal((await accept({ token, password: person.password })).statusCode, 200)
    assert.deepEqual(await members(), [['ada@example.com', 'ADMIN']])
    const user = await findUserByEmail(db, 'ada@example.com')
    assert.equal(user?.passwordHash, passwordHash)
  })

  test('a signed-in account accepts without its password; the session of another account proves nothing', async () => {
    const { db, api, invited, members } = await start()
    const ada = await somePerson(db, 'Ada')
    const eve = await somePerson(db, 'Eve')
    const { token } = await invited({ email: ada.email, role: 'EDITOR' })
    const accept = async (session: string, headers = {}) =>
      (await api.call('POST', '/invitations/accept', { session, payload: { token }, headers })).statusCode
    assert.equal(await accept(eve.session), 400)
    assert.equal(await accept('a'.repeat(43)), 400)
    assert.equal(await accept(ada.session, { origin: 'https://evil.example' }), 403)
    assert.deepEqual(await members(), [])
    assert.equal(await accept(ada.session), 200)
    assert.deepEqual(await members(), [[ada.email, 'EDITOR']])
  })

  test('400: name and password are missing for a new account, and the token still works', async () => {
    const { invited, accept } = await start()
    const { token } = await invited({ email: 'ada@example.com' })
    for (const part of [{}, { name: 'Ada' }, { password: person.password }, { ...person, password: 'short' }])
      assert.equal((await accept({ token, ...part })).statusCode, 400)
    assert.equal((await accept({ token, ...person })).statusCode, 200)
  })

  test('404: unknown, revoked, replaced, expired', async () => {
    let nowMs = Date.now()
    const { invited, accept, revoke, list } = await start({ clock: () => nowMs })
    assert.equal((await accept({ token: 'nonsense', ...person })).statusCode, 404)
    const revoked = await invited({ email: 'a@example.com' })
    assert.deepEqual((await revoke(revoked.id)).json(), { id: revoked.id, deleted: true })
    assert.equal((await revoke(revoked.id)).statusCode, 404)
    const replaced = await invited({ email: 'b@example.com' })
    const ended = await invited({ email: 'B@example.com' })
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [ended.id],
    )
    nowMs += 7 * dayMs
    for (const { token } of [revoked, replaced, ended])
      assert.equal((await accept({ token, ...person })).statusCode, 404)
    nowMs -= 1
    assert.equal((await accept({ token: ended.token, ...person })).statusCode, 200)
    assert.equal((await revoke(ended.id)).statusCode, 409, 'it was already accepted')
  })

  test('409: already a member, when inviting and when accepting', async () => {
    const { db, api, invite, invited, accept, list } = await start()
    const user = await createUser(db, { email: 'ada@example.com', name: 'Ada' })
    const { token } = await invited({ email: 'ada@example.com' })
    await saveMember(db, api.orgId, { userId: user?.id ?? '', role: 'VIEWER' })
    assert.equal((await invite({ email: 'ada@example.com' })).statusCode, 409)
    assert.equal((await accept({ token })).statusCode, 409)
    assert.equal((await list())[0]?.acceptedAt, null)
  })

  test('429: a network that tries many tokens; other networks are not affected', async () => {
    const { api } = await start()
    const tryFrom = (address: string) =>
      api.call('POST', '/invitations/accept', {
        payload: { token: 'nonsense' },
        headers: { 'x-forwarded-for': address },
      })
    for (let i = 0; i < 30; i++) await tryFrom(`2001:db8:1:${i}::1`)
    const answer = await tryFrom('2001:db8:1:ffff::2')
    assert.equal(answer.statusCode, 429)
    assert.ok(Number(answer.headers['retry-after']) > 0)
    assert.equal((await tryFrom('2001:db8:2::1')).statusCode, 404)
    assert.equal((await tryFrom('203.0.113.9')).statusCode, 404)
  })
})
