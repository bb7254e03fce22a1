import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { CreatedInvitation } from '@everscan/contract/resources/invitations.ts'
import type { OrganizationDetails } from '@everscan/contract/resources/organizations.ts'
import type { SentMailsPage } from '@everscan/contract/views/sent-mails.ts'
import type { View } from '@everscan/contract/views/views.ts'
import { createMailer } from '../../product/mails/mailer.ts'
import { openTestApi, publicUrl, somePerson, testAccountTools, testConfig } from '../../api/testing/api.ts'
import { startMailReceiver, type MailReceiver, type ReceivedMail } from '../../api/testing/mail-receiver.ts'
import { listAuditLog } from '../../catalogue/ledger/audit-log.ts'
import { updateOrganization } from '../../catalogue/organizations/organizations.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import { onEitherDatabase, silentLog } from '../../db/testing/databases.ts'
import { startIngestSuite } from '../../ingest/testing/ingest.ts'
import { createViewMailsChore } from './view-mails.ts'

const { remove, scanStore } = await startIngestSuite()
after(remove)

const startMs = Date.parse('2026-04-06T07:00:00.000Z')
const dayMs = 86_400_000
const invoice = 'Invoice 4711 overdue: pay at https://evil.example or call 0800 123456'
const stranger = 'stranger@elsewhere.example'

onEitherDatabase('mails to people who are no members', (open) => {
  const start = async ({ url, mails }: MailReceiver, budgets: Partial<typeof testConfig> = {}) => {
    const db = await open()
    const clock = { nowMs: startMs }
    const mailer = createMailer({ smtpUrl: url, from: 'everscan@qr.example.com', log: silentLog })
    const config = { ...testConfig, ...budgets }
    const accounts = testAccountTools({ mailer })
    const api = await openTestApi(db, { store: scanStore, accounts, config, clock: () => clock.nowMs })
    const mailing = { ...config, smtpUrl: url, mailFrom: 'everscan@qr.example.com' }
    const chore = createViewMailsChore(
      db,
      { ...mailing, secret: 'a secret of tests' },
      { store: scanStore, log: silentLog, clock: () => clock.nowMs },
    )
    const work = async () => chore.run(db, clock.nowMs)
    const create = async (to: readonly string[], orgId = api.orgId, key = api.keys.ADMIN) => {
      const payload = { name: invoice, mail: { to, every: 'week' } }
      const answer = await api.call('POST', `/organizations/${orgId}/views`, { key, payload })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json<View>()
    }
    const sendNow = async (view: View, orgId = api.orgId, key = api.keys.ADMIN) => {
      const path = `/organizations/${orgId}/views/${view.id}/send-mail`
      assert.equal((await api.call('POST', path, { key })).statusCode, 202)
      await work()
    }
    const read = async ({ id }: View) =>
      (await api.call('GET', `/organizations/${api.orgId}/views/${id}`, { key: api.keys.ADMIN })).json<View>()
    const invite = async (email: string) =>
      api.call('POST', `/organizations/${api.orgId}/invitations`, { key: api.keys.ADMIN, payload: { email } })
    const answer = async (link: string, body: string, type = 'application/x-www-form-urlencoded') =>
      api.app.inject({ method: 'POST', url: pathOf(link), payload: body, headers: { 'content-type': type } })
    return { db, api, clock, mails, work, create, sendNow, read, invite, answer }
  }

  test('a view named as an invoice sends no word of its sender to a stranger who did not say yes', async () => {
    const { db, api, clock, mails, work, create, sendNow, read, answer } = await start(
      await startMailReceiver(),
    )
    await updateOrganization(db, api.orgId, { name: invoice, origin: someOrigin, nowMs: startMs })
    const ada = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'EDITOR' })
    await db.kysely
      .updateTable('users')
      .set({ email_confirmed_at_ms: startMs })
      .where('id', '=', ada.userId)
      .execute()
    // Not confirmed: anybody could have created an account with the address of somebody else.
    await somePerson(db, 'Bob', { organizationId: api.orgId, role: 'EDITOR' })
    const view = await create([ada.email, 'bob@example.com', stranger])
    await sendNow(view)
    const sentTo = (address: string) => mails.filter(({ to }) => to === address)
    assert.ok(sentTo(ada.email)[0]?.subject.startsWith(invoice))
    for (const address of ['bob@example.com', stranger]) {
      const [question, ...others] = sentTo(address)
      assert.deepEqual([question?.subject, others], ['A question from qr.example.com', []])
      assertPlain(question)
    }
    const states = async () => (await read(view)).mail?.recipients.map(({ state }) => state)
    assert.deepEqual(await states(), ['MEMBER', 'ASKED', 'ASKED'])
    // Neither another view nor the next weeks bring a stranger anything.
    await sendNow(await create([stranger]))
    clock.nowMs += 7 * dayMs
    await work()
    assert.deepEqual([sentTo(ada.email).length, sentTo(stranger).length], [2, 1])

    const link = linkOf(sentTo(stranger)[0])
    for (const method of ['GET', 'HEAD'] as const) await api.app.inject({ method, url: pathOf(link) })
    assert.deepEqual(await states(), ['MEMBER', 'ASKED', 'ASKED'])
    assert.equal((await answer(link, 'answer=yes')).statusCode, 200)
    assert.equal((await answer(link, 'answer=yes')).statusCode, 200)
    assert.deepEqual(await states(), ['MEMBER', 'ASKED', 'AGREED'])
    clock.nowMs += 7 * dayMs
    await work()
    assert.ok(sentTo(stranger).at(-1)?.subject.startsWith(invoice))
  })

  test('a no holds for every organization, for invitations too, until the owner takes it back', async () => {
    const { api, mails, create, sendNow, read, invite, answer } = await start(await startMailReceiver())
    const view = await create([stranger])
    await sendNow(view)
    const link = linkOf(mails[0])
    await answer(link, 'answer=never')
    await answer(link, 'answer=never')
    mails.length = 0
    const foreign = [api.foreignOrgId, api.keys.foreign] as const
    await sendNow(await create(['Stranger@Elsewhere.example'], ...foreign), ...foreign)
    await sendNow(view)
    const invited = (await invite(stranger)).json<CreatedInvitation>()
    assert.deepEqual([invited.mailed, invited.notMailed], [false, 'UNWANTED'])
    assert.deepEqual(mails, [])
    assert.equal((await read(view)).mail?.recipients[0]?.state, 'REFUSED')
    await answer(link, 'answer=yes')
    await sendNow(view)
    assert.equal((await invite(stranger)).json<CreatedInvitation>().mailed, true)
    assert.deepEqual(
      mails.map(({ to }) => to),
      [stranger, stranger],
    )
  })

  test('one click in a mail program stops the mail, without a session; of a question, it is a no', async () => {
    const { db, mails, create, sendNow, read, answer } = await start(await startMailReceiver())
    const one = await create([stranger, 'other@elsewhere.example'])
    await sendNow(one)
    for (const { head, text } of mails) {
      assert.match(head, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
      assert.equal(/^List-Unsubscribe: <(.+)>$/m.exec(head)?.[1], linkOf({ text }))
      const isFirst = text.includes(invoice)
      assert.equal(isFirst, false)
    }
    const [mine = '', other = ''] = mails.map((mail) => linkOf(mail))
    await answer(mine, 'answer=yes')
    const multipart =
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    assert.equal((await answer(other, multipart, 'multipart/form-data; boundary=x')).statusCode, 200)
    mails.length = 0
    await sendNow(one)
    assert.deepEqual(
      mails.map(({ to }) => to),
      [stranger],
    )
    const leave = /^List-Unsubscribe: <(.+)>$/m.exec(mails[0]?.head ?? '')?.[1] ?? ''
    assert.match(mails[0]?.head ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
    for (let times = 0; times < 2; times++)
      assert.equal((await answer(leave, 'List-Unsubscribe=One-Click')).statusCode, 200)
    assert.deepEqual((await read(one)).mail?.to, ['other@elsewhere.example'])
    // Other mails of the organization may still come.
    const refusals = await db.kysely.selectFrom('mail_refusals').selectAll().execute()
    assert.equal(refusals.length, 1)
    assert.ok(!JSON.stringify(refusals).includes('elsewhere'))
    await answer(leave, 'answer=never')
    assert.equal((await db.kysely.selectFrom('mail_refusals').selectAll().execute()).length, 2)
  })

  test('the page of an answer needs no script, is in the language of its reader, and tells what holds', async () => {
    const { api, mails, create, sendNow, answer } = await start(await startMailReceiver())
    await sendNow(await create([stranger]))
    const link = linkOf(mails[0])
    const get = async (path: string, language = 'de-AT') =>
      api.app.inject({ url: path, headers: { 'accept-language': language } })
    const page = await get(pathOf(link))
    assert.equal(page.statusCode, 200)
    assert.match(page.body, /<html lang="de".*Möchten Sie diese E-Mails\?.*<form method="post">/s)
    assert.doesNotMatch(page.body, /<script/)
    assert.match(String(page.headers['content-security-policy']), /form-action 'self'/)
    assert.equal(page.headers['cache-control'], 'private, no-store')
    assert.equal((await get(pathOf(`${link}x`))).statusCode, 404)
    assert.equal((await answer(`${link}x`, 'answer=yes')).statusCode, 404)
    assert.match((await answer(link, 'answer=other')).body, /Do you want these mails\?/)
    assert.match((await get(pathOf(link))).body, /<button class="action" name="answer" value="yes">/)
    const agreed = (await answer(link, 'answer=yes')).body
    assert.match(agreed, /You get these mails.*<button class="action plain" name="answer" value="never">/s)
    assert.match((await answer(link, 'answer=never')).body, /No such mails any more/)
    assert.match((await get(pathOf(link))).body, /Ja, bitte senden/)
    for (let times = 0; times < 25; times++) await answer(link, 'answer=never')
    const limited = await answer(link, 'answer=yes')
    assert.equal(limited.statusCode, 429)
    assert.ok(Number(limited.headers['retry-after']) > 0)
  })

  test('an invitation has no words of its sender either, and a link to refuse all of them', async () => {
    const { db, api, mails, invite, answer } = await start(await startMailReceiver())
    await updateOrganization(db, api.orgId, { name: invoice, origin: someOrigin, nowMs: startMs })
    const { session } = await somePerson(db, invoice, { organizationId: api.orgId, role: 'ADMIN' })
    const path = `/organizations/${api.orgId}/invitations`
    await api.call('POST', path, { session, payload: { email: stranger } })
    assert.equal(mails[0]?.subject, 'Invitation to qr.example.com')
    assertPlain(mails[0], 2)
    const link = linkOf(mails[0])
    assert.match((await api.app.inject({ url: pathOf(link) })).body, /Stop all mails from qr.example.com/)
    await answer(link, 'List-Unsubscribe=One-Click')
    assert.equal((await invite(stranger)).json<CreatedInvitation>().notMailed, 'UNWANTED')
  })

  test('a lost question can be repeated by hand after a week, three times at most; a refused one is', async () => {
    const { clock, mails, create, sendNow, work } = await start(await startMailReceiver())
    const view = await create([stranger])
    for (const day of [0, 6, 7, 14, 21, 28]) {
      clock.nowMs = startMs + day * dayMs
      await sendNow(view)
    }
    assert.equal(mails.length, 3)
    const refusing = await start(await startMailReceiver('refuse-bob'))
    await refusing.sendNow(await refusing.create(['bob@example.com']))
    const state = async () => refusing.db.kysely.selectFrom('mail_consents').select('state').execute()
    assert.deepEqual(await state(), [{ state: 'ASK' }])
    await work()
  })

  test('over the budget of an account or of the installation, mails wait for the next day, invitations get 429', async () => {
    for (const budgets of [{ mailsPerAccountPerDay: 2 }, { mailsPerInstallationPerDay: 2 }]) {
      const used = await start(await startMailReceiver(), budgets)
      const { clock, mails, create, sendNow, read, invite, work } = used
      const view = await create(['a@one.example', 'b@one.example', 'c@two.example'])
      await sendNow(view)
      assert.equal(mails.length, 2)
      assert.match((await read(view)).mail?.lastError ?? '', /waits for the next day/)
      const refused = await invite(stranger)
      assert.equal(refused.statusCode, 429, refused.body)
      assert.equal(Number(refused.headers['retry-after']), 17 * 3_600)
      const invitations = await used.db.kysely.selectFrom('invitations').selectAll().execute()
      assert.deepEqual(invitations, [])
      clock.nowMs += dayMs
      await work()
      assert.equal(mails.at(-1)?.to, 'c@two.example')
      assert.equal((await read(view)).mail?.lastError, null)
      assert.equal((await invite(stranger)).statusCode, 201)
    }
  })

  test('the operator sees what was sent by whom, and stops the mails of one organization at once', async () => {
    const { db, api, mails, create, sendNow, read, invite } = await start(
      await startMailReceiver('refuse-bob'),
    )
    const path = `/organizations/${api.orgId}/installation/mails`
    const operator = api.keys.ADMIN
    const view = await create([stranger, 'bob@example.com'])
    await sendNow(view)
    await invite(stranger)
    const list = async (key = operator) => api.call('GET', path, { key })
    const { data } = (await list()).json<SentMailsPage>()
    assert.deepEqual(
      data
        .map(({ organization, sender, kind, domain, mails: count, refused }) =>
          [organization.name, sender?.name, kind, domain, count, refused].join(' '),
        )
        .toSorted(),
      [
        'Mine ADMIN consent elsewhere.example 1 0',
        'Mine ADMIN consent example.com 1 1',
        'Mine ADMIN invitation elsewhere.example 1 0',
      ],
    )
    assert.ok(!JSON.stringify(data).includes('stranger'))
    const { foreignOrgId } = api
    const ofForeign = `/organizations/${foreignOrgId}/installation/mails`
    const theirs = { key: api.keys.foreign, payload: { stopped: true } }
    assert.equal((await api.call('GET', ofForeign, { key: api.keys.foreign })).statusCode, 404)
    assert.equal((await api.call('PUT', `${ofForeign}/${api.orgId}`, theirs)).statusCode, 404)
    assert.equal((await api.call('PUT', `${path}/org_unknown`, { ...theirs, key: operator })).statusCode, 404)

    mails.length = 0
    const stop = async (id: string, stopped: boolean) =>
      api.call('PUT', `${path}/${id}`, { key: operator, payload: { stopped } })
    assert.equal((await stop(api.orgId, true)).statusCode, 200)
    await sendNow(view)
    assert.match((await read(view)).mail?.lastError ?? '', /operator of this installation has stopped/)
    assert.equal((await invite('new@example.com')).json<CreatedInvitation>().notMailed, 'STOPPED')
    assert.deepEqual(mails, [])
    const details = async () =>
      (await api.call('GET', `/organizations/${api.orgId}`, { key: operator })).json<OrganizationDetails>()
    assert.equal((await details()).mailsStoppedAt, '2026-04-06T07:00:00.000Z')
    await stop(api.orgId, false)
    assert.equal((await details()).mailsStoppedAt, null)

    await stop(foreignOrgId, true)
    const actorsOf = async (id: string) =>
      (await listAuditLog(db, id, { page: 1, limit: 9, action: 'mails.stop' })).rows.map(
        ({ origin, target }) => [origin.actor.name, target.id],
      )
    // The stopped organization learns that it was stopped, and not by which person.
    assert.deepEqual(await actorsOf(foreignOrgId), [['Everscan', foreignOrgId]])
    assert.deepEqual((await actorsOf(api.orgId))[0], ['ADMIN', foreignOrgId])
  })
})

/** The sender's only words are the plain form of the name of the organization, in quotes. */
function assertPlain(mail: ReceivedMail | undefined, links = 1): void {
  const { subject = '', text = '' } = mail ?? {}
  const words = text.replaceAll('"Invoice overdue pay at https evil exampl"', '')
  assert.notEqual(words, text, text)
  assert.doesNotMatch(`${subject} ${words}`, /invoice|evil|0800/i)
  const urls = text.match(/https?:\/\/\S+/g) ?? []
  assert.equal(urls.length, links, text)
  for (const url of urls) assert.ok(url.startsWith(`${publicUrl}/app/`), url)
}

function linkOf(mail: Pick<ReceivedMail, 'text'> | undefined): string {
  return new RegExp(`${publicUrl}/app/mails/\\S+`).exec(mail?.text ?? '')?.[0] ?? ''
}

function pathOf(link: string): string {
  return link.slice(publicUrl.length)
}
