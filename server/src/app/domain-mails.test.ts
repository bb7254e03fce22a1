import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailReceiver } from '../api/testing/mail-receiver.ts'
import { createUser, saveMember } from '../catalogue/accounts/users.ts'
import { createDomain } from '../catalogue/domains/domains.ts'
import { someOrganization, someOrigin } from '../catalogue/testing/catalogue.ts'
import { forEachDatabase, silentLog } from '../db/testing/databases.ts'
import { proofName } from '../dns-looks.ts'
import { domainLooks } from '../jobs/domain-looks.ts'
import { createDomainMails } from './domain-mails.ts'

const dayMs = 86_400_000
const hostname = 'go.example.com'

forEachDatabase('mails about domains', (open) => {
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
    ] as const) {
      const email = `${name}@example.com`
      const user = await createUser(db, { email, name })
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
    const chore = domainLooks(look, createDomainMails(config, silentLog))
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
      [['ada@example.com', `The proof of ${hostname} is missing`]],
    )
    assert.ok(mails[0]?.text.includes(`https://qr.example.com/app/${acme.id}/settings/domains`))
    values = [proof]
    await pass(2)
    assert.equal(mails.length, 1)
  })
})
