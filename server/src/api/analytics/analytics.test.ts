import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Scan, ScanPage } from '@everscan/contract/resources/scans.ts'
import { readCsv } from '../../analytics/testing/csv.ts'
import { storeCalls } from '../../analytics/testing/store-calls.ts'
import { readPeriod } from '../../analytics/figures/period.ts'
import {
  referenceAnalytics,
  referenceFigures,
  referenceHits,
  referenceTopQrCodes,
} from '../../analytics/testing/reference-analytics.ts'
import type { ScanRow } from '../../analytics/insert/scan-row.ts'
import type { ScanStore } from '../../analytics/store/store.ts'
import type { Database } from '../../db/database.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { pick, seededRandom } from '@everscan/contract/testing/random.ts'
import type { Geography } from '../../ingest/geography/geography.ts'
import {
  openTestJournal,
  record,
  startIngestSuite,
  startTestIngest,
  until,
} from '../../ingest/testing/ingest.ts'
import { rowOf } from '../../ingest/steps.ts'
import type { RawScan } from '../../journal/raw-scan.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'

const soak = process.env['SOAK'] === '1'
const scansMade = soak ? 20_000 : 700
const periods = soak ? 200 : 5

const userAgents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  'curl/8.5.0',
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
  'WhatsApp/2.23.20.0',
] as const

const places = [
  { network: '', country: 'XX', city: 'Unknown', region: '', latitude: null, longitude: null },
  { network: '192.0.2.0', country: 'DE', city: 'Berlin', region: 'Berlin', latitude: 52.5, longitude: 13.4 },
  { network: '198.51.100.0', country: 'US', city: 'Berlin', region: 'NH', latitude: 44.5, longitude: -71.2 },
  { network: '203.0.113.0', country: 'IT', city: "L'Aquila", region: '', latitude: 42.4, longitude: 13.4 },
  {
    network: '2001:db8:1::',
    country: 'FR',
    city: '=Paris, "FR"',
    region: '',
    latitude: 48.9,
    longitude: 2.4,
  },
] as const

const geography: Geography = {
  locate: (network) => {
    const { network: _, ...place } = places.find((one) => one.network === network) ?? places[0]
    return place
  },
  reload: async () => [],
  problems: [],
}

const { remove, root, store } = await startIngestSuite()
after(remove)

forEachDatabase('analytics', (open) => {
  test('every surface reports the same scans: record, summary, timeline, breakdowns, scans, export, organization', async () => {
    const random = seededRandom()
    const db = await open()
    const api = await openTestApi(db, { store })
    const codes = await createCodes(api, 4)
    const truth = await recordScans(api, { db, random, ids: codes.slice(0, 3) })

    for (let run = 0; run < periods; run++) {
      const sample = pick(random, truth)
      const startMs = Date.UTC(2025, 9, 1) + Math.floor(random() * 150) * 86_400_000
      const query: Query = {
        startDate: [new Date(run === 0 ? Date.UTC(2025, 8, 1) : startMs).toISOString().slice(0, 10)],
        endDate: [new Date(run === 0 ? Date.UTC(2026, 4, 1) : startMs + 40 * 86_400_000).toISOString()],
        timezone: [pick(random, ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe'])],
        ...(run > 0 && random() < 0.4 && { country: [sample.country, 'US'] }),
        ...(run > 0 && random() < 0.3 && { city: [sample.city] }),
        ...(run > 0 && random() < 0.3 && { os: [sample.os] }),
        ...(run > 0 && random() < 0.3 && { browser: [sample.browser, 'Chrome'] }),
        ...(run > 0 && random() < 0.3 && { deviceType: ['mobile', 'tablet'] }),
        ...(run > 0 && random() < 0.3 && { referrer: [sample.referrer] }),
      }
      await compare(api, { query, interval: pick(random, ['day', 'week', 'month']), truth, ids: codes })
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
    const api = await openTestApi(db, { store, clock: () => nowMs })
    const [id = '', other = ''] = await createCodes(api, 2)
    const scans = [
      rawScan(api, { id, visitor: 1, timeMs: at('2026-03-01') }),
      rawScan(api, { id, visitor: 1, timeMs: at('2026-03-02') }),
      rawScan(api, { id, visitor: 2, timeMs: at('2026-03-31') }),
      rawScan(api, { id, visitor: 3, timeMs: at('2026-03-31'), userAgent: 'curl/8.5.0' }),
      rawScan(api, { id: other, visitor: 1, timeMs: at('2026-03-31') }),
    ]
    await ingest(db, [scans])

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
    const api = await openTestApi(db, { store, clock: () => Date.UTC(2026, 2, 31, 12) })
    const ids = await createCodes(api, 13)
    const scans = ids.flatMap((id, index) =>
      Array.from({ length: 20 - index }, (_, visitor) => rawScan(api, { id, visitor: visitor >> 1 })),
    )
    await ingest(db, [scans])
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

forEachDatabase('analytics, refused', (open) => {
  test('400: an invalid period, interval, page or filter; an unknown parameter', async () => {
    const api = await openTestApi(await open(), { store })
    const [id = ''] = await createCodes(api, 1)
    const everywhere = [
      'startDate=2026-03-02&endDate=2026-03-01',
      'startDate=yesterday',
      'startDate=2026-02-30',
      'endDate=2026-13-01',
      'timezone=Mars/Olympus',
      'country=de',
      'country=Germany',
      'deviceType=fridge',
      'color=red',
      'startDate=2026-03-01&startDate=2026-03-02',
      Array.from({ length: 51 }, (_, index) => `os=${index}`).join('&'),
    ]
    const cases = [
      ...[`/${id}/analytics`, '/analytics'].flatMap((path) =>
        [...everywhere, 'interval=hour', 'interval=', 'page=1'].map((query) => `${path}?${query}`),
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
    const counting: ScanStore = {
      ...storeCalls(store),
      bytes: (...args) => {
        pieces++
        return store.bytes(...args)
      },
    }
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

function at(day: string): number {
  return Date.parse(`${day}T10:00:00Z`)
}

type Query = Record<string, string[]>

/** Compares every surface for one period and filter with the truth, and so with each other. */
async function compare(
  api: TestApi,
  asked: {
    query: Query
    interval: 'day' | 'week' | 'month'
    truth: readonly ScanRow[]
    ids: readonly string[]
  },
): Promise<void> {
  const { query, interval, truth, ids } = asked
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
    const { marks, ...ofScans } = analytics
    assert.deepEqual(marks, [])
    assert.deepEqual(ofScans, referenceAnalytics(truth, { ...scope, qrCodeId, interval }), context)

    const scans = (await allScans(api, qrCodeId, query)).toReversed()
    assert.equal(scans.length, hits.length, context)
    const asHits = scans.map((scan) => ({ ...scan, timeMs: Date.parse(scan.timestamp) }))
    const { summary, timeline, ...breakdowns } = referenceFigures(asHits, { ...period, interval })
    assert.deepEqual(ofScans, { qrCodeId, summary, timeline, ...breakdowns }, `scans: ${context}`)

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

async function createCodes(api: TestApi, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const payload = { type: 'URL', name: `Code ${index}`, data: { url: 'https://example.com/' } }
    const path = `/organizations/${api.orgId}/qr-codes`
    const answer = await api.call('POST', path, { key: api.keys.ADMIN, payload })
    ids.push(answer.json<QrCode>().id)
  }
  return ids
}

function rawScan(
  api: TestApi,
  { id, visitor, ...rest }: Partial<Omit<RawScan, 'visitor'>> & { id: string; visitor: number },
): RawScan {
  return {
    timeMs: Date.UTC(2026, 2, 30, 9, 30),
    organizationId: api.orgId,
    qrCodeId: id,
    shortCode: id,
    domain: '',
    rule: '',
    arm: '',
    // The front's hash includes the code: the same person is another visitor of another code.
    visitor: createHash('md5').update(`${id} ${visitor}`).digest('hex'),
    network: '',
    userAgent: userAgents[0],
    referrerHost: '',
    language: 'de-DE',
    hints: 0,
    ...rest,
  }
}

/**
 * Ingests the scans of several machines through their journals into the scan store and the
 * counters; each list is one journal.
 */
async function ingest(db: Database, scansOf: readonly (readonly RawScan[])[]): Promise<void> {
  const journalRoot = await mkdtemp(join(root, 'journals-'))
  const running = await startTestIngest({ journalRoot, db, store, geography })
  for (const [index, scans] of scansOf.entries()) {
    const journal = openTestJournal(journalRoot, `front-${index}`)
    await record(journal, scans)
    await journal.close()
  }
  const rows = scansOf.reduce((sum, scans) => sum + scans.length, 0)
  await until(() => running.stats.rows === rows)
  await running.stop()
}

/**
 * Records random scans through two journals, out of order, and returns the rows that must result.
 */
async function recordScans(
  api: TestApi,
  { db, random, ids }: { db: Database; random: () => number; ids: readonly string[] },
): Promise<ScanRow[]> {
  const scansOf: RawScan[][] = [[], []]
  for (let made = 0; made < scansMade; made++) {
    const machine = Math.floor(random() * 2)
    const exactMs = Date.UTC(2025, 9, 1) + Math.floor(random() * 180 * 86_400_000)
    // Some at midnight, so that scans coincide; never those of one visitor on two machines, where
    // the first is undefined.
    const timeMs = random() < 0.2 ? exactMs - (exactMs % 86_400_000) + machine : exactMs
    scansOf[machine]?.push(
      rawScan(api, {
        id: pick(random, ids.slice(0, random() < 0.5 ? 1 : ids.length)),
        visitor: Math.floor(random() * 120),
        timeMs,
        network: pick(random, places).network,
        userAgent: pick(random, userAgents),
        referrerHost: pick(random, ['', '', 'example.org', 'News.Example']),
        language: pick(random, ['', 'de-DE', 'fr']),
        hints: random() < 0.05 ? 1 : 0,
      }),
    )
  }
  // By month, because a batch has scans of one month; in any order within a month.
  for (const scans of scansOf) scans.sort((a, b) => monthOf(a) - monthOf(b))
  await ingest(db, scansOf)
  return scansOf.flatMap((scans, machine) =>
    scans.map((scan, sequence) => {
      const row = rowOf(scan, { writer: `machine-${machine}`, sequence }, geography)
      if ('dropped' in row) throw new Error(`dropped: ${row.dropped}`)
      return row
    }),
  )
}

function monthOf({ timeMs }: RawScan): number {
  const time = new Date(timeMs)
  return time.getUTCFullYear() * 12 + time.getUTCMonth()
}

/** Every page, including bots. */
async function allScans(api: TestApi, id: string, query: Query): Promise<Scan[]> {
  const scans: Scan[] = []
  for (let page = 1; ; page++) {
    const asked = { ...query, includeBots: ['true'], limit: ['100'], page: [String(page)] }
    const { data, pagination } = await json<ScanPage>(api, `/${id}/scans`, asked)
    scans.push(...data)
    if (!pagination.hasNext) {
      assert.equal(scans.length, pagination.total)
      return scans
    }
  }
}

/** The rows of the export, without the header. */
async function csv(api: TestApi, id: string, query: Query): Promise<string[][]> {
  const answer = await get(api, `/${id}/analytics/export`, query)
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  const [header, ...rows] = readCsv(answer.body)
  assert.equal(header?.join(','), 'timestamp,country,city,device_type,os,browser,is_unique')
  return rows
}

async function json<Body>(api: TestApi, path: string, query: Query = {}): Promise<Body> {
  const answer = await get(api, path, query)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<Body>()
}

function get(api: TestApi, path: string, query: Query = {}) {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  )
  const url = `/organizations/${api.orgId}/qr-codes${path}${search.size > 0 ? `?${search.toString()}` : ''}`
  return api.call('GET', url, { key: api.keys.VIEWER })
}
