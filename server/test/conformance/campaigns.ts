import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import type { OrganizationAnalytics } from '@everscan/client/create-client.ts'
import { readCsv } from '../../src/analytics/testing/csv.ts'
import { rejection, sum, urlCode, type Installation } from './installation.ts'
import { exportedRows, recordScans, uniquePeople, type RecordedScans } from './recorded-scans.ts'

/** Figures of some codes, tables, matrices and exports: section 6 of the decisions. */
export function campaignRules(of: Installation): void {
  describe('campaigns', () => {
    let made: RecordedScans
    let folderId: string
    let childId: string
    before(async () => {
      made = await recordScans(of)
      const { client, orgId } = made.org
      const parent = await client.folders.create(orgId, { name: 'Spring' })
      const child = await client.folders.create(orgId, { name: 'Posters', parentId: parent.id })
      folderId = parent.id
      childId = child.id
      await client.qrCodes.update(orgId, made.codes[0].id, { folderId: child.id, tags: ['a', 'b'] })
      await client.qrCodes.update(orgId, made.codes[1].id, { folderId, tags: ['a'] })
    })
    const figures = (query: object = {}): Promise<OrganizationAnalytics> =>
      made.org.client.analytics.ofOrganization(made.org.orgId, query)
    const table = (query: object = {}) => made.org.client.analytics.codes(made.org.orgId, query)

    test('decisions 6: folderId (with what is below it), tag (every one), type and ids select codes together', async () => {
      const [poster, note, nobody] = made.codes
      const all = made.peopleCount + 1
      for (const [query, scans, codes] of [
        [{}, all, 3],
        [{ folderId }, all, 2],
        [{ tag: ['a'] }, all, 2],
        [{ tag: ['a', 'b'] }, made.peopleCount, 1],
        [{ type: 'TEXT' }, 1, 1],
        [{ type: 'URL' }, made.peopleCount, 2],
        [{ type: 'URL', tag: ['a'] }, made.peopleCount, 1],
        [{ ids: [note.id, nobody.id] }, 1, 2],
        [{ ids: [`${note.id},${poster.id}`] }, all, 2],
        [{ ids: [note.id], tag: ['b'] }, 0, 0],
        [{ folderId: 'fld_unknown' }, 0, 0],
        [{ ids: ['qr_unknown'] }, 0, 0],
      ] as const) {
        const { summary, timeline, geography } = await figures(query)
        const context = JSON.stringify(query)
        assert.deepEqual([summary.totalScans, summary.totalQrCodes], [scans, codes], context)
        assert.equal(sum(timeline.map((bucket) => bucket.scans)), scans, context)
        assert.equal(sum(geography.regions.map((region) => region.scans)), scans, context)
        const { data, pagination } = await table(query)
        assert.equal(pagination.total, codes, context)
        assert.equal(sum(data.map((row) => row.scans)), scans, context)
        assert.equal(sum(data.map((row) => row.uniqueScans)), summary.uniqueScans, context)
      }
    })

    test("decisions 2: another organization's ids and folders select nothing", async () => {
      const other = await of.organization()
      for (const query of [{ ids: [made.codes[0].id] }, { folderId }]) {
        const { summary } = await other.client.analytics.ofOrganization(other.orgId, query)
        assert.deepEqual([summary.totalScans, summary.totalQrCodes], [0, 0])
        const { body } = await other.client.analytics.exportOrganization(other.orgId, query)
        assert.equal((await text(Readable.from(body))).split('\n').length, 2)
      }
    })

    test('decisions 6: ids: a URL with 1,000 of them is accepted, more are 400', async () => {
      const ids = Array.from({ length: 999 }, (_, index) => `qr_${String(index).padStart(26, '0')}`)
      const given = [...ids, made.codes[0].id]
      for (const form of [given, [given.join()]])
        assert.equal((await figures({ ids: form })).summary.totalScans, made.peopleCount)
      await rejection(figures({ ids: [...given, 'qr_more'] }), 400, 'VALIDATION_ERROR', /at most 1000/)
    })

    test('decisions 6: interval=hour: start beside date, every hour, at most 31 days', async () => {
      const { today } = made
      const { timeline, summary } = await figures({ startDate: today, endDate: today, interval: 'hour' })
      assert.equal(timeline.length, 24)
      for (const [hour, bucket] of timeline.entries()) {
        assert.deepEqual(Object.keys(bucket).sort().join(), 'date,scans,start,uniqueScans')
        assert.equal(bucket.date, today)
        assert.equal(bucket.start, new Date(Date.parse(today) + hour * 3_600_000).toISOString())
      }
      assert.equal(sum(timeline.map(({ scans }) => scans)), summary.totalScans)
      assert.equal(sum(timeline.map(({ uniqueScans }) => uniqueScans)), summary.uniqueScans)
      const zone = { interval: 'hour', timezone: 'Europe/Berlin' }
      const starts = async (date: string) =>
        (await figures({ ...zone, startDate: date, endDate: date })).timeline.map(({ start }) => start)
      assert.equal((await starts('2025-10-26')).length, 25)
      assert.equal((await starts('2026-03-29')).length, 23)
      assert.equal(new Set(await starts('2025-10-26')).size, 25)
      const month = { ...zone, startDate: '2026-01-01', endDate: '2026-01-31' }
      assert.equal((await figures(month)).timeline.length, 744)
      await rejection(figures({ ...month, endDate: '2026-02-01' }), 400, 'VALIDATION_ERROR', /interval/)
    })

    test('decisions 6: …/analytics/codes: the fields, codes with 0 too, sortable and paged', async () => {
      const [poster, note, nobody] = made.codes
      const all = made.peopleCount + 1
      const { today } = made
      const { data } = await table({ startDate: today, endDate: today })
      assert.deepEqual(data[0], {
        qrCodeId: poster.id,
        name: poster.name,
        shortCode: poster.shortCode,
        type: 'URL',
        status: 'ACTIVE',
        folderId: childId,
        scans: made.peopleCount,
        uniqueScans: uniquePeople,
        percentage: Math.round((made.peopleCount / all) * 1000) / 10,
        previousScans: 0,
        change: null,
      })
      assert.deepEqual(
        data.map(({ qrCodeId, scans, status }) => [qrCodeId, scans, status]),
        [
          [poster.id, made.peopleCount, 'ACTIVE'],
          [note.id, 1, 'ACTIVE'],
          [nobody.id, 0, 'ARCHIVED'],
        ],
      )
      assert.equal(data[2]?.folderId, null)
      for (const sort of ['scans', 'uniqueScans', 'change', 'name'])
        for (const order of ['asc', 'desc']) {
          const pages = [1, 2, 3, 4].map((page) => table({ sort, order, limit: 1, page }))
          const ids = (await Promise.all(pages)).flatMap((page) => page.data.map((row) => row.qrCodeId))
          assert.equal(new Set(ids).size, 3)
          const whole = (await table({ sort, order })).data.map((row) => row.qrCodeId)
          assert.deepEqual(ids, whole, `${sort} ${order}`)
          if (sort === 'name') {
            const listed = await made.org.client.qrCodes.list(made.org.orgId, { sort: 'name', order: 'asc' })
            const named = listed.data.map(({ id }) => id)
            assert.deepEqual(whole, order === 'asc' ? named : named.toReversed())
          }
        }
      await rejection(table({ sort: 'color' }), 400, 'VALIDATION_ERROR', /sort/)
      await rejection(table({ limit: 101 }), 400, 'VALIDATION_ERROR', /limit/)
    })

    test('decisions 6: matrix: rows, columns, scans and other, which add up to the summary', async () => {
      const { matrix, summary, geography } = await figures({ matrix: 'code,country' })
      assert.deepEqual(matrix?.rows, [made.codes[0].id, made.codes[1].id])
      assert.deepEqual(new Set(matrix?.columns), new Set(geography.countries.map(({ country }) => country)))
      assert.equal(sum((matrix?.scans ?? []).flat()) + (matrix?.other ?? 0), summary.totalScans)
      assert.equal(sum(matrix?.scans[0] ?? []), made.peopleCount)
      const { orgId, client } = made.org
      const ofCode = await client.qrCodes.analytics(orgId, made.codes[0].id, { matrix: 'os,deviceType' })
      const { rows = [], columns = [], scans = [] } = ofCode.matrix ?? {}
      assert.equal(scans[rows.indexOf('iOS')]?.[columns.indexOf('mobile')], 3)
      for (const wrong of ['code', 'code,code', 'code,weather'])
        await rejection(figures({ matrix: wrong }), 400, 'VALIDATION_ERROR', /matrix/)
    })

    test('decisions 6: geography.regions, and filters by region', async () => {
      const { geography, summary } = await figures()
      const { regions } = geography
      assert.equal(sum(regions.map(({ scans }) => scans)), summary.totalScans)
      const [region] = regions.filter(({ country }) => country === 'DE')
      assert.ok(region !== undefined && region.region.length > 0)
      const found = await figures({ region: [region.region] })
      assert.equal(found.summary.totalScans, region.scans)
      assert.deepEqual(
        regions.find(({ country }) => country === 'XX'),
        {
          region: 'Unknown',
          country: 'XX',
          scans: 1,
          percentage: Math.round(1000 / summary.totalScans) / 10,
        },
      )
    })

    test('decisions 6: a filter value with ! before it is "is not", on every surface', async () => {
      const { client, orgId } = made.org
      const { id } = made.codes[0]
      for (const [query, expected] of [
        [{ country: ['!DE'] }, 4],
        [{ country: ['!DE', '!XX'] }, 3],
        [{ country: ['!DE', 'US', 'DE'] }, 3],
        [{ deviceType: ['!mobile'] }, 2],
        [{ referrer: ['!'] }, 2],
        [{ os: ['!Android'], country: ['US'] }, 1],
        [{ city: ['\\!Kheis'] }, 0],
        [{ city: ['!!Kheis'] }, 7],
      ] as const) {
        const asked = query as unknown as { country: string[] }
        const { summary } = await client.qrCodes.analytics(orgId, id, asked)
        const { pagination } = await client.scans.list(orgId, id, asked)
        const { rows } = await exportedRows(made.org, id, asked)
        const { data } = await table({ ...asked, ids: [id] })
        assert.deepEqual(
          [summary.totalScans, pagination.total, rows.length, data[0]?.scans],
          [expected, expected, expected, expected],
          JSON.stringify(query),
        )
      }
      await rejection(figures({ country: ['!de'] }), 400, 'VALIDATION_ERROR', /country/)
    })

    test('decisions 6: …/qr-codes/analytics/export has the columns of a code, with the code first', async () => {
      const { client, orgId, send } = made.org
      const answer = await send('GET', '/qr-codes/analytics/export')
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.equal(answer.headers.get('content-length'), null)
      const [header, ...rows] = readCsv(answer.text)
      assert.equal(
        header?.join(),
        'qr_code_id,short_code,name,timestamp,country,city,device_type,os,browser,is_unique',
      )
      assert.equal(rows.length, made.peopleCount + 1)
      for (const code of made.codes) {
        const own = rows.filter(([id]) => id === code.id)
        const { rows: single } = await exportedRows(made.org, code.id)
        assert.deepEqual(
          own,
          single.map((row) => [code.id, code.shortCode, code.name, ...Object.values(row)]),
        )
      }
      const { body } = await client.analytics.exportOrganization(orgId, { type: 'TEXT' })
      assert.equal(readCsv(await text(Readable.from(body))).length, 2)
    })

    test('decisions 6: format=csv: section,key,key2,scans,unique_scans,percentage', async () => {
      const { send } = made.org
      const { id } = made.codes[0]
      for (const path of ['/qr-codes/analytics', `/qr-codes/${id}/analytics`]) {
        const answer = await send('GET', `${path}?format=csv&matrix=country,os`)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
        const [header, ...rows] = readCsv(answer.text.replaceAll('\r\n', '\n'))
        assert.equal(header?.join(), 'section,key,key2,scans,unique_scans,percentage')
        const total = rows.find(([section, key]) => section === 'summary' && key === 'totalScans')
        for (const name of ['timeline', 'countries', 'regions', 'cities', 'os', 'matrix'])
          assert.equal(
            sum(rows.filter(([section]) => section === name).map((row) => Number(row[3]))),
            Number(total?.[3]),
            name,
          )
      }
    })

    test('decisions 6: deleted codes are left out of a selection, and stay in without one', async () => {
      const { client, orgId } = await of.organization()
      const code = await client.qrCodes.create(orgId, urlCode('Deleted'))
      await client.qrCodes.delete(orgId, code.id)
      const { summary } = await client.analytics.ofOrganization(orgId, { type: 'URL' })
      assert.equal(summary.totalQrCodes, 0)
      const { pagination } = await client.analytics.codes(orgId)
      assert.equal(pagination.total, 0)
    })
  })
}
