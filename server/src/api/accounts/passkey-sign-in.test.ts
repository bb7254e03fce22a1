import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { PasskeyPage } from '@everscan/contract/resources/passkeys.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { SignedIn } from '@everscan/contract/resources/sessions.ts'
import type { BegunTwoFactor, RecoveryCodes } from '@everscan/contract/resources/two-factor.ts'
import { Secret, TOTP } from 'otpauth'
import {
  createOperatorPasswordReset,
  createPasswordReset,
  usePasswordReset,
} from '../../catalogue/organizations/password-resets.ts'
import { noSource } from '../../catalogue/accounts/account-log.ts'
import { commandOrigin, systemActor } from '../../catalogue/rows/change-origins.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { cookieName, openTestApi, somePerson } from '../testing/api.ts'
import { callsOf, openPasskeyApi, warningsTo } from '../testing/passkeys.ts'
import type { Deviation } from '../testing/software-authenticator.ts'

const minuteMs = 60_000
const challengeMs = limits.passkeyChallengeMinutes * minuteMs
const hostile: Record<string, Deviation> = {
  'another origin': { origin: 'https://evil.example' },
  'another RP ID': { rpId: 'evil.example' },
  'a challenge of its own': { challenge: Buffer.alloc(32, 1).toString('base64url') },
  'the other ceremony': { type: 'webauthn.create' },
  'no user presence': { userPresent: false },
}

onEitherDatabase('signing in with a passkey alone', (open) => {
  test('begins a session like another sign-in, and records the use', async () => {
    const { db, api, ada, clock, me, added, signIn, signInOptions } = await openPasskeyApi(await open())
    const passkey = await added()
    clock.nowMs += minuteMs
    const options = await signInOptions()
    assert.deepEqual(
      [options.rpId, options.userVerification, options.allowCredentials],
      ['qr.example.com', 'required', []],
    )
    const answer = await signIn(passkey.use(options, { backedUp: true }), { session: ada.session })
    assert.equal(answer.statusCode, 200, answer.body)
    const { user, session } = answer.json<SignedIn>()
    assert.deepEqual([user.email, session.current], [ada.email, true])
    const cookie = String(answer.headers['set-cookie'])
    assert.match(cookie, /; HttpOnly; Secure; SameSite=Lax$/)
    const token = cookie.slice(cookieName.length + 1, cookie.indexOf(';'))
    const stored = await db.kysely.selectFrom('sessions').select('token_hash as hash').execute()
    assert.deepEqual(stored, [{ hash: createHash('sha256').update(token).digest('hex') }], 'replaced')
    const [listed] = (await me('GET', '', undefined, { ...ada, session: token })).json<PasskeyPage>().data
    assert.deepEqual([listed?.backedUp, listed?.lastUsedAt], [true, new Date(clock.nowMs).toISOString()])
    // From another site it is refused before anything is checked.
    const assertion = passkey.use(await signInOptions())
    const foreign = await signIn(assertion, { headers: { origin: 'https://evil.example' } })
    assert.equal(foreign.statusCode, 403)
    assert.equal((await signIn(assertion)).statusCode, 200)
    assert.equal(
      (await api.call('POST', '/auth/passkey/options', { payload: { email: 'a' } })).statusCode,
      400,
    )
  })

  test('401, identical: hostile answers and unknown passkeys; nothing is stored', async () => {
    const { db, api, clock, added, signIn, signInOptions, secondFactorOptions } = await openPasskeyApi(
      await open(),
    )
    const passkey = await added()
    const eve = await somePerson(db, 'Eve')
    const evil = await callsOf(api, eve).added()
    await db.kysely.deleteFrom('used_challenges').execute()
    const bodies = new Set<string>()
    let networks = 0
    const refused = async (what: string, assertion: Parameters<typeof signIn>[0]) => {
      const answer = await signIn(assertion, { headers: { 'x-forwarded-for': `203.0.113.${networks++}` } })
      assert.equal(answer.statusCode, 401, `${what}: ${answer.body}`)
      assert.equal(answer.headers['set-cookie'], undefined)
      bodies.add(answer.body.replace(String(answer.headers['x-request-id']), ''))
    }
    for (const [what, deviation] of Object.entries(hostile))
      await refused(what, passkey.use(await signInOptions(), deviation))
    await refused('no user verification', passkey.use(await signInOptions(), { userVerified: false }))
    await refused(
      'an unknown credential',
      passkey.use(await signInOptions(), { credentialId: Buffer.alloc(32) }),
    )
    const { credentialId } = passkey
    await refused("Ada's credential with Eve's key", evil.use(await signInOptions(), { credentialId }))
    await refused('the challenge of a second factor', passkey.use(await secondFactorOptions()))
    const flawed = passkey.use(await signInOptions())
    const [first = ''] = flawed.response.signature
    const signature = (first === 'A' ? 'B' : 'A') + flawed.response.signature.slice(1)
    await refused('a changed signature', { ...flawed, response: { ...flawed.response, signature } })
    await refused('a rawId that differs', { ...passkey.use(await signInOptions()), rawId: 'b3RoZXI' })
    for (const wrong of [
      { authenticatorData: 'AAAA' },
      { clientDataJSON: 'bnVsbA' },
      { clientDataJSON: 'eyJjaGFsbGVuZ2UiOjd9' },
      { signature: 'AAAA' },
    ]) {
      const assertion = passkey.use(await signInOptions())
      await refused(JSON.stringify(wrong), { ...assertion, response: { ...assertion.response, ...wrong } })
    }
    const late = passkey.use(await signInOptions())
    clock.nowMs += challengeMs
    await refused('a challenge that has expired', late)
    assert.equal(bodies.size, 1)
    assert.deepEqual(await db.kysely.selectFrom('used_challenges').selectAll().execute(), [])
  })

  test('an assertion works once, also in several processes, and used challenges are forgotten in time', async () => {
    const { db, api, ada, clock, added, signIn, signInOptions } = await openPasskeyApi(await open())
    const other = await openTestApi(await open({ same: db }), { clock: () => clock.nowMs })
    // An authenticator that does not count, so that only the challenge can refuse the replay.
    const passkey = await added({ counter: 0 })
    const assertion = passkey.use(await signInOptions())
    const statuses = await Promise.all(
      [api, other, api, other].map(async (one) => (await callsOf(one, ada).signIn(assertion)).statusCode),
    )
    assert.deepEqual(
      statuses.sort((a, b) => a - b),
      [200, 401, 401, 401],
    )
    assert.equal((await signIn(assertion)).statusCode, 401)
    clock.nowMs += challengeMs + 61 * minuteMs
    assert.equal((await signIn(passkey.use(await signInOptions()))).statusCode, 200)
    assert.equal((await db.kysely.selectFrom('used_challenges').selectAll().execute()).length, 1)
  })

  test('a counter that does not grow is refused and logged with the account; replays are not logged', async () => {
    const warnings: object[] = []
    const log = warningsTo((fields) => warnings.push(fields))
    const db = { ...(await open()), log }
    const { ada, added, signIn, signInOptions } = await openPasskeyApi(db)
    const passkey = await added({ counter: 5 })
    const statusOf = async (counter: number) =>
      (await signIn(passkey.use(await signInOptions(), { counter }))).statusCode
    assert.equal(await statusOf(9), 200)
    assert.deepEqual(warnings, [])
    for (const counter of [9, 8, 0]) assert.equal(await statusOf(counter), 401, `${counter}`)
    const passkeyId = passkey.passkey.id
    assert.deepEqual(
      warnings,
      [9, 8, 0].map((counter) => ({ userId: ada.userId, passkeyId, counter, counterBefore: 9 })),
    )
    assert.equal(await statusOf(10), 200)
    const twice = passkey.use(await signInOptions(), { counter: 11 })
    assert.deepEqual([(await signIn(twice)).statusCode, (await signIn(twice)).statusCode], [200, 401])
    assert.equal(warnings.length, 3)
  })

  test('429: failed attempts with a passkey wait longer and longer, per network', async () => {
    const { added, signIn, signInOptions } = await openPasskeyApi(await open())
    const passkey = await added()
    const from = async (network: number, deviation: Deviation = {}) =>
      (
        await signIn(passkey.use(await signInOptions(), deviation), {
          headers: { 'x-forwarded-for': `203.0.113.${network}` },
        })
      ).statusCode
    for (let i = 0; i < 5; i++) assert.equal(await from(1, { userVerified: false }), 401)
    assert.equal(await from(1), 429)
    assert.equal(await from(2), 200)
  })

  test('a removed passkey signs nobody in', async () => {
    const { ada, me, added, signIn, signInOptions } = await openPasskeyApi(await open())
    const { passkey, use } = await added()
    const assertion = use(await signInOptions())
    await me('DELETE', `/${passkey.id}`, { currentPassword: ada.password })
    assert.equal((await signIn(assertion)).statusCode, 401)
  })
})

onEitherDatabase('a passkey as second factor', (open) => {
  test('401 TWO_FACTOR_REQUIRED names the possible factors, with options for the passkeys of this account', async () => {
    const { db, api, added, password, secondFactorOptions } = await openPasskeyApi(await open())
    assert.equal((await password()).statusCode, 200)
    const first = await added()
    const second = await added()
    await callsOf(api, await somePerson(db, 'Eve')).added()
    const bare = (await password()).json<ErrorBody>()
    assert.deepEqual(
      [bare.code, bare.details?.map(({ path }) => path)],
      ['TWO_FACTOR_REQUIRED', ['passkey', 'recoveryCode']],
    )
    assert.equal(bare.message, 'This account uses two-factor sign-in: send "passkey" or "recoveryCode" too.')
    const options = await secondFactorOptions()
    assert.deepEqual(
      options.allowCredentials.map(({ id }) => id),
      [first.registration.id, second.registration.id],
    )
    assert.equal(options.userVerification, 'preferred')
    for (const { use } of [first, second]) {
      // The password is the other factor, so the device need not check who uses it.
      const answer = await password({ passkey: use(await secondFactorOptions(), { userVerified: false }) })
      assert.equal(answer.statusCode, 200, answer.body)
    }
    const wrong = await password({ password: 'wrong wrong wrong' })
    assert.deepEqual(
      [wrong.json<ErrorBody>().code, wrong.json<ErrorBody>().details],
      ['UNAUTHORIZED', undefined],
    )
  })

  test('401: hostile answers, replays, and passkeys or challenges of another account', async () => {
    const { db, api, clock, added, password, secondFactorOptions, signInOptions } = await openPasskeyApi(
      await open(),
    )
    const passkey = await added()
    const eve = await somePerson(db, 'Eve')
    const evil = callsOf(api, eve)
    const hers = await evil.added()
    const refused = async (what: string, answered: () => object | Promise<object>) => {
      // Failed attempts wait.
      clock.nowMs += 60 * minuteMs
      const answer = await password({ passkey: await answered() })
      assert.deepEqual([answer.statusCode, answer.json<ErrorBody>().code], [401, 'UNAUTHORIZED'], what)
    }
    for (const [what, deviation] of Object.entries(hostile))
      await refused(what, async () => passkey.use(await secondFactorOptions(), deviation))
    await refused("Eve's passkey", async () => hers.use(await secondFactorOptions()))
    const { credentialId, privateKey } = hers
    await refused("Eve's key", async () => passkey.use(await secondFactorOptions(), { privateKey }))
    await refused("Eve's credential", async () => passkey.use(await secondFactorOptions(), { credentialId }))
    await refused("Eve's options", async () => passkey.use(await evil.secondFactorOptions()))
    await refused('options for a passkey alone', async () => passkey.use(await signInOptions()))
    const late = passkey.use(await secondFactorOptions())
    await refused('expired options', () => late)
    clock.nowMs += 60 * minuteMs
    const right = passkey.use(await secondFactorOptions())
    assert.equal((await password({ passkey: right })).statusCode, 200)
    assert.equal((await password({ passkey: right })).statusCode, 401)
  })

  test('429: failed passkeys and wrong codes count together, from every network', async () => {
    const { clock, added, password, secondFactorOptions } = await openPasskeyApi(await open())
    const passkey = await added()
    const from = (network: number, body: object) =>
      password(body, { headers: { 'x-forwarded-for': `203.0.113.${network}` } })
    for (let i = 0; i < 5; i++) {
      const wrong = passkey.use(await secondFactorOptions(), { userPresent: false })
      const body = i % 2 === 0 ? { passkey: wrong } : { recoveryCode: 'wrong' }
      assert.equal((await from(i, body)).statusCode, 401)
    }
    const right = passkey.use(await secondFactorOptions())
    assert.equal((await from(9, { passkey: right })).statusCode, 429)
    clock.nowMs += 1_000
    assert.equal((await from(9, { passkey: right })).statusCode, 200)
  })

  test('recovery codes sign in without the passkey, and can be renewed', async () => {
    const { api, ada, added, password } = await openPasskeyApi(await open())
    const { recoveryCodes } = await added()
    const [recoveryCode] = recoveryCodes ?? []
    assert.equal((await password({ recoveryCode })).statusCode, 200)
    assert.equal((await password({ recoveryCode })).statusCode, 401)
    const answer = await api.call('POST', '/users/me/two-factor/recovery-codes', {
      session: ada.session,
      payload: { currentPassword: ada.password },
    })
    const [renewed] = answer.json<RecoveryCodes>().recoveryCodes
    assert.equal((await password({ recoveryCode: renewed })).statusCode, 200)
  })

  test('an authenticator app beside passkeys: each is turned off without the other', async () => {
    const { api, ada, clock, added, password, secondFactorOptions } = await openPasskeyApi(await open())
    const passkey = await added()
    const me = (method: 'POST' | 'DELETE', path: string, payload: object) =>
      api.call(method, `/users/me/two-factor${path}`, { session: ada.session, payload })
    const currentPassword = ada.password
    assert.equal((await me('DELETE', '', { currentPassword, code: '123456' })).statusCode, 409)
    const { secret } = (await me('POST', '', { currentPassword })).json<BegunTwoFactor>()
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.nowMs })
    const confirmed = await me('POST', '/confirm', { code: code() })
    assert.equal(confirmed.statusCode, 200, confirmed.body)
    const { recoveryCodes } = confirmed.json<RecoveryCodes>()
    const paths = async () => (await password()).json<ErrorBody>().details?.map(({ path }) => path)
    assert.deepEqual(await paths(), ['passkey', 'code', 'recoveryCode'])
    clock.nowMs += minuteMs
    assert.equal((await password({ code: code() })).statusCode, 200)
    assert.equal((await password({ passkey: passkey.use(await secondFactorOptions()) })).statusCode, 200)
    clock.nowMs += minuteMs
    assert.equal((await me('DELETE', '', { currentPassword, code: code() })).statusCode, 200)
    assert.deepEqual(await paths(), ['passkey', 'recoveryCode'])
    assert.equal((await password({ recoveryCode: recoveryCodes[0] })).statusCode, 200)
  })

  test('401: codes of an authenticator that was begun, but never confirmed, are no second factor', async () => {
    const { api, ada, clock, added, password } = await openPasskeyApi(await open())
    const { session, password: currentPassword } = ada
    const begun = await api.call('POST', '/users/me/two-factor', { session, payload: { currentPassword } })
    await added()
    const secret = Secret.fromBase32(begun.json<BegunTwoFactor>().secret)
    const code = new TOTP({ secret }).generate({ timestamp: clock.nowMs })
    assert.equal((await password({ code })).statusCode, 401)
  })

  test('a new password keeps passkeys; only the operator removes them', async () => {
    const { db, ada, clock, added, password, signIn, signInOptions } = await openPasskeyApi(await open())
    const passkey = await added()
    const newPassword = 'another long password'
    const { nowMs } = clock
    const { token } = await createPasswordReset(db, { userId: ada.userId, actor: systemActor, nowMs })
    const used = await usePasswordReset(db, { token, newPassword, source: noSource, nowMs })
    assert.equal(used?.owner.id, ada.userId)
    assert.equal((await password({ password: newPassword })).json<ErrorBody>().code, 'TWO_FACTOR_REQUIRED')
    assert.equal((await signIn(passkey.use(await signInOptions()))).statusCode, 200)
    const user = { id: ada.userId, email: ada.email, name: 'Ada' }
    const { passkeysRemoved } = await createOperatorPasswordReset(db, user, {
      alsoTwoFactor: true,
      origin: commandOrigin,
      nowMs,
    })
    assert.equal(passkeysRemoved, 1)
    assert.equal((await password({ password: newPassword })).statusCode, 200)
    assert.equal((await signIn(passkey.use(await signInOptions()))).statusCode, 401)
    assert.deepEqual(await db.kysely.selectFrom('recovery_codes').selectAll().execute(), [])
  })
})
