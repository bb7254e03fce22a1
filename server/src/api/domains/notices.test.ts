import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import type { Domain } from '@everscan/contract/domains/domains.ts'
import type { FormerCodePage } from '@everscan/contract/domains/former-codes.ts'
import type { AuditLogPage } from '@everscan/contract/resources/audit-log.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { someChanges, startHostFront } from '../../app/hosts/testing/host-fronts.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { createDomain } from '../../catalogue/domains/domains.ts'
import { claimNoticeMail } from '../../catalogue/domains/notice-mails.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, testAccountTools } from '../testing/api.ts'

const hostname = 'go.example.com'
const dayMs = 86_400_000
const startMs = Date.UTC(2026, 0, 31)

/** A host name that passed from one organization with two codes on it to another one. */
async function passedHost(db: Database) {
  const accounts = testAccountTools({ mailer: async () => true })
  const api = await openTestApi(db, { accounts })
  const { change, lookOf } = someChanges()
  const claim = async (organizationId: string) =>
    createDomain(db, organizationId, { hostname, fields: {}, ...change() })
  const before = await claim(api.orgId)
  await applyLook(db, hostname, lookOf(hostname, [before.proof]))
  const codes = `/organizations/${api.orgId}/qr-codes`
  const make = async (payload: object) => {
    const made = await api.call('POST', codes, {
      key: api.keys.ADMIN,
      payload: { type: 'URL', name: 'Our secret plan', tags: ['secret'], domainId: before.id, ...payload },
    })
    assert.equal(made.statusCode, 201, made.body)
    return made.json<QrCode>()
  }
  const url = 'https://former.example/menu'
  const rules = [
    { name: 'at night', when: { languages: ['de'] }, data: { url: 'https://former.example/karte' } },
  ]
  const menu = await make({ shortCode: 'MENU', data: { url }, rules })
  const wine = await make({ shortCode: 'WINE', data: { url: 'https://former.example/wine' } })
  const now = await claim(api.foreignOrgId)
  await applyLook(db, hostname, lookOf(hostname, [now.proof]))
  const former = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object) =>
    api.call(method, `/organizations/${api.orgId}${path}`, {
      key: api.keys.ADMIN,
      ...(payload !== undefined && { payload }),
    })
  const owner = async (method: 'GET' | 'POST' | 'DELETE', path: string) =>
    api.call(method, `/organizations/${api.foreignOrgId}/domains/${now.id}${path}`, { key: api.keys.foreign })
  return { api, before, menu, wine, former, owner, url, lookOf }
}

onEitherDatabase('codes of a former owner', (open) => {
  test('are seen by the owner of the host name, and end 90 days after a notice', async () => {
    mock.timers.enable({ apis: ['Date'], now: startMs })
    const db = await open()
    const { api, before, menu, wine, former, owner, url, lookOf } = await passedHost(db)
    const front = await startHostFront(db)
    const ask = async (path = '/MENU') => (await front.ask(path, { host: hostname })).status
    try {
      const listed = await owner('GET', '/former-codes')
      const { data, pagination } = listed.json<FormerCodePage>()
      assert.equal(pagination.total, 2)
      const createdAt = new Date(startMs).toISOString()
      assert.deepEqual(data[0], {
        shortUrl: 'https://go.example.com/MENU',
        type: 'URL',
        destinations: [url, 'https://former.example/karte'],
        endsAt: null,
        createdAt,
      })
      for (const secret of [menu.id, 'secret', api.orgId, 'Mine']) assert.ok(!listed.body.includes(secret))
      const mine = (await former('GET', `/domains/${before.id}/former-codes`)).json<FormerCodePage>()
      assert.deepEqual(mine.data, [], 'a former owner sees nothing of the owner')
      assert.equal((await former('POST', `/domains/${before.id}/notice`)).statusCode, 409)
      assert.equal((await owner('DELETE', '/notice')).statusCode, 409, 'there is none')

      const given = await owner('POST', '/notice')
      assert.equal(given.statusCode, 200, given.body)
      const endsAt = new Date(startMs + 90 * dayMs).toISOString()
      assert.deepEqual([given.json<Domain>().formerCodes, given.json<Domain>().formerEndsAt], [2, endsAt])
      mock.timers.setTime(startMs + dayMs)
      assert.equal((await owner('POST', '/notice')).json<Domain>().formerEndsAt, endsAt, 'it keeps its end')
      const shown = (await former('GET', `/domains/${before.id}`)).json<Domain>()
      assert.equal(shown.noticeEndsAt, endsAt)

      // Nobody can change the codes meanwhile, whatever the door.
      const updates = { data: { url: 'https://phishing.example/' } }
      for (const refused of [
        await former('PUT', `/qr-codes/${menu.id}`, updates),
        await former('PUT', `/qr-codes/${menu.id}`, { name: 'Other', status: 'ARCHIVED' }),
        await former('POST', '/qr-codes/batch/update?atomic=true', { ids: [menu.id], updates }),
      ]) {
        assert.ok([409, 422].includes(refused.statusCode), refused.body)
        assert.match(refused.body, /belongs to another organization now, which gave notice/)
      }
      const elsewhere = await former('POST', '/qr-codes', {
        type: 'URL',
        name: 'Elsewhere',
        data: { url },
        domainId: null,
      })
      const batch = await former('POST', '/qr-codes/batch/update', {
        ids: [menu.id, elsewhere.json<QrCode>().id],
        updates,
      })
      const { successCount, errors } = batch.json<{ successCount: number; errors: { code: string }[] }>()
      assert.deepEqual([successCount, errors.map(({ code }) => code)], [1, ['DOMAIN_ON_NOTICE']])
      // They can end sooner, and then stay ended.
      const archived = await former('PUT', `/qr-codes/${wine.id}`, { status: 'ARCHIVED' })
      assert.equal(archived.statusCode, 200, archived.body)
      const again = await former('PUT', `/qr-codes/${wine.id}`, { status: 'ACTIVE' })
      assert.equal(again.json<{ code: string }>().code, 'DOMAIN_ON_NOTICE')
      assert.equal((await former('DELETE', `/qr-codes/${wine.id}?bin=true`)).statusCode, 200)
      const restored = await former('POST', `/qr-codes/bin/${wine.id}/restore`)
      assert.equal(restored.json<{ code: string }>().code, 'DOMAIN_ON_NOTICE', restored.body)

      await front.catchUp()
      mock.timers.setTime(startMs + 90 * dayMs - 1)
      assert.equal(await ask(), 302)
      mock.timers.setTime(startMs + 90 * dayMs)
      assert.equal(await ask(), 410, 'on time, without any change')
      const over = (await owner('GET', '')).json<Domain>()
      assert.deepEqual([over.formerCodes, over.formerEndsAt], [0, null])
      assert.deepEqual((await owner('GET', '/former-codes')).json<FormerCodePage>().data, [])
      assert.equal((await owner('DELETE', '/notice')).statusCode, 409, 'it has ended')
      // A proof makes the former owner the owner again.
      await applyLook(db, hostname, lookOf(hostname, [before.proof]))
      await front.catchUp()
      assert.equal(await ask(), 302)
      assert.equal((await former('PUT', `/qr-codes/${menu.id}`, updates)).statusCode, 200)
    } finally {
      await front.close()
      mock.timers.reset()
    }
  })

  test('go on if the notice is withdrawn, which both audit logs and mails tell', async () => {
    const db = await open()
    const { api, before, menu, former, owner } = await passedHost(db)
    await owner('POST', '/notice')
    const mailed = async () => claimNoticeMail(db, { nowMs: Date.now(), leaseMs: 0 })
    const first = await mailed()
    assert.deepEqual([first?.organizationId, first?.hostname], [api.orgId, hostname])
    assert.ok((first?.endsAtMs ?? 0) > Date.now() + 89 * dayMs)
    const withdrawn = await owner('DELETE', '/notice')
    assert.equal(withdrawn.json<Domain>().formerEndsAt, null, withdrawn.body)
    assert.equal((await mailed())?.endsAtMs, null)
    const renamed = await former('PUT', `/qr-codes/${menu.id}`, { name: 'Menu' })
    assert.equal(renamed.statusCode, 200, renamed.body)
    const entries = async (orgId: string, key: string) => {
      const path = `/organizations/${orgId}/audit-log?action=domain.update`
      const { data } = (await api.call('GET', path, { key })).json<AuditLogPage>()
      return data.flatMap(({ fields, actor }) => (fields.includes('notice') ? [actor.kind] : []))
    }
    assert.deepEqual(await entries(api.foreignOrgId, api.keys.foreign), ['api-key', 'api-key'])
    assert.deepEqual(await entries(api.orgId, api.keys.ADMIN), ['system', 'system'])
    assert.equal((await former('GET', `/domains/${before.id}`)).json<Domain>().noticeEndsAt, null)
  })
})
