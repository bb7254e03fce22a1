import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { AnalyticsExportQuery, QrCodeOf } from '@everscan/client/create-client.ts'
import { readCsv } from '../../src/analytics/testing/csv.ts'
import { phones } from '../support/phones.ts'
import { until } from '../support/service.ts'
import { urlCode, type Installation, type Tenant } from './installation.ts'

const [iphone, olderIphone, , android] = phones
const ipad =
  'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1'
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const berlin = '81.169.181.179'
const america = '8.8.8.8'
const nowhere = '192.0.2.1'
const news = 'https://news.example/article?id=1'

type Made = [userAgent: string, address: string, headers?: Record<string, string>]

/**
 * Scans of the first code by people, oldest first; the second and the fifth come from returning
 * visitors.
 */
const people: readonly Made[] = [
  [iphone, berlin, { referer: news, 'accept-language': 'de-DE,de;q=0.9' }],
  [iphone, berlin],
  [iphone, america],
  [android, america, { referer: 'https://www.Example.org/' }],
  [android, america],
  [ipad, berlin],
  [windows, nowhere],
]
export const uniquePeople = 5

/** Hits that are not scans, with their class. */
const machines: readonly Made[] = [
  ['Googlebot/2.1 (+http://www.google.com/bot.html)', america],
  ['UptimeRobot/2.0', america],
  ['WhatsApp/2.23.20.0', berlin],
  [iphone, nowhere, { 'sec-purpose': 'prefetch;prerender' }],
  [olderIphone, nowhere, { purpose: 'prefetch' }],
]

export type RecordedScans = {
  org: Tenant
  /** Scanned by people and machines, by one person, and not at all. */
  codes: readonly [QrCodeOf<'URL'>, QrCodeOf<'TEXT'>, QrCodeOf<'URL'>]
  /** The day of the scans, UTC. */
  today: string
  peopleCount: number
  machinesCount: number
}

/** An organization with scanned codes, whose figures include all scans. */
export async function recordScans(of: Installation): Promise<RecordedScans> {
  const org = await of.organization()
  const { client, orgId } = org
  const codes = [
    await client.qrCodes.create(orgId, urlCode('Café "Poster"')),
    await client.qrCodes.create(orgId, { type: 'TEXT', name: 'Note', data: { text: 'A' } }),
    await client.qrCodes.create(orgId, urlCode('Nobody')),
  ] as const
  await client.qrCodes.update(orgId, codes[2].id, { status: 'ARCHIVED' })
  await untilFarFromMidnight()
  const today = new Date().toISOString().slice(0, 10)
  for (const [userAgent, address, headers] of [...people, ...machines]) {
    const { status } = await of.scan(codes[0].shortCode, {
      'user-agent': userAgent,
      'x-forwarded-for': address,
      ...headers,
    })
    assert.equal(status, 302)
    // So that the times of two scans differ.
    const answeredMs = Date.now()
    await until('the clock moves', () => Date.now() > answeredMs + 1)
  }
  // The same visitor counts as unique again for another code. A request without a destination or
  // page is no hit.
  assert.equal((await of.scan(codes[1].shortCode, { 'x-forwarded-for': berlin })).status, 200)
  assert.equal((await of.scan(codes[2].shortCode)).status, 410)
  await of.scan(codes[0].shortCode, {}, 'HEAD')
  await of.scan(codes[0].shortCode, {}, 'POST')

  await until('the figures have all of it', async () => {
    const { summary } = await client.analytics.ofOrganization(orgId)
    const { totalScans, botScans, uniqueScans } = summary
    return totalScans + botScans >= people.length + machines.length + 1 && uniqueScans > uniquePeople
  })
  await until('the records have all of it', async () => {
    const { totalScans, uniqueScans } = await client.qrCodes.read(orgId, codes[0].id)
    return totalScans >= people.length && uniqueScans >= uniquePeople
  })
  return { org, codes, today, peopleCount: people.length, machinesCount: machines.length }
}

export type ExportedRow = Record<
  'timestamp' | 'country' | 'city' | 'device_type' | 'os' | 'browser' | 'is_unique',
  string
>

/** The rows of an export, by column. */
export async function exportedRows(
  { client, orgId }: Tenant,
  id: string,
  query?: AnalyticsExportQuery,
): Promise<{ header: string; rows: ExportedRow[] }> {
  const { body } = await client.analytics.export(orgId, id, query)
  const [header = [], ...rows] = readCsv(await text(Readable.from(body)))
  return {
    header: header.join(','),
    rows: rows.map(
      (cells) => Object.fromEntries(cells.map((cell, index) => [header[index], cell])) as ExportedRow,
    ),
  }
}

/** The number of occurrences of each value. */
export function countsOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

/**
 * Figures are by day: scans just before midnight would count for the previous day when the test
 * reads them.
 */
async function untilFarFromMidnight(): Promise<void> {
  await until('it is not nearly midnight', () => 86_400_000 - (Date.now() % 86_400_000) > 60_000)
}
