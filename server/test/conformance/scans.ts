import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { ListScansQuery } from '@everscan/client/create-client.ts'
import { until } from '../support/service.ts'
import { germany, rejection, sum, timestampForm, urlCode, type Installation } from './installation.ts'
import { exportedRows, recordScans, uniquePeople, type RecordedScans } from './recorded-scans.ts'

/**
 * Individual scans, the export, filters and an organization's figures: sections 2 and 4 of the
 * specification, section 6 of the decisions.
 */
export function scanRules(of: Installation): void {
  describe('scans', () => {
    let made: RecordedScans
    let id: string
    before(async () => {
      made = await recordScans(of)
      id = made.codes[0].id
    })
    const listed = (query?: ListScansQuery) => made.org.client.scans.list(made.org.orgId, id, query)
    const ofOrganization = (query = {}) => made.org.client.analytics.ofOrganization(made.org.orgId, query)

    test('spec 2: the export has the columns in this order', async () => {
      const { header, rows } = await exportedRows(made.org, id)
      assert.equal(header, 'timestamp,country,city,device_type,os,browser,is_unique')
      assert.equal(rows.length, made.peopleCount)
      for (const row of rows) {
        assert.match(row.timestamp, timestampForm)
        assert.match(row.country, /^[A-Z]{2}$/)
        assert.match(row.device_type, /^(mobile|desktop|tablet)$/)
        assert.match(row.is_unique, /^(true|false)$/)
      }
      const none = await exportedRows(made.org, made.codes[2].id)
      assert.deepEqual(none, { header, rows: [] })
    })

    test('spec 2: is_unique is true for a first-time scan', async () => {
      const { rows } = await exportedRows(made.org, id)
      assert.deepEqual(
        rows.map((row) => row.is_unique),
        ['true', 'false', 'true', 'true', 'false', 'true', 'true'],
      )
    })

    test('spec 4: the export is a CSV file named after the code; decisions 6: streamed', async () => {
      const answer = await made.org.send('GET', `/qr-codes/${id}/analytics/export`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
      assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; .*Caf%C3%A9/)
      assert.equal(answer.headers.get('content-length'), null)
    })

    test('spec 4: the export accepts startDate and endDate', async () => {
      const { today } = made
      assert.equal(
        (await exportedRows(made.org, id, { startDate: today, endDate: today })).rows.length,
        made.peopleCount,
      )
      const earlier = { startDate: '2026-01-01', endDate: '2026-01-31' }
      assert.equal((await exportedRows(made.org, id, earlier)).rows.length, 0)
      const swapped = { startDate: earlier.endDate, endDate: earlier.startDate }
      const call = made.org.client.analytics.export(made.org.orgId, id, swapped)
      await rejection(call, 400, 'VALIDATION_ERROR', /startDate/)
    })

    test('decisions 6: a scan record has these fields', async () => {
      const { data } = await listed()
      const scan = data.at(-1) ?? assert.fail('there is no scan')
      assert.match(scan.id, /^scn_/)
      assert.match(scan.timestamp, timestampForm)
      const { city, region, latitude, longitude, browser } = scan
      assert.deepEqual(scan, {
        id: scan.id,
        qrCodeId: id,
        timestamp: scan.timestamp,
        country: 'DE',
        city,
        region,
        latitude,
        longitude,
        deviceType: 'mobile',
        os: 'iOS',
        browser,
        referrer: 'news.example',
        language: 'de-DE',
        ruleId: null,
        arm: null,
        isUnique: true,
        isBot: false,
        botReason: null,
      })
      assert.ok(city !== 'Unknown' && region.length > 0)
    })

    test('decisions 6: coordinates are those of the city, with one decimal; spec 1: exact locations are not stored', async () => {
      const { data } = await listed()
      for (const { country, latitude, longitude } of data) {
        if (country === 'XX') assert.deepEqual([latitude, longitude], [null, null])
        else
          for (const degrees of [latitude, longitude])
            assert.equal(degrees, Math.round(Number(degrees) * 10) / 10)
      }
      const german = data.filter(({ country }) => country === 'DE')
      assert.equal(new Set(german.map(({ latitude, longitude }) => `${latitude} ${longitude}`)).size, 1)
    })

    test('decisions 6: the IP address itself is never stored', async () => {
      const { data } = await listed({ includeBots: true })
      assert.ok(!JSON.stringify(data).includes(germany))
      const { dataDir, output } = of.service()
      const stored = globSync('**/*', { cwd: dataDir }).flatMap((name) => textOf(join(dataDir, name)))
      assert.ok(stored.length > 3)
      assert.ok(stored.every((text) => !text.includes(germany)))
      assert.ok(!output().includes(germany))
    })

    test('decisions 6: the scans list is paged, newest first', async () => {
      const all = (await listed()).data
      const times = all.map(({ timestamp }) => timestamp)
      assert.deepEqual(times, times.toSorted().toReversed())
      const ids: string[] = []
      for (const page of [1, 2, 3]) {
        const { data, pagination } = await listed({ page, limit: 3 })
        const { total, totalPages, hasNext } = pagination
        assert.deepEqual([total, totalPages, hasNext], [made.peopleCount, 3, page < 3])
        ids.push(...data.map((scan) => scan.id))
      }
      assert.deepEqual(
        ids,
        all.map((scan) => scan.id),
      )
      assert.deepEqual((await listed({ page: 9 })).data, [])
    })

    test('decisions 6: includeBots lists bots too, with isBot and botReason', async () => {
      const { data, pagination } = await listed({ includeBots: true })
      assert.equal(pagination.total, made.peopleCount + made.machinesCount)
      const bots = data.filter(({ isBot }) => isBot)
      assert.equal(bots.length, made.machinesCount)
      assert.deepEqual(bots.map(({ botReason }) => botReason).toReversed(), [
        'Google',
        'UptimeRobot',
        'WhatsApp',
        'Prefetch',
        'Prefetch',
      ])
      for (const { isUnique } of bots) assert.equal(isUnique, false)
      assert.equal((await listed({ includeBots: false })).pagination.total, made.peopleCount)
    })

    test('decisions 6: the scans list accepts startDate, endDate, country and deviceType', async () => {
      const { today } = made
      assert.equal((await listed({ startDate: today, endDate: today })).pagination.total, made.peopleCount)
      assert.equal((await listed({ startDate: '2026-01-01', endDate: '2026-01-31' })).pagination.total, 0)
      const german = await listed({ country: ['DE'], deviceType: ['mobile'] })
      assert.deepEqual(
        german.data.map(({ country, deviceType }) => `${country} ${deviceType}`),
        ['DE mobile', 'DE mobile'],
      )
    })

    test('decisions 6: the scans agree with the export, row by row', async () => {
      const { rows } = await exportedRows(made.org, id)
      const { data } = await listed()
      assert.deepEqual(
        data
          .map((scan) => [scan.timestamp, scan.country, scan.city, scan.deviceType, scan.os, scan.browser])
          .toReversed(),
        rows.map(({ timestamp, country, city, device_type, os, browser }) => [
          timestamp,
          country,
          city,
          device_type,
          os,
          browser,
        ]),
      )
      assert.equal(data.filter(({ isUnique }) => isUnique).length, uniquePeople)
    })

    for (const [name, value, other] of [
      ['country', 'US', 'DE'],
      ['city', 'Unknown', 'Nowhere'],
      ['deviceType', 'tablet', 'desktop'],
      ['os', 'Android', 'Windows'],
      ['browser', 'Safari', 'Chrome'],
      ['referrer', 'news.example', ''],
    ] as const)
      test(`decisions 6: ${name} filters every analytics endpoint, the export and the scans list; repeatable`, async () => {
        const { client, orgId } = made.org
        // Browser names differ between devices.
        const { devices } = await client.qrCodes.analytics(orgId, id)
        const named = (text: string) =>
          name === 'browser'
            ? (devices.browsers.find(({ browser }) => browser.includes(text))?.browser ?? text)
            : text
        const scans: number[] = []
        for (const values of [[named(value)], [named(other)], [named(value), named(other)]]) {
          const query = { [name]: values }
          const { summary, timeline } = await client.qrCodes.analytics(orgId, id, query)
          const { rows } = await exportedRows(made.org, id, query)
          const { data, pagination } = await listed(query)
          const organization = await ofOrganization(query)
          const ofNote = await client.qrCodes.analytics(orgId, made.codes[1].id, query)
          assert.deepEqual(
            [rows.length, pagination.total, sum(timeline.map((one) => one.scans))],
            [summary.totalScans, summary.totalScans, summary.totalScans],
          )
          assert.equal(organization.summary.totalScans, summary.totalScans + ofNote.summary.totalScans)
          assert.equal(rows.filter((row) => row.is_unique === 'true').length, summary.uniqueScans)
          for (const scan of data) assert.ok(values.includes(scan[name]), scan[name])
          scans.push(summary.totalScans)
        }
        const [one = 0, two = 0, both] = scans
        assert.ok(one > 0)
        assert.equal(both, one + two)
      })

    test('decisions 6: with a filter all figures count only the matching scans', async () => {
      const { today } = made
      const query = { startDate: today, endDate: today, country: ['DE'] }
      const { summary, geography, devices, timeline, hours } = await made.org.client.qrCodes.analytics(
        made.org.orgId,
        id,
        query,
      )
      assert.deepEqual(summary, {
        totalScans: 3,
        uniqueScans: 2,
        avgDailyScans: 3,
        botScans: 1,
        closedHits: 0,
      })
      assert.deepEqual(geography.countries, [{ country: 'DE', scans: 3, percentage: 100 }])
      assert.deepEqual(devices.types, [
        { type: 'mobile', scans: 2, percentage: 66.7 },
        { type: 'tablet', scans: 1, percentage: 33.3 },
      ])
      assert.deepEqual(timeline, [{ date: today, scans: 3, uniqueScans: 2 }])
      assert.equal(sum(hours.map(({ scans }) => scans)), 3)
    })

    test('decisions 6: topQrCodes has the 10 codes with the most scans', async () => {
      const { client, orgId } = await of.organization()
      const bodies = Array.from({ length: 11 }, (_, index) => urlCode(`Top ${index}`))
      const { data } = await client.batches.create(orgId, bodies)
      const fourth = data[3]
      const scanned = [fourth, ...data]
      for (const code of scanned) await of.scan(code?.shortCode ?? '')
      const figures = () => client.analytics.ofOrganization(orgId)
      await until('all are counted', async () => (await figures()).summary.totalScans === scanned.length)
      const { topQrCodes } = await figures()
      assert.equal(topQrCodes.length, 10)
      assert.deepEqual([topQrCodes[0]?.qrCodeId, topQrCodes[0]?.scans], [fourth?.id, 2])
      assert.equal(sum(topQrCodes.map(({ scans }) => scans)), 11)
    })

    test('decisions 6: organization-wide: the same object, with organizationId instead of qrCodeId, and a summary of codes', async () => {
      // Rules are of one code.
      const { qrCodeId, destinations, ...single } = await made.org.client.qrCodes.analytics(
        made.org.orgId,
        id,
      )
      assert.equal(qrCodeId, id)
      assert.deepEqual(destinations, [
        {
          ruleId: null,
          name: null,
          arm: null,
          scans: made.peopleCount,
          uniqueScans: uniquePeople,
          percentage: 100,
        },
      ])
      const { organizationId, topQrCodes, ...all } = await ofOrganization()
      assert.equal(organizationId, made.org.orgId)
      assert.equal(topQrCodes.length, 2)
      assert.deepEqual(Object.keys(all).sort(), Object.keys(single).sort())
      const { summary, timeline } = all
      assert.deepEqual(summary, {
        totalScans: made.peopleCount + 1,
        uniqueScans: uniquePeople + 1,
        avgDailyScans: Math.round(((made.peopleCount + 1) / 30) * 10) / 10,
        closedHits: 0,
        botScans: made.machinesCount,
        totalQrCodes: 3,
        activeQrCodes: 2,
      })
      assert.equal(sum(timeline.map(({ uniqueScans }) => uniqueScans)), summary.uniqueScans)
    })

    test('decisions 6: topQrCodes [{qrCodeId, name, shortCode, type, scans, uniqueScans, percentage}]', async () => {
      const [poster, note] = made.codes
      const all = made.peopleCount + 1
      const { topQrCodes } = await ofOrganization()
      assert.deepEqual(topQrCodes, [
        {
          qrCodeId: poster.id,
          name: poster.name,
          shortCode: poster.shortCode,
          type: 'URL',
          scans: made.peopleCount,
          uniqueScans: uniquePeople,
          percentage: Math.round((made.peopleCount / all) * 1000) / 10,
        },
        {
          qrCodeId: note.id,
          name: 'Note',
          shortCode: note.shortCode,
          type: 'TEXT',
          scans: 1,
          uniqueScans: 1,
          percentage: Math.round((1 / all) * 1000) / 10,
        },
      ])
    })

    test('spec 4: organization analytics accept startDate and endDate', async () => {
      const { today } = made
      const now = await ofOrganization({ startDate: today, endDate: today })
      assert.deepEqual([now.summary.totalScans, now.timeline.length], [made.peopleCount + 1, 1])
      const earlier = await ofOrganization({ startDate: '2026-01-01', endDate: '2026-01-31' })
      assert.deepEqual([earlier.summary.totalScans, earlier.topQrCodes], [0, []])
      const swapped = ofOrganization({ startDate: today, endDate: '2026-01-01' })
      await rejection(swapped, 400, 'VALIDATION_ERROR')
    })
  })
}

/**
 * A file as text; empty for a directory, or for a file that the running service has removed
 * meanwhile.
 */
function textOf(path: string): string[] {
  try {
    return [readFileSync(path, 'latin1')]
  } catch (error) {
    assert.match((error as NodeJS.ErrnoException).code ?? '', /^(EISDIR|ENOENT|ENXIO)$/)
    return []
  }
}
