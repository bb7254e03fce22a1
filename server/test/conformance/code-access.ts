import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { phones } from '../support/phones.ts'
import { until } from '../support/service.ts'
import { urlCode, type Installation, type Tenant } from './installation.ts'

const url = 'https://example.com/inside'
const future = '2099-01-01T00:00:00Z'

/** When a code is open, for how many, and for whom: `rules.md`, section 2. */
export function codeAccess(of: Installation): void {
  describe('access of a code', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })
    const make = (access: object) =>
      org.client.qrCodes.create(org.orgId, { ...urlCode('Guarded'), type: 'URL', data: { url }, access })
    const summary = async (id: string) => (await org.client.qrCodes.analytics(org.orgId, id)).summary

    test('access 2: closed codes count people in closedHits and nowhere else', async () => {
      const { id, shortCode } = await make({ startsAt: future })
      for (let i = 0; i < 3; i++) assert.equal((await of.scan(shortCode)).status, 403)
      assert.equal((await of.scan(shortCode, { 'user-agent': 'Googlebot/2.1' })).status, 403)
      await until('the hits are stored', async () => (await summary(id)).closedHits === 3)
      const { totalScans, uniqueScans, botScans } = await summary(id)
      assert.deepEqual([totalScans, uniqueScans, botScans], [0, 0, 1])
      await org.client.qrCodes.update(org.orgId, id, { access: { startsAt: null } })
      assert.equal((await of.scan(shortCode)).headers.get('location'), url)
      await until('the scan is stored', async () => (await summary(id)).totalScans === 1)
      assert.equal((await summary(id)).closedHits, 3)
      const counted = async () => (await org.client.qrCodes.read(org.orgId, id)).totalScans
      await until('the scan is counted', async () => (await counted()) === 1)
    })

    test('access 2: a limit is exact, and its end and count are in the record', async () => {
      const { id, shortCode } = await make({ scanLimit: 5, whenUnknown: 'closed' })
      const statuses = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const headers = { 'user-agent': phones[index % phones.length] ?? '' }
          return (await of.scan(shortCode, headers)).status
        }),
      )
      assert.equal(statuses.filter((status) => status === 302).length, 5)
      const head = await of.scan(shortCode, {}, 'HEAD')
      assert.deepEqual([head.status, head.headers.get('location')], [410, null])
      const { state, access } = await org.client.qrCodes.read(org.orgId, id)
      assert.deepEqual([state, access?.scanCount], ['FULL', 5])
      await org.client.qrCodes.update(org.orgId, id, { resetLimit: true })
      assert.equal((await of.scan(shortCode)).status, 302)
    })

    test('access 2: a password is asked for, and 10 wrong ones from one network are 429', async () => {
      const { shortCode } = await make({ password: 'open sesame' })
      const address = `${of.service().baseUrl}/${shortCode}`
      const send = (password: string, from = '203.0.113.77') =>
        fetch(address, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'user-agent': phones[0], 'x-forwarded-for': from },
          body: new URLSearchParams({ password }),
        })
      const form = await of.scan(shortCode)
      assert.deepEqual([form.status, form.headers.get('location')], [200, null])
      assert.equal((await send('open sesame')).headers.get('location'), url)
      // Each machine counts for itself.
      for (let i = 0; i < 10 * of.machines(); i++) assert.equal((await send('wrong')).status, 403)
      const limited = await send('open sesame')
      assert.equal(limited.status, 429)
      assert.ok(Number(limited.headers.get('retry-after')) > 0)
      assert.equal((await send('open sesame', '198.51.100.7')).status, 303)
      assert.ok(!of.service().output().includes('open sesame'))
    })
  })
}
