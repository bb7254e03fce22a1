import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { rejection, type Installation } from './installation.ts'
import { recordScans, type RecordedScans } from './recorded-scans.ts'

/** Saved views and their public links: section 6 of the decisions. */
export function viewRules(of: Installation): void {
  describe('views', () => {
    let made: RecordedScans
    before(async () => {
      made = await recordScans(of)
    })

    test('decisions 6: a view has name, query, public and mail, and is read, changed, listed and deleted', async () => {
      const { client, orgId } = made.org
      const query = { period: 'last-month' as const, tag: ['a'], timezone: 'Europe/Berlin' }
      const view = await client.views.create(orgId, { name: 'Spring', query })
      assert.deepEqual([view.name, view.query, view.public, view.mail], ['Spring', query, null, null])
      assert.deepEqual(await client.views.read(orgId, view.id), view)
      const renamed = await client.views.update(orgId, view.id, { name: 'Summer' })
      assert.deepEqual([renamed.name, renamed.query], ['Summer', query])
      assert.deepEqual((await client.views.list(orgId)).data[0], renamed)
      assert.deepEqual(await client.views.delete(orgId, view.id), { id: view.id, deleted: true })
      await rejection(client.views.read(orgId, view.id), 404, 'NOT_FOUND')
    })

    test('decisions 6: a public view is shown at /app/share/:token, with the figures of analytics', async () => {
      const { client, orgId } = made.org
      const { public: link } = await client.views.create(orgId, { name: 'A', public: {} })
      const token = link?.token ?? ''
      assert.ok(link?.url?.endsWith(`/app/share/${token}`))
      const page = await of.send('GET', `/app/share/${token}`)
      assert.deepEqual([page.status, page.headers.get('x-robots-tag')], [200, 'noindex'])
      const shared = await client.views.readShared(token)
      const figures = await client.analytics.ofOrganization(orgId, { interval: 'day' })
      assert.ok(shared.summary.totalScans > 0)
      assert.deepEqual(
        [shared.summary, shared.timeline, shared.geography, shared.devices, shared.referrers],
        [figures.summary, figures.timeline, figures.geography, figures.devices, figures.referrers],
      )
    })

    test("decisions 2: another organization's view is an unknown id; its link is the link's reader's", async () => {
      const { client, orgId } = made.org
      const view = await client.views.create(orgId, { name: 'A', public: { password: 'figures of spring' } })
      const other = await of.organization()
      for (const call of [
        () => other.client.views.read(other.orgId, view.id),
        () => other.client.views.update(other.orgId, view.id, { public: null }),
        () => other.client.views.delete(other.orgId, view.id),
        () => client.views.readShared('unknown'),
      ])
        await rejection(call(), 404, 'NOT_FOUND')
      const token = view.public?.token ?? ''
      await rejection(other.client.views.readShared(token), 401, 'PASSWORD_REQUIRED')
      await rejection(other.client.views.unlock(token, 'figures of autumn'), 401, 'UNAUTHORIZED')
      assert.ok((await other.client.views.unlock(token, 'figures of spring')).expiresAt)
      await client.views.update(orgId, view.id, { public: null })
      await rejection(other.client.views.readShared(token), 404, 'NOT_FOUND')
    })
  })
}
