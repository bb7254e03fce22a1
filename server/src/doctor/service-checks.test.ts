import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { test } from 'node:test'
import { lockDataDir } from '../processes/data-dir.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'
import { judgePort, judgeReadiness, judgeRelease, judgeRestarts, lookAtPort } from './service-checks.ts'

test('the lock shows whether a service runs, and is not changed', async () => {
  const dataDir = scratchDir()
  const state = async () => (await findingOf('service.running', contextFor({ DATA_DIR: dataDir }))).state
  assert.equal(await state(), 'notice')
  const lock = await lockDataDir(dataDir)
  assert.equal(await state(), 'ok')
  lock.release()
  assert.equal(await state(), 'notice')
  const again = await lockDataDir(dataDir)
  again.release()
})

test('the port is judged: open, closed, taken by another program', () => {
  assert.equal(judgePort('http://a', true, 'open').state, 'ok')
  assert.match(
    textOf(judgePort('http://a', true, 'closed')),
    /^failed: nothing listens on http:\/\/a.* -> give this command PORT and HOST/,
  )
  assert.match(
    textOf(judgePort('http://a', false, 'open')),
    /^failed: another program listens.* -> stop it, or set another PORT/,
  )
  assert.equal(judgePort('http://a', false, 'closed').state, 'ok')
})

test('a port that does not answer in time is not one on which nothing listens', async (t) => {
  for (const isRunning of [true, false])
    assert.match(
      textOf(judgePort('http://a', isRunning, 'late')),
      /^warning: http:\/\/a did not answer within 2 s -> run .\/everscan doctor again when the machine/,
    )
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  assert.equal(await lookAtPort(`http://127.0.0.1:${port}`), 'open')
  server.close()
  await once(server, 'close')
  assert.equal(await lookAtPort(`http://127.0.0.1:${port}`), 'closed')
  // A process that never takes its connections, and whose queue of them is full.
  const script =
    'const s = require("node:net").createServer().listen(0, "127.0.0.1", 1, () => process.send(s.address()))'
  const stopped = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  t.after(() => stopped.kill('SIGKILL'))
  const [address] = (await once(stopped, 'message')) as [AddressInfo]
  stopped.kill('SIGSTOP')
  const waiting = Array.from({ length: 4 }, () =>
    connect(address.port, '127.0.0.1').on('error', () => undefined),
  )
  t.after(() => waiting.forEach((socket) => socket.destroy()))
  await once(waiting[0] as Socket, 'connect')
  assert.equal(await lookAtPort(`http://127.0.0.1:${address.port}`, 300), 'late')
})

test('parts that are down fail with their detail; details of parts that are up are shown', () => {
  const up = { api: { ok: true }, geography: { ok: true, detail: 'the data is 500 days old' } }
  assert.equal(
    textOf(judgeReadiness({ status: 'ready', parts: up })),
    'ok: 2 parts are up (geography the data is 500 days old)',
  )
  const parts = { ...up, scanStore: { ok: false, detail: 'it is empty' } }
  assert.match(
    textOf(judgeReadiness({ status: 'degraded', parts })),
    /^failed: scanStore is down: it is empty -> see docs\/operations\.md/,
  )
  assert.match(
    textOf(judgeReadiness({ status: 'starting', parts })),
    /^warning: the service is starting: scanStore/,
  )
  const catalogueUpgrade = { ok: false, detail: 'is being copied before its upgrade' }
  assert.match(
    textOf(judgeReadiness({ status: 'starting', parts: { catalogueUpgrade } })),
    /^warning: the catalogue is being copied before its upgrade; codes redirect again after it -> wait/,
  )
  assert.match(textOf(judgeReadiness({ status: 'ready' })), /^unknown: .* -> give this command METRICS_TOKEN/)
})

test('another running release and restarted processes are warnings', () => {
  assert.equal(judgeRelease('0.1.0', '0.1.0').state, 'ok')
  assert.match(
    textOf(judgeRelease('0.1.0', '0.2.0')),
    /^warning: 0\.1\.0 runs, but 0\.2\.0 is installed -> restart the service/,
  )
  assert.equal(judgeRestarts('').state, 'ok')
  const metrics = ['died', 'hung']
    .map((reason) => `everscan_process_restarts_total{role="api",reason="${reason}"} 2`)
    .join('\n')
  assert.match(
    textOf(judgeRestarts(metrics)),
    /^warning: since the start, 2 ended by themselves, 2 hung and 0 stalled/,
  )
  const killed = 'everscan_process_restarts_total{role="engine",reason="killed"} 10'
  assert.match(
    textOf(judgeRestarts(`${metrics}\n${killed}`)),
    /^warning: since the start, 10 were killed from outside, .*lack of memory \(.* free.*\); 2 ended .* -> .*more memory/,
  )
})

test('METRICS_TOKEN is sent to the service; a refusal, and a missing service, name the settings', async (t) => {
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    const isRight = request.headers.authorization === `Bearer ${'t'.repeat(16)}`
    response.writeHead(isRight ? 200 : 401).end(isRight ? '{"status":"ready","parts":{}}' : '{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const dataDir = scratchDir()
  const lock = await lockDataDir(dataDir)
  t.after(lock.release)
  const of = async (env: Record<string, string>) => {
    const all = { DATA_DIR: dataDir, HOST: '0.0.0.0', PORT: String(port), ...env }
    return textOf(await findingOf('service.parts', contextFor(all)))
  }
  assert.match(await of({}), /^unknown: .*\/readyz refuses this caller -> give this command METRICS_TOKEN/)
  assert.match(await of({ METRICS_TOKEN: 't'.repeat(16) }), /^ok: 0 parts are up/)
  assert.deepEqual(seen, [undefined, `Bearer ${'t'.repeat(16)}`])
  assert.match(
    await of({ PORT: '1' }),
    /^unknown: http:\/\/127\.0\.0\.1:1\/readyz does not answer \(.*\) -> give this command PORT and HOST/,
  )
})
