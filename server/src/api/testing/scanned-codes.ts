import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { pick } from '@everscan/contract/testing/random.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Scan, ScanPage } from '@everscan/contract/resources/scans.ts'
import type { ScanRow } from '../../analytics/insert/scan-row.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { readCsv } from '../../analytics/testing/csv.ts'
import type { Database } from '../../db/database.ts'
import type { Geography } from '../../visitors/geography/geography.ts'
import { openTestJournal, record, startTestIngest, until } from '../../ingest/testing/ingest.ts'
import { rowOf } from '../../ingest/steps.ts'
import type { RawScan } from '../../journal/raw-scan.ts'
import type { TestApi } from './api.ts'

export const userAgents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
  'curl/8.5.0',
  'Googlebot/2.1 (+http://www.google.com/bot.html)',
  'WhatsApp/2.23.20.0',
] as const

export const places = [
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

export const geography: Geography = {
  locate: (network) => {
    const { network: _, ...place } = places.find((one) => one.network === network) ?? places[0]
    return place
  },
  reload: async () => [],
  problems: [],
}

/** Parameters of a query. */
export type Query = Record<string, string[]>

/** The scan store and a directory for journals. */
export type ScanParts = { store: ClickHouse; root: string }

/** Creates codes named `Code 0` and so on. */
export async function createCodes(api: TestApi, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    const payload = { type: 'URL', name: `Code ${index}`, data: { url: 'https://example.com/' } }
    const path = `/organizations/${api.orgId}/qr-codes`
    const answer = await api.call('POST', path, { key: api.keys.ADMIN, payload })
    ids.push(answer.json<QrCode>().id)
  }
  return ids
}

/** A scan of a code by one of some visitors. */
export function rawScan(
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
    app: '',
    hints: 0,
    ...rest,
  }
}

/**
 * Ingests the scans of several machines through their journals into the scan store and the
 * counters; each list is one journal.
 */
export async function ingest(
  db: Database,
  { store, root }: ScanParts,
  scansOf: readonly (readonly RawScan[])[],
): Promise<void> {
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
export async function recordScans(
  api: TestApi,
  {
    db,
    random,
    ids,
    answers = [['', '']],
    scansMade,
    ...parts
  }: ScanParts & {
    db: Database
    random: () => number
    ids: readonly string[]
    /** Rules and arms that answer scans of the first code. */
    answers?: readonly (readonly [rule: string, arm: string])[]
    scansMade: number
  },
): Promise<ScanRow[]> {
  const scansOf: RawScan[][] = [[], []]
  for (let made = 0; made < scansMade; made++) {
    const machine = Math.floor(random() * 2)
    const exactMs = Date.UTC(2025, 9, 1) + Math.floor(random() * 180 * 86_400_000)
    // Some at midnight, so that scans coincide; never those of one visitor on two machines, where
    // the first is undefined.
    const timeMs = random() < 0.2 ? exactMs - (exactMs % 86_400_000) + machine : exactMs
    const id = pick(random, ids.slice(0, random() < 0.5 ? 1 : ids.length))
    const [rule, arm] = id === ids[0] ? pick(random, answers) : ['', '']
    scansOf[machine]?.push(
      rawScan(api, {
        id,
        rule,
        arm,
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
  await ingest(db, parts, scansOf)
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
export async function allScans(api: TestApi, id: string, query: Query): Promise<Scan[]> {
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

/** The rows of the export of a code, without the header. */
export async function csv(api: TestApi, id: string, query: Query): Promise<string[][]> {
  const answer = await get(api, `/${id}/analytics/export`, query)
  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8')
  const [header, ...rows] = readCsv(answer.body)
  assert.equal(header?.join(','), 'timestamp,country,city,device_type,os,browser,is_unique')
  return rows
}

/** The body of a response 200 to a viewer. */
export async function json<Body>(api: TestApi, path: string, query: Query = {}): Promise<Body> {
  const answer = await get(api, path, query)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json<Body>()
}

/** Requests a path below the codes, as a viewer. */
export function get(api: TestApi, path: string, query: Query = {}) {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  )
  const url = `/organizations/${api.orgId}/qr-codes${path}${search.size > 0 ? `?${search.toString()}` : ''}`
  return api.call('GET', url, { key: api.keys.VIEWER })
}
