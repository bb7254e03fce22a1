import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { BegunTwoFactor, RecoveryCodes } from '@everscan/contract/resources/two-factor.ts'
import type { User } from '@everscan/contract/resources/users.ts'
import { Secret, TOTP, URI } from 'otpauth'
import { noSource } from '../../catalogue/accounts/account-log.ts'
import { createSession, endSession } from '../../catalogue/accounts/sessions.ts'
import { confirmTwoFactor } from '../../catalogue/accounts/two-factor.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, somePerson, testAccountTools } from '../testing/api.ts'

const stepMs = 30_000

onEitherDatabase('two-factor sign-in', (open) => {
  const start = async () => {
    const db = await open()
    const clock = { nowMs: Math.floor(Date.now() / stepMs) * stepMs }
    const api = await openTestApi(db, { clock: () => clock.nowMs })
    const ada = await somePerson(db, 'Ada')
    const me = (method: 'POST' | 'DELETE', path: string, payload: object) =>
      api.call(method, `/users/me/two-factor${path}`, { session: ada.session, payload })
    const currentPassword = ada.password
    return {
      db,
      api,
      ada,
      clock,
      me,
      currentPassword,
      signIn: (body: object) =>
        api.call('POST', '/auth/sign-in', { payload: { email: ada.email, password: ada.password, ...body } }),
      begin: () => me('POST', '', { currentPassword }),
      /** Turns it on; returns codes of the authenticator by their offset from now, in steps. */
      turnedOn: async () => {
        const { secret } = (await me('POST', '', { currentPassword })).json<BegunTwoFactor>()
        const codeOf = (steps = 0) =>
          new TOTP({ secret: Secret.fromBase32(secret) }).generate({
            timestamp: clock.nowMs + steps * stepMs,
          })
        const answer = await me('POST', '/confirm', { code: codeOf() })
        assert.equal(answer.statusCode, 200, answer.body)
        return { codeOf, ...answer.json<RecoveryCodes>() }
      },
    }
  }

  test('is on once a code is confirmed, not before; the secret is sealed, the recovery codes are hashed', async () => {
    const { db, ada, clock, me, begin, signIn } = await start()
    assert.equal((await me('POST', '', { currentPassword: 'wrong wrong wrong' })).statusCode, 400)
    const answer = await begin()
    assert.equal(answer.statusCode, 201, answer.body)
    const { secret, otpauthUri } = answer.json<BegunTwoFactor>()
    const totp = URI.parse(otpauthUri) as TOTP
    assert.deepEqual([totp.issuer, totp.label, totp.secret.base32], ['Everscan', ada.email, secret])
    assert.equal(totp.secret.bytes.length, 20)
    assert.equal((await signIn({})).statusCode, 200, 'it is not on yet')
    const code = totp.generate({ timestamp: clock.nowMs })
    const wrong = await me('POST', '/confirm', { code: code === '000000' ? '000001' : '000000' })
    assert.equal(wrong.json<ErrorBody>().details?.[0]?.path, 'code')
    const confirmed = await me('POST', '/confirm', { code })
    const { recoveryCodes } = confirmed.json<RecoveryCodes>()
    assert.equal(new Set(recoveryCodes).size, 10)
    for (const one of recoveryCodes) assert.match(one, /^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
    const stored = JSON.stringify([
      await db.kysely.selectFrom('two_factors').selectAll().execute(),
      await db.kysely.selectFrom('recovery_codes').selectAll().execute(),
    ])
    for (const one of [secret, ...recoveryCodes]) assert.ok(!stored.includes(one))
    assert.equal((await begin()).statusCode, 409)
    assert.equal((await signIn({})).statusCode, 401)
  })

  test('a slow request does not turn it on after its session has ended', async () => {
    const { db, ada, clock, begin, signIn } = await start()
    const { secret } = (await begin()).json<BegunTwoFactor>()
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.nowMs })
    const { userId, sessionId } = ada
    const { nowMs } = clock
    const by = { source: noSource, nowMs }
    await endSession(db, { userId, id: sessionId }, by)
    const confirmed = { userId, sessionId, code, ...by }
    const { twoFactorBox } = testAccountTools()
    assert.equal(await confirmTwoFactor(db, twoFactorBox, confirmed), undefined)
    assert.equal((await signIn({})).statusCode, 200, 'no code is asked for')
    const { session } = await createSession(db, userId, { userAgent: null, nowMs })
    const again = await confirmTwoFactor(db, twoFactorBox, { ...confirmed, sessionId: session.id })
    assert.equal(again?.length, 10, 'the code is right')
  })

  test('401 TWO_FACTOR_REQUIRED for the password alone; a code works once, within one step of now', async () => {
    const { clock, turnedOn, signIn } = await start()
    const { codeOf } = await turnedOn()
    const bare = await signIn({})
    assert.deepEqual([bare.statusCode, bare.json<ErrorBody>().code], [401, 'TWO_FACTOR_REQUIRED'])
    assert.equal(
      (await signIn({ password: 'wrong', code: codeOf(1) })).json<ErrorBody>().code,
      'UNAUTHORIZED',
    )
    assert.equal((await signIn({ code: codeOf() })).statusCode, 401, 'the code that turned it on is used up')
    assert.equal((await signIn({ code: codeOf(2) })).statusCode, 401)
    const next = codeOf(1)
    const signedIn = await signIn({ code: next })
    assert.equal(signedIn.statusCode, 200, signedIn.body)
    assert.equal(signedIn.json<{ user: User }>().user.twoFactor, true)
    assert.equal((await signIn({ code: next })).statusCode, 401, 'again')
    clock.nowMs += 2 * stepMs
    assert.equal((await signIn({ code: codeOf(-2) })).statusCode, 401)
    assert.equal((await signIn({ code: codeOf(-1) })).statusCode, 401, 'the step of the code used before')
    assert.equal((await signIn({ code: codeOf() })).statusCode, 200)
  })

  test('of many simultaneous sign-ins with one code one succeeds, and likewise with a recovery code', async () => {
    const { turnedOn, signIn } = await start()
    const { codeOf, recoveryCodes } = await turnedOn()
    for (const factor of [{ code: codeOf(1) }, { recoveryCode: recoveryCodes[0] }]) {
      const answers = await Promise.all(Array.from({ length: 4 }, () => signIn(factor)))
      assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
      assert.ok(answers.every(({ statusCode }) => [200, 401, 429].includes(statusCode)))
    }
  })

  test('a recovery code works once, in any spelling; new ones invalidate the old ones', async () => {
    const { me, currentPassword, turnedOn, signIn } = await start()
    const { recoveryCodes } = await turnedOn()
    const [first = '', second = ''] = recoveryCodes
    const written = first.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    assert.equal((await signIn({ recoveryCode: written })).statusCode, 200)
    assert.equal((await signIn({ recoveryCode: first })).statusCode, 401)
    const renewed = await me('POST', '/recovery-codes', { currentPassword })
    const { recoveryCodes: others } = renewed.json<RecoveryCodes>()
    assert.equal(others.length, 10)
    assert.equal((await signIn({ recoveryCode: second })).statusCode, 401)
    assert.equal((await signIn({ recoveryCode: others[9] })).statusCode, 200)
  })

  test('429: wrong codes wait longer and longer, from every network: only a client with the password can try them', async () => {
    const { api, ada, clock, turnedOn } = await start()
    const { codeOf } = await turnedOn()
    const from = (network: number, body: object) =>
      api.call('POST', '/auth/sign-in', {
        payload: { email: ada.email, password: ada.password, ...body },
        headers: { 'x-forwarded-for': `203.0.113.${network}` },
      })
    const wrong = ['000000', '000001', '000002'].find((code) => ![-1, 0, 1].map(codeOf).includes(code))
    for (let i = 0; i < 5; i++) assert.equal((await from(i, { code: wrong })).statusCode, 401)
    assert.equal((await from(9, { code: codeOf(1) })).statusCode, 429)
    assert.equal((await from(9, {})).json<ErrorBody>().code, 'TWO_FACTOR_REQUIRED')
    clock.nowMs += 1_000
    assert.equal((await from(9, { code: codeOf(1) })).statusCode, 200)
  })

  test('can be turned off with the password and a code, and leaves no trace', async () => {
    const { db, clock, me, currentPassword, turnedOn, signIn } = await start()
    const off = (payload: object) => me('DELETE', '', payload)
    assert.equal((await off({ currentPassword, code: '123456' })).statusCode, 409)
    assert.equal((await me('POST', '/recovery-codes', { currentPassword })).statusCode, 409)
    const { codeOf, recoveryCodes } = await turnedOn()
    const [recoveryCode] = recoveryCodes
    for (const wrong of [
      { currentPassword: 'wrong wrong wrong', recoveryCode },
      { currentPassword, code: codeOf() },
      { currentPassword, recoveryCode: '0000-0000-0000-0000' },
      { recoveryCode },
    ])
      assert.equal((await off(wrong)).statusCode, 400, JSON.stringify(wrong))
    clock.nowMs += stepMs
    const answer = await off({ currentPassword, code: codeOf() })
    assert.equal(answer.json<User>().twoFactor, false, answer.body)
    assert.equal((await signIn({})).statusCode, 200)
    assert.deepEqual(await db.kysely.selectFrom('recovery_codes').selectAll().execute(), [])
    await turnedOn()
  })
})
