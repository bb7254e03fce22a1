import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceCookie } from '@everscan/contract/resources/sessions.ts'
import type { CreatedInvitation } from '@everscan/contract/resources/invitations.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { LightMyRequestResponse } from 'fastify'
import { createPasswordReset } from '../../catalogue/organizations/password-resets.ts'
import { systemActor } from '../../catalogue/rows/change-origins.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { cookieName, openTestApi, publicUrl, somePerson, testAccountTools } from '../testing/api.ts'

const dayMs = 86_400_000
const newPassword = 'another long password'
const deviceName = `__Host-${deviceCookie}`

onEitherDatabase('attempts to name a password', (open) => {
  const start = async () => {
    const db = await open()
    const clock = { nowMs: Date.now() }
    const accounts = testAccountTools()
    const api = await openTestApi(db, { accounts, clock: () => clock.nowMs })
    const ada = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const post = (
      path: string,
      payload: object,
      { from = '203.0.113.9', cookie }: { from?: string; cookie?: string | undefined } = {},
    ) =>
      api.call('POST', path, {
        payload,
        headers: {
          'x-forwarded-for': from,
          origin: publicUrl,
          ...(cookie === undefined ? {} : { cookie }),
        },
      })
    const signIn = (
      { email = ada.email, password = ada.password }: { email?: string; password?: string } = {},
      from?: { from?: string; cookie?: string | undefined },
    ) => post('/auth/sign-in', { email, password }, from)
    return {
      db,
      api,
      ada,
      clock,
      accounts,
      post,
      signIn,
      /** Makes many networks fail at once, without the work of hashing passwords. */
      attack: (email = ada.email) => {
        for (let i = 0; i < 60; i++)
          try {
            void accounts.brake.begin(email, `10.0.0.${i}`, clock.nowMs)
          } catch {
            continue
          }
      },
      /** Signs in, and returns the cookie of the device. */
      device: async (from?: { cookie?: string | undefined }) => deviceOf(await signIn({}, from)),
    }
  }

  test('the cookie of a device: HttpOnly, for a year, on https with the prefix; not without a sign-in', async () => {
    const { signIn } = await start()
    const header = deviceHeaderOf(await signIn())
    const [pair = '', ...attributes] = header.split('; ')
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=31536000', 'Path=/', 'SameSite=Lax', 'Secure'])
    assert.match(pair, new RegExp(`^${deviceName}=v1\\.[\\w-]+$`))
    assert.equal((await signIn({ password: 'wrong wrong wrong' })).headers['set-cookie'], undefined)
  })

  test('50 failures from anywhere: new devices wait, whether or not the account exists, and get through soon', async () => {
    const { clock, signIn } = await start()
    const statuses = []
    for (let i = 0; i < 50; i++)
      statuses.push((await signIn({ password: 'wrong wrong wrong' }, client(i))).statusCode)
    assert.deepEqual(new Set(statuses), new Set([401]))
    const refused = await signIn({}, client(100))
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '10'])
    assert.equal(refused.headers['set-cookie'], undefined)
    // The attack goes on. The owner comes back after the wait that the answer named.
    for (let i = 200; i < 260; i++) {
      clock.nowMs += 166
      await signIn({ password: 'wrong wrong wrong' }, client(i))
    }
    clock.nowMs += 40
    const answer = await signIn({}, client(100))
    assert.equal(answer.statusCode, 200, answer.body)
  })

  test('429 is the same for an address without account', async () => {
    const { ada, attack, signIn } = await start()
    attack()
    attack('nobody@example.com')
    const bodies = []
    for (const email of [ada.email, 'nobody@example.com', 'NOBODY@example.com']) {
      const answer = await signIn({ email }, { from: '198.51.100.1' })
      assert.equal(answer.statusCode, 429)
      const { requestId: _, ...body } = answer.json<ErrorBody>()
      bodies.push(JSON.stringify(body))
    }
    assert.equal(new Set(bodies.slice(0, 2)).size, 1, bodies.join('\n'))
  })

  test('a known device signs in at once during an attack, and its failures count only for itself', async () => {
    const { device, attack, signIn, clock } = await start()
    const cookie = await device()
    attack()
    assert.equal((await signIn({}, { from: '198.51.100.1' })).statusCode, 429)
    const answer = await signIn({}, { from: '198.51.100.1', cookie })
    assert.equal(answer.statusCode, 200, answer.body)
    const next = deviceOf(answer)
    assert.notEqual(next, cookie)
    for (let i = 0; i < 5; i++) {
      const wrong = { password: 'wrong wrong wrong' }
      assert.equal((await signIn(wrong, { from: `198.51.100.${i}`, cookie: next })).statusCode, 401)
    }
    const waits = await signIn({}, { from: '198.51.100.77', cookie: next })
    assert.deepEqual([waits.statusCode, waits.headers['retry-after']], [429, '1'])
    assert.equal((await signIn({}, { cookie })).statusCode, 200, 'another device does not wait')
    clock.nowMs += 1_000
    assert.equal((await signIn({}, { cookie: next })).statusCode, 200)
  })

  test('the owner does not wait for failures from the same network', async () => {
    const { device, signIn } = await start()
    const cookie = await device()
    for (let i = 0; i < 6; i++) await signIn({ password: 'wrong wrong wrong' })
    assert.equal((await signIn()).statusCode, 429)
    assert.equal((await signIn({}, { cookie })).statusCode, 200)
  })

  test('a device is unknown: for another account, after a change of the password, after a year, if forged', async () => {
    const { db, api, ada, attack, device, signIn, clock } = await start()
    const eve = await somePerson(db, 'Eve')
    const cookie = await device()
    attack()
    attack(eve.email)
    const statusOf = async (email: string, one: string, from: string) =>
      (await signIn({ email }, { from, cookie: one })).statusCode
    assert.equal(await statusOf(eve.email, cookie, '198.51.100.1'), 429)
    const flipped = `${cookie.slice(0, -4)}${cookie.at(-4) === 'A' ? 'B' : 'A'}${cookie.slice(-3)}`
    const forged = [flipped, `${deviceName}=`, `${deviceName}=~~~`, `${deviceName}=v1.${'A'.repeat(78)}`]
    for (const [i, one] of [...forged, `${deviceName}=${'v1.A~'.repeat(1_000)}`].entries())
      assert.equal(await statusOf(ada.email, one, `198.51.101.${i}`), 429, one.slice(0, 80))
    assert.equal(await statusOf(ada.email, cookie, '198.51.100.2'), 200)
    clock.nowMs += 365 * dayMs - 1
    attack()
    assert.equal(await statusOf(ada.email, cookie, '198.51.100.3'), 200)
    clock.nowMs += 1
    attack()
    assert.equal(await statusOf(ada.email, cookie, '198.51.100.4'), 429)
    clock.nowMs -= 365 * dayMs
    const changed = await api.call('POST', '/users/me/password', {
      session: tokenOf(await signIn({}, { from: '198.51.100.5', cookie })),
      payload: { currentPassword: ada.password, newPassword },
    })
    assert.equal(changed.statusCode, 200, changed.body)
    attack()
    const signInNew = (one: string, from: string) => signIn({ password: newPassword }, { from, cookie: one })
    assert.equal((await signInNew(cookie, '198.51.100.5')).statusCode, 429)
    assert.equal((await signInNew(deviceOf(changed), '198.51.100.5')).statusCode, 200)
  })

  test('a browser is a device of the last four accounts that signed in on it, each once', async () => {
    const { db, attack, signIn } = await start()
    const people = []
    for (const name of ['Bea', 'Cid', 'Dan', 'Eve', 'Fay']) people.push(await somePerson(db, name))
    let cookie: string | undefined
    for (const { email } of [...people, ...people.slice(4), ...people.slice(4)])
      cookie = deviceOf(await signIn({ email }, { cookie }))
    assert.equal(cookie?.split('~').length, 4)
    assert.ok((cookie?.length ?? 0) < 400)
    const statuses = []
    for (const { email } of people) {
      attack(email)
      statuses.push((await signIn({ email }, { from: '198.51.100.1', cookie })).statusCode)
    }
    assert.deepEqual(statuses, [429, 200, 200, 200, 200])
  })

  test('a link for a new password works during an attack, and makes the browser a known device', async () => {
    const { db, ada, attack, clock, post, signIn } = await start()
    attack()
    const made = { userId: ada.userId, actor: systemActor, nowMs: clock.nowMs }
    const { token } = await createPasswordReset(db, made)
    const body = { token, newPassword }
    assert.equal((await post('/auth/password-reset', { email: ada.email })).statusCode, 202)
    const confirmed = await post('/auth/password-reset/confirm', body)
    assert.equal(confirmed.statusCode, 200, confirmed.body)
    assert.equal((await signIn({ password: newPassword })).statusCode, 429)
    assert.equal((await signIn({ password: newPassword }, { cookie: deviceOf(confirmed) })).statusCode, 200)
  })

  test('an invitation does not help to guess: it counts like signing in, with the same brake and devices', async () => {
    const { db, api, ada, accounts, clock, attack, post, signIn } = await start()
    const grace = await somePerson(db, 'Grace')
    const invited = await api.call('POST', `/organizations/${api.orgId}/invitations`, {
      session: ada.session,
      payload: { email: grace.email },
    })
    const token = invited.json<CreatedInvitation>().acceptUrl.split('#')[1]
    const cookie = deviceOf(await signIn({ email: grace.email }))
    const accept = (password: string, from: string, one?: string) =>
      post('/invitations/accept', { token, password }, { from, cookie: one })
    assert.equal((await accept('wrong wrong wrong', '198.51.100.1')).statusCode, 400)
    for (let i = 0; i < 49; i++) void accounts.brake.begin(grace.email, `10.0.1.${i}`, clock.nowMs)
    assert.equal((await signIn({ email: grace.email })).statusCode, 429, 'the failed acceptance counts')
    attack(grace.email)
    assert.equal((await accept(grace.password, '198.51.100.2')).statusCode, 429)
    assert.equal((await accept(grace.password, '198.51.100.2', cookie)).statusCode, 200)
  })

  test('the current password is guessed by session: a stolen one makes no other session wait', async () => {
    const { ada, api, attack, signIn } = await start()
    const other = tokenOf(await signIn())
    attack()
    const begin = (session: string, currentPassword: string, from: string) =>
      api.call('POST', '/users/me/two-factor', {
        session,
        payload: { currentPassword },
        headers: { 'x-forwarded-for': from },
      })
    for (let i = 0; i < 5; i++)
      assert.equal((await begin(ada.session, 'wrong wrong wrong', `198.51.100.${i}`)).statusCode, 400)
    assert.equal((await begin(ada.session, ada.password, '198.51.100.77')).statusCode, 429)
    assert.equal((await begin(other, ada.password, '198.51.100.77')).statusCode, 201)
  })

  test('a refused attempt counts nowhere else: a network that waits takes no place, and the brake prolongs no wait', async () => {
    const { ada, accounts, attack, signIn, clock } = await start()
    const from = { from: '198.51.100.1' }
    for (let i = 0; i < 5; i++) await signIn({ password: 'wrong wrong wrong' }, from)
    for (let i = 0; i < 25; i++) assert.equal((await signIn({}, from)).statusCode, 429)
    // 45 places are left: none of these refused attempts took one.
    for (let i = 0; i < 45; i++) void accounts.brake.begin(ada.email, `10.0.1.${i}`, clock.nowMs)
    assert.throws(() => accounts.brake.begin(ada.email, '10.0.2.1', clock.nowMs), { status: 429 })
    attack()
    const other = { from: '198.51.100.2' }
    for (let i = 0; i < 20; i++) assert.equal((await signIn({}, other)).headers['retry-after'], '10')
    clock.nowMs += 10_000
    attack()
    assert.equal((await signIn({}, other)).statusCode, 200)
  })
})

/** A client in a network of its own. */
const client = (i: number) => ({ from: `198.51.${i >> 8}.${i & 255}` })

function deviceHeaderOf({ headers }: LightMyRequestResponse): string {
  const set = [headers['set-cookie'] ?? []].flat()
  return set.find((header) => header.startsWith(`${deviceName}=`)) ?? ''
}

function deviceOf(answer: LightMyRequestResponse): string {
  assert.equal(answer.statusCode, 200, answer.body)
  return deviceHeaderOf(answer).split(';')[0] ?? ''
}

function tokenOf({ headers }: LightMyRequestResponse): string {
  const set = [headers['set-cookie'] ?? []].flat()
  return set.find((header) => header.startsWith(`${cookieName}=`))?.split(/[=;]/)[1] ?? ''
}
