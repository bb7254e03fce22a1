import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { SharedView, View } from '@everscan/contract/views/views.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { startIngestSuite } from '../../ingest/testing/ingest.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import { createCodes, ingest, json, rawScan, recordScans } from '../testing/scanned-codes.ts'

const { remove, root, scanStore, store } = await startIngestSuite()
after(remove)

const startMs = Date.UTC(2026, 2, 31, 12)
const password = 'figures of spring'

async function open2(db: Database) {
  const clock = { nowMs: startMs }
  const api = await openTestApi(db, { store: scanStore, clock: () => clock.nowMs })
  const path = `/organizations/${api.orgId}/views`
  const key = api.keys.EDITOR
  const share = async (payload: object) => {
    const answer = await api.call('POST', path, { key, payload: { name: 'A', public: {}, ...payload } })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json<View>()
  }
  const put = (id: string, payload: object) => api.call('PUT', `${path}/${id}`, { key, payload })
  return { api, clock, share, put }
}

const tokenOf = ({ public: link }: View) => link?.token ?? ''

function readShared(api: TestApi, token: string, headers: Record<string, string> = {}) {
  return api.call('GET', `/shared-views/${token}`, { headers })
}

function unlock(api: TestApi, token: string, tried: string, network = '203.0.113.7') {
  const headers = { 'x-forwarded-for': network }
  return api.call('POST', `/shared-views/${token}/unlock`, { payload: { password: tried }, headers })
}

const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['set-cookie']).replace(/;.*/, '')

onEitherDatabase('shared views', (open) => {
  test('200: the figures are those of analytics, without identifiers, for the organization and one code', async () => {
    const db = await open()
    const { api, share } = await open2(db)
    const ids = await createCodes(api, 3)
    await recordScans(api, { db, random: seededRandom(), ids, scansMade: 300, store, root })
    const dates = { startDate: '2026-03-01', endDate: '2026-03-31' }
    const zone = { timezone: 'Europe/Berlin' }

    const view = await share({ query: { period: 'this-month', ...zone, deviceType: ['mobile'] } })
    const answer = await readShared(api, tokenOf(view))
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.headers['cache-control'], 'private, no-store')
    assert.equal(answer.headers['x-robots-tag'], 'noindex')
    assert.equal(answer.headers['referrer-policy'], 'no-referrer')
    const shared = answer.json<SharedView>()
    const query = { ...asQuery({ ...dates, ...zone }), deviceType: ['mobile'] }
    const {
      organizationId: _,
      topQrCodes,
      ...figures
    } = await json<OrganizationAnalytics>(api, '/analytics', query)
    assert.ok(figures.summary.totalScans > 0)
    const { name, organization, asOf, scope, days, timezone, interval, topQrCodes: top, ...same } = shared
    assert.deepEqual(same, figures)
    assert.deepEqual(
      top,
      topQrCodes.map(({ qrCodeId: __, shortCode: ___, ...shown }) => shown),
    )
    assert.deepEqual(
      { name, organization, asOf, scope, days, timezone, interval },
      {
        name: 'A',
        organization: { name: 'Mine', logo: null },
        asOf: new Date(startMs).toISOString(),
        scope: { filters: { deviceType: ['mobile'] } },
        days: dates,
        timezone: 'Europe/Berlin',
        interval: 'day',
      },
    )
    assert.doesNotMatch(answer.body, /\b(org|qr|viw|fld|scn)_[0-9a-z]{20}/)

    const [id = ''] = ids
    const ofCode = await share({ query: { qrCodeId: id, ...dates } })
    const sharedCode = (await readShared(api, tokenOf(ofCode))).json<SharedView>()
    const code = await json<QrCodeAnalytics>(api, `/${id}/analytics`, asQuery(dates))
    assert.deepEqual([sharedCode.timeline, sharedCode.summary], [code.timeline, code.summary])
    assert.deepEqual(sharedCode.scope, { qrCode: 'Code 0', filters: {} })
    assert.equal(sharedCode.topQrCodes, undefined)
    assert.equal(sharedCode.destinations, undefined, 'no rule answered')
    assert.doesNotMatch(JSON.stringify(sharedCode), new RegExp(id))
  })

  test('200: scans of a code by rule, and filters by rule, with names and without ids', async () => {
    const db = await open()
    const { api, share } = await open2(db)
    const [id = ''] = await createCodes(api, 1)
    const codePath = `/organizations/${api.orgId}/qr-codes/${id}`
    const data = { url: 'https://example.com/' }
    const split = ['A', 'B'].map((name) => ({ name, weight: 1, data }))
    const put = async (rules: object[]) =>
      (await api.call('PUT', codePath, { key: api.keys.ADMIN, payload: { rules } })).json<QrCode>().rules
    const [lunch, test50] = await put([
      { name: '!Lunch', data },
      { name: 'Test', split },
    ])
    assert.ok(lunch !== undefined && test50 !== undefined)
    await put([test50])
    const answers: [string, string][] = [
      ['', ''],
      [lunch.id, ''],
      [test50.id, 'A'],
      [test50.id, 'A'],
    ]
    const scans = answers.map(([rule, arm], visitor) => rawScan(api, { id, visitor, rule, arm }))
    await ingest(db, { store, root }, [scans])
    const read = async (query: object) => {
      const view = await share({ query: { qrCodeId: id, startDate: '2026-03-01', ...query } })
      const answer = await readShared(api, tokenOf(view))
      assert.doesNotMatch(answer.body, /\b(org|qr|viw|fld|scn|rul)_[0-9a-z]{20}/)
      return answer.json<SharedView>()
    }
    assert.deepEqual((await read({})).destinations, [
      { name: 'Test', arm: 'A', scans: 2, uniqueScans: 2, percentage: 50 },
      { name: null, arm: null, scans: 1, uniqueScans: 1, percentage: 25 },
      { name: '!Lunch', arm: null, scans: 1, uniqueScans: 1, percentage: 25 },
    ])
    const only = await read({ rule: [lunch.id, `!${test50.id}`], arm: ['', '!B'] })
    assert.deepEqual(only.scope.filters, { rule: ['\\!Lunch', '!Test'], arm: ['', '!B'] })
    assert.equal(only.summary.totalScans, 1)
    const own = await read({ rule: ['none', '!rul_01jqzv4x8m3c5t7w9y2b4d6f8h'] })
    assert.deepEqual(own.scope.filters, { rule: ['none', '!Unknown rule'] })
    assert.equal(own.destinations, undefined)
  })

  test('a relative period moves on with time; the scope is told in names', async () => {
    const db = await open()
    const { api, clock, share } = await open2(db)
    const [id = ''] = await createCodes(api, 1)
    const folder = await api.call('POST', `/organizations/${api.orgId}/folders`, {
      key: api.keys.ADMIN,
      payload: { name: 'Posters' },
    })
    const query = {
      period: 'last-month',
      folderId: folder.json<{ id: string }>().id,
      tag: ['x'],
      type: 'URL',
      ids: [id],
    }
    const view = await share({ query })
    const shared = async () => (await readShared(api, tokenOf(view))).json<SharedView>()
    const first = await shared()
    assert.deepEqual(first.days, { startDate: '2026-02-01', endDate: '2026-02-28' })
    assert.deepEqual(first.scope, { folder: 'Posters', tags: ['x'], type: 'URL', qrCodes: 1, filters: {} })
    clock.nowMs += 86_400_000
    assert.deepEqual((await shared()).days, { startDate: '2026-03-01', endDate: '2026-03-31' })
  })

  test('one 404 for a link that is unknown, replaced, revoked, expired or deleted, and for a deleted code', async () => {
    const db = await open()
    const { api, clock, share, put } = await open2(db)
    const [id = ''] = await createCodes(api, 1)
    const bodies = new Set<string>()
    const isOver = async (token: string) => {
      const answer = await readShared(api, token)
      assert.equal(answer.statusCode, 404, answer.body)
      const { requestId: _, ...body } = answer.json<ErrorBody>()
      bodies.add(JSON.stringify(body))
    }
    await isOver('nonsense')
    await isOver('a'.repeat(43))
    const renewed = await share({})
    await put(renewed.id, { public: { newLink: true } })
    await isOver(tokenOf(renewed))
    const revoked = await share({})
    assert.equal((await readShared(api, tokenOf(revoked))).statusCode, 200)
    await put(revoked.id, { public: null })
    await isOver(tokenOf(revoked))
    const deleted = await share({})
    await api.call('DELETE', `/organizations/${api.orgId}/views/${deleted.id}`, { key: api.keys.EDITOR })
    await isOver(tokenOf(deleted))
    const ofCode = await share({ query: { qrCodeId: id } })
    const codePath = `/organizations/${api.orgId}/qr-codes/${id}`
    const archive = { key: api.keys.ADMIN, payload: { status: 'ARCHIVED' } }
    await api.call('PUT', codePath, archive)
    assert.equal((await readShared(api, tokenOf(ofCode))).statusCode, 200)
    await api.call('DELETE', codePath, { key: api.keys.ADMIN })
    clock.nowMs += limits.sharedViewCacheSeconds * 1000
    await isOver(tokenOf(ofCode))
    const expiring = await share({ public: { expiresAt: '2026-03-31T13:00:00Z', password } })
    assert.equal((await readShared(api, tokenOf(expiring))).statusCode, 401)
    clock.nowMs = Date.parse('2026-03-31T13:00:00Z')
    await isOver(tokenOf(expiring))
    assert.equal((await unlock(api, tokenOf(expiring), password)).statusCode, 404)
    assert.equal(bodies.size, 1)
  })

  test('401 until the password was sent; the cookie opens one link, for a while, until its password changes', async () => {
    const db = await open()
    const { api, clock, share, put } = await open2(db)
    const view = await share({ public: { password } })
    const other = await share({ public: { password } })
    const token = tokenOf(view)
    const locked = await readShared(api, token)
    assert.deepEqual([locked.statusCode, locked.json<ErrorBody>().code], [401, 'PASSWORD_REQUIRED'])
    assert.ok(!locked.body.includes('Mine'))
    const wrong = await unlock(api, token, 'figures of autumn')
    assert.deepEqual([wrong.statusCode, wrong.json<ErrorBody>().code], [401, 'UNAUTHORIZED'])
    const opened = await unlock(api, token, password)
    assert.equal(opened.statusCode, 200, opened.body)
    assert.match(
      String(opened.headers['set-cookie']),
      new RegExp(
        `^__Secure-everscan_view=v1\\.[\\w-]+; Max-Age=43200; Path=/api/v1/shared-views/${token}; HttpOnly; Secure; SameSite=Lax$`,
      ),
    )
    const cookie = cookieOf(opened)
    const status = async (of: string) => (await readShared(api, of, { cookie })).statusCode
    assert.deepEqual([await status(token), await status(tokenOf(other))], [200, 401])
    clock.nowMs += limits.sharedViewHours * 3_600_000 - 1
    assert.equal(await status(token), 200)
    clock.nowMs += 1
    assert.equal(await status(token), 401)
    clock.nowMs = startMs
    await put(view.id, { public: { password: 'figures of autumn' } })
    assert.equal(await status(token), 401)
    await put(view.id, { public: { password: null } })
    assert.equal(await status(token), 200)
    assert.equal((await unlock(api, token, 'anything')).statusCode, 200)
  })

  test('429: wrong passwords have to wait, by network and from everywhere; the right one does not reset others', async () => {
    const { api, share } = await open2(await open())
    const token = tokenOf(await share({ public: { password } }))
    const other = tokenOf(await share({ public: { password } }))
    for (let tries = 0; tries < 5; tries++)
      assert.equal((await unlock(api, token, 'wrong password')).statusCode, 401)
    const waits = await unlock(api, token, password)
    assert.equal(waits.statusCode, 429)
    assert.ok(Number(waits.headers['retry-after']) >= 1)
    assert.equal((await unlock(api, other, password)).statusCode, 200)
    assert.equal((await unlock(api, token, password, '203.0.113.8')).statusCode, 200)
    // From ever new networks.
    const statuses: number[] = []
    for (let network = 0; network < 60; network++)
      statuses.push((await unlock(api, token, 'wrong password', `198.51.100.${network}`)).statusCode)
    assert.deepEqual(new Set(statuses), new Set([401, 429]))
    assert.equal(statuses.filter((status) => status === 401).length, 45)
  })

  test('figures are counted once a minute, however many read them; a change of the view is seen at once', async () => {
    const db = await open()
    const { api, clock, share, put } = await open2(db)
    const [id = ''] = await createCodes(api, 1)
    const scan = (visitor: number) => rawScan(api, { id, visitor, timeMs: startMs - 1_000 })
    const view = await share({ query: { period: 'today' } })
    const total = async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => readShared(api, tokenOf(view))))
      const totals = new Set(answers.map((answer) => answer.json<SharedView>().summary.totalScans))
      assert.equal(totals.size, 1)
      return [...totals][0]
    }
    assert.equal(await total(), 0)
    await ingest(db, { store, root }, [[scan(1)]])
    clock.nowMs += limits.sharedViewCacheSeconds * 1000 - 1
    assert.equal(await total(), 0)
    clock.nowMs += 1
    assert.equal(await total(), 1)
    await put(view.id, { name: 'Renamed' })
    assert.equal((await readShared(api, tokenOf(view))).json<SharedView>().name, 'Renamed')
  })

  test('429: requests for one view from everywhere are limited', async () => {
    const { api, share } = await open2(await open())
    const token = tokenOf(await share({ public: { password } }))
    const from = (network: number) =>
      readShared(api, token, { 'x-forwarded-for': `198.51.100.${network % 250}` })
    for (let reads = 0; reads < limits.sharedViewReadsPerMinute; reads++)
      assert.equal((await from(reads)).statusCode, 401)
    assert.equal((await from(0)).statusCode, 429)
  })
})

function asQuery(fields: Record<string, string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]]))
}
