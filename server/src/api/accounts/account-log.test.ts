import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountLogPage } from '@everscan/contract/resources/account-log.ts'
import type { CreatedInvitation } from '@everscan/contract/resources/invitations.ts'
import type { CreatedPasswordReset } from '@everscan/contract/resources/password-resets.ts'
import type { BegunTwoFactor, RecoveryCodes } from '@everscan/contract/resources/two-factor.ts'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { deleteUser } from '../../catalogue/organizations/delete-user.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { createLog } from '../../log.ts'
import { openTestApi, somePerson, testAccountTools, type Person } from '../testing/api.ts'

const stepMs = 30_000
const newPassword = 'another long password'
const address = '203.0.113.77'
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

onEitherDatabase('the log of an account', (open) => {
  const start = async ({ unshared }: { unshared?: true } = {}) => {
    const db = await open(unshared === undefined ? {} : { unshared })
    const clock = { nowMs: Math.floor(Date.now() / stepMs) * stepMs }
    const lines: string[] = []
    const log = createLog({ level: 'info', role: 'api' }, { write: (line) => lines.push(line) })
    const accounts = testAccountTools({ signUp: 'open' })
    const api = await openTestApi(db, { accounts, log, clock: () => clock.nowMs })
    const ada = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const call = (
      method: 'POST' | 'DELETE',
      path: string,
      { session, payload, from = address }: { session?: string; payload?: object; from?: string } = {},
    ) =>
      api.call(method, path, {
        headers: { 'x-forwarded-for': from, 'user-agent': userAgent },
        ...(session === undefined ? {} : { session }),
        ...(payload === undefined ? {} : { payload }),
      })
    /** Writes the failures, and returns the log without the entry of the account's creation. */
    const entries = async ({ userId, session }: Pick<Person, 'userId' | 'session'>) => {
      await accounts.failures.flush(db)
      const answer = await api.call('GET', '/users/me/account-log?limit=100', { session })
      assert.equal(answer.statusCode, 200, `${userId}: ${answer.body}`)
      return answer.json<AccountLogPage>().data.filter(({ action }) => action !== 'account.create')
    }
    return {
      db,
      api,
      ada,
      call,
      clock,
      lines,
      entries,
      actions: async (person: Person) => (await entries(person)).map(({ action }) => action).toReversed(),
      /** The outcomes in the log of the process. */
      outcomes: () =>
        lines
          .map((line) => JSON.parse(line) as { msg: string; accountId: string | null; outcome: string })
          .filter(({ msg }) => msg === 'account')
          .map(({ accountId, outcome }) => [accountId, outcome]),
      signIn: (payload: object = {}, from?: string) =>
        call('POST', '/auth/sign-in', {
          payload: { email: ada.email, password: ada.password, ...payload },
          ...(from === undefined ? {} : { from }),
        }),
      /** Ends with a session, because a change of the password ends all. */
      changePassword: async (session: string, currentPassword = ada.password) => {
        const payload = { currentPassword, newPassword }
        const answer = await call('POST', '/users/me/password', { session, payload })
        return { answer, session: /=([^;]*)/.exec(String(answer.headers['set-cookie']))?.[1] ?? '' }
      },
    }
  }

  const turnOn = async ({ call, ada, clock }: Awaited<ReturnType<typeof start>>) => {
    const { session, password: currentPassword } = ada
    const path = '/users/me/two-factor'
    const { secret } = (
      await call('POST', path, { session, payload: { currentPassword } })
    ).json<BegunTwoFactor>()
    const codeOf = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.nowMs + steps * stepMs })
    const answer = await call('POST', `${path}/confirm`, { session, payload: { code: codeOf(0) } })
    assert.equal(answer.statusCode, 200, answer.body)
    return { codeOf, ...answer.json<RecoveryCodes>() }
  }

  test('a sign-in is an entry with time, network and user agent; the address is nowhere', async () => {
    const { db, ada, clock, signIn, entries, lines } = await start()
    assert.equal((await signIn()).statusCode, 200)
    assert.equal((await signIn({}, '2001:db8:1:2:3:4:5:6')).statusCode, 200)
    const [second, first] = await entries(ada)
    const { id, ...rest } = first ?? { id: '' }
    assert.match(id, /^acc_/)
    const at = new Date(clock.nowMs).toISOString()
    const source = { network: '203.0.113.0/24', userAgent }
    assert.deepEqual(rest, {
      action: 'sign-in.password',
      times: 1,
      actor: null,
      ...source,
      createdAt: at,
      lastAt: at,
    })
    assert.equal(second?.network, '2001:db8:1::/48')
    const stored = JSON.stringify(await db.kysely.selectFrom('account_log').selectAll().execute())
    for (const text of [address, '2001:db8:1:2', ada.email]) {
      assert.ok(!stored.includes(text), text)
      assert.ok(!lines.join('').includes(text), `log: ${text}`)
    }
    assert.ok(!lines.join('').includes('203.0.113'), 'no network is in the log of the process')
  })

  test('each factor of a sign-in and each change of the second factor has an entry', async () => {
    const context = await start()
    const { ada, call, signIn, actions, outcomes, clock } = context
    const { codeOf, recoveryCodes } = await turnOn(context)
    assert.equal((await signIn()).statusCode, 401, 'the password alone is no sign-in')
    assert.equal((await signIn({ code: codeOf(1) })).statusCode, 200)
    assert.equal((await signIn({ recoveryCode: recoveryCodes[0] })).statusCode, 200)
    assert.equal((await signIn({ recoveryCode: recoveryCodes[0] })).statusCode, 401)
    const path = '/users/me/two-factor'
    const { session, password: currentPassword } = ada
    const renewed = await call('POST', `${path}/recovery-codes`, { session, payload: { currentPassword } })
    const [recoveryCode] = renewed.json<RecoveryCodes>().recoveryCodes
    clock.nowMs += stepMs
    const off = (payload: object) =>
      call('DELETE', path, { session, payload: { currentPassword, ...payload } })
    assert.equal((await off({ recoveryCode: 'wrong' })).statusCode, 400)
    clock.nowMs += stepMs
    assert.equal((await off({ recoveryCode })).statusCode, 200)
    const expected = [
      'two-factor.on',
      'sign-in.code',
      'sign-in.recovery-code',
      'sign-in.wrong-code',
      'recovery-codes.renew',
      'confirmation.wrong-code',
      'recovery-code.use',
      'two-factor.off',
    ]
    assert.deepEqual((await actions(ada)).sort(), expected.toSorted())
    assert.deepEqual(
      outcomes(),
      expected.map((outcome) => [ada.userId, outcome]),
    )
  })

  test('changes of the password and ended sessions have entries; nothing that failed has one', async () => {
    const { api, db, ada, call, signIn, actions, outcomes, changePassword } = await start()
    const eve = await somePerson(db, 'Eve')
    const end = (session: string, id: string) => call('DELETE', `/users/me/sessions/${id}`, { session })
    assert.equal((await end(eve.session, ada.sessionId)).statusCode, 404)
    const nothing = await call('DELETE', '/users/me/sessions', { session: eve.session })
    assert.equal(nothing.statusCode, 200)
    const { id } = (await signIn()).json<{ session: { id: string } }>().session
    await signIn()
    assert.equal((await end(ada.session, id)).statusCode, 200)
    assert.equal((await end(ada.session, id)).statusCode, 404)
    await call('DELETE', '/users/me/sessions', { session: ada.session })
    assert.equal((await changePassword(ada.session, 'wrong wrong wrong')).answer.statusCode, 400)
    const { answer, session } = await changePassword(ada.session)
    assert.equal(answer.statusCode, 200, answer.body)
    const expected = [
      'sign-in.password',
      'sign-in.password',
      'session.end',
      'session.end-others',
      'confirmation.wrong-password',
      'password.change',
    ]
    assert.deepEqual((await actions({ ...ada, session })).sort(), expected.toSorted())
    assert.deepEqual(await actions(eve), [])
    assert.deepEqual(
      outcomes(),
      expected.map((outcome) => [ada.userId, outcome]),
    )
    const byKey = await api.call('GET', '/users/me/account-log', { key: api.keys.ADMIN })
    assert.equal(byKey.statusCode, 403)
    assert.equal((await api.call('GET', '/users/me/account-log')).statusCode, 401)
  })

  test('failures are one entry with their number; unknown addresses leave only a line in the log', async () => {
    const { db, ada, signIn, entries, outcomes } = await start()
    for (let i = 0; i < 3; i++) await signIn({ password: `wrong wrong ${i}` })
    await signIn({ password: 'wrong wrong' }, '198.51.100.9')
    await signIn({ email: 'nobody@example.com' })
    assert.deepEqual(
      outcomes(),
      [...Array.from({ length: 4 }, () => ada.userId), null].map((id) => [id, 'sign-in.wrong-password']),
    )
    const failed = (await entries(ada)).map(({ action, network, times }) => `${action} ${network} ${times}`)
    assert.deepEqual(failed.sort(), [
      'sign-in.wrong-password 198.51.100.0/24 1',
      'sign-in.wrong-password 203.0.113.0/24 3',
    ])
    const rows = await db.kysely.selectFrom('account_log').select('action').execute()
    assert.equal(rows.length, 3)
  })

  test('a failure is written later, so it costs the attempt no time, and is not lost while the catalogue is away', async () => {
    const { db, ada, signIn, entries } = await start({ unshared: true })
    await signIn({ password: 'wrong wrong wrong' })
    const written = await db.kysely.selectFrom('account_log').select('id').execute()
    assert.equal(written.length, 1, 'only the account itself')
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(db.kysely)
    await rename('account_log', 'away')
    const failures = testAccountTools().failures
    failures.note(ada.userId, {
      action: 'sign-in.wrong-password',
      source: { network: null, userAgent: null },
      nowMs: 5,
    })
    await failures.flush(db)
    await rename('away', 'account_log')
    await Promise.all([failures.flush(db), failures.flush(db)])
    assert.deepEqual(
      (await entries(ada)).map(({ times, network }) => [times, network]),
      [
        [1, '203.0.113.0/24'],
        [1, null],
      ],
    )
  })

  test('a change and its entry are committed together: without the entry nothing changes', async () => {
    const context = await start({ unshared: true })
    const { db, api, ada, call, signIn, changePassword } = context
    const grace = await somePerson(db, 'Grace', { organizationId: api.orgId, role: 'VIEWER' })
    const { codeOf, recoveryCodes } = await turnOn(context)
    const before = await stateOf(db)
    await sql`alter table account_log rename to away`.execute(db.kysely)
    const { session, password: currentPassword } = ada
    const members = `/organizations/${api.orgId}/members/${grace.userId}`
    const twoFactor = '/users/me/two-factor'
    const off = { currentPassword, recoveryCode: recoveryCodes[0] }
    const person = { email: 'kim@example.com', name: 'Kim', password: newPassword, organizationName: 'K' }
    const answers = [
      await signIn({ code: codeOf(1) }),
      (await changePassword(session)).answer,
      await call('DELETE', twoFactor, { session, payload: off }),
      await call('POST', `${twoFactor}/recovery-codes`, { session, payload: { currentPassword } }),
      await call('DELETE', `/users/me/sessions/${ada.sessionId}`, { session }),
      await call('POST', `${members}/password-reset`, { session }),
      await call('POST', '/auth/sign-up', { payload: person }),
    ]
    await sql`alter table away rename to account_log`.execute(db.kysely)
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      answers.map(() => 500),
    )
    assert.deepEqual(await stateOf(db), before)
  })

  test('a reset by an ADMIN names the ADMIN and hides where they were; its use is an entry', async () => {
    const { db, api, ada, call, entries } = await start()
    const grace = await somePerson(db, 'Grace', { organizationId: api.orgId, role: 'VIEWER' })
    const path = `/organizations/${api.orgId}/members/${grace.userId}/password-reset`
    const made = await call('POST', path, { session: ada.session })
    const token = made.json<CreatedPasswordReset>().resetUrl.split('#')[1]
    const [created] = await entries(grace)
    assert.deepEqual(
      [created?.action, created?.actor, created?.network, created?.userAgent],
      ['password-reset.create', { kind: 'user', id: ada.userId, name: 'Ada' }, null, null],
    )
    const used = await call('POST', '/auth/password-reset/confirm', { payload: { token, newPassword } })
    assert.equal(used.statusCode, 200, used.body)
    const payload = { email: grace.email, password: newPassword }
    const signedIn = await call('POST', '/auth/sign-in', { payload })
    const session = /=([^;]*)/.exec(String(signedIn.headers['set-cookie']))?.[1] ?? ''
    const use = (await entries({ ...grace, session })).find(({ action }) => action === 'password-reset.use')
    assert.deepEqual([use?.actor, use?.network], [null, '203.0.113.0/24'])
    assert.deepEqual(await entries(ada), [])
  })

  test('an account that accepts an invitation begins its log there; a wrong password there is a failure', async () => {
    const { api, db, ada, call, entries, outcomes } = await start()
    const accept = async (email: string, payload: object) => {
      const invited = await call('POST', `/organizations/${api.orgId}/invitations`, {
        session: ada.session,
        payload: { email },
      })
      const token = invited.json<CreatedInvitation>().acceptUrl.split('#')[1]
      return (await call('POST', '/invitations/accept', { payload: { token, ...payload } })).statusCode
    }
    assert.equal(await accept('kim@example.com', { name: 'Kim', password: newPassword }), 200)
    const [made] = await db.kysely
      .selectFrom('account_log')
      .innerJoin('users', 'users.id', 'account_log.user_id')
      .select(['users.id', 'action', 'network'])
      .where('email', '=', 'kim@example.com')
      .execute()
    assert.deepEqual([made?.action, made?.network], ['account.create', '203.0.113.0/24'])
    const eve = await somePerson(db, 'Eve')
    assert.equal(await accept(eve.email, { password: 'wrong wrong wrong' }), 400)
    assert.deepEqual(
      (await entries(eve)).map(({ action, network }) => [action, network]),
      [['sign-in.wrong-password', '203.0.113.0/24']],
    )
    assert.deepEqual(outcomes(), [
      [made?.id, 'account.create'],
      [eve.userId, 'sign-in.wrong-password'],
    ])
  })

  test('failures on an account that is deleted before they are written do no harm', async () => {
    const { db, ada, signIn, api } = await start()
    await somePerson(db, 'Kim', { organizationId: api.orgId, role: 'ADMIN' })
    const accounts = testAccountTools()
    const failure = {
      action: 'sign-in.wrong-password',
      source: { network: null, userAgent: null },
      nowMs: 1,
    } as const
    accounts.failures.note(ada.userId, failure)
    await deleteUser(db, ada.userId, { origin: someOrigin, nowMs: 1 })
    await accounts.failures.flush(db)
    assert.equal((await signIn()).statusCode, 401)
  })
})

/** The rows that the changes of these tests would change. */
async function stateOf(db: Database) {
  const { kysely } = db
  return {
    users: await kysely.selectFrom('users').select(['id', 'password_hash']).orderBy('id').execute(),
    sessions: await kysely.selectFrom('sessions').select('id').orderBy('id').execute(),
    twoFactors: await kysely.selectFrom('two_factors').selectAll().execute(),
    recoveryCodes: await kysely.selectFrom('recovery_codes').selectAll().orderBy('code_hash').execute(),
    resets: await kysely.selectFrom('password_resets').selectAll().execute(),
  }
}
