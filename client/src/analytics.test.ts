import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { ConnectionError, NotFoundError, TimeoutError, type Scan } from './create-client.ts'
import { failure, json, startFakeService } from './testing/server.ts'

const exportPath = '/api/v1/organizations/org_1/qr-codes/qr_1/analytics/export'

test('analytics of an organization, scans and export call the right paths', async (t) => {
  const { client, received } = await startFakeService(t, (response) => json(response, 200, { data: [] }))
  await client.analytics.ofOrganization('org_1', { interval: 'month', os: ['iOS'] })
  await client.scans.list('org_1', 'qr_1', { includeBots: true, country: ['DE', 'AT'], page: 2 })
  await client.analytics.export('org_1', 'qr_1', { startDate: '2026-03-01' })
  assert.deepEqual(
    received.map(({ method, url }) => `${method} ${url.replace('/api/v1/organizations/org_1', '')}`),
    [
      'GET /qr-codes/analytics?interval=month&os=iOS',
      'GET /qr-codes/qr_1/scans?includeBots=true&country=DE&country=AT&page=2',
      'GET /qr-codes/qr_1/analytics/export?startDate=2026-03-01',
    ],
  )
})

test('an export streams as it is made and has a file name', async (t) => {
  let answer: ServerResponse | undefined
  const { client } = await startFakeService(t, (response) => {
    answer = response
    csvHead(response).write('timestamp\n')
  })
  const { body, fileName, contentType } = await client.analytics.export('org_1', 'qr_1')
  assert.equal(fileName, 'Menü scans.csv')
  assert.equal(contentType, 'text/csv; charset=utf-8')
  const first = await body.next()
  assert.equal(Buffer.from(first.value ?? []).toString(), 'timestamp\n')
  answer?.end('2026-03-01T00:00:00.000Z\n')
  const rest = []
  for await (const bytes of body) rest.push(bytes)
  assert.equal(Buffer.concat(rest).toString(), '2026-03-01T00:00:00.000Z\n')
})

test('an export is retried before it begins, and rejects with the errors of other calls', async (t) => {
  const { client, received } = await startFakeService(t, (response, _, count) => {
    if (count === 1) failure(response, 503, 'UNAVAILABLE', { 'retry-after': '0' })
    else if (count === 2) csvHead(response).end('a\n')
    else failure(response, 404, 'NOT_FOUND')
  })
  const { body } = await client.analytics.export('org_1', 'qr_1')
  for await (const bytes of body) assert.equal(Buffer.from(bytes).toString(), 'a\n')
  assert.equal(received.length, 2)
  assert.equal(received[1]?.url, exportPath)
  await assert.rejects(client.analytics.export('org_1', 'qr_1'), NotFoundError)
})

test('an export that breaks off or stalls rejects', async (t) => {
  let breakOff: (() => void) | undefined
  const { client } = await startFakeService(
    t,
    (response) => {
      csvHead(response).write('a\n')
      breakOff = () => response.destroy()
    },
    { timeoutMs: 10_000 },
  )
  t.mock.timers.enable({ apis: ['setTimeout'] })
  for (const [Expected, fail] of [
    [ConnectionError, () => breakOff?.()],
    [TimeoutError, () => t.mock.timers.tick(10_000)],
  ] as const) {
    const { body } = await client.analytics.export('org_1', 'qr_1')
    assert.equal((await body.next()).done, false)
    const next = body.next()
    fail()
    await assert.rejects(next, Expected)
  }
})

test('a slow reader does not cause a timeout; leaving the loop ends the download', async (t) => {
  let isClosed: () => void
  const closed = new Promise<void>((resolve) => (isClosed = resolve))
  let writeMore: (() => void) | undefined
  const { client } = await startFakeService(
    t,
    (response) => {
      response.once('close', isClosed)
      csvHead(response).write('a\n')
      writeMore = () => response.write('b\n')
    },
    { timeoutMs: 10_000 },
  )
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { body } = await client.analytics.export('org_1', 'qr_1')
  let taken = 0
  for await (const _ of body) {
    t.mock.timers.tick(60_000)
    if (++taken === 2) break
    writeMore?.()
  }
  await closed
})

test("the caller's signal ends an export with its own reason", async (t) => {
  const { client } = await startFakeService(t, (response) => void csvHead(response).write('a\n'))
  const stop = new AbortController()
  const { body } = await client.analytics.export('org_1', 'qr_1', {}, { signal: stop.signal })
  await body.next()
  const reason = new Error('enough')
  setTimeout(() => stop.abort(reason), 20)
  await assert.rejects(body.next(), reason)
})

test('iterating yields each scan once, even if new scans move the others to later pages', async (t) => {
  // Three scans have one timestamp, across the border of two pages. Two more arrive after the first
  // page was read.
  const scans = [scan(9), scan(8), scan(7, 'c'), scan(7, 'b'), scan(7, 'a'), scan(6), scan(5)]
  const { client, received } = await startFakeService(t, (response, { url }, count) => {
    if (count === 2) scans.unshift(scan(11), scan(10))
    const page = Number(new URL(url, 'http://x').searchParams.get('page'))
    const data = scans.slice((page - 1) * 4, page * 4)
    json(response, 200, { data, pagination: { hasNext: page * 4 < scans.length } })
  })
  const found: Scan[] = []
  for await (const one of client.scans.iterate('org_1', 'qr_1', { limit: 4, os: ['iOS'] })) found.push(one)
  assert.deepEqual(
    found.map(({ id }) => id),
    ['scn_9', 'scn_8', 'c', 'b', 'a', 'scn_6', 'scn_5'],
  )
  assert.equal(received[1]?.url, '/api/v1/organizations/org_1/qr-codes/qr_1/scans?limit=4&os=iOS&page=2')
})

function scan(second: number, id = `scn_${second}`) {
  return { id, timestamp: new Date(Date.UTC(2026, 2, 1, 0, 0, second)).toISOString() }
}

function csvHead(response: ServerResponse): ServerResponse {
  return response.writeHead(200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="Men_ scans.csv"; filename*=UTF-8''Men%C3%BC%20scans.csv`,
  })
}
