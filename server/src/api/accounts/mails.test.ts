import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditLogPage } from '@everscan/contract/resources/audit-log.ts'
import type { CreatedInvitation } from '@everscan/contract/resources/invitations.ts'
import type { CreatedPasswordReset } from '@everscan/contract/resources/password-resets.ts'
import { systemActor } from '../../catalogue/rows/change-origins.ts'
import { createPasswordReset } from '../../catalogue/organizations/password-resets.ts'
import { saveMember } from '../../catalogue/accounts/users.ts'
import { onEitherDatabase, silentLog } from '../../db/testing/databases.ts'
import type { AccountTools } from '../../product/accounts/account-tools.ts'
import { startMailReceiver, type MailReceiver } from '../testing/mail-receiver.ts'
import { createMailer } from '../../product/mails/mailer.ts'
import { openTestApi, publicUrl, somePerson, testAccountTools } from '../testing/api.ts'

const hourMs = 3_600_000
const newPassword = 'another long password'

onEitherDatabase('mails and their links', (open) => {
  const start = async (receiver?: MailReceiver, tools: Partial<AccountTools> = {}) => {
    const db = await open()
    const clock = { nowMs: Date.now() }
    const mailer =
      receiver &&
      createMailer({ smtpUrl: receiver.url, from: 'everscan@example.com', log: silentLog, sendMsMax: 500 })
    const api = await openTestApi(db, {
      accounts: testAccountTools({ mailer, ...tools }),
      clock: () => clock.nowMs,
    })
    const ada = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const post = (path: string, payload: object, session?: string) =>
      api.call('POST', path, { payload, ...(session === undefined ? {} : { session }) })
    return {
      db,
      api,
      ada,
      clock,
      post,
      invite: (email: string) => post(`/organizations/${api.orgId}/invitations`, { email }, ada.session),
      signIn: async (password: string, email = ada.email) =>
        (await post('/auth/sign-in', { email, password })).statusCode,
      me: async (session: string) => (await api.call('GET', '/users/me', { session })).statusCode,
    }
  }

  test('no mail goes over an open connection, unless the URL of the mail server says so', async () => {
    const receiver = await startMailReceiver()
    const mail = { to: 'grace@example.com', subject: 'A', text: 'B' }
    const sends = (smtpUrl: string) =>
      createMailer({ smtpUrl, from: 'everscan@example.com', log: silentLog, sendMsMax: 2_000 })(mail)
    // The receiver offers no STARTTLS. It is on this machine, where nobody else can listen.
    assert.equal(await sends(`${receiver.url}?requireTLS=true`), false)
    assert.equal(receiver.mails.length, 0)
    assert.equal(await sends(receiver.url), true)
    // Another spelling of this machine, which could be any server.
    const named = receiver.url.replace('127.0.0.1', '0.0.0.0')
    assert.equal(await sends(named), false)
    assert.equal(await sends(`${named}?requireTLS=false`), true)
    assert.equal(receiver.mails.length, 2)
  })

  test('an invitation is mailed, with the name of the organization and a link that no response has', async () => {
    const receiver = await startMailReceiver()
    const { db, invite } = await start(receiver)
    const answer = await invite('Grace@example.com')
    const { acceptUrl, mailed } = answer.json<CreatedInvitation>()
    assert.equal(mailed, true)
    const [mail, ...others] = receiver.mails
    assert.deepEqual(others, [])
    assert.deepEqual(
      [mail?.from, mail?.to, mail?.subject],
      ['everscan@example.com', 'grace@example.com', 'Invitation to qr.example.com'],
    )
    assert.match(mail?.text ?? '', /^You are invited to the organization "Mine"/)
    const token = tokenIn(mail?.text, '/app/invitations')
    assert.ok(!answer.body.includes(token) && !mail?.text.includes(acceptUrl))
    const [stored] = await db.kysely.selectFrom('invitations').selectAll().execute()
    assert.equal(stored?.mail_token_hash, createHash('sha256').update(token).digest('hex'))
    // A single address, whatever characters it contains.
    await invite('a,eve@example.com')
    assert.notEqual(receiver.mails.at(-1)?.to, 'eve@example.com')
    assert.ok(receiver.mails.every(({ to }) => !to.includes(' ')))
  })

  test('a mail server that refuses, hangs or is gone: mailed is false in time, and the link works', async () => {
    const gone = { url: 'smtp://127.0.0.1:1', mails: [] }
    for (const receiver of [await startMailReceiver('refuse'), await startMailReceiver('hang'), gone]) {
      const { invite, post } = await start(receiver)
      const fromMs = performance.now()
      const answer = await invite('grace@example.com')
      assert.ok(performance.now() - fromMs < 5_000)
      assert.equal(answer.statusCode, 201)
      const { acceptUrl, mailed } = answer.json<CreatedInvitation>()
      assert.equal(mailed, false)
      const accepted = { token: acceptUrl.split('#')[1], name: 'Grace', password: newPassword }
      assert.equal((await post('/invitations/accept', accepted)).statusCode, 200)
    }
  })

  test('an organization can have 20 mails sent per minute; further invitations are not mailed', async () => {
    const sent: string[] = []
    const mailer = async ({ to }: { to: string }) => sent.push(to) > 0
    const { invite } = await start(undefined, { mailer })
    const answers = []
    for (let i = 0; i < 22; i++) answers.push((await invite(`a${i}@example.com`)).json<CreatedInvitation>())
    assert.deepEqual([sent.length, answers.filter(({ mailed }) => mailed === false).length], [20, 2])
  })

  test('a forgotten password: the mailed link sets another one, once, and all sessions end', async () => {
    const receiver = await startMailReceiver()
    const { db, ada, post, signIn, me } = await start(receiver)
    const known = await post('/auth/password-reset', { email: 'ADA@example.com' })
    const unknown = await post('/auth/password-reset', { email: 'nobody@example.com' })
    assert.deepEqual([known.statusCode, known.body], [202, unknown.body])
    await until(() => receiver.mails.length > 0)
    const [mail] = receiver.mails
    assert.equal(mail?.to, ada.email)
    const token = tokenIn(mail?.text, '/app/reset-password')
    const stored = await db.kysely.selectFrom('password_resets').selectAll().execute()
    assert.equal(stored[0]?.token_hash, createHash('sha256').update(token).digest('hex'))
    const confirm = (body: object) => post('/auth/password-reset/confirm', { token, newPassword, ...body })
    assert.equal((await confirm({ newPassword: 'short' })).statusCode, 400)
    assert.equal((await confirm({ token: 'nonsense' })).statusCode, 404)
    const answers = await Promise.all(Array.from({ length: 4 }, () => confirm({})))
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)
    assert.deepEqual(statuses, [200, 404, 404, 404])
    assert.deepEqual(
      [await signIn(ada.password), await signIn(newPassword), await me(ada.session)],
      [401, 200, 401],
    )
    assert.equal(linkMails(receiver).length, 1)
  })

  test('links for a new password expire after an hour or with a password change; a stranger cannot fill a mailbox', async () => {
    const receiver = await startMailReceiver()
    const { ada, clock, post } = await start(receiver)
    const ask = () => post('/auth/password-reset', { email: ada.email })
    await ask()
    await until(() => receiver.mails.length === 1)
    const confirm = (token: string) => post('/auth/password-reset/confirm', { token, newPassword })
    const first = tokenIn(receiver.mails[0]?.text, '/app/reset-password')
    clock.nowMs += hourMs
    assert.equal((await confirm(first)).statusCode, 404)
    for (let i = 0; i < 6; i++) await ask()
    await until(() => linkMails(receiver).length === 4)
    const last = tokenIn(linkMails(receiver)[3]?.text, '/app/reset-password')
    const change = { currentPassword: ada.password, newPassword: `${newPassword} 2` }
    assert.equal((await post('/users/me/password', change, ada.session)).statusCode, 200)
    assert.equal((await confirm(last)).statusCode, 404)
    assert.equal(linkMails(receiver).length, 4)
  })

  test('an ADMIN creates a link for a member, if the ADMIN has this role in all organizations of the member', async () => {
    const { db, api, ada, post, signIn } = await start()
    const grace = await somePerson(db, 'Grace', { organizationId: api.orgId, role: 'EDITOR' })
    const reset = (id: string, session = ada.session) =>
      api.call('POST', `/organizations/${api.orgId}/members/${id}/password-reset`, { session })
    const made = await reset(grace.userId)
    assert.equal(made.statusCode, 201, made.body)
    const { resetUrl } = made.json<CreatedPasswordReset>()
    const log = await api.call('GET', `/organizations/${api.orgId}/audit-log?action=member.reset-password`, {
      session: ada.session,
    })
    const [entry] = log.json<AuditLogPage>().data
    assert.deepEqual(
      [entry?.action, entry?.actor.id, entry?.target.id],
      ['member.reset-password', ada.userId, grace.userId],
    )

    // Grace joins a second organization: the pending link becomes invalid, and no other can be
    // created.
    await saveMember(db, api.foreignOrgId, { userId: grace.userId, role: 'VIEWER' })
    const confirm = async (url: string) =>
      (await post('/auth/password-reset/confirm', { token: url.split('#')[1], newPassword })).statusCode
    assert.equal(await confirm(resetUrl), 404)
    assert.equal((await reset(grace.userId)).statusCode, 403)
    await saveMember(db, api.foreignOrgId, { userId: ada.userId, role: 'EDITOR' })
    assert.equal((await reset(grace.userId)).statusCode, 403)
    await saveMember(db, api.foreignOrgId, { userId: ada.userId, role: 'ADMIN' })
    assert.equal(await signIn(newPassword, grace.email), 401)
    assert.equal(await confirm((await reset(grace.userId)).json<CreatedPasswordReset>().resetUrl), 200)
    assert.equal(await signIn(newPassword, grace.email), 200)

    assert.equal((await reset(ada.userId)).statusCode, 409)
    assert.equal((await reset('usr_unknown')).statusCode, 404)
    assert.equal((await reset(ada.userId, (await somePerson(db, 'Eve')).session)).statusCode, 403)
    const byKey = await api.call(
      'POST',
      `/organizations/${api.orgId}/members/${grace.userId}/password-reset`,
      {
        key: api.keys.ADMIN,
      },
    )
    assert.equal(byKey.statusCode, 403)
  })

  test('the link of a removed member stops working', async () => {
    const { db, api, ada, post } = await start()
    const grace = await somePerson(db, 'Grace', { organizationId: api.orgId, role: 'VIEWER' })
    const path = `/organizations/${api.orgId}/members/${grace.userId}`
    const made = await api.call('POST', `${path}/password-reset`, { session: ada.session })
    const { resetUrl } = made.json<CreatedPasswordReset>()
    assert.equal((await api.call('DELETE', path, { session: ada.session })).statusCode, 200)
    const token = resetUrl.split('#')[1]
    assert.equal((await post('/auth/password-reset/confirm', { token, newPassword })).statusCode, 404)
  })

  test("the operator's link invalidates all others, and keeps the second factor", async () => {
    const { db, ada, clock, post, signIn } = await start()
    const { userId } = ada
    const first = await createPasswordReset(db, { userId, actor: systemActor, nowMs: clock.nowMs })
    const second = await createPasswordReset(db, { userId, actor: systemActor, nowMs: clock.nowMs })
    const confirm = async (token: string) =>
      (await post('/auth/password-reset/confirm', { token, newPassword })).statusCode
    assert.deepEqual([await confirm(first.token), await confirm(second.token)], [404, 200])
    assert.equal(await signIn(newPassword), 200)
  })

  test('accepting an invitation does not help to guess passwords: it waits like signing in', async () => {
    const { invite, post, db } = await start()
    const grace = await somePerson(db, 'Grace')
    const { acceptUrl } = (await invite(grace.email)).json<CreatedInvitation>()
    const accept = async (password: string) =>
      (await post('/invitations/accept', { token: acceptUrl.split('#')[1], password })).statusCode
    for (let i = 0; i < 5; i++) assert.equal(await accept(`wrong wrong ${i}`), 400)
    assert.equal(await accept(grace.password), 429)
  })
})

/** The mails with a link for a new password. */
function linkMails(receiver: MailReceiver) {
  return receiver.mails.filter(({ text }) => text.includes('/app/reset-password'))
}

function tokenIn(text: string | undefined, page: string): string {
  const token = text?.split(`${publicUrl}${page}#`)[1]?.split('\n')[0]
  assert.ok(token, `no link to ${page} in: ${text}`)
  return token
}

async function until(isTrue: () => boolean): Promise<void> {
  for (const endMs = Date.now() + 10_000; !isTrue();) {
    assert.ok(Date.now() < endMs, 'not within 10 s')
    await sleep(5)
  }
}
