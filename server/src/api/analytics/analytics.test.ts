import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Scan, ScanPage } from '@everscan/contract/resources/scans.ts'
import { storeCalls } from '../../analytics/testing/store-calls.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import {
  referenceAnalytics,
  referenceDestinations,
  referenceFigures,
  referenceHits,
  referenceTopQrCodes,
} from '../../analytics/testing/reference-analytics.ts'
import type { ScanRow } from '../../analytics/insert/scan-row.ts'
import { clickHouseScans } from '../../analytics/clickhouse-scans.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { pick, seededRandom } from '@everscan/contract/testing/random.ts'
import { startIngestSuite } from '../../ingest/testing/ingest.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'
import {
  allScans,
  createCodes,
  csv,
  get,
  ingest,
  json,
  rawScan,
  recordScans,
  type Query,
} from '../testing/scanned-codes.ts'

const soak = process.env['SOAK'] === '1'
const scansMade = soak ? 20_000 : 700
const periods = soak ? 200 : 5

const { remove, root, scanStore, store } = await startIngestSuite()
after(remove)

onEitherDatabase('analytics', (open) => {
  test('every surface reports the same scans: record, summary, timeline, breakdowns, scans, export, organization', async () => {
    const random = seededRandom()
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const codes = await createCodes(api, 4)
    const { answers, names } = await ruled(api, codes[0] ?? '')
    const ids = codes.slice(0, 3)
    const truth = await recordScans(api, { db, random, ids, answers, scansMade, store, root })

    for (let run = 0; run < periods; run++) {
      const sample = pick(random, truth)
      const startMs = Date.UTC(2025, 9, 1) + Math.floor(random() * 150) * 86_400_000
      const query: Query = {
        startDate: [new Date(run === 0 ? Date.UTC(2025, 8, 1) : startMs).toISOString().slice(0, 10)],
        endDate: [new Date(run === 0 ? Date.UTC(2026, 4, 1) : startMs + 40 * 86_400_000).toISOString()],
        timezone: [pick(random, ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe'])],
        ...(run > 0 && random() < 0.4 && { country: [pick(random, ['', '!']) + sample.country, 'US'] }),
        ...(run > 0 && random() < 0.3 && { region: ['!Berlin', 'Unknown', 'NH'] }),
        ...(run > 0 && random() < 0.3 && { city: [sample.city] }),
        ...(run > 0 && random() < 0.3 && { os: [sample.os] }),
        ...(run > 0 && random() < 0.3 && { browser: [sample.browser, 'Chrome'] }),
        ...(run > 0 && random() < 0.3 && { deviceType: ['mobile', 'tablet'] }),
        ...(run > 0 && random() < 0.3 && { referrer: [sample.referrer] }),
        ...(run > 0 &&
          random() < 0.3 && { rule: [sample.rule || 'none', '!rul_01jqzv4x8m3c5t7w9y2b4d6f8h'] }),
        ...(run > 0 && random() < 0.3 && { arm: [pick(random, ['A', '!A', '', sample.arm])] }),
      }
      const interval = pick(random, ['day', 'week', 'month'] as const)
      await compare(api, { query, interval, truth, ids: codes, names })
    }

    // Over all time the record has the same figures.
    for (const id of codes) {
      const { totalScans, uniqueScans } = await json<QrCode>(api, `/${id}`)
      const all = { startDate: ['2025-01-01'], endDate: ['2026-12-31'], interval: ['month'] }
      const { summary } = await json<QrCodeAnalytics>(api, `/${id}/analytics`, all)
      assert.deepEqual([totalScans, uniqueScans], [summary.totalScans, summary.uniqueScans], id)
    }
  })

  test('200: by default the last 30 days; bots on request; no scans of another code or organization', async () => {
    const db = await open()
    const nowMs = Date.UTC(2026, 2, 31, 12)
    const api = await openTestApi(db, { store: scanStore, clock: () => nowMs })
    const [id = '', other = ''] = await createCodes(api, 2)
    const scans = [
      rawScan(api, { id, visitor: 1, timeMs: at('2026-03-01') }),
      rawScan(api, { id, visitor: 1, timeMs: at('2026-03-02') }),
      rawScan(api, { id, visitor: 2, timeMs: at('2026-03-31') }),
      rawScan(api, { id, visitor: 3, timeMs: at('2026-03-31'), userAgent: 'curl/8.5.0' }),
      rawScan(api, { id: other, visitor: 1, timeMs: at('2026-03-31') }),
    ]
    await ingest(db, { store, root }, [scans])

    const list = await json<ScanPage>(api, `/${id}/scans`)
    assert.deepEqual(
      list.data.map(({ timestamp, isUnique }) => [timestamp, isUnique]),
      [
        ['2026-03-31T10:00:00.000Z', true],
        ['2026-03-02T10:00:00.000Z', false],
      ],
    )
    assert.deepEqual(list.pagination, {
      page: 1,
      limit: 20,
      total: 2,
      totalPages: 1,
      hasNext: false,
      hasPrev: false,
    })
    const withBots = await json<ScanPage>(api, `/${id}/scans`, { includeBots: ['true'], limit: ['1'] })
    assert.equal(withBots.pagination.total, 3)
    const bots = (await allScans(api, id, {})).filter(({ isBot }) => isBot)
    assert.deepEqual(
      bots.map(({ botReason, isUnique }) => [botReason, isUnique]),
      [['curl', false]],
    )
    const rows = await csv(api, id, {})
    assert.deepEqual(
      rows.map((cells) => [cells[0], cells[6]]),
      [
        ['2026-03-02T10:00:00.000Z', 'false'],
        ['2026-03-31T10:00:00.000Z', 'true'],
      ],
    )
    const all = await json<OrganizationAnalytics>(api, '/analytics')
    assert.equal(all.summary.totalScans, 3)
    assert.equal(all.summary.botScans, 1)
    assert.equal(all.timeline.length, 30)
  })

  test('200: the top ten of an organization are existing codes; the figures include those of deleted ones', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore, clock: () => Date.UTC(2026, 2, 31, 12) })
    const ids = await createCodes(api, 13)
    const scans = ids.flatMap((id, index) =>
      Array.from({ length: 20 - index }, (_, visitor) => rawScan(api, { id, visitor: visitor >> 1 })),
    )
    await ingest(db, { store, root }, [scans])
    for (const id of ids.slice(0, 2))
      await api.call('DELETE', `/organizations/${api.orgId}/qr-codes/${id}`, { key: api.keys.ADMIN })
    const archived = `/organizations/${api.orgId}/qr-codes/${ids[2]}`
    await api.call('PUT', archived, { key: api.keys.ADMIN, payload: { status: 'ARCHIVED' } })

    const { summary, topQrCodes } = await json<OrganizationAnalytics>(api, '/analytics')
    assert.equal(summary.totalScans, scans.length)
    assert.equal(summary.totalQrCodes, 11)
    assert.equal(summary.activeQrCodes, 10)
    assert.deepEqual(
      topQrCodes.map(({ qrCodeId, scans: count }) => [qrCodeId, count]),
      ids.slice(2, 12).map((id, index) => [id, 18 - index]),
    )
    const [first] = topQrCodes
    const { name, shortCode, type } = await json<QrCode>(api, `/${ids[2]}`)
    const percentage = Math.round((1000 * 18) / scans.length) / 10
    assert.deepEqual(first, {
      qrCodeId: ids[2],
      name,
      shortCode,
      type,
      scans: 18,
      uniqueScans: 9,
      percentage,
    })
    const empty = await json<OrganizationAnalytics>(api, '/analytics', { country: ['AQ'] })
    assert.deepEqual([empty.summary.totalScans, empty.summary.totalQrCodes, empty.topQrCodes], [0, 11, []])
  })
})

onEitherDatabase('analytics, refused', (open) => {
  test('400: an invalid period, interval, page or filter; an unknown parameter', async () => {
    const api = await openTestApi(await open(), { store: scanStore })
    const [id = ''] = await createCodes(api, 1)
    const everywhere = [
      'startDate=2026-03-02&endDate=2026-03-01',
      'startDate=yesterday',
      'startDate=2026-02-30',
      'endDate=2026-13-01',
      'timezone=Mars/Olympus',
      'country=de',
      'country=Germany',
      'country=!de',
      'deviceType=!fridge',
      'rule=Lunch',
      'rule=!',
      'deviceType=fridge',
      'color=red',
      'startDate=2026-03-01&startDate=2026-03-02',
      Array.from({ length: 51 }, (_, index) => `os=${index}`).join('&'),
    ]
    const cases = [
      ...[`/${id}/analytics`, '/analytics'].flatMap((path) =>
        [
          ...everywhere,
          'interval=hour&startDate=2026-01-01&endDate=2026-02-01',
          'interval=minute',
          'interval=',
          'page=1',
          'matrix=city',
          'matrix=city,city',
          'matrix=city,weather',
          'format=xml',
        ].map((query) => `${path}?${query}`),
      ),
      ...[...everywhere, 'interval=day'].map((query) => `/${id}/analytics/export?${query}`),
      ...[...everywhere, 'limit=0', 'limit=101', 'limit=1.5', 'page=0', 'includeBots=maybe'].map(
        (query) => `/${id}/scans?${query}`,
      ),
    ]
    for (const path of cases) {
      const answer = await get(api, path)
      assert.equal(answer.statusCode, 400, `${path}: ${answer.body}`)
      assert.equal(answer.json<{ code: string }>().code, 'VALIDATION_ERROR', path)
    }
  })

  test('503: an unavailable scan store, also for an export that has not begun', async () => {
    const api = await openTestApi(await open())
    const [id = ''] = await createCodes(api, 1)
    for (const path of [`/${id}/analytics`, '/analytics', `/${id}/analytics/export`, `/${id}/scans`]) {
      const answer = await get(api, path)
      assert.equal(answer.statusCode, 503, path)
      assert.equal(answer.json<{ code: string }>().code, 'UNAVAILABLE')
      assert.equal(answer.headers['content-disposition'], undefined)
    }
  })

  test('200: a HEAD of an export has its headers, but does not produce the export', async () => {
    let pieces = 0
    const counting = clickHouseScans({
      ...storeCalls(store),
      bytes: (...args) => {
        pieces++
        return store.bytes(...args)
      },
    })
    const api = await openTestApi(await open(), { store: counting })
    const [id = ''] = await createCodes(api, 1)
    const path = `/organizations/${api.orgId}/qr-codes/${id}/analytics/export`
    const head = await api.call('HEAD', path, { key: api.keys.VIEWER })
    assert.equal(head.statusCode, 200)
    assert.equal(head.body, '')
    assert.equal(head.headers['content-type'], 'text/csv; charset=utf-8')
    assert.match(String(head.headers['content-disposition']), /^attachment; filename="Code 0 scans\.csv"/)
    assert.equal(pieces, 1)
  })
})

/**
 * Gives a code rules of which two share the name of an arm. One is then removed, and one renamed.
 * Returns what can answer its scans, and the names that figures must show, by id.
 */
async function ruled(api: TestApi, id: string) {
  const path = `/organizations/${api.orgId}/qr-codes/${id}`
  const put = async (rules: object[]) =>
    (await api.call('PUT', path, { key: api.keys.ADMIN, payload: { rules } })).json<QrCode>().rules
  const data = { url: 'https://example.com/' }
  const split = ['A', 'B'].map((name) => ({ name, weight: 1, data }))
  const [lunch, split50, second] = await put([
    { name: 'Lunch', data },
    { name: 'Test', split },
    { name: 'Second', split },
  ])
  assert.ok(lunch !== undefined && split50 !== undefined && second !== undefined)
  await put([{ ...split50, name: 'Test, renamed' }, second])
  await put([{ ...split50, name: 'Test, renamed' }])
  const answers = [
    ['', ''],
    [lunch.id, ''],
    ...['A', 'B'].flatMap((arm) => [[split50.id, arm] as const, [second.id, arm] as const]),
  ] as const
  const names = new Map([
    [lunch.id, 'Lunch'],
    [split50.id, 'Test, renamed'],
    [second.id, 'Second'],
  ])
  return { answers, names }
}

function at(day: string): number {
  return Date.parse(`${day}T10:00:00Z`)
}

/** Compares every surface for one period and filter with the truth, and so with each other. */
async function compare(
  api: TestApi,
  asked: {
    query: Query
    interval: 'day' | 'week' | 'month'
    truth: readonly ScanRow[]
    ids: readonly string[]
    names: ReadonlyMap<string, string>
  },
): Promise<void> {
  const { query, interval, truth, ids, names } = asked
  const { startDate, endDate, timezone, ...filters } = query
  const period = readPeriod({ startDate: startDate?.[0], endDate: endDate?.[0], timezone: timezone?.[0] })
  const scope = { organizationId: api.orgId, filters, ...period } as Parameters<typeof referenceHits>[1]
  const context = JSON.stringify({ query, interval })
  for (const qrCodeId of ids) {
    const hits = referenceHits(truth, { ...scope, qrCodeId })
    const analytics = await json<QrCodeAnalytics>(api, `/${qrCodeId}/analytics`, {
      ...query,
      interval: [interval],
    })
    const { marks, destinations: named, ...figures } = analytics
    const destinations = named.map(({ name: _name, ...counted }) => counted)
    const ofScans = { ...figures, destinations }
    assert.deepEqual(marks, [])
    assert.deepEqual(ofScans, referenceAnalytics(truth, { ...scope, qrCodeId, interval }), context)
    for (const { ruleId, name } of named) assert.equal(name, names.get(ruleId ?? '') ?? null)

    const scans = (await allScans(api, qrCodeId, query)).toReversed()
    assert.equal(scans.length, hits.length, context)
    const asHits = scans.map((scan) => ({ ...scan, timeMs: Date.parse(scan.timestamp) }))
    const { summary, timeline, ...breakdowns } = referenceFigures(asHits, { ...period, interval })
    assert.deepEqual(figures, { qrCodeId, summary, timeline, ...breakdowns }, `scans: ${context}`)
    const answered = asHits.map(({ ruleId, arm, ...hit }) => ({ ...hit, rule: ruleId ?? '', arm: arm ?? '' }))
    assert.deepEqual(destinations, referenceDestinations(answered), `scans: ${context}`)

    const rows = await csv(api, qrCodeId, query)
    const people = scans.filter(({ isBot }) => !isBot)
    assert.deepEqual(rows, people.map(csvRow), `export: ${context}`)
    assert.equal(rows.filter((cells) => cells[6] === 'true').length, summary.uniqueScans)
  }
  const all = await json<OrganizationAnalytics>(api, '/analytics', { ...query, interval: [interval] })
  const hits = referenceHits(truth, scope)
  const { topQrCodes, organizationId, summary, marks, ...figures } = all
  assert.deepEqual(marks, [])
  const { totalQrCodes, activeQrCodes, ...scanSummary } = summary
  assert.deepEqual(
    { summary: scanSummary, ...figures },
    referenceFigures(hits, { ...period, interval }),
    context,
  )
  assert.deepEqual([organizationId, totalQrCodes, activeQrCodes], [api.orgId, ids.length, ids.length])
  assert.deepEqual(
    topQrCodes.map(({ qrCodeId, scans, uniqueScans, percentage }) => ({
      qrCodeId,
      scans,
      uniqueScans,
      percentage,
    })),
    referenceTopQrCodes(hits, ids),
    context,
  )
}

function csvRow(scan: Scan): string[] {
  const { timestamp, country, city, deviceType, os, browser, isUnique } = scan
  const text = city.startsWith('=') ? `'${city}` : city
  return [timestamp, country, text, deviceType, os, browser, String(isUnique)]
}
