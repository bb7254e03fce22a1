import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MyOrganizations } from '@everscan/contract/resources/organizations.ts'
import { noSource } from '../../catalogue/accounts/account-log.ts'
import { confirmEmail } from '../../catalogue/accounts/email-confirmation.ts'
import { countUnprovedMail, listMailCounts, mailStop } from '../../catalogue/mails/mail-counts.ts'
import { findUserByEmail } from '../../catalogue/accounts/users.ts'
import { inTransaction } from '../../db/database.ts'
import { onEitherDatabase, silentLog } from '../../db/testing/databases.ts'
import type { AccountTools } from '../../product/accounts/account-tools.ts'
import { startMailReceiver } from '../testing/mail-receiver.ts'
import { createMailer } from '../../product/mails/mailer.ts'
import { openTestApi, publicUrl, somePerson, testAccountTools } from '../testing/api.ts'

const person = { email: 'Grace@example.com', name: 'Grace', organizationName: 'Hopper' }
const password = 'a long enough one'
const dayMs = 86_400_000

onEitherDatabase('signing up', (open) => {
  const start = async (tools: Partial<AccountTools>) => {
    const db = await open()
    const clock = { nowMs: Date.now() }
    const api = await openTestApi(db, { accounts: testAccountTools(tools), clock: () => clock.nowMs })
    const post = (path: string, payload: object) => api.call('POST', path, { payload })
    return {
      db,
      api,
      clock,
      signUp: (body: object = {}) => post('/auth/sign-up', { ...person, ...body }),
      confirm: async (token: string, chosen = password) =>
        (await post('/auth/sign-up/confirm', { token, password: chosen })).statusCode,
      signIn: (body: object = {}) => post('/auth/sign-in', { email: person.email, password, ...body }),
      accounts: async () => (await db.kysely.selectFrom('users').select('id').execute()).length,
    }
  }
  test('403: off by default; with domains only for their addresses', async () => {
    const { signUp, confirm, accounts } = await start({})
    assert.equal((await signUp()).statusCode, 403)
    assert.equal(await confirm('nonsense'), 404)
    assert.equal(await accounts(), 0)
    const { receiver, mailer } = await mailTools()
    const some = await start({ mailer, signUp: ['example.com', 'example.org'] })
    for (const email of [
      'a@example.net',
      'a@sub.example.com',
      'a@example.com.evil.example',
      'a@b@example.net',
    ])
      assert.ok([400, 403].includes((await some.signUp({ email })).statusCode), email)
    assert.equal((await some.signUp({ email: 'a@EXAMPLE.org' })).statusCode, 202)
    assert.equal(receiver.mails.length, 1)
  })

  test('open, without mails: the account and its organization exist at once; 409 for an address that has an account', async () => {
    const { db, api, signUp, signIn, accounts } = await start({ signUp: 'open' })
    assert.match((await signUp()).body, /password: is required/)
    const answer = await signUp({ password })
    assert.deepEqual([answer.statusCode, answer.json()], [202, { mailed: false }])
    assert.equal((await signUp({ email: 'GRACE@example.com', password })).statusCode, 409)
    const known = await findUserByEmail(db, person.email)
    assert.equal(known?.emailConfirmedAtMs, null, 'nobody proved the address')
    for (const wrong of [
      { password: 'short' },
      { password: 'password12' },
      { name: '' },
      { email: 'grace' },
      { organizationName: '\n' },
    ])
      assert.equal((await signUp({ email: 'other@example.com', password, ...wrong })).statusCode, 400)
    assert.equal(await accounts(), 1)
    const cookie = String((await signIn()).headers['set-cookie'])
    const session = /=([^;]+)/.exec(cookie)?.[1] ?? ''
    const mine = await api.call('GET', '/users/me/organizations', { session })
    const [organization, ...others] = mine.json<MyOrganizations>().organizations
    assert.deepEqual([organization?.name, organization?.role, others], ['Hopper', 'ADMIN', []])
  })

  test('with mails: nothing is created or stored before the address is confirmed; the link works once, for a day', async () => {
    const { receiver, mailer } = await mailTools()
    const { db, clock, signUp, confirm, signIn, accounts } = await start({ signUp: 'open', mailer })
    assert.deepEqual((await signUp()).json(), { mailed: true })
    assert.equal(await accounts(), 0)
    const [mail] = receiver.mails
    assert.equal(mail?.to, 'grace@example.com')
    const token = mail?.text.split(`${publicUrl}/app/confirm-sign-up#`)[1]?.split('\n')[0] ?? ''
    assert.ok(!Buffer.from(token.slice(3), 'base64url').toString('latin1').includes('Hopper'))
    for (const weak of ['short', 'password12', 'gracegrace1'])
      assert.equal(await confirm(token, weak), 400, weak)
    assert.equal(await confirm(`${token.slice(0, -2)}AA`), 404)
    clock.nowMs += dayMs
    assert.equal(await confirm(token), 404)
    clock.nowMs -= 1
    const statuses = await Promise.all(Array.from({ length: 4 }, () => confirm(token)))
    assert.deepEqual(
      statuses.sort((a, b) => a - b),
      [200, 409, 409, 409],
    )
    assert.equal((await signIn()).statusCode, 200)
    assert.equal(await accounts(), 1)
    assert.equal((await findUserByEmail(db, person.email))?.emailConfirmedAtMs, clock.nowMs)
  })

  test('with mails, the password is chosen by the owner of the mailbox, not by the person who asks', async () => {
    const { receiver, mailer } = await mailTools()
    const { signUp, confirm, signIn } = await start({ signUp: 'open', mailer })
    const stranger = 'what a stranger knows'
    assert.match((await signUp({ password: stranger })).body, /password: must be left out/)
    assert.equal(receiver.mails.length, 0)
    await signUp()
    const token = receiver.mails[0]?.text.split('/app/confirm-sign-up#')[1]?.split('\n')[0] ?? ''
    assert.equal(await confirm(token), 200)
    assert.equal((await signIn({ password: stranger })).statusCode, 401)
    assert.equal((await signIn()).statusCode, 200)
  })

  test('with mails the response is the same for an address that has an account; only its owner learns that', async () => {
    const { receiver, mailer } = await mailTools()
    const { db, signUp, signIn } = await start({ signUp: 'open', mailer })
    const ada = await somePerson(db, 'Ada')
    const eve = await somePerson(db, 'Eve')
    const by = { source: noSource, nowMs: 1 }
    await inTransaction(db, (tx) => confirmEmail(tx, ada.userId, by))
    const answers = []
    for (const email of [person.email, ada.email, eve.email]) answers.push(await signUp({ email }))
    assert.deepEqual([...new Set(answers.map(({ body }) => body))], ['{"mailed":true}'])
    assert.match(receiver.mails[1]?.text ?? '', /already has one/)
    assert.doesNotMatch(receiver.mails[1]?.text ?? '', /#/)
    assert.match(receiver.mails[2]?.text ?? '', /nobody has confirmed[^]*take it over within 24 h/)
    assert.equal((await signIn({ email: ada.email, password: ada.password })).statusCode, 200)
    assert.equal((await signIn({ email: ada.email })).statusCode, 401)
  })

  test('429: an address gets five mails, then each further one waits longer, from every network', async () => {
    const sent: string[] = []
    const mailer = async ({ to }: { to: string }) => sent.push(to) > 0
    const { api, clock, signUp } = await start({ signUp: 'open', mailer })
    const signUpFrom = (network: number) =>
      api.call('POST', '/auth/sign-up', { body: person, remoteAddress: `198.51.${network}.1` })
    for (let network = 0; network < 5; network++) assert.equal((await signUpFrom(network)).statusCode, 202)
    assert.equal((await signUpFrom(9)).statusCode, 429)
    assert.equal((await signUp({ email: 'GRACE@example.com' })).statusCode, 429)
    assert.equal((await signUp({ email: 'other@example.com' })).statusCode, 202)
    clock.nowMs += 1_000
    assert.equal((await signUp()).statusCode, 202)
    assert.equal(sent.length, 7)
  })

  test('429 until the next day: the installation sends no more mails for sign-ups, and members still invite', async () => {
    const sent: string[] = []
    const mailer = async ({ to }: { to: string }) => sent.push(to) > 0
    const { db, clock, signUp } = await start({ signUp: 'open', mailer })
    const mailsMax = 5_000
    for (const domain of ['a.example', 'b.example'])
      assert.ok(await countUnprovedMail(db, domain, { mailsMax, nowMs: clock.nowMs }))
    await db.kysely
      .updateTable('mail_counts')
      .set({ mails: mailsMax / 2 })
      .execute()
    const answer = await signUp()
    assert.equal(answer.statusCode, 429)
    const leftMs = 86_400_000 - (clock.nowMs % 86_400_000)
    assert.equal(Number(answer.headers['retry-after']), Math.ceil(leftMs / 1000))
    const budgets = { mailsPerAccountPerDay: 10, mailsPerInstallationPerDay: 10 }
    const sender = { organizationId: 'org_1', senderId: 'usr_1' }
    assert.equal(await mailStop(db, sender, { budgets, nowMs: clock.nowMs }), undefined)
    assert.deepEqual(await listMailCounts(db, { page: 1, limit: 10 }), { rows: [], total: 0 })
    clock.nowMs += leftMs
    assert.equal((await signUp()).statusCode, 202)
    assert.equal(sent.length, 1)
  })

  test('503: the mail cannot be sent, and nothing is created', async () => {
    const { mailer } = await mailTools('refuse')
    const { signUp, accounts } = await start({ signUp: 'open', mailer })
    const answer = await signUp()
    assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '60'])
    assert.equal(await accounts(), 0)
  })
})

async function mailTools(does?: 'refuse') {
  const receiver = await startMailReceiver(does)
  const mailer = createMailer({ smtpUrl: receiver.url, from: 'everscan@example.com', log: silentLog })
  return { receiver, mailer }
}
