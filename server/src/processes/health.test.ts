import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Readiness } from '@everscan/contract/resources/health.ts'
import { healthPaths, readinessOf } from './health.ts'
import type { ProcessReport } from './messages.ts'
import { createProbe } from './probe.ts'

const api = (process: string, ok: boolean) => ({
  process,
  report: { parts: [{ name: 'scanStore', ok }], metrics: [] },
})
const up = { parts: [{ name: 'catalogue', ok: true }], metrics: [] }

test('the status is starting until all parts were up once, then ready, and degraded while a part is down', () => {
  const reports = [
    { process: 'front-0', report: { parts: [], metrics: [] } },
    { process: 'api-0', report: up },
  ]
  assert.equal(readinessOf(reports, false).status, 'starting')
  assert.deepEqual(readinessOf(reports, true), {
    status: 'ready',
    parts: { 'front-0': { ok: true }, 'api-0': { ok: true }, catalogue: { ok: true } },
  })
  const down = [...reports, { process: 'engine-0', report: undefined, isReady: false, silentMs: 0 }]
  assert.deepEqual(readinessOf(down, true).parts['engine-0'], {
    ok: false,
    detail: 'is down or starting',
    problem: 'processDown',
    values: {},
  })
  assert.equal(readinessOf(down, true).status, 'degraded')
})

test('a part that two processes report is down if either says so', () => {
  assert.equal(readinessOf([api('api-0', true), api('api-1', false)], true).parts['scanStore']?.ok, false)
  assert.equal(readinessOf([api('api-0', false), api('api-1', true)], true).parts['scanStore']?.ok, false)
})

test('a process that does not answer is down, with the known problem as detail', () => {
  const hung = [{ process: 'api-0', report: undefined, isReady: true, silentMs: 7_400 }]
  assert.deepEqual(readinessOf(hung, true).parts['api-0'], {
    ok: false,
    detail: 'has not reported for 7 s',
    problem: 'processSilent',
    values: { seconds: 7 },
  })
})

const secret = 's'.repeat(32)
const open = { token: undefined, requireToken: false }
const token = 'a-token-of-metrics'

type Main = {
  reports: () => Promise<ProcessReport[]>
  started: boolean
  access?: typeof open | { token: string; requireToken: boolean }
}

/** Serves the paths of a front on a port, with a fake `main`. */
async function serve(t: TestContext, { reports, started, access = open }: Main) {
  const asked = { times: 0 }
  const paths = healthPaths({
    child: {
      allReports: async () => {
        asked.times++
        return { reports: await reports(), started }
      },
      isStarted: () => started,
    },
    ownReport: async () => ({
      process: 'front-0',
      report: { parts: [{ name: 'journal', ok: true }], metrics: [] },
    }),
    access,
    probe: createProbe(secret),
  })
  const server = createServer((request, response) => void paths[request.url ?? '']?.(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    const { status } = answer
    return { status, headers: answer.headers, text: await answer.text() }
  }
  return { get, asked }
}

const allUp = async (): Promise<ProcessReport[]> => [{ process: 'api-0', report: { ...up } }]
const hangs = (): Promise<ProcessReport[]> => Promise.reject(new Error('main did not answer'))

test('/readyz: while main hangs, the status is 200 and degraded after a complete start, 503 before', async (t) => {
  const { get } = await serve(t, { reports: hangs, started: true })
  const { status, text } = await get('/readyz')
  assert.equal(status, 200)
  assert.deepEqual(JSON.parse(text) as Readiness, {
    status: 'degraded',
    parts: {
      main: { ok: false, detail: 'does not answer', problem: 'processMute', values: {} },
      'front-0': { ok: true },
      journal: { ok: true },
    },
  })
  assert.match((await get('/metrics')).text, /^everscan_part_up\{part="main"\} 0$/m)
  const early = await (await serve(t, { reports: hangs, started: false })).get('/readyz')
  assert.equal(early.status, 503)
  assert.equal((JSON.parse(early.text) as Readiness).status, 'starting')
})

test('requests within a second share one round of reports; during a start each request asks again', async (t) => {
  const slowly = async () => {
    await sleep(50)
    return allUp()
  }
  const { get, asked } = await serve(t, { reports: slowly, started: true })
  await Promise.all(Array.from({ length: 50 }, (_, i) => get(i % 2 === 0 ? '/readyz' : '/metrics')))
  await get('/readyz')
  assert.equal(asked.times, 1)
  await sleep(1_050)
  await get('/readyz')
  assert.equal(asked.times, 2)
  const starting = await serve(t, { reports: allUp, started: false })
  await starting.get('/readyz')
  await starting.get('/readyz')
  assert.equal(starting.asked.times, 2)
})

test('clients that may not read details get only the status, and for metrics 403, or 401 if a token is set', async (t) => {
  const proxied = { 'x-forwarded-for': '203.0.113.9' }
  const without = await serve(t, { reports: allUp, started: true })
  assert.deepEqual(JSON.parse((await without.get('/readyz', proxied)).text), { status: 'ready' })
  assert.equal((await without.get('/metrics')).status, 200)
  assert.deepEqual(JSON.parse((await without.get('/healthz', proxied)).text), { status: 'ok' })
  const refused = await without.get('/metrics', proxied)
  assert.equal(refused.status, 403)
  const { requestId, message, ...error } = JSON.parse(refused.text) as Record<string, unknown>
  assert.deepEqual(error, { statusCode: 403, error: 'Forbidden', code: 'FORBIDDEN' })
  assert.equal(requestId, refused.headers.get('x-request-id'))
  assert.match(String(message), /Set METRICS_TOKEN/)

  const guarded = await serve(t, { reports: allUp, started: true, access: { token, requireToken: true } })
  assert.deepEqual(JSON.parse((await guarded.get('/readyz')).text), { status: 'ready' })
  const unauthorized = await guarded.get('/metrics')
  assert.equal(unauthorized.status, 401)
  assert.equal(unauthorized.headers.get('www-authenticate'), 'Bearer')
  assert.equal((JSON.parse(unauthorized.text) as { code: string }).code, 'UNAUTHORIZED')
  assert.equal(guarded.asked.times, 1, 'a refused request collects nothing')
  const authorization = `Bearer ${token}`
  assert.ok(
    (JSON.parse((await guarded.get('/readyz', { ...proxied, authorization })).text) as Readiness).parts,
  )
  assert.equal((await guarded.get('/metrics', { ...proxied, authorization })).status, 200)
})
