import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AnalyticsQuery, QrCodeAnalytics } from '@everscan/client/create-client.ts'
import { rejection, sum, timestampForm, type Installation } from './installation.ts'
import { countsOf, exportedRows, recordScans, uniquePeople, type RecordedScans } from './recorded-scans.ts'

const dayMs = 86_400_000
const day = (text: string, days: number): string =>
  new Date(Date.parse(text) + days * dayMs).toISOString().slice(0, 10)
/** A share on a 0 to 100 scale, with one decimal. */
const share = (part: number, all: number): number => Math.round((part / all) * 1000) / 10

/** The figures of a code: sections 1, 2 and 4 of the specification, section 6 of the decisions. */
export function analyticsRules(of: Installation): void {
  describe('analytics', () => {
    let made: RecordedScans
    let id: string
    before(async () => {
      made = await recordScans(of)
      id = made.codes[0].id
    })
    const figures = (query?: AnalyticsQuery): Promise<QrCodeAnalytics> =>
      made.org.client.qrCodes.analytics(made.org.orgId, id, query)

    test('spec 2: the analytics result has the specified fields; decisions 6: referrers, hours, botScans; rules 1: destinations', async () => {
      const result = await figures()
      const { geography, devices } = result
      assert.equal(result.qrCodeId, id)
      assert.equal(
        shapeOf(result),
        'qrCodeId,period,summary,timeline,geography,devices,referrers,languages,hours,marks,destinations',
      )
      assert.equal(shapeOf(result.period), 'start,end')
      assert.equal(shapeOf(result.summary), 'totalScans,uniqueScans,avgDailyScans,botScans,closedHits')
      assert.deepEqual(
        [shapeOf(geography), shapeOf(devices)],
        ['countries,cities,regions', 'types,os,browsers'],
      )
      for (const [list, shape] of [
        [result.timeline, 'date,scans,uniqueScans'],
        [geography.countries, 'country,scans,percentage'],
        [geography.cities, 'city,country,scans'],
        [geography.regions, 'region,country,scans,percentage'],
        [devices.types, 'type,scans,percentage'],
        [devices.os, 'os,scans,percentage'],
        [devices.browsers, 'browser,scans,percentage'],
        [result.referrers, 'referrer,scans,percentage'],
        [result.languages, 'language,scans,percentage'],
        [result.hours, 'weekday,hour,scans'],
      ] as const) {
        assert.ok(list.length > 0, shape)
        for (const entry of list) assert.equal(shapeOf(entry), shape)
      }
      assert.match(result.period.start, timestampForm)
      assert.match(result.period.end, timestampForm)
    })

    test('decisions 6: scans are the human ones; crawlers, monitors, previews and prefetches are botScans', async () => {
      const { summary } = await figures()
      assert.equal(summary.totalScans, made.peopleCount)
      assert.equal(summary.botScans, made.machinesCount)
    })

    test('decisions 6: a hit that is not a scan enters no other figure', async () => {
      const { timeline, geography, devices, referrers, hours } = await figures()
      const { countries, cities } = geography
      const { types, os, browsers } = devices
      for (const list of [timeline, countries, cities, types, os, browsers, referrers, hours])
        assert.equal(sum(list.map(({ scans }) => scans)), made.peopleCount)
    })

    test("decisions 6: a scan is unique if it is the visitor's first scan of that code, ever", async () => {
      assert.equal((await figures()).summary.uniqueScans, uniquePeople)
      const { summary } = await made.org.client.qrCodes.analytics(made.org.orgId, made.codes[1].id)
      assert.deepEqual([summary.totalScans, summary.uniqueScans], [1, 1])
      // If a visitor returns, the first scan stays the unique one: later periods have none.
      const { rows } = await exportedRows(made.org, id)
      const second = rows[1]?.timestamp ?? ''
      const later = await figures({ startDate: second, endDate: second })
      assert.deepEqual([later.summary.totalScans, later.summary.uniqueScans], [1, 0])
    })

    test('decisions 6: the timeline sums up to the summary, which equals the number of true rows in the export', async () => {
      for (const interval of ['day', 'week', 'month'] as const) {
        const { summary, timeline } = await figures({ interval })
        assert.equal(sum(timeline.map(({ scans }) => scans)), summary.totalScans)
        assert.equal(sum(timeline.map(({ uniqueScans }) => uniqueScans)), summary.uniqueScans)
      }
      const { rows } = await exportedRows(made.org, id)
      assert.equal(rows.filter((row) => row.is_unique === 'true').length, uniquePeople)
    })

    test('decisions 6: every figure agrees with the export, row by row, for the same period', async () => {
      for (const query of [{}, { startDate: made.today, endDate: made.today }]) {
        const { summary, timeline, geography, devices } = await figures(query)
        const { rows } = await exportedRows(made.org, id, query)
        assert.equal(rows.length, summary.totalScans)
        for (const [list, name, column] of [
          [geography.countries, 'country', 'country'],
          [geography.cities, 'city', 'city'],
          [devices.types, 'type', 'device_type'],
          [devices.os, 'os', 'os'],
          [devices.browsers, 'browser', 'browser'],
        ] as const)
          assert.deepEqual(scansBy(name, list), countsOf(rows.map((row) => row[column])))
        const days = timeline.filter(({ scans }) => scans > 0)
        assert.deepEqual(scansBy('date', days), countsOf(rows.map((row) => row.timestamp.slice(0, 10))))
      }
    })

    test('decisions 6: totalScans and uniqueScans of the code agree with analytics', async () => {
      for (const code of made.codes) {
        const record = await made.org.client.qrCodes.read(made.org.orgId, code.id)
        const { summary } = await made.org.client.qrCodes.analytics(made.org.orgId, code.id)
        assert.deepEqual(
          [record.totalScans, record.uniqueScans],
          [summary.totalScans, summary.uniqueScans],
          code.name,
        )
        // Scans are not changes.
        assert.ok(code.id === made.codes[2].id || record.updatedAt === code.updatedAt)
      }
    })

    test('decisions 6: by default the last 30 days including today, interval=day, UTC', async () => {
      const { period, timeline } = await figures()
      assert.deepEqual(
        timeline.map(({ date }) => date),
        Array.from({ length: 30 }, (_, index) => day(made.today, index - 29)),
      )
      assert.equal(period.start, `${day(made.today, -29)}T00:00:00.000Z`)
      assert.equal(period.end, `${made.today}T23:59:59.999Z`)
      assert.equal(timeline.at(-1)?.scans, made.peopleCount)
    })

    test('spec 4: startDate and endDate, a date alone is accepted; decisions 6: as endDate it means the whole day', async () => {
      const { today } = made
      const whole = await figures({ startDate: today, endDate: today })
      assert.equal(whole.summary.totalScans, made.peopleCount)
      assert.equal(whole.period.start, `${today}T00:00:00.000Z`)
      assert.equal(whole.period.end, `${today}T23:59:59.999Z`)
      const yesterday = day(today, -1)
      const earlier = await figures({ startDate: '2026-01-01', endDate: yesterday })
      assert.deepEqual(
        [earlier.summary.totalScans, earlier.summary.uniqueScans, earlier.summary.botScans],
        [0, 0, 0],
      )
      const later = await figures({ startDate: day(today, 1), endDate: day(today, 2) })
      assert.equal(later.summary.totalScans, 0)
    })

    test('spec 4: startDate and endDate, ISO 8601 with a time', async () => {
      const { rows } = await exportedRows(made.org, id)
      const [first = '', third = ''] = [rows[0]?.timestamp, rows[2]?.timestamp]
      const upToThird = rows.filter(({ timestamp }) => timestamp <= third).length
      const { summary, period } = await figures({ startDate: first, endDate: third })
      assert.equal(summary.totalScans, upToThird)
      assert.deepEqual([period.start, period.end], [first, third])
      const offset = new Date(Date.parse(first) + 2 * 3_600_000).toISOString().replace('Z', '+02:00')
      assert.equal((await figures({ startDate: offset })).summary.totalScans, made.peopleCount)
    })

    test('decisions 6: 400 for a startDate after endDate, and for an invalid date', async () => {
      await rejection(
        figures({ startDate: made.today, endDate: day(made.today, -1) }),
        400,
        'VALIDATION_ERROR',
      )
      for (const query of ['startDate=yesterday', 'endDate=2026-02-30', 'startDate=01.03.2026', 'endDate='])
        await made.org.refused(
          ['GET', `/qr-codes/${id}/analytics?${query}`],
          ...([400, 'VALIDATION_ERROR', /startDate|endDate/] as const),
        )
    })

    test('spec 4: interval is day, week or month; decisions 6: or hour', async () => {
      for (const interval of ['minute', 'Day', '', 'year'])
        await made.org.refused(
          ['GET', `/qr-codes/${id}/analytics?interval=${interval}`],
          ...([400, 'VALIDATION_ERROR', /interval/] as const),
        )
      const query = { startDate: '2026-01-05', endDate: '2026-02-01' }
      const counts = await Promise.all(
        (['day', 'week', 'month'] as const).map(
          async (interval) => (await figures({ ...query, interval })).timeline.length,
        ),
      )
      assert.deepEqual(counts, [28, 4, 2])
    })

    test('decisions 6: every bucket, including empty ones; the date of a week is its Monday, of a month its first day', async () => {
      // 2026-01-01 was a Thursday.
      const period = { startDate: '2026-01-01', endDate: '2026-01-13' }
      const weeks = (await figures({ ...period, interval: 'week' })).timeline
      assert.deepEqual(
        weeks,
        ['2025-12-29', '2026-01-05', '2026-01-12'].map((date) => ({ date, scans: 0, uniqueScans: 0 })),
      )
      const months = await figures({ startDate: '2025-11-30', endDate: '2026-02-01', interval: 'month' })
      assert.deepEqual(
        months.timeline.map(({ date }) => date),
        ['2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01'],
      )
      const now = await figures({ startDate: made.today, interval: 'week' })
      const [bucket] = now.timeline
      assert.equal(new Date(bucket?.date ?? '').getUTCDay(), 1)
      assert.equal(bucket?.scans, made.peopleCount)
    })

    test('decisions 6: avgDailyScans is scans / calendar days of the period, one decimal', async () => {
      const { today, peopleCount } = made
      for (const days of [1, 2, 3, 30]) {
        const query = { startDate: day(today, 1 - days), endDate: today }
        const { avgDailyScans } = (await figures(query)).summary
        assert.equal(avgDailyScans, Math.round((peopleCount / days) * 10) / 10, `${days} days`)
      }
    })

    test('spec 2: percentage is the share of scans, 0 to 100, one decimal; decisions 6: of summary.totalScans', async () => {
      const { summary, geography, devices, referrers } = await figures()
      for (const list of [geography.countries, devices.types, devices.os, devices.browsers, referrers]) {
        for (const { scans, percentage } of list) assert.equal(percentage, share(scans, summary.totalScans))
        assert.ok(Math.abs(sum(list.map(({ percentage }) => percentage)) - 100) < 0.5)
      }
    })

    test('spec 1: geography by IP geolocation: ISO country codes, and cities', async () => {
      const { countries, cities } = (await figures()).geography
      const counts = Object.fromEntries(countries.map(({ country, scans }) => [country, scans]))
      assert.deepEqual(counts, { DE: 3, US: 3, XX: 1 })
      const german = cities.filter(({ country }) => country === 'DE')
      assert.equal(german.length, 1)
      assert.match(german[0]?.city ?? '', /^\p{Lu}\p{L}+/u)
    })

    test('decisions 6: unknown geography stays as a bucket, XX and Unknown', async () => {
      const { countries, cities } = (await figures()).geography
      const { peopleCount } = made
      assert.deepEqual(
        countries.find(({ country }) => country === 'XX'),
        { country: 'XX', scans: 1, percentage: share(1, peopleCount) },
      )
      assert.deepEqual(
        cities.filter(({ country }) => country === 'XX'),
        [{ city: 'Unknown', country: 'XX', scans: 1 }],
      )
    })

    test('spec 2: device types are mobile, desktop or tablet; operating systems and browsers by name', async () => {
      const { types, os, browsers } = (await figures()).devices
      assert.deepEqual(scansBy('type', types), { mobile: 5, tablet: 1, desktop: 1 })
      assert.deepEqual(scansBy('os', os), { iOS: 4, Android: 2, Windows: 1 })
      const names = Object.keys(scansBy('browser', browsers))
      assert.ok(names.length === 2 && names.every((name) => /Safari|Chrome/.test(name)), names.join())
    })

    test('decisions 6: referrers {referrer, scans, percentage}: the host, empty without one', async () => {
      const { referrers } = await figures()
      const counts = Object.fromEntries(referrers.map(({ referrer, scans }) => [referrer, scans]))
      assert.equal(counts[''], made.peopleCount - 2)
      assert.equal(counts['news.example'], 1)
      assert.equal(Object.keys(counts).length, 3)
    })

    test('decisions 6: hours {weekday 1…7, hour, scans}', async () => {
      const { rows } = await exportedRows(made.org, id)
      const { hours } = await figures()
      const expected = countsOf(
        rows.map(({ timestamp }) => {
          const at = new Date(timestamp)
          return `${at.getUTCDay() || 7} ${at.getUTCHours()}`
        }),
      )
      const got = Object.fromEntries(hours.map(({ weekday, hour, scans }) => [`${weekday} ${hour}`, scans]))
      assert.deepEqual(got, expected)
    })

    test('decisions 6: timezone (IANA) determines where days begin', async () => {
      const { rows } = await exportedRows(made.org, id)
      for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata']) {
        const local = (timestamp: string) =>
          new Intl.DateTimeFormat('sv', { timeZone: timezone, dateStyle: 'short' }).format(
            new Date(timestamp),
          )
        const { timeline } = await figures({ timezone })
        const days = timeline.filter(({ scans }) => scans > 0)
        assert.deepEqual(
          Object.fromEntries(days.map(({ date, scans }) => [date, scans])),
          countsOf(rows.map(({ timestamp }) => local(timestamp))),
          timezone,
        )
        assert.equal(timeline.length, 30)
      }
      const { period } = await figures({ startDate: '2026-03-01', timezone: 'Europe/Berlin' })
      assert.equal(period.start, '2026-02-28T23:00:00.000Z')
      await rejection(figures({ timezone: 'Mars/Base' }), 400, 'VALIDATION_ERROR', /timezone/)
    })
  })
}

function shapeOf(value: object): string {
  return Object.keys(value).join()
}

/** The scans of each entry of a list, by one of its fields. */
function scansBy(name: string, list: readonly { scans: number }[]): Record<string, number> {
  return Object.fromEntries(list.map((one) => [(one as Record<string, unknown>)[name], one.scans]))
}
