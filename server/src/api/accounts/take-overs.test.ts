import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CreatedInvitation } from '@everscan/contract/resources/invitations.ts'
import type { MyOrganizations } from '@everscan/contract/resources/organizations.ts'
import type { CreatedPasswordReset } from '@everscan/contract/resources/password-resets.ts'
import type { User } from '@everscan/contract/resources/users.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { Secret, TOTP } from 'otpauth'
import { systemActor } from '../../catalogue/rows/change-origins.ts'
import { createOrganization } from '../../catalogue/organizations/organizations.ts'
import { createPasswordReset } from '../../catalogue/organizations/password-resets.ts'
import { someSource } from '../../catalogue/testing/catalogue.ts'
import { confirmEmail } from '../../catalogue/accounts/email-confirmation.ts'
import { saveMember } from '../../catalogue/accounts/users.ts'
import { beginTwoFactor, confirmTwoFactor } from '../../catalogue/accounts/two-factor.ts'
import { inTransaction } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import type { Mail } from '../../product/mails/mailer.ts'
import { cookieName, publicUrl, somePerson, testAccountTools } from '../testing/api.ts'
import { openPasskeyApi } from '../testing/passkeys.ts'

const newPassword = 'only the owner knows it'

onEitherDatabase('accounts whose address nobody confirmed', (open) => {
  /** Ada's account is that of a squatter. Its organization is not the one that invites Ada. */
  const start = async () => {
    const mails: Mail[] = []
    const mailer = async (mail: Mail) => mails.push(mail) > 0
    const accounts = testAccountTools({ mailer, signUp: 'open' })
    const made = await openPasskeyApi(await open(), { accounts })
    const { db, api, ada, clock } = made
    const host = await somePerson(db, 'Host', { organizationId: api.foreignOrgId, role: 'ADMIN' })
    const post = (path: string, payload: object, session?: string) =>
      api.call('POST', path, { payload, ...(session === undefined ? {} : { session }) })
    /** The token of the next mail with a link to a page. */
    const mailed = async (page: string): Promise<string> => {
      const link = () => mails.find(({ text }) => text.includes(`${publicUrl}${page}#`))
      await until(() => link() !== undefined)
      const [mail] = mails.splice(mails.indexOf(link() ?? mails[0]!), 1)
      assert.equal(mail?.to, ada.email)
      return mail?.text.split(`${publicUrl}${page}#`)[1]?.split('\n')[0] ?? ''
    }
    const invite = async (email: string) => {
      const answer = await post(`/organizations/${api.foreignOrgId}/invitations`, { email }, host.session)
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json<CreatedInvitation>().acceptUrl.split('#')[1] ?? ''
    }
    const ways = {
      'sign-up': async () => {
        await post('/auth/sign-up', { email: ada.email, name: 'Ada L.', organizationName: 'Lovelace' })
        const token = await mailed('/app/confirm-sign-up')
        return () => post('/auth/sign-up/confirm', { token, password: newPassword })
      },
      'new password': async () => {
        await post('/auth/password-reset', { email: ada.email })
        const token = await mailed('/app/reset-password')
        return () => post('/auth/password-reset/confirm', { token, newPassword })
      },
      invitation: async () => {
        await invite(ada.email)
        const token = await mailed('/app/invitations')
        return () => post('/invitations/accept', { token, name: 'Ada L.', password: newPassword })
      },
    }
    return {
      ...made,
      accounts,
      mails,
      mailed,
      invite,
      post,
      ways,
      confirmed: () =>
        inTransaction(db, (tx) => confirmEmail(tx, ada.userId, { source: someSource, nowMs: clock.nowMs })),
      enter: async (body: object) => {
        const answer = await post('/auth/sign-in', { email: ada.email, password: newPassword, ...body })
        const session = new RegExp(`${cookieName}=([^;]+)`).exec(String(answer.headers['set-cookie']))?.[1]
        return { status: answer.statusCode, session }
      },
      user: async (session = '') => (await api.call('GET', '/users/me', { session })).json<User>(),
      logged: async () => {
        const rows = await db.kysely
          .selectFrom('account_log')
          .select(['action', 'times'])
          .where('user_id', '=', ada.userId)
          .orderBy('id')
          .execute()
        return rows.map(({ action, times }) => `${action} ${times}`)
      },
    }
  }
  type World = Awaited<ReturnType<typeof start>>

  /** Gives the account every way in. */
  const fortify = async ({ db, ada, clock, accounts, added }: World) => {
    const { userId, sessionId, email } = ada
    const passkey = await added()
    await added()
    const { nowMs } = clock
    const begun = await beginTwoFactor(db, accounts.twoFactorBox, { userId, email, nowMs })
    const totp = new TOTP({ secret: Secret.fromBase32(begun?.secret ?? '') })
    const code = { userId, sessionId, code: totp.generate({ timestamp: nowMs }), source: someSource, nowMs }
    const recoveryCodes = await confirmTwoFactor(db, accounts.twoFactorBox, code)
    const reset = await createPasswordReset(db, { userId, actor: systemActor, nowMs })
    return { passkey, recoveryCodes: recoveryCodes ?? [], reset }
  }

  for (const way of ['sign-up', 'new password', 'invitation'] as const)
    test(`${way}: the mailed link ends every way in but the new password`, async () => {
      const world = await start()
      const { db, api, ada, clock, post, enter, user, logged, mails } = world
      const { passkey, reset } = await fortify(world)
      const signInWithPasskey = async () => world.signIn(passkey.use(await world.signInOptions()))
      assert.equal((await signInWithPasskey()).statusCode, 200)
      const signedUp = await world.ways[way]()
      assert.equal((await api.call('GET', '/users/me', { session: ada.session })).statusCode, 200)
      const answer = await signedUp()
      assert.equal(answer.statusCode, 200, answer.body)

      for (const table of [
        'sessions',
        'password_resets',
        'two_factors',
        'recovery_codes',
        'passkeys',
      ] as const) {
        const rows = await db.kysely
          .selectFrom(table)
          .select('user_id')
          .where('user_id', '=', ada.userId)
          .execute()
        assert.equal(rows.length, 0, table)
      }
      assert.equal((await api.call('GET', '/users/me', { session: ada.session })).statusCode, 401)
      const resetAnswer = await post('/auth/password-reset/confirm', { token: reset.token, newPassword })
      assert.equal(resetAnswer.statusCode, 404)
      assert.equal((await enter({ password: ada.password })).status, 401)
      assert.equal((await signInWithPasskey()).statusCode, 401)
      const { status, session } = await enter({})
      assert.equal(status, 200, 'no second factor is asked for')
      const { name, emailConfirmedAt, twoFactor, id } = await user(session)
      assert.deepEqual(
        [id, name, emailConfirmedAt, twoFactor],
        [ada.userId, way === 'new password' ? 'Ada' : 'Ada L.', new Date(clock.nowMs).toISOString(), false],
      )
      const own =
        way === 'new password' ? ['password-reset.use 1', 'email.confirm 1'] : ['account.take-over 1']
      for (const entry of own) assert.ok((await logged()).includes(entry), entry)
      if (way === 'new password')
        for (const entry of ['two-factor.off 1', 'passkey.remove 2'])
          assert.ok((await logged()).includes(entry), entry)
      const told = way === 'new password' ? /was replaced, through a link/ : /was taken over, through a link/
      await until(() => mails.some(({ text }) => told.test(text)))
      assert.equal((await signedUp()).statusCode, way === 'sign-up' ? 409 : 404, 'the link works once')
    })

  for (const way of ['sign-up', 'invitation'] as const)
    test(`${way}: a confirmed account is not taken over, whoever follows the mailed link`, async () => {
      const { ada, ways, confirmed, enter, user } = await start()
      // The link was mailed while the address was not confirmed.
      const follow = await ways[way]()
      await confirmed()
      assert.equal((await follow()).statusCode, way === 'sign-up' ? 409 : 400)
      assert.deepEqual([(await enter({})).status, (await user(ada.session)).name], [401, 'Ada'])
    })

  test('new password: a confirmed account keeps its second factors and passkeys', async () => {
    const world = await start()
    const { ways, confirmed, enter, signInOptions, logged } = world
    const { passkey, recoveryCodes } = await fortify(world)
    await confirmed()
    assert.equal((await (await ways['new password']())()).statusCode, 200)
    assert.equal((await enter({})).status, 401)
    assert.equal((await enter({ recoveryCode: recoveryCodes[0] })).status, 200)
    assert.equal((await world.signIn(passkey.use(await signInOptions()))).statusCode, 200)
    assert.ok(!(await logged()).includes('passkey.remove 2'))
  })

  test("the operator's and an ADMIN's link prove nothing: the account stays unconfirmed, with its second factors", async () => {
    const world = await start()
    const { db, api, ada, post, enter, user } = world
    const { reset, recoveryCodes } = await fortify(world)
    const boss = await somePerson(db, 'Boss', { organizationId: api.orgId, role: 'ADMIN' })
    const byAdmin = async () => {
      const path = `/organizations/${api.orgId}/members/${ada.userId}/password-reset`
      const answer = await api.call('POST', path, { session: boss.session })
      return answer.json<CreatedPasswordReset>().resetUrl.split('#')[1]
    }
    for (const [at, tokenOf] of [() => reset.token, byAdmin].entries()) {
      const used = { token: await tokenOf(), newPassword }
      assert.equal((await post('/auth/password-reset/confirm', used)).statusCode, 200)
      assert.equal((await enter({})).status, 401, 'the second factor stays on')
      const { session } = await enter({ recoveryCode: recoveryCodes[at] })
      assert.equal((await user(session)).emailConfirmedAt, null)
    }
  })

  test("an inviter who uses the invitation's link for a stranger's address loses the account to its owner", async () => {
    const { db, api, mails, post, enter } = await start()
    const email = 'victim@example.com'
    const mallory = await somePerson(db, 'Mallory', { organizationId: api.orgId, role: 'ADMIN' })
    const answer = await post(`/organizations/${api.orgId}/invitations`, { email }, mallory.session)
    const { acceptUrl } = answer.json<CreatedInvitation>()
    const squat = { token: acceptUrl.split('#')[1], name: 'Victim', password: 'mallory knows this' }
    assert.equal((await post('/invitations/accept', squat)).statusCode, 200)
    const squatted = await enter({ email, password: squat.password })
    const me = await api.call('GET', '/users/me', { session: squatted.session ?? '' })
    assert.equal(me.json<User>().emailConfirmedAt, null, 'the link of the response proves nothing')

    // The victim is invited by others, and has never heard of the account.
    const host = await somePerson(db, 'Grace', { organizationId: api.foreignOrgId, role: 'ADMIN' })
    const invited = await post(`/organizations/${api.foreignOrgId}/invitations`, { email }, host.session)
    const seen = invited.json<CreatedInvitation>().acceptUrl.split('#')[1] ?? ''
    const owner = { name: 'Vic', password: newPassword }
    // The host of the invitation cannot take the account over, nor can Mallory.
    assert.equal((await post('/invitations/accept', { token: seen, ...owner })).statusCode, 400)
    const mail = mails.findLast(({ to, subject }) => to === email && subject.startsWith('Invitation'))
    const token = mail?.text.split('/app/invitations#')[1]?.split('\n')[0]
    assert.equal((await post('/invitations/accept', { token, ...owner })).statusCode, 200)
    assert.equal((await enter({ email, password: squat.password })).status, 401)
    const session = squatted.session ?? ''
    assert.equal((await api.call('GET', '/users/me', { session })).statusCode, 401)
    const { session: own = '' } = await enter({ email })
    const mine = await api.call('GET', '/users/me/organizations', { session: own })
    assert.deepEqual(
      mine
        .json<MyOrganizations>()
        .organizations.map(({ name }) => name)
        .toSorted(),
      ['Foreign', 'Mine'],
    )
  })

  test('sign-up: the owner gets an organization of their own, even if the squatter has as many as possible', async () => {
    const { db, ada, ways, enter, api } = await start()
    const organizationsOf = async () => {
      const { session = '' } = await enter({})
      const mine = await api.call('GET', '/users/me/organizations', { session })
      return mine.json<MyOrganizations>().organizations.map(({ name }) => name)
    }
    const first = await ways['sign-up']()
    assert.equal((await first()).statusCode, 200)
    assert.deepEqual(await organizationsOf(), ['Mine', 'Lovelace'])

    await db.kysely.updateTable('users').set({ email_confirmed_at_ms: null }).execute()
    for (let i = 0; i < limits.ownOrganizationsMax; i++) {
      const { id } = await createOrganization(db, { name: `More ${i}` })
      await saveMember(db, id, { userId: ada.userId, role: 'ADMIN' })
    }
    const second = await ways['sign-up']()
    assert.equal((await second()).statusCode, 200)
    assert.equal((await organizationsOf()).filter((name) => name === 'Lovelace').length, 1)
  })

  test('one of many uses of a link at the same time takes the account over', async () => {
    const { ways, logged } = await start()
    const follow = await ways['sign-up']()
    const answers = await Promise.all(Array.from({ length: 4 }, follow))
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)
    assert.deepEqual(statuses, [200, 409, 409, 409])
    assert.equal((await logged()).filter((entry) => entry.startsWith('account.take-over')).length, 1)
  })

  test('the mailed invitation confirms the account of its owner: with a session, and with the password alone if that signs in', async () => {
    for (const proof of ['password', 'session', 'password of an account with a second factor'] as const) {
      const world = await start()
      const { ada, invite, mailed, post, user, logged } = world
      if (proof.startsWith('password of')) await fortify(world)
      await invite(ada.email)
      const token = await mailed('/app/invitations')
      const accept =
        proof === 'session'
          ? post('/invitations/accept', { token }, ada.session)
          : post('/invitations/accept', { token, password: ada.password })
      assert.equal((await accept).statusCode, 200)
      const { emailConfirmedAt, name } = await user(ada.session)
      // A squatter who knows the owner's usual password must not lock them out with a factor.
      assert.equal(emailConfirmedAt !== null, !proof.startsWith('password of'), proof)
      assert.equal(name, 'Ada')
      assert.equal((await logged()).includes('email.confirm 1'), emailConfirmedAt !== null)
    }
  })

  test("the link of the response joins with the account's password, and confirms nothing", async () => {
    const { ada, invite, post, user } = await start()
    const token = await invite(ada.email)
    assert.equal((await post('/invitations/accept', { token, password: ada.password })).statusCode, 200)
    assert.equal((await user(ada.session)).emailConfirmedAt, null)
  })
})

async function until(isTrue: () => boolean): Promise<void> {
  for (const endMs = Date.now() + 10_000; !isTrue();) {
    assert.ok(Date.now() < endMs, 'not within 10 s')
    await sleep(5)
  }
}
