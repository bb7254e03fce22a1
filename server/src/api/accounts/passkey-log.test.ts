import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountLogPage } from '@everscan/contract/resources/account-log.ts'
import { deviceCookie } from '@everscan/contract/resources/sessions.ts'
import { sql } from 'kysely'
import { createOperatorPasswordReset } from '../../catalogue/organizations/password-resets.ts'
import { commandOrigin } from '../../catalogue/rows/change-origins.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { createLog } from '../../log.ts'
import type { Mail } from '../../product/mails/mailer.ts'
import { publicUrl, testAccountTools } from '../testing/api.ts'
import { openPasskeyApi } from '../testing/passkeys.ts'
import { createPasskey } from '../testing/software-authenticator.ts'

const from = { 'x-forwarded-for': '203.0.113.77' }

onEitherDatabase('passkeys in the log of an account', (open) => {
  const start = async ({ unshared }: { unshared?: true } = {}) => {
    const db = await open(unshared === undefined ? {} : { unshared })
    const lines: string[] = []
    const mails: Mail[] = []
    const log = createLog({ level: 'info', role: 'api' }, { write: (line) => lines.push(line) })
    const accounts = testAccountTools({ mailer: async (mail) => mails.push(mail) > 0 })
    const made = await openPasskeyApi(db, { accounts, log })
    const { api, ada } = made
    return {
      ...made,
      accounts,
      mails,
      /** Writes the failures, and returns the log without the entry of the account's creation. */
      entries: async () => {
        await accounts.failures.flush(db)
        const answer = await api.call('GET', '/users/me/account-log?limit=100', { session: ada.session })
        const { data } = answer.json<AccountLogPage>()
        return data.filter(({ action }) => action !== 'account.create')
      },
      /** Lines about accounts in the log of the process. */
      outcomes: () =>
        lines
          .map((line) => JSON.parse(line) as { msg: string; accountId: string | null; outcome: string })
          .filter(({ msg }) => msg === 'account')
          .map(({ accountId, outcome }) => [accountId, outcome]),
    }
  }

  test('adding, each kind of use, each refusal and removing have entries, and lines in the log of the process', async () => {
    const { ada, me, added, signIn, signInOptions, password, secondFactorOptions, entries, outcomes } =
      await start()
    const { passkey, use } = await added()
    const refusedAlone = use(await signInOptions(), { userVerified: false })
    assert.equal((await signIn(refusedAlone, { headers: from })).statusCode, 401)
    assert.equal((await signIn(use(await signInOptions()), { headers: from })).statusCode, 200)
    const refusedSecond = use(await secondFactorOptions(), { userPresent: false })
    assert.equal((await password({ passkey: refusedSecond })).statusCode, 401)
    const second = use(await secondFactorOptions())
    assert.equal((await password({ passkey: second })).statusCode, 200)
    assert.equal((await password({ passkey: second })).statusCode, 401, 'a replay')
    const stranger = createPasskey({ challenge: 'a' })
    assert.equal((await signIn(stranger.use(await signInOptions()))).statusCode, 401)
    const { password: currentPassword } = ada
    assert.equal((await me('DELETE', `/${passkey.id}`, { currentPassword })).statusCode, 200)
    const expected = [
      'passkey.add',
      'sign-in.wrong-passkey',
      'sign-in.passkey',
      'sign-in.password-and-wrong-passkey',
      'sign-in.password-and-passkey',
      'sign-in.password-and-wrong-passkey',
      'sign-in.wrong-passkey',
      'passkey.remove',
    ]
    assert.deepEqual(
      outcomes(),
      expected.map((outcome, at) => [at === 6 ? null : ada.userId, outcome]),
    )
    const logged = await entries()
    assert.deepEqual(logged.map(({ action, times }) => `${action} ${times}`).sort(), [
      'passkey.add 1',
      'passkey.remove 1',
      'sign-in.passkey 1',
      'sign-in.password-and-passkey 1',
      'sign-in.password-and-wrong-passkey 2',
      'sign-in.wrong-passkey 1',
    ])
    const networks = logged.filter(({ network }) => network === '203.0.113.0/24')
    assert.deepEqual(networks.map(({ action }) => action).sort(), [
      'sign-in.passkey',
      'sign-in.wrong-passkey',
    ])
  })

  test('a counter that went back tells the owner that a copy may exist', async () => {
    const { added, signIn, signInOptions, password, secondFactorOptions, entries } = await start()
    const { use } = await added({ counter: 5 })
    const alone = use(await signInOptions(), { counter: 4 })
    assert.equal((await signIn(alone, { headers: from })).statusCode, 401)
    assert.equal(
      (await password({ passkey: use(await secondFactorOptions(), { counter: 5 }) })).statusCode,
      401,
    )
    const refused = (await entries()).filter(({ action }) => action === 'passkey.counter-refused')
    assert.equal(refused.length, 2)
    assert.ok(refused.some(({ network }) => network === '203.0.113.0/24'))
  })

  test('the owner gets a mail when a passkey was added or removed, and none of signing in with it', async () => {
    const { ada, me, added, signIn, signInOptions, mails } = await start()
    const { passkey, use } = await added()
    await signIn(use(await signInOptions()))
    await me('DELETE', `/${passkey.id}`, { currentPassword: ada.password })
    for (let i = 0; i < 200 && mails.length < 2; i++) await sleep(5)
    await sleep(50)
    assert.deepEqual(mails.map(({ text }) => text.replace(/\n[^]*/, '')).toSorted(), [
      'A passkey was added to your Everscan account.',
      'A passkey was removed from your Everscan account.',
    ])
    for (const { to, text } of mails) {
      assert.equal(to, ada.email)
      assert.match(text, /remove passkeys that you do not know/)
    }
  })

  test('passkeys that the operator removes are one entry, which names the operator', async () => {
    const { db, ada, added, entries } = await start()
    await added()
    await added()
    const user = { id: ada.userId, email: ada.email, name: 'Ada' }
    const reset = { origin: commandOrigin, nowMs: Date.now() + 1_000 }
    await createOperatorPasswordReset(db, user, { ...reset, alsoTwoFactor: false })
    await createOperatorPasswordReset(db, user, { ...reset, alsoTwoFactor: true })
    const removed = (await entries()).filter(({ action }) => action === 'passkey.remove')
    assert.deepEqual(
      removed.map(({ times, actor, network }) => [times, actor?.name, network]),
      [[2, commandOrigin.actor.name, null]],
    )
  })

  test('a browser that signs in with a passkey is a known device, as after other sign-ins', async () => {
    const { ada, api, clock, accounts, added, signIn, signInOptions, password } = await start()
    const { passkey, use } = await added()
    const cookies = [(await signIn(use(await signInOptions()))).headers['set-cookie']].flat()
    const [device = ''] = cookies.filter((cookie) => cookie?.startsWith(`__Host-${deviceCookie}=`))
    const cookie = device.replace(/;.*/, '')
    await api.call('DELETE', `/users/me/passkeys/${passkey.id}`, {
      session: ada.session,
      payload: { currentPassword: ada.password },
    })
    for (let i = 0; i < 60; i++)
      try {
        void accounts.brake.begin(ada.email, `10.0.0.${i}`, clock.nowMs)
      } catch {
        break
      }
    assert.equal((await password({}, { headers: from })).statusCode, 429)
    const headers = { ...from, origin: publicUrl, cookie }
    assert.equal((await password({}, { headers })).statusCode, 200)
  })

  test('a change and its entry are committed together: without the entry nothing changes', async () => {
    const { db, ada, me, begin, add, added, signIn, signInOptions, password, secondFactorOptions } =
      await start({ unshared: true })
    const { passkey, use } = await added()
    const options = await begin()
    const [alone, second] = [use(await signInOptions()), use(await secondFactorOptions())]
    const before = await stateOf(db)
    await sql`alter table account_log rename to away`.execute(db.kysely)
    const answers = [
      await add(createPasskey(options).registration),
      await me('DELETE', `/${passkey.id}`, { currentPassword: ada.password }),
      await signIn(alone),
      await password({ passkey: second }),
    ]
    await sql`alter table away rename to account_log`.execute(db.kysely)
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [500, 500, 500, 500],
    )
    assert.deepEqual(await stateOf(db), before)
  })
})

/** The rows that the changes of these tests would change. */
async function stateOf({ kysely }: Database) {
  return {
    passkeys: await kysely.selectFrom('passkeys').selectAll().orderBy('id').execute(),
    challenges: await kysely.selectFrom('used_challenges').selectAll().orderBy('id').execute(),
    recoveryCodes: await kysely.selectFrom('recovery_codes').selectAll().orderBy('code_hash').execute(),
    sessions: await kysely.selectFrom('sessions').select('id').orderBy('id').execute(),
  }
}
