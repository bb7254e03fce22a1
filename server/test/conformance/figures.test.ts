import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Scan } from '@everscan/client/create-client.ts'
import { readCsv } from '../../src/analytics/testing/csv.ts'
import { createCodes, type Codes } from '../support/accounts.ts'
import { phones } from '../support/phones.ts'
import { startService, until, type Service } from '../support/service.ts'

const scansMade = 240

/** Addresses that the packaged geography knows, and one that is unassigned. */
const addresses = ['81.169.181.179', '8.8.8.8', '2a01:4f8::1', '192.0.2.1']
const referrers = ['', 'https://news.example/article?id=1', 'https://www.Example.org/']
const machines = ['Googlebot/2.1 (+http://www.google.com/bot.html)', 'curl/8.5.0', 'WhatsApp/2.23.20.0']

describe('scans by people, as the client reads them', () => {
  let service: Service
  let of: Codes
  before(async () => {
    service = await startService({ TRUST_PROXY: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '0' })
    of = await createCodes(service, 2)
    for (let index = 0; index < scansMade; index++) {
      const { shortCode = '' } = of.codes[index % 3 === 0 ? 1 : 0] ?? {}
      const isMachine = index % 10 === 9
      const userAgent = isMachine ? machines[index % machines.length] : phones[index % phones.length]
      const referer = referrers[(index % 7) % referrers.length] ?? ''
      const answer = await fetch(`${service.baseUrl}/${shortCode}`, {
        redirect: 'manual',
        headers: {
          'user-agent': userAgent ?? '',
          'x-forwarded-for': addresses[(index >> 2) % addresses.length] ?? '',
          ...(referer !== '' && { referer }),
        },
      })
      assert.equal(answer.status, 302)
    }
    let counted = 0
    await until(
      () => `all ${scansMade} hits are in analytics, not ${counted}`,
      async () => {
        const { summary } = await of.client.analytics.ofOrganization(of.orgId)
        counted = summary.totalScans + summary.botScans
        return counted === scansMade
      },
    )
    await until('the records count them', async () => {
      const records = await Promise.all(of.codes.map(({ id }) => of.client.qrCodes.read(of.orgId, id)))
      return sum(records.map(({ totalScans }) => totalScans)) === scansMade - scansMade / 10
    })
  })
  after(() => service.remove())

  test('record, figures, scans and export agree, code by code and for the organization', async () => {
    const { client, orgId } = of
    const all: Scan[] = []
    for (const { id } of of.codes) {
      const scans: Scan[] = []
      for await (const scan of client.scans.iterate(orgId, id, { includeBots: true, limit: 50 }))
        scans.push(scan)
      all.push(...scans)
      const people = scans.filter(({ isBot }) => !isBot)
      const uniques = people.filter(({ isUnique }) => isUnique)
      const {
        summary,
        timeline,
        geography,
        devices,
        referrers: from,
        hours,
      } = await client.qrCodes.analytics(orgId, id)
      const record = await client.qrCodes.read(orgId, id)
      assert.deepEqual([summary.totalScans, record.totalScans], [people.length, people.length])
      assert.deepEqual([summary.uniqueScans, record.uniqueScans], [uniques.length, uniques.length])
      assert.equal(summary.botScans, scans.length - people.length)
      assert.equal(sum(timeline.map((day) => day.uniqueScans)), uniques.length)
      for (const list of [
        timeline,
        geography.countries,
        geography.cities,
        devices.types,
        devices.os,
        devices.browsers,
        from,
        hours,
      ])
        assert.equal(sum(list.map((one) => one.scans)), people.length)
      assert.deepEqual(
        Object.fromEntries(from.map(({ referrer, scans: count }) => [referrer, count])),
        countsOf(people.map(({ referrer }) => referrer)),
      )
      assert.deepEqual(
        Object.fromEntries(geography.countries.map(({ country, scans: count }) => [country, count])),
        countsOf(people.map(({ country }) => country)),
      )
      assert.deepEqual(await exportedRows(id), people.toReversed().map(rowOf))
    }
    const { summary, topQrCodes } = await client.analytics.ofOrganization(orgId)
    const people = all.filter(({ isBot }) => !isBot)
    assert.equal(summary.totalScans, people.length)
    assert.equal(summary.uniqueScans, people.filter(({ isUnique }) => isUnique).length)
    assert.equal(summary.totalQrCodes, 2)
    assert.deepEqual(
      topQrCodes.map(({ qrCodeId, name }) => [qrCodeId, name]),
      of.codes.map(({ id, name }) => [id, name]),
    )
    assert.equal(sum(topQrCodes.map(({ scans }) => scans)), people.length)
  })

  test('a filter means the same everywhere', async () => {
    const { client, orgId } = of
    const [{ id } = { id: '' }] = of.codes
    for (const filter of [
      { os: ['iOS'] },
      { country: ['DE', 'XX'] },
      { referrer: [''] },
      { os: ['iOS'], country: ['US'] },
    ]) {
      const { summary, timeline } = await client.qrCodes.analytics(orgId, id, filter)
      const { pagination } = await client.scans.list(orgId, id, { ...filter, limit: 1 })
      const rows = await exportedRows(id, filter)
      assert.ok(summary.totalScans > 0, JSON.stringify(filter))
      assert.deepEqual([pagination.total, rows.length], [summary.totalScans, summary.totalScans])
      assert.equal(rows.filter((row) => row.at(-1) === 'true').length, summary.uniqueScans)
      assert.equal(sum(timeline.map((day) => day.uniqueScans)), summary.uniqueScans)
    }
  })

  test('while the scan store is down the figures are 503, and they recover', async () => {
    const { orgId } = of
    const client = service.client({ retries: 0 })
    const [{ id } = { id: '' }] = of.codes
    service.signal(['engine'], 'SIGKILL')
    const calls = [
      () => client.analytics.ofOrganization(orgId),
      () => client.scans.list(orgId, id),
      () => client.analytics.export(orgId, id),
    ]
    for (const call of calls)
      await call().catch((error: unknown) => assert.equal((error as { status: number }).status, 503))
    await until(
      'the export works again',
      () =>
        exportedRows(id).then(
          () => true,
          () => false,
        ),
      30_000,
    )
    assert.equal((await exportedRows(id)).length, (await client.scans.list(orgId, id)).pagination.total)
  })

  async function exportedRows(id: string, filter: object = {}): Promise<string[][]> {
    const { body, fileName, contentType } = await of.client.analytics.export(of.orgId, id, filter)
    assert.match(fileName, /^Code \d scans\.csv$/)
    assert.equal(contentType, 'text/csv; charset=utf-8')
    const path = join(tmpdir(), `everscan-${process.pid}-${fileName}`)
    await writeFile(path, body)
    const [header, ...rows] = readCsv(await readFile(path, 'utf8'))
    await rm(path)
    assert.equal(header?.join(','), 'timestamp,country,city,device_type,os,browser,is_unique')
    return rows
  }
})

function rowOf({ timestamp, country, city, deviceType, os, browser, isUnique }: Scan): string[] {
  return [timestamp, country, city, deviceType, os, browser, String(isUnique)]
}

function countsOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
