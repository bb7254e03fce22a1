import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { SharedView, View } from '@everscan/contract/views/views.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { startMailReceiver, type MailReceiver } from '../../api/testing/mail-receiver.ts'
import { openTestApi, publicUrl, somePerson, testAccountTools } from '../../api/testing/api.ts'
import { createCodes, ingest, rawScan } from '../../api/testing/scanned-codes.ts'
import { createAddressHash } from '../../catalogue/mails/address-hash.ts'
import { agreeToMails } from '../../catalogue/mails/consents.ts'
import { updateUser } from '../../catalogue/accounts/users.ts'
import { claimViewMail } from '../../catalogue/views/view-mails.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { startIngestSuite } from '../../ingest/testing/ingest.ts'
import { createLog } from '../../log.ts'
import { createViewMailsChore } from './view-mails.ts'

const { remove, root, scanStore, store } = await startIngestSuite()
after(remove)

const secret = 'a secret of tests'
const startMs = Date.parse('2026-03-31T12:00:00.000Z')
const mondayMs = Date.parse('2026-04-06T07:00:00.000Z')
const to = ['ada@example.com', 'bob@example.com']
/** Their owners said yes: `view-consents.test.ts` is about those who did not. */
const agreed = [...to, 'grace@example.com']
const hash = createAddressHash(secret)

const onMonday = () => mondayMs

onEitherDatabase('mails of views, sent by workers', (open) => {
  const start = async ({ url, mails }: MailReceiver) => {
    const db = await open()
    const clock = { nowMs: startMs }
    const accounts = testAccountTools({ mailer: async () => true })
    const api = await openTestApi(db, { store: scanStore, accounts, clock: () => clock.nowMs })
    const log = createLog({ level: 'silent', role: 'worker' })
    const budgets = { mailsPerAccountPerDay: 1_000, mailsPerInstallationPerDay: 1_000 }
    const config = { smtpUrl: url, mailFrom: 'everscan@qr.example.com', secret, publicUrl, ...budgets }
    for (const address of agreed)
      await agreeToMails(db, { organizationId: api.orgId, address }, { hash, nowMs: startMs })
    const worker = (same = db) =>
      createViewMailsChore(same, config, { store: scanStore, log, clock: () => clock.nowMs }).run(
        same,
        clock.nowMs,
      )
    const path = `/organizations/${api.orgId}/views`
    const key = api.keys.EDITOR
    const create = async (payload: object) => {
      const answer = await api.call('POST', path, { key, payload: { name: 'Posters', ...payload } })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json<View>()
    }
    const read = async (id: string) => (await api.call('GET', `${path}/${id}`, { key })).json<View>()
    return { db, api, clock, worker, create, read, mails, path, key }
  }

  test('a mail is in the language of its reader, else in that of the person who set it up', async () => {
    const receiver = await startMailReceiver()
    const { db, api, clock, worker, create, mails, path } = await start(receiver)
    const ada = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'EDITOR' })
    const { email } = await somePerson(db, 'Grace')
    // An account is found in whatever letter case its address is written.
    const readers = ['Ada@example.com', 'bob@example.com', email]
    const setUp = async (wanted?: string) => {
      const payload = { name: 'Posters', mail: { to: readers, every: 'week' } }
      const headers = { ...(wanted !== undefined && { 'accept-language': wanted }) }
      const answer = await api.call('POST', path, { session: ada.session, headers, payload })
      assert.equal(answer.statusCode, 201, answer.body)
    }
    const footers = async () => {
      mails.length = 0
      clock.nowMs += 7 * 86_400_000
      await worker()
      return mails
        .map((mail) => [mail.to, /^.* set up|von Mine hat|, configuró|configuré par/m.exec(mail.text)?.[0]])
        .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1))
    }
    clock.nowMs = mondayMs
    await setUp('de')
    await updateUser(db, ada.userId, { language: 'es' })
    assert.deepEqual(await footers(), [
      ['Ada@example.com', ', configuró'],
      ['bob@example.com', 'von Mine hat'],
      ['grace@example.com', 'von Mine hat'],
    ])
    await db.kysely.deleteFrom('views').execute()
    await setUp('de')
    const [grace] = await db.kysely.selectFrom('users').select('id').where('email', '=', email).execute()
    await updateUser(db, grace?.id ?? '', { language: 'fr' })
    assert.deepEqual(await footers(), [
      ['Ada@example.com', ', configuró'],
      ['bob@example.com', ', configuró'],
      ['grace@example.com', 'configuré par'],
    ])
    await db.kysely.deleteFrom('views').execute()
    await create({ mail: { to: ['bob@example.com'], every: 'week' } })
    assert.match(String((await footers())[0]), /bob@example.com,EDITOR of Mine set up$/)
  })

  test('several workers send each mail once, on Monday, with the figures of the shared view', async () => {
    const receiver = await startMailReceiver()
    const { db, api, clock, worker, create, read, mails } = await start(receiver)
    const [id = ''] = await createCodes(api, 1)
    await ingest(db, { store, root }, [
      [1, 2, 3].map((visitor) => rawScan(api, { id, visitor, timeMs: startMs })),
    ])
    const view = await create({ query: { period: 'last-7-days' }, public: {}, mail: { to, every: 'week' } })
    await worker()
    assert.equal(mails.length, 0)
    clock.nowMs = mondayMs
    const others = [await open({ same: db }), await open({ same: db })]
    await Promise.all([worker(), ...others.map(async (each) => worker(each)), worker()])
    assert.deepEqual(mails.map((mail) => mail.to).toSorted(), to)
    const shared = await api.call('GET', `/shared-views/${view.public?.token}`)
    assert.equal(shared.json<SharedView>().summary.totalScans, 3)
    for (const { text } of mails) {
      assert.ok(text.includes('Scans: 3'), text)
      assert.ok(text.includes(view.public?.url ?? 'none'))
    }
    const { mail } = await read(view.id)
    assert.deepEqual(
      [mail?.lastSentAt, mail?.lastError, mail?.nextAt],
      ['2026-04-06T07:00:00.000Z', null, '2026-04-13T07:00:00.000Z'],
    )
    await worker()
    assert.equal(mails.length, 2)
    // Three missed Mondays are one mail.
    clock.nowMs = Date.parse('2026-04-28T00:00:00.000Z')
    await worker()
    await worker()
    assert.equal(mails.length, 4)
  })

  test('an address takes itself off the list with the link in its mail; other links do nothing', async () => {
    const receiver = await startMailReceiver()
    const { api, clock, worker, create, read, mails } = await start(receiver)
    const view = await create({ mail: { to, every: 'week' } })
    clock.nowMs = mondayMs
    await worker()
    const ofAda = mails.find((mail) => mail.to === to[0])?.text ?? ''
    assert.ok(ofAda.includes(`${publicUrl}/app/${api.orgId}/views/${view.id}`))
    const token = /\/app\/mails\/(\S+)/.exec(ofAda)?.[1] ?? ''
    const leave = async (given: string) =>
      (await api.call('POST', '/view-mails/leave', { payload: { token: given } })).statusCode
    assert.equal(await leave(`${token}x`), 404)
    assert.equal(await leave('v1.nonsense'), 404)
    assert.equal(await leave(token), 200)
    assert.deepEqual((await read(view.id)).mail?.to, to.slice(1))
    assert.equal(await leave(token), 200)
    clock.nowMs = mondayMs + 7 * 86_400_000
    await worker()
    assert.deepEqual(
      mails.slice(2).map((mail) => mail.to),
      to.slice(1),
    )
  })

  test('one address that the mail server refuses stops no other; it is tried again, and the view tells', async () => {
    const receiver = await startMailReceiver('refuse-bob')
    const { clock, worker, create, read, mails } = await start(receiver)
    const view = await create({ mail: { to: to.toReversed(), every: 'week' } })
    clock.nowMs = mondayMs
    await worker()
    assert.deepEqual(
      mails.map((mail) => mail.to),
      ['ada@example.com'],
    )
    const failed = await read(view.id)
    assert.match(failed.mail?.lastError ?? '', /did not take the mail for bob@example.com. It is tried again/)
    assert.notEqual(failed.mail?.lastSentAt, null)
    for (let tries = 2; tries <= 7; tries++) {
      clock.nowMs += 600_000
      await worker()
    }
    assert.deepEqual(
      mails.map((mail) => mail.to),
      ['ada@example.com'],
    )
    const given = (await read(view.id)).mail
    assert.match(given?.lastError ?? '', /It was tried 6 times/)
    assert.deepEqual(
      [given?.problem, given?.values],
      ['mailRefused', { addresses: 'bob@example.com', attempts: 6 }],
    )
    assert.equal(given?.nextAt, '2026-04-13T07:00:00.000Z')
  })

  test('a mail sent now goes to all at once; a worker that died is continued by another', async () => {
    const receiver = await startMailReceiver()
    const { db, api, clock, worker, create, mails, path, key } = await start(receiver)
    const view = await create({ mail: { to, every: 'month' } })
    const sent = await api.call('POST', `${path}/${view.id}/send-mail`, { key })
    assert.equal(sent.statusCode, 202)
    assert.ok(await claimViewMail(db, { nowMs: clock.nowMs, leaseMs: 60_000, nextAtMs: onMonday }))
    await worker()
    assert.equal(mails.length, 0)
    clock.nowMs += 60_000
    await worker()
    assert.deepEqual(mails.map((mail) => mail.to).toSorted(), to)
  })

  test('the view tells that its code was deleted, and that the organization has sent all mails of a day', async () => {
    const receiver = await startMailReceiver()
    const { db, api, clock, worker, create, read, mails } = await start(receiver)
    const [id = ''] = await createCodes(api, 1)
    const ofCode = await create({ query: { qrCodeId: id }, mail: { to, every: 'week' } })
    await api.call('DELETE', `/organizations/${api.orgId}/qr-codes/${id}`, { key: api.keys.ADMIN })
    clock.nowMs = mondayMs
    await worker()
    assert.match((await read(ofCode.id)).mail?.lastError ?? '', /code of this view was deleted/)
    const day = Math.floor((mondayMs + 7 * 86_400_000) / 86_400_000)
    const full = { organization_id: api.orgId, day, mails: limits.viewMailsPerDay - 1 }
    await db.kysely.insertInto('view_mail_days').values(full).execute()
    const view = await create({ mail: { to, every: 'week' } })
    clock.nowMs = mondayMs + 7 * 86_400_000
    await worker()
    assert.equal(mails.length, 1)
    assert.match((await read(view.id)).mail?.lastError ?? '', /1 of 2 addresses got no mail.*200 mails/)
  })
})
