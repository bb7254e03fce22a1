import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { applyLook } from '../catalogue/domains/domain-proofs.ts'
import { createDomain } from '../catalogue/domains/domains.ts'
import { someOrganization, someOrigin } from '../catalogue/testing/catalogue.ts'
import { proofName } from '../dns-looks.ts'
import { saveNetworkShare } from '../db/scans/network-shares.ts'
import { makeSelfSigned } from '../db/testing/self-signed.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { createProbe, probeHeader } from '../processes/probe.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'
import {
  judgeAddresses,
  judgeArrival,
  judgeCertificate,
  judgePublicUrl,
  judgeReach,
} from './network-checks.ts'

const secret = 's'.repeat(32)
const dayMs = 86_400_000

/** Answers `/healthz` as a front with this key does. */
function answering(of: string): RequestListener {
  const probe = createProbe(of)
  return (request, response) => {
    const answer = probe.answer(request.headers, request.socket.remoteAddress ?? '')
    response.writeHead(200, answer === undefined ? {} : { [probeHeader]: answer }).end('{}')
  }
}

async function listen(
  t: TestContext,
  listener: RequestListener,
  tls?: { cert: string; key: string },
): Promise<number> {
  const server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('PUBLIC_URL is a warning if it is private, an address or not encrypted', () => {
  for (const url of [
    'http://localhost:3000',
    'https://qr',
    'https://10.0.0.1',
    'http://[::1]:3000',
    'https://a.local',
  ])
    assert.match(
      textOf(judgePublicUrl(url)),
      /^warning: .* leads nowhere from a phone.* -> set PUBLIC_URL/,
      url,
    )
  assert.match(textOf(judgePublicUrl('https://8.8.8.8')), /^warning: .* is an address, not a name/)
  assert.match(textOf(judgePublicUrl('http://go.example.com')), /^warning: .* is not encrypted/)
  assert.equal(judgePublicUrl('https://go.example.com').state, 'ok')
})

test('the addresses of the name are judged: none, private, public', () => {
  assert.match(
    textOf(judgeAddresses('go.example.com', [])),
    /^failed: go\.example\.com has no address -> add an A or AAAA record/,
  )
  assert.match(
    textOf(judgeAddresses('go.example.com', ['10.0.0.7'])),
    /^notice: .* is private.* -> give go\.example\.com a public/,
  )
  assert.equal(judgeAddresses('go.example.com', ['10.0.0.7', '8.8.8.8']).state, 'ok')
  assert.equal(judgeAddresses('localhost', ['127.0.0.1']).state, 'ok')
})

const redirecting: RequestListener = (_request, response) =>
  void response.writeHead(301, { Location: 'https://x' }).end()

test('a request to PUBLIC_URL may reach this installation, another one, another program, or none', async (t) => {
  const dataDir = scratchDir()
  const of = async (port: number, isRunning = true) => {
    const env = { DATA_DIR: dataDir, VISITOR_KEY: secret, PUBLIC_URL: `http://127.0.0.1:${port}` }
    return textOf(await findingOf('network.reach', contextFor(env, { isRunning })))
  }
  const port = await listen(t, answering(secret))
  assert.match(await of(port), /^ok: .*answered by this installation/)
  assert.match(
    await of(await listen(t, answering('t'.repeat(32)))),
    /^failed: .* answers 200, but not from this installation -> point the name/,
  )
  assert.match(await of(await listen(t, redirecting)), /^failed: .* answers 301/)
  assert.match(await of(1), /^unknown: .*does not answer this machine \(.*\) -> try it with a phone/)
  assert.match(await of(port, false), /^unknown: the service does not run/)
})

const certificateOf = async (url: string) =>
  textOf(await findingOf('network.certificate', contextFor({ DATA_DIR: scratchDir(), PUBLIC_URL: url })))

test('a certificate that phones refuse is reported with the reason; http needs none', async (t) => {
  const port = await listen(t, answering(secret), makeSelfSigned())
  assert.match(
    await certificateOf(`https://localhost:${port}`),
    /^failed: phones refuse it: .*SELF_SIGNED.* -> use a certificate for this name/i,
  )
  assert.match(
    await certificateOf('https://localhost:1'),
    /^unknown: localhost shows no certificate.*ECONNREFUSED/,
  )
  assert.match(await certificateOf('http://localhost:1'), /^ok/)
  const nowMs = Date.UTC(2026, 10, 23)
  const ending = (days: number) => ({
    validTo: new Date(nowMs + days * dayMs).toUTCString(),
    problem: undefined,
  })
  assert.equal(judgeCertificate(ending(15), nowMs).state, 'ok')
  assert.match(textOf(judgeCertificate(ending(3), nowMs)), /^warning: it expires in 3 days -> renew it/)
  assert.match(
    textOf(judgeCertificate(ending(-2), nowMs)),
    /^failed: it expired on 2026-11-21: phones refuse it/,
  )
})

test('TRUST_PROXY is compared with the headers of a request', () => {
  const https = 'https://go.example.com'
  const of = (peer: string, forwardedFor: string | undefined, trustProxy: string[], publicUrl = https) =>
    textOf(judgeArrival({ peer, forwardedFor, forwardedProto: 'https' }, { trustProxy, publicUrl }))
  assert.match(of('::ffff:10.0.0.2', '203.0.113.9', ['10.0.0.0/8']), /^ok: 10\.0\.0\.2 is trusted/)
  assert.match(
    of('10.0.0.2', '203.0.113.9', ['192.168.0.1']),
    /^warning: .*not trusted.* -> set TRUST_PROXY=192\.168\.0\.1,10\.0\.0\.2$/,
  )
  assert.match(of('fd00::2', '203.0.113.9', ['fd00::/8']), /^ok/)
  assert.match(
    of('10.0.0.2', undefined, ['10.0.0.2']),
    /^warning: .* names no client.* -> configure the proxy to add X-Forwarded-For/,
  )
  assert.match(of('10.0.0.2', undefined, []), /^warning: .*ends TLS and names no client/)
  assert.match(of('127.0.0.1', undefined, [], 'http://localhost:3000'), /^ok: there is no proxy/)
  const silent = judgeArrival(
    { peer: '10.0.0.2', forwardedFor: 'x', forwardedProto: undefined },
    { trustProxy: ['10.0.0.2'], publicUrl: https },
  )
  assert.equal(silent.state, 'notice')
  assert.equal(judgeReach(https, 200, true).state, 'ok')
})

forEachDatabase('networks of the latest scans', (open) => {
  test('a warning names TRUST_PROXY if nearly all scans come from one network', async () => {
    const db = await open()
    const of = async (env: Record<string, string> = {}) =>
      textOf(
        await findingOf(
          'network.scans',
          contextFor({ DATA_DIR: scratchDir(), ...env }, { catalogue: async () => db }),
        ),
      )
    assert.match(await of(), /^ok: too few/)
    await saveNetworkShare(db, 'w', { scans: 1_000, largest: 400 })
    assert.match(await of(), /^ok: 40 % of the latest 1000/)
    await saveNetworkShare(db, 'w', { scans: 1_000, largest: 990 })
    assert.match(await of(), /^warning: 99 % .* -> set TRUST_PROXY/)
    assert.match(await of({ TRUST_PROXY: '10.0.0.1' }), /-> correct TRUST_PROXY/)
  })
})

forEachDatabase('the check of domains', (open) => {
  test('domains whose proof is gone, for 7 days or since the last look, and those that nobody looked at', async () => {
    const db = await open()
    const nowMs = Date.UTC(2026, 10, 23)
    const at = async (time: number) =>
      textOf(
        await findingOf(
          'network.domains',
          contextFor({ DATA_DIR: scratchDir() }, { catalogue: async () => db, nowMs: time }),
        ),
      )
    const acme = await someOrganization(db, 'Acme')
    const hostname = 'go.example.com'
    const { proof } = await createDomain(db, acme.id, { hostname, fields: {}, origin: someOrigin, nowMs })
    assert.equal(await at(nowMs), 'ok: none', 'a claim is no domain yet')
    const found = [{ type: 'TXT', name: proofName(hostname), value: proof }]
    await applyLook(db, hostname, { look: { found }, nowMs })
    assert.equal(await at(nowMs), 'ok: 1 domain, all proved')
    assert.match(await at(nowMs + 3 * dayMs), /^warning: nobody looked .* acme\/go\.example\.com for 2 days/)
    const gone = async (time: number) => applyLook(db, hostname, { look: { found: [] }, nowMs: time })
    await gone(nowMs + dayMs)
    assert.match(
      await at(nowMs + dayMs),
      /^notice: the last look found no proof of acme\/go\.example\.com ->/,
    )
    await gone(nowMs + 8 * dayMs)
    assert.match(
      await at(nowMs + 8 * dayMs),
      /^warning: 1 domain without proof for 7 days.*: acme\/go\.example\.com -> set the TXT record/,
    )
  })
})
