import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountLogPage } from '@everscan/contract/resources/account-log.ts'
import type { AddedPasskey, PasskeyRequestOptions } from '@everscan/contract/resources/passkeys.ts'
import type { BegunTwoFactor, RecoveryCodes } from '@everscan/contract/resources/two-factor.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { createSession, dropOtherConfirmations, noteConfirmation } from '../../catalogue/accounts/sessions.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { routes } from '../routes.ts'
import { openTestApi, somePerson, testAccountTools, testConfig } from '../testing/api.ts'
import type { Answer } from '../testing/endpoint-calls.ts'
import { callsOf, openPasskeyApi } from '../testing/passkeys.ts'
import { createPasskey, type Deviation } from '../testing/software-authenticator.ts'

const stepMs = 30_000
const minuteMs = 60_000
const confirmationMs = limits.confirmationMinutes * minuteMs
const newPassword = 'another long password'
const twoFactor = '/users/me/two-factor'

onEitherDatabase('a confirmed session', (open) => {
  const start = async ({ unshared }: { unshared?: true } = {}) => {
    const db = await open(unshared === undefined ? {} : { unshared })
    const accounts = testAccountTools()
    const made = await openPasskeyApi(db, { accounts })
    made.clock.nowMs = Math.floor(made.clock.nowMs / stepMs) * stepMs
    return { ...made, accounts, owner: ownerOf(made) }
  }

  test('each change of what signs in: 403 in a session that is not confirmed, with the right password too', async () => {
    const { db, api, clock } = await start()
    for (const [index, [id, prepare]] of Object.entries(changes).entries()) {
      const ada = await somePerson(db, `Ada${index}`)
      const owner = ownerOf({ db, api, clock, ada })
      const other = await owner.otherSession()
      let codes: readonly string[] = []
      const prepared = await prepare({
        ...owner,
        other: other.session,
        protect: async () => {
          const added = await callsOf(api, ada).added()
          codes = added.recoveryCodes ?? []
          return added
        },
        turnOn: async () => {
          const turnedOn = await owner.turnOn()
          codes = turnedOn.recoveryCodes
          return turnedOn
        },
      })
      const { method, path, payload } = prepared
      const send = (body = payload) => owner.call(method, path, other.session, body)
      const refused = await send()
      assertRequired(refused, id)
      if ('currentPassword' in payload) {
        const wrong = await send({ ...payload, currentPassword: 'wrong wrong wrong' })
        assert.deepEqual(pathsIn(wrong), ['currentPassword'], id)
      }
      assertRequired(await owner.confirm(other.session), id)
      assertRequired(await send(), `${id}: asking for a confirmation is none`)
      const confirmed = await owner.confirm(other.session, { recoveryCode: codes[0] })
      assert.deepEqual(
        [confirmed.statusCode, confirmed.json<{ confirmedUntil: string }>().confirmedUntil],
        [200, new Date(clock.nowMs + confirmationMs).toISOString()],
        confirmed.body,
      )
      const done = await send()
      assert.equal(done.statusCode, routes.find((route) => route.id === id)?.status, `${id}: ${done.body}`)
    }
  })

  test('every endpoint by which a session changes an account is in that table, or changes nothing that signs in', () => {
    const others = [
      'confirmEmail',
      'confirmSession',
      'createOrganization',
      'endOtherSessions',
      'endSession',
      'leaveOrganization',
      'renamePasskey',
      'requestEmailConfirmation',
      'updateMe',
    ]
    const changing = routes.filter(({ role, method }) => role === 'session' && method !== 'GET')
    assert.deepEqual(changing.map(({ id }) => id).sort(), [...Object.keys(changes), ...others].sort())
  })

  test('an account without second factor needs no confirmation, and cannot give one', async () => {
    const { ada, owner } = await start()
    assert.equal((await owner.change(ada.session)).statusCode, 200)
    for (const factor of [{}, { code: '123456' }, { recoveryCode: 'a' }])
      assert.equal((await owner.confirm(ada.session, factor)).statusCode, 409)
    await owner.beginApp(ada.session)
    assert.equal((await owner.confirm(ada.session, {})).statusCode, 409, 'an app that was only begun')
  })

  test('a sign-in with a second factor or a passkey alone confirms, for ten minutes of either clock', async () => {
    const { ada, clock, owner, added, password, signIn, signInOptions, secondFactorOptions } = await start()
    const alone = sessionOf(await password())
    const { use } = await added()
    const { codeOf, recoveryCodes } = await owner.turnOn()
    assertRequired(await owner.change(alone), 'the password alone, before there was a second factor')
    const begun = [
      await password({ code: codeOf(1) }),
      await password({ recoveryCode: recoveryCodes[0] }),
      await password({ passkey: use(await secondFactorOptions()) }),
      await signIn(use(await signInOptions())),
    ].map(sessionOf)
    const at = clock.nowMs
    for (const session of [ada.session, ...begun]) {
      for (const [offsetMs, expected] of [
        [0, 200],
        [confirmationMs - 1, 200],
        [confirmationMs, 403],
        // The clock of another machine, on which the session was confirmed, is ahead.
        [1 - confirmationMs, 200],
        [-confirmationMs, 403],
      ] as const) {
        clock.nowMs = at + offsetMs
        assert.equal((await owner.change(session)).statusCode, expected, `${offsetMs}`)
      }
      clock.nowMs = at
    }
  })

  test('a confirmation is for one session, and lasts over a change of the password as long as before', async () => {
    const { ada, clock, owner, added } = await start()
    const { recoveryCodes } = await added()
    const [other, third] = [await owner.otherSession(), await owner.otherSession()]
    clock.nowMs += confirmationMs
    assert.equal((await owner.confirm(other.session, { recoveryCode: recoveryCodes?.[0] })).statusCode, 200)
    assert.equal((await owner.change(other.session)).statusCode, 200)
    for (const { session } of [ada, third]) assertRequired(await owner.change(session), 'another session')
    clock.nowMs += confirmationMs - 1
    const { currentPassword } = owner
    const changed = await owner.call('POST', '/users/me/password', other.session, {
      currentPassword,
      newPassword,
    })
    const session = sessionOf(changed)
    const next = () =>
      owner.call('POST', '/users/me/passkeys/options', session, { currentPassword: newPassword })
    assert.equal((await next()).statusCode, 200)
    clock.nowMs += 1
    assertRequired(await next(), 'the new session')
  })

  test('without the second factor that confirmed it, only the session that removed it stays confirmed', async () => {
    for (const remove of ['passkey', 'app', 'codes'] as const) {
      const { ada, owner, added, me, password } = await start({ unshared: true })
      const { passkey } = await added()
      const { recoveryCodes } = await owner.turnOn()
      const other = sessionOf(await password({ recoveryCode: recoveryCodes[0] }))
      assert.equal((await owner.change(other)).statusCode, 200)
      const { currentPassword } = owner
      const removed = await {
        passkey: () => me('DELETE', `/${passkey.id}`, { currentPassword }),
        app: () => owner.call('DELETE', twoFactor, ada.session, { currentPassword }),
        codes: () => owner.call('POST', `${twoFactor}/recovery-codes`, ada.session, { currentPassword }),
      }[remove]()
      assert.equal(removed.statusCode, 200, removed.body)
      assert.equal((await owner.change(ada.session)).statusCode, 200, remove)
      assertRequired(await owner.change(other), remove)
    }
  })

  test('each factor confirms once: codes, recovery codes, and the answer of a passkey', async () => {
    const { owner, clock, added, password } = await start()
    const { use } = await added()
    const { codeOf, recoveryCodes } = await owner.turnOn()
    clock.nowMs += stepMs
    const { session } = await owner.otherSession()
    for (const factor of [
      { code: codeOf() },
      { recoveryCode: recoveryCodes[0] },
      { passkey: use(optionsIn(await owner.confirm(session))) },
    ]) {
      const answers = await Promise.all([1, 2, 3].map(() => owner.confirm(session, factor)))
      const statuses = answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
      assert.deepEqual(statuses, [200, 400, 400], JSON.stringify(factor))
      assert.equal((await password(factor)).statusCode, 401, 'nor does it sign in')
    }
  })

  test('with a code in its body, turning the app off needs no confirmation before, and is one', async () => {
    const { owner } = await start()
    const { recoveryCodes } = await owner.turnOn()
    const { session } = await owner.otherSession()
    const { currentPassword } = owner
    const off = (factor: object) => owner.call('DELETE', twoFactor, session, { currentPassword, ...factor })
    assertRequired(await off({}), 'neither')
    assert.deepEqual(pathsIn(await off({ code: '000000' })), ['code'])
    assert.deepEqual(pathsIn(await off({ recoveryCode: 'a' })), ['recoveryCode'])
    assert.equal((await off({ recoveryCode: recoveryCodes[0] })).statusCode, 200)
  })

  test('400: hostile answers of a passkey, and options of other purposes, sessions and accounts', async () => {
    const { db, api, clock, ada, owner, added, begin, signInOptions, secondFactorOptions } = await start()
    const passkey = await added()
    const eve = await somePerson(db, 'Eve')
    const hers = await callsOf(api, eve).added()
    const [mine, other] = [await owner.otherSession(), await owner.otherSession()]
    const options = async (session = mine.session) => optionsIn(await owner.confirm(session))
    const refused = async (what: string, answered: () => object | Promise<object>) => {
      // Failed attempts wait.
      clock.nowMs += 60 * minuteMs
      const answer = await owner.confirm(mine.session, { passkey: await answered() })
      assert.deepEqual([answer.statusCode, pathsIn(answer)], [400, ['passkey']], what)
      assertRequired(await owner.change(mine.session), what)
    }
    const deviations: Record<string, Deviation> = {
      'another origin': { origin: 'https://qr.example.com.evil.example' },
      'another RP ID': { rpId: 'example.com' },
      'a challenge of its own': { challenge: Buffer.alloc(32, 1).toString('base64url') },
      'no user presence': { userPresent: false },
    }
    for (const [what, deviation] of Object.entries(deviations))
      await refused(what, async () => passkey.use(await options(), deviation))
    await refused("Eve's passkey", async () => hers.use(await options()))
    const { credentialId } = hers
    await refused("Eve's credential", async () => passkey.use(await options(), { credentialId }))
    const evil = ownerOf({ db, api, clock, ada: eve })
    await refused("Eve's options", async () => passkey.use(optionsIn(await evil.confirm(eve.session))))
    await refused('options of another session', async () => passkey.use(await options(other.session)))
    await refused('options for signing in', async () => passkey.use(await signInOptions()))
    await refused('options after the password', async () => passkey.use(await secondFactorOptions()))
    await refused('options for adding', async () => {
      await noteConfirmation(db, mine, clock.nowMs)
      const toAdd = await begin(mine)
      await dropOtherConfirmations(db, ada)
      return passkey.use(toAdd)
    })
    const late = passkey.use(await options())
    await refused('expired options', () => late)
    clock.nowMs += 60 * minuteMs
    // The session began with the other factor, so the device need not check who uses it.
    const right = passkey.use(await options(), { userVerified: false })
    assert.equal((await owner.confirm(mine.session, { passkey: right })).statusCode, 200)
  })

  test('options are for the passkeys of the account; without them and the app, only recovery codes are named', async () => {
    const { db, owner, added } = await start()
    const { registration } = await added()
    const { session } = await owner.otherSession()
    const answer = await owner.confirm(session)
    assert.deepEqual(pathsIn(answer), ['passkey', 'recoveryCode'])
    assert.equal(
      answer.json<ErrorBody>().message,
      'This requires a second factor: confirm your session with "passkey" or "recoveryCode" first.',
    )
    const { allowCredentials, userVerification } = optionsIn(answer)
    assert.deepEqual(
      [allowCredentials.map(({ id }) => id), userVerification],
      [[registration.id], 'preferred'],
    )
    await owner.turnOn()
    assert.deepEqual(pathsIn(await owner.confirm(session)), ['passkey', 'code', 'recoveryCode'])
    const config = { ...testConfig, publicUrl: 'http://203.0.113.5' }
    const moved = await openTestApi(db, { config })
    const cookie = `everscan_session=${session}`
    const headers = { cookie, origin: config.publicUrl }
    const elsewhere = await moved.call('POST', '/users/me/confirmation', { payload: {}, headers })
    assert.deepEqual(pathsIn(elsewhere), ['code', 'recoveryCode'])
  })

  test('429: wrong factors wait longer and longer, in all sessions together, but never at sign-in', async () => {
    const { clock, owner, added, password } = await start()
    const { use } = await added()
    const { codeOf, recoveryCodes } = await owner.turnOn()
    const wrong = ['000000', '000001', '000002'].find((code) => ![-1, 0, 1].map(codeOf).includes(code))
    for (const factor of [
      { code: wrong },
      { recoveryCode: 'wrong' },
      { passkey: use({ challenge: 'YQ' }) },
      { code: wrong },
      { code: wrong },
    ])
      assert.equal((await owner.confirm((await owner.otherSession()).session, factor)).statusCode, 400)
    const { session } = await owner.otherSession()
    const right = { recoveryCode: recoveryCodes[0] }
    const waits = await owner.confirm(session, right)
    assert.deepEqual([waits.statusCode, waits.headers['retry-after']], [429, '1'])
    const signedIn = sessionOf(await password({ recoveryCode: recoveryCodes[1] }))
    assert.equal((await owner.change(signedIn)).statusCode, 200)
    clock.nowMs += 1_000
    assert.equal((await owner.confirm(session, right)).statusCode, 200)
    assert.equal((await owner.confirm(session, { code: wrong })).statusCode, 400, 'a success starts anew')
  })

  test('wrong factors and used recovery codes are in the log of the account, and are committed together', async () => {
    const { db, api, accounts, ada, owner, added } = await start({ unshared: true })
    const { use, recoveryCodes } = await added()
    const { session } = await owner.otherSession()
    await owner.confirm(session, { recoveryCode: 'wrong' })
    await owner.confirm(session, { passkey: use({ challenge: 'YQ' }) })
    await owner.confirm(session, { passkey: use({ challenge: 'YQ' }) })
    await sql`alter table account_log rename to away`.execute(db.kysely)
    const right = { recoveryCode: recoveryCodes?.[0] }
    assert.equal((await owner.confirm(session, right)).statusCode, 500)
    await sql`alter table away rename to account_log`.execute(db.kysely)
    assertRequired(await owner.change(session), 'without the entry')
    assert.equal((await owner.confirm(session, right)).statusCode, 200)
    await accounts.failures.flush(db)
    const { data } = (
      await api.call('GET', '/users/me/account-log', { session: ada.session })
    ).json<AccountLogPage>()
    assert.deepEqual(data.map(({ action, times }) => `${action} ${times}`).sort(), [
      'account.create 1',
      'confirmation.wrong-code 1',
      'confirmation.wrong-passkey 2',
      'passkey.add 1',
      'recovery-code.use 1',
    ])
  })
})

type Opened = Pick<Awaited<ReturnType<typeof openPasskeyApi>>, 'db' | 'api' | 'clock' | 'ada'>

/** The calls of a person in one of several sessions. */
function ownerOf({ db, api, clock, ada }: Opened) {
  const call = (method: 'POST' | 'DELETE', path: string, session: string, payload: object = {}) =>
    api.call(method, path, { session, payload })
  const currentPassword = ada.password
  const beginApp = async (session: string) => {
    const begun = await call('POST', twoFactor, session, { currentPassword })
    const secret = Secret.fromBase32(begun.json<BegunTwoFactor>().secret)
    return (steps = 0) => new TOTP({ secret }).generate({ timestamp: clock.nowMs + steps * stepMs })
  }
  return {
    call,
    beginApp,
    currentPassword,
    otherSession: async () => {
      const { session, token } = await createSession(db, ada.userId, {
        userAgent: null,
        nowMs: clock.nowMs,
      })
      return { ...ada, session: token, sessionId: session.id }
    },
    /** Turns the app on in the own session. */
    turnOn: async () => {
      const codeOf = await beginApp(ada.session)
      const answer = await call('POST', `${twoFactor}/confirm`, ada.session, { code: codeOf() })
      assert.equal(answer.statusCode, 200, answer.body)
      return { codeOf, ...answer.json<RecoveryCodes>() }
    },
    confirm: (session: string, factor: object = {}) =>
      call('POST', '/users/me/confirmation', session, factor),
    /** A change that may be repeated: the options for a new passkey. */
    change: (session: string) => call('POST', '/users/me/passkeys/options', session, { currentPassword }),
  }
}

type Owner = {
  call: (method: 'POST' | 'DELETE', path: string, session: string, payload?: object) => Promise<Answer>
  beginApp: (session: string) => Promise<(steps?: number) => string>
  turnOn: () => Promise<unknown>
  currentPassword: string
  /** A session that is not confirmed. */
  other: string
  /** Adds the first second factor of the account, in another session. */
  protect: () => Promise<AddedPasskey>
}

type Change = { method: 'POST' | 'DELETE'; path: string; payload: object }

/** Prepares each change in a session that is not confirmed, and calls `protect` before it ends. */
const changes: Readonly<Record<string, (owner: Owner) => Promise<Change>>> = {
  changePassword: async ({ protect, currentPassword }) => {
    await protect()
    return { method: 'POST', path: '/users/me/password', payload: { currentPassword, newPassword } }
  },
  beginPasskey: async ({ protect, currentPassword }) => {
    await protect()
    return { method: 'POST', path: '/users/me/passkeys/options', payload: { currentPassword } }
  },
  // An intruder may have begun before the account had a second factor.
  addPasskey: async ({ call, other, protect, currentPassword }) => {
    const begun = await call('POST', '/users/me/passkeys/options', other, { currentPassword })
    const { registration } = createPasskey(begun.json<{ challenge: string }>())
    await protect()
    return { method: 'POST', path: '/users/me/passkeys', payload: { name: 'Eve', passkey: registration } }
  },
  removePasskey: async ({ protect, currentPassword }) => {
    const { passkey } = await protect()
    return { method: 'DELETE', path: `/users/me/passkeys/${passkey.id}`, payload: { currentPassword } }
  },
  beginTwoFactor: async ({ protect, currentPassword }) => {
    await protect()
    return { method: 'POST', path: twoFactor, payload: { currentPassword } }
  },
  confirmTwoFactor: async ({ beginApp, other, protect }) => {
    const codeOf = await beginApp(other)
    await protect()
    return { method: 'POST', path: `${twoFactor}/confirm`, payload: { code: codeOf() } }
  },
  renewRecoveryCodes: async ({ protect, currentPassword }) => {
    await protect()
    return { method: 'POST', path: `${twoFactor}/recovery-codes`, payload: { currentPassword } }
  },
  endTwoFactor: async ({ protect, turnOn, currentPassword }) => {
    await protect()
    await turnOn()
    return { method: 'DELETE', path: twoFactor, payload: { currentPassword } }
  },
}

function assertRequired(answer: Answer, what: string): void {
  assert.deepEqual([answer.statusCode, answer.json<ErrorBody>().code], [403, 'CONFIRMATION_REQUIRED'], what)
  assert.ok(pathsIn(answer).includes('recoveryCode'), what)
}

function pathsIn(answer: Answer): string[] {
  return (answer.json<ErrorBody>().details ?? []).map(({ path }) => path)
}

function optionsIn(answer: Answer): PasskeyRequestOptions {
  const options = answer.json<ErrorBody>().details?.find(({ path }) => path === 'passkey')?.options
  assert.ok(options, answer.body)
  return options as PasskeyRequestOptions
}

/** The token of the session that an answer begins. */
function sessionOf(answer: Answer): string {
  assert.equal(answer.statusCode, 200, answer.body)
  const [cookie = ''] = [answer.headers['set-cookie']].flat()
  const [, token = ''] = /=([^;]+)/.exec(cookie) ?? []
  return token
}
