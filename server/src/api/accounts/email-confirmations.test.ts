import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { User } from '@everscan/contract/resources/users.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import type { Mail, Mailer } from '../../product/mails/mailer.ts'
import { openTestApi, publicUrl, somePerson, testAccountTools, type Person } from '../testing/api.ts'

const path = '/users/me/email-confirmation'
const dayMs = 86_400_000

onEitherDatabase('the confirmation of an e-mail address', (open) => {
  const start = async (options: { mailer?: Mailer | undefined } = {}) => {
    const db = await open()
    const mails: Mail[] = []
    const clock = { nowMs: Date.now() }
    const mailer: Mailer = async (mail) => mails.push(mail) > 0
    const accounts = testAccountTools({ mailer, ...options })
    const api = await openTestApi(db, { accounts, clock: () => clock.nowMs })
    const ada = await somePerson(db, 'Ada')
    return {
      db,
      api,
      ada,
      mails,
      clock,
      ask: ({ session }: Person) => api.call('POST', path, { session }),
      confirm: ({ session }: Person, token: string) =>
        api.call('POST', `${path}/confirm`, { session, payload: { token } }),
      confirmedAt: async ({ session }: Person) =>
        (await api.call('GET', '/users/me', { session })).json<User>().emailConfirmedAt,
    }
  }

  test('the mailed link confirms it once, in a session of the account, and the log has it', async () => {
    const { db, ada, mails, clock, ask, confirm, confirmedAt } = await start()
    assert.equal(await confirmedAt(ada), null)
    const asked = await ask(ada)
    assert.deepEqual([asked.statusCode, asked.json()], [202, { mailed: true }])
    const [mail] = mails
    assert.equal(mail?.to, ada.email)
    const token = tokenIn(mail)
    const answer = await confirm(ada, token)
    assert.equal(answer.statusCode, 200, answer.body)
    const { emailConfirmedAt } = answer.json<User>()
    assert.equal(emailConfirmedAt, new Date(clock.nowMs).toISOString())
    clock.nowMs += 60_000
    // A person may open the link twice. Nothing happens the second time.
    assert.equal((await confirm(ada, token)).json<User>().emailConfirmedAt, emailConfirmedAt)
    const logged = await db.kysely
      .selectFrom('account_log')
      .select('action')
      .where('action', '=', 'email.confirm')
      .execute()
    assert.equal(logged.length, 1)
    assert.equal((await ask(ada)).statusCode, 409)
    assert.equal(mails.length, 1)
  })

  test('401 without a session; 404 for the token of another account or address, after a day, and for a changed one', async () => {
    const { db, api, ada, mails, clock, ask, confirm, confirmedAt } = await start()
    const eve = await somePerson(db, 'Eve')
    await ask(ada)
    const token = tokenIn(mails[0])
    const asNobody = await api.call('POST', `${path}/confirm`, { payload: { token } })
    assert.equal(asNobody.statusCode, 401)
    assert.equal((await api.call('POST', path)).statusCode, 401)
    assert.equal((await confirm(eve, token)).statusCode, 404)
    assert.equal((await confirm(ada, `${token.slice(0, -2)}AA`)).statusCode, 404)
    await db.kysely
      .updateTable('users')
      .set({ email: 'b@example.com' })
      .where('id', '=', ada.userId)
      .execute()
    assert.equal((await confirm(ada, token)).statusCode, 404)
    await db.kysely.updateTable('users').set({ email: ada.email }).where('id', '=', ada.userId).execute()
    clock.nowMs += dayMs
    assert.equal((await confirm(ada, token)).statusCode, 404)
    assert.deepEqual([await confirmedAt(ada), await confirmedAt(eve)], [null, null])
    clock.nowMs -= 1
    assert.equal((await confirm(ada, token)).statusCode, 200)
    assert.equal(await confirmedAt(eve), null)
  })

  test('429: five mails, then each further one has to wait; another account does not', async () => {
    const { db, ada, mails, clock, ask } = await start()
    for (let i = 0; i < 5; i++) assert.equal((await ask(ada)).statusCode, 202)
    assert.equal((await ask(ada)).statusCode, 429)
    assert.equal((await ask(await somePerson(db, 'Eve'))).statusCode, 202)
    clock.nowMs += 1_000
    assert.equal((await ask(ada)).statusCode, 202)
    assert.equal(mails.length, 7)
  })

  test('403: the installation sends no mails; 503: the mail cannot be sent', async () => {
    const without = await start({ mailer: undefined })
    assert.equal((await without.ask(without.ada)).statusCode, 403)
    const refused = await start({ mailer: async () => false })
    const answer = await refused.ask(refused.ada)
    assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '60'])
  })
})

function tokenIn(mail: Mail | undefined): string {
  const token = mail?.text.split(`${publicUrl}/app/confirm-email#`)[1]?.split('\n')[0]
  assert.ok(token, `no link in: ${mail?.text}`)
  return token
}
