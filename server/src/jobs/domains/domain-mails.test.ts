import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startMailReceiver } from '../../api/testing/mail-receiver.ts'
import { createUser, saveMember } from '../../catalogue/accounts/users.ts'
import { storeCertificate } from '../../catalogue/certificates/certificates.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { giveNotice, withdrawNotice } from '../../catalogue/domains/domain-notices.ts'
import { createDomain } from '../../catalogue/domains/domains.ts'
import { someOrganization, someOrigin } from '../../catalogue/testing/catalogue.ts'
import { createWebhook } from '../../catalogue/webhooks/webhooks.ts'
import { onEitherDatabase, silentLog } from '../../db/testing/databases.ts'
import { proofName } from '../../dns-looks.ts'
import { createSecretBox } from '../../secret-box.ts'
import { sendCertificateMails, type CertificateMailer } from '../certificates/send-certificate-mails.ts'
import { findProblem } from '../../problems/parts.ts'
import { readCertificateState, warnOfCertificates } from '../certificates/warn-certificates.ts'
import { sendNoticeMails } from './send-notice-mails.ts'
import { domainLooks } from './domain-looks.ts'
import { createDomainMails } from './domain-mails.ts'

const dayMs = 86_400_000
const hostname = 'go.example.com'

onEitherDatabase('mails about domains', (open) => {
  test('30, 14, 7, 3 and 1 days before its end it is told that a certificate is not renewed, once each', async () => {
    const db = await open()
    const other = await open({ same: db })
    const { url: smtpUrl, mails } = await startMailReceiver()
    const startMs = Date.UTC(2026, 10, 1)
    const { id: organizationId } = await someOrganization(db, 'Acme')
    const user = await createUser(db, { email: 'ada@example.com', name: 'Ada' })
    await saveMember(db, organizationId, { userId: user?.id ?? '', role: 'ADMIN' })
    await db.kysely.updateTable('users').set({ email_confirmed_at_ms: startMs }).execute()
    const nowMs = startMs
    const { proof } = await createDomain(db, organizationId, {
      hostname,
      fields: {},
      origin: someOrigin,
      nowMs,
    })
    const found = [{ type: 'TXT', name: proofName(hostname), value: proof }]
    await applyLook(db, hostname, { look: { found }, nowMs })
    await createWebhook(db, organizationId, {
      url: 'https://example.com/hook',
      events: ['domain.certificate_failing'],
      description: '',
      batch: false,
      secret: 'whsec_x',
      box: createSecretBox('a secret of tests', 'webhook secrets'),
      nowMs,
      origin: someOrigin,
    })
    const config = { smtpUrl, mailFrom: 'everscan@example.com', publicUrl: 'https://qr.example.com' }
    const { certificateMailer } = createDomainMails(config, silentLog)
    const publicHost = 'qr.example.com'
    const chores = [db, other].map((one) => ({
      run: async (atMs: number) => {
        await warnOfCertificates({ publicHost, log: silentLog, isMailed: true }).run(one, atMs)
        await sendCertificateMails(certificateMailer, silentLog).run(one, atMs)
      },
    }))
    const expiresAtMs = startMs + 40 * dayMs
    const problem = 'no answer on port 80'
    const inUse = {
      chain: 'a',
      private_key: 'b',
      attempts: 1,
      next_order_at_ms: 0,
      expires_at_ms: expiresAtMs,
    }
    const set = async (fields: object) => db.kysely.updateTable('certificates').set(fields).execute()
    await db.kysely
      .insertInto('certificates')
      .values([
        { hostname, ...inUse, problem: null },
        { hostname: publicHost, ...inUse, problem },
        { hostname: 'gone.example.com', ...inUse, problem },
      ])
      .execute()
    const told: number[] = []
    const pass = async (daysLeft: number) => {
      const before = mails.length
      await Promise.all(chores.map(({ run }) => run(expiresAtMs - daysLeft * dayMs)))
      if (mails.length > before) told.push(daysLeft)
      assert.ok(mails.length <= before + 1, 'by one of two workers')
    }
    await pass(25)
    assert.equal(mails.length, 0, 'an order that did not fail')
    await set({ problem, told_days: null })
    for (let daysLeft = 40; daysLeft >= -3; daysLeft--) await pass(daysLeft)
    assert.deepEqual(told, [30, 14, 7, 3, 1])
    assert.equal(mails[0]?.subject, `The certificate of ${hostname} ends on 11 December 2026`)
    assert.ok(mails[0]?.text.includes(problem))
    assert.ok(mails[0]?.text.includes(`https://qr.example.com/app/${organizationId}/settings/domains`))
    const pages = await db.kysely.selectFrom('event_pages').select(['organization_id', 'events']).execute()
    const events = pages.flatMap(({ organization_id: owner, events: page }) =>
      (JSON.parse(page) as { event: string; data: { hostname: string } }[]).map((one) => [
        owner,
        one.event,
        one.data.hostname,
      ]),
    )
    assert.deepEqual(
      events,
      told.map(() => [organizationId, 'domain.certificate_failing', hostname]),
    )
    const state = await readCertificateState(db, publicHost)
    assert.deepEqual(
      state.failing.map((one) => one.hostname),
      [hostname, publicHost],
    )
    assert.match(
      findProblem('certificates', state)?.message ?? '',
      /^2 certificates could not be renewed; that of go\.example\.com ends 2026-12-11: The certificate could/,
    )

    // A certificate that was renewed meanwhile is told from the beginning, if it fails again.
    const renewed = { chain: 'c', privateKey: 'd', validFromMs: startMs, expiresAtMs }
    await storeCertificate(db, { hostname, leaseNumber: 0 }, renewed)
    await set({ problem })
    told.length = 0
    for (const daysLeft of [29, 28]) await pass(daysLeft)
    assert.deepEqual(told, [29])
  })

  test('the mail of a warning outlives a worker that is killed, and a mail server that is away', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db, 'Acme')
    const nowMs = Date.UTC(2026, 10, 1)
    const change = { hostname, fields: {}, origin: someOrigin, nowMs }
    const { proof } = await createDomain(db, organizationId, change)
    const found = [{ type: 'TXT', name: proofName(hostname), value: proof }]
    await applyLook(db, hostname, { look: { found }, nowMs })
    const expiresAtMs = nowMs + 10 * dayMs
    const row = { hostname, chain: 'a', private_key: 'b', attempts: 1, next_order_at_ms: 0 }
    await db.kysely
      .insertInto('certificates')
      .values({ ...row, expires_at_ms: expiresAtMs, problem: 'no answer on port 80' })
      .execute()
    const sent: string[] = []
    const state = { isAway: false, isKilled: true }
    const mailer: CertificateMailer = {
      addressesOf: async () => ['ada@example.com', 'bob@example.com'],
      send: async (_db, to) => {
        if (state.isKilled && to.startsWith('bob')) throw new Error('killed')
        if (!state.isAway) sent.push(to)
        return !state.isAway
      },
    }
    const { run } = sendCertificateMails(mailer, silentLog)
    await run(db, nowMs)
    assert.deepEqual(sent, [], 'nothing is due')
    // The worker dies after the event, before any mail.
    await warnOfCertificates({ publicHost: undefined, log: silentLog, isMailed: true }).run(db, nowMs)
    await assert.rejects(run(db, nowMs), /killed/)
    assert.deepEqual(sent, ['ada@example.com'])
    state.isKilled = false
    await run(db, nowMs + 60_000)
    assert.deepEqual(sent, ['ada@example.com'], 'until its lease is over')
    state.isAway = true
    await run(db, nowMs + 301_000)
    state.isAway = false
    await run(db, nowMs + 302_000)
    assert.deepEqual(sent, ['ada@example.com'])
    await run(db, nowMs + 1_000_000)
    assert.deepEqual(sent, ['ada@example.com', 'bob@example.com'], 'each address once')
    await run(db, nowMs + 2_000_000)
    assert.equal(sent.length, 2)

    await warnOfCertificates({ publicHost: undefined, log: silentLog, isMailed: false }).run(
      db,
      expiresAtMs - 6 * dayMs,
    )
    await run(db, expiresAtMs - 6 * dayMs)
    assert.equal(sent.length, 2, 'an installation without mails leaves none behind')
  })

  /** Two mails to two addresses each, which two workers send: the second one after each address. */
  async function sendInTwo(t: TestContext, { eachTakesMs }: { eachTakesMs: number }): Promise<string[]> {
    const db = await open()
    const { id: organizationId } = await someOrganization(db, 'Acme')
    const nowMs = Date.UTC(2026, 10, 1)
    for (const [index, name] of ['a.example.com', 'b.example.com'].entries()) {
      const domain = { hostname: name, fields: {}, origin: someOrigin, nowMs }
      const { id } = await createDomain(db, organizationId, domain)
      const mail = { notice_mail_due_at_ms: nowMs + index - 1 }
      await db.kysely.updateTable('domains').set(mail).where('id', '=', id).execute()
    }
    const startedMs = performance.now()
    let passedMs = 0
    t.mock.method(performance, 'now', () => startedMs + passedMs)
    const sent: string[] = []
    const worker = (name: string, onSent: () => Promise<unknown>) =>
      sendNoticeMails(
        {
          addressesOf: async () => ['ada', 'bob'],
          send: async (_db, to, mail) => {
            sent.push(`${name}: ${mail.hostname} to ${to}`)
            await onSent()
            return true
          },
        },
        silentLog,
      )
    const other = worker('other', async () => undefined)
    const first = worker('first', async () => {
      passedMs += eachTakesMs
      await other.run(db, nowMs + passedMs)
    })
    await first.run(db, nowMs)
    return sent
  }

  test('a worker keeps its mails however long all of them take', async (t) => {
    assert.deepEqual(await sendInTwo(t, { eachTakesMs: 4 * 60_000 }), [
      'first: a.example.com to ada',
      'other: b.example.com to ada',
      'other: b.example.com to bob',
      'first: a.example.com to bob',
    ])
  })

  test('a worker that was too slow for one address sends no more of a mail', async (t) => {
    assert.deepEqual(await sendInTwo(t, { eachTakesMs: 6 * 60_000 }), [
      'first: a.example.com to ada',
      'other: a.example.com to ada',
      'other: a.example.com to bob',
      'other: b.example.com to ada',
      'other: b.example.com to bob',
    ])
  })

  test('ADMINs with a confirmed address are told once that a proof is missing, and nobody else', async () => {
    const db = await open()
    const { url: smtpUrl, mails } = await startMailReceiver()
    let nowMs = Date.UTC(2026, 10, 23)
    const acme = await someOrganization(db, 'Acme')
    const other = await someOrganization(db, 'Other')
    for (const [name, organization, role, isConfirmed] of [
      ['ada', acme, 'ADMIN', true],
      ['bob', acme, 'EDITOR', true],
      ['eve', acme, 'ADMIN', false],
      ['joe', other, 'ADMIN', true],
      ['zoe', acme, 'ADMIN', true],
    ] as const) {
      const email = `${name}@example.com`
      const user = await createUser(db, { email, name, ...(name === 'zoe' && { language: 'de' }) })
      await saveMember(db, organization.id, { userId: user?.id ?? '', role })
      await db.kysely
        .updateTable('users')
        .set({ email_confirmed_at_ms: isConfirmed ? nowMs : null })
        .where('email', '=', email)
        .execute()
    }
    const change = { hostname, fields: {}, origin: someOrigin, nowMs }
    const { proof } = await createDomain(db, acme.id, change)
    await createDomain(db, other.id, change)
    let values = [proof]
    const look = async () => ({
      found: values.map((value) => ({ type: 'TXT', name: proofName(hostname), value })),
    })
    const config = { smtpUrl, mailFrom: 'everscan@example.com', publicUrl: 'https://qr.example.com' }
    const chore = domainLooks(look, createDomainMails(config, silentLog).tellFailing)
    const pass = async (days: number) => {
      nowMs += days * dayMs
      await chore.run(db, nowMs)
    }
    await pass(0)
    values = []
    await pass(6)
    assert.equal(mails.length, 0, 'the DNS may be mistaken for some days')
    await pass(2)
    await pass(2)
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [
        ['ada@example.com', `The proof of ${hostname} is missing`],
        ['zoe@example.com', `Der Nachweis für ${hostname} fehlt`],
      ],
    )
    assert.ok(mails[0]?.text.includes(`https://qr.example.com/app/${acme.id}/settings/domains`))
    values = [proof]
    await pass(2)
    assert.equal(mails.length, 2)
  })

  test('former owners are told once of a notice, with its date, and of its withdrawal', async () => {
    const db = await open()
    const { url: smtpUrl, mails } = await startMailReceiver()
    const startMs = Date.UTC(2026, 0, 31)
    const change = { origin: someOrigin, nowMs: startMs }
    const { id: former } = await someOrganization(db, 'Former')
    const { id: organizationId } = await someOrganization(db, 'Owner')
    const user = await createUser(db, { email: 'ada@example.com', name: 'Ada' })
    await saveMember(db, former, { userId: user?.id ?? '', role: 'ADMIN' })
    await db.kysely.updateTable('users').set({ email_confirmed_at_ms: startMs }).execute()
    const prove = async (owner: string) => {
      const { id, proof } = await createDomain(db, owner, { hostname, fields: {}, ...change })
      const found = [{ type: 'TXT', name: proofName(hostname), value: proof }]
      await applyLook(db, hostname, { look: { found }, nowMs: startMs })
      return { organizationId: owner, id }
    }
    await prove(former)
    const key = await prove(organizationId)
    const config = { smtpUrl, mailFrom: 'everscan@example.com', publicUrl: 'https://qr.example.com' }
    const { run } = sendNoticeMails(createDomainMails(config, silentLog).noticeMailer, silentLog)
    await giveNotice(db, key, { ...change, isMailed: true })
    await run(db, startMs)
    await run(db, startMs + dayMs)
    await withdrawNotice(db, key, { ...change, isMailed: true })
    await run(db, startMs + 2 * dayMs)
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [
        ['ada@example.com', 'Your codes on go.example.com end on 1 May 2026'],
        ['ada@example.com', 'The notice for go.example.com was withdrawn'],
      ],
    )
    const text = mails[0]?.text ?? ''
    for (const part of ['archived or deleted', `https://qr.example.com/app/${former}/settings/domains`])
      assert.ok(text.includes(part), text)
    assert.ok(!text.includes('Owner'), 'nobody is named')
  })
})
