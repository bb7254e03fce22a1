import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect as connectPlain, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { connect, createSecureContext, getCiphers, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { pino } from 'pino'
import { FatalError } from '../../errors.ts'
import { openJournal, type Journal } from '../../journal/journal.ts'
import { closeServer, listenPublicly } from '../../processes/listening.ts'
import { createTrustedProxies } from '../client-address.ts'
import { Forward } from '../forward.ts'
import { createFront, type FrontParts } from '../front.ts'
import { OpenConnections } from '../open-connections.ts'
import { RecentCache } from '../recent-cache.ts'
import { startResolver } from '../resolve.ts'
import { ScanTimes } from '../scan-times.ts'
import { createTestIssuer, type TestIssuer } from '../testing/certificates.ts'
import { noGuards } from '../testing/guards.ts'
import { someHosts } from '../testing/hosts.ts'
import { noSources } from '../testing/sources.ts'
import { createVisitorHash } from '../../visitors/visitor-hash.ts'
import { FileCertificate, isValidFor } from './file-certificate.ts'
import { handshakeRules } from './handshake-rules.ts'
import { createHttpsRedirect } from './https-redirects.ts'
import { createSecureFront } from './secure-front.ts'
import { ticketKeys } from './ticket-keys.ts'
import { X509Certificate } from 'node:crypto'

const dir = mkdtempSync(join(tmpdir(), 'everscan-tls-'))
const certFile = join(dir, 'cert.pem')
const keyFile = join(dir, 'key.pem')
const log = pino({ level: 'silent' })
const ticketSecret = 't'.repeat(32)
const host = 'qr.example.com'
const dayMs = 86_400_000
let issuer: TestIssuer
let journal: Journal

function someParts(connectionsMax = 20): FrontParts {
  const target = {
    organizationId: 'org_1',
    qrCodeId: 'qr_1',
    codeKey: 'MENU',
    name: 'A',
    style: {},
    brand: {},
    shortCode: 'MENU',
    type: 'URL',
    data: { url: 'https://example.com/menu' },
    status: 'ACTIVE',
  } as const
  const trustedProxies = createTrustedProxies(['127.0.0.9'])
  return {
    scan: {
      resolver: startResolver({
        lookup: (code) => (code === 'MENV' || code === 'MENU' ? target : undefined),
        changes: { poll: () => [], catchUp: async () => [] },
        log,
      }),
      journal,
      visitorHash: createVisitorHash('s'.repeat(32)),
      trustedProxies,
      times: new ScanTimes(),
      sources: noSources(),
      visits: new RecentCache<true>(1),
      siteHeaders: [],
      ...noGuards(),
      hosts: someHosts(),
      publicHost: host,
    },
    forward: new Forward({ socketPaths: [], beforeChangeAnswer: async () => undefined }),
    ownPaths: { '/healthz': (_request, response) => void response.end('ok') },
    connections: new OpenConnections({ connectionsMax, trustedProxies }),
    log,
  }
}

before(async () => {
  issuer = await createTestIssuer()
  journal = openJournal({ dir: join(dir, 'journal'), sync: 'interval', bytesMax: 1 << 30 })
  await writePair([host])
})
after(async () => {
  await journal.close()
  rmSync(dir, { recursive: true })
})

async function writePair(names: readonly string[]): Promise<void> {
  const { cert, key } = await issuer.issue(names)
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
}

function openFiles(t: TestContext): FileCertificate {
  const certificates = new FileCertificate({ certFile, keyFile, log })
  t.after(() => certificates.close())
  return certificates
}

async function listen(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Sends a request over https and returns the answer. */
async function ask(port: number, path: string, agent?: Agent): Promise<IncomingMessage> {
  const sent = httpsRequest({
    port,
    host: '127.0.0.1',
    path,
    servername: host,
    headers: { host },
    ca: issuer.ca,
    ...(agent !== undefined && { agent }),
  })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return answer
}

async function shakeHands(port: number, options: { session?: Buffer } = {}) {
  const socket: TLSSocket = connect({
    port,
    host: '127.0.0.1',
    servername: host,
    ca: issuer.ca,
    ALPNProtocols: ['h2', 'http/1.1'],
    ...options,
  })
  // Tickets of TLS 1.3 come after the handshake.
  let session: Buffer = Buffer.alloc(0)
  socket.on('session', (ticket: Buffer) => (session = ticket)).resume()
  await once(socket, 'secureConnect')
  const isReused = socket.isSessionReused()
  const { alpnProtocol } = socket
  const names = socket.getPeerCertificate().subjectaltname
  socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
  await once(socket, 'close')
  return { session, isReused, alpnProtocol, names }
}

test('https answers codes like plain http, on kept connections, and records the scans', async (t) => {
  const parts = someParts()
  const port = await listen(t, createSecureFront(parts, { certificates: openFiles(t), ticketSecret }))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const recorded = journal.stats().appended
  for (let scan = 0; scan < 3; scan++) {
    const { statusCode, headers } = await ask(port, '/MENU', agent)
    assert.deepEqual(
      [statusCode, headers.location, headers.connection],
      [302, 'https://example.com/menu', 'keep-alive'],
    )
  }
  assert.equal(journal.stats().appended - recorded, 3)
  assert.equal(parts.connections.size, 1)
  assert.equal((await ask(port, '/healthz', agent)).statusCode, 200)
  assert.equal(parts.connections.size, 1, 'one connection, counted once')
  agent.destroy()
  while (parts.connections.size > 0) await new Promise(setImmediate)
})

test('a session goes on in another process, until the keys change at midnight', async (t) => {
  const [one, other, foreign] = await Promise.all(
    [ticketSecret, ticketSecret, 'u'.repeat(32)].map((secret) =>
      listen(t, createSecureFront(someParts(), { certificates: openFiles(t), ticketSecret: secret })),
    ),
  )
  const first = await shakeHands(one as number)
  assert.deepEqual([first.isReused, first.alpnProtocol], [false, 'http/1.1'])
  assert.equal((await shakeHands(other as number, first)).isReused, true)
  assert.equal((await shakeHands(foreign as number, first)).isReused, false)
  const nowMs = 1_700_000_000_000
  assert.deepEqual(ticketKeys(ticketSecret, nowMs), ticketKeys(ticketSecret, nowMs + 1))
  assert.notDeepEqual(ticketKeys(ticketSecret, nowMs), ticketKeys(ticketSecret, nowMs + dayMs))
})

test('TLS 1.2 and 1.3 with AEAD suites alone, whichever certificate a name has', async (t) => {
  const offered = new Set<string>()
  for (const isRsa of [false, true]) {
    const [own, named] = await Promise.all([
      issuer.issue([host], { isRsa }),
      issuer.issue(['x.example'], { isRsa }),
    ])
    const renewed: (() => void)[] = []
    const certificates = {
      fallback: () => own,
      contextOf: (name: string) =>
        name === 'x.example' ? createSecureContext({ ...named, ...handshakeRules }) : undefined,
      isValidFor: () => true,
      onFallback: (listener: () => void) => void renewed.push(listener),
      close: () => undefined,
    }
    const port = await listen(t, createSecureFront(someParts(), { certificates, ticketSecret }))
    const shake = async (name: string, options: ConnectionOptions) => {
      const socket = connect({ port, host: '127.0.0.1', servername: name, ca: issuer.ca, ...options })
      const cipher = await Promise.race([
        once(socket, 'secureConnect').then(() => socket.getCipher().standardName),
        once(socket, 'close').then(() => undefined),
      ]).catch(() => undefined)
      socket.destroy()
      return cipher
    }
    for (const renew of [false, true]) {
      if (renew) for (const listener of renewed) listener()
      for (const servername of [host, 'x.example', 'unknown.example'])
        for (const suite of getCiphers()) {
          const options: ConnectionOptions = suite.startsWith('tls_')
            ? { ciphers: suite.toUpperCase(), minVersion: 'TLSv1.3' }
            : { ciphers: `${suite.toUpperCase()}:@SECLEVEL=0`, minVersion: 'TLSv1', maxVersion: 'TLSv1.2' }
          const cipher = await shake(servername, {
            ...options,
            rejectUnauthorized: servername !== 'unknown.example',
          })
          if (cipher === undefined) continue
          offered.add(cipher)
          assert.match(cipher, /^TLS_(?:ECDHE_(?:ECDSA|RSA)_WITH_)?(?:AES_\d+_GCM|CHACHA20_POLY1305)_SHA\d+$/)
        }
      for (const version of ['TLSv1', 'TLSv1.1'] as const)
        assert.equal(
          await shake(host, { ciphers: 'ALL:@SECLEVEL=0', minVersion: version, maxVersion: version }),
          undefined,
          version,
        )
    }
  }
  assert.equal(offered.size, handshakeRules.ciphers.split(':').length, [...offered].join(' '))
})

test('a changed certificate is used at once, an unusable one never', async (t) => {
  const certificates = openFiles(t)
  const port = await listen(t, createSecureFront(someParts(), { certificates, ticketSecret }))
  const first = await shakeHands(port)
  await writePair([host, 'new.example.com'])
  certificates.look()
  const { names, isReused, session } = await shakeHands(port)
  assert.equal(names, `DNS:${host}, DNS:new.example.com`)
  assert.equal(isReused, false)
  assert.equal((await shakeHands(port, { session })).isReused, true, 'the keys of tickets stay')
  assert.ok(first.session.length > 0)

  writeFileSync(keyFile, (await issuer.issue(['other.example.com'])).key)
  certificates.look()
  assert.equal((await shakeHands(port)).names, names)
  assert.throws(() => new FileCertificate({ certFile, keyFile, log }), FatalError)
  rmSync(keyFile)
  certificates.look()
  assert.equal((await shakeHands(port)).names, names)
  assert.throws(() => new FileCertificate({ certFile, keyFile, log }), /TLS_CERT, TLS_KEY: .*ENOENT/)
  await writePair([host])
})

test('plain http sends a host to https only while its certificate is valid', async (t) => {
  const parts = someParts()
  const redirect = (isLoopback: boolean) =>
    createHttpsRedirect({
      certificates: openFiles(t),
      httpsPort: 8443,
      trustedProxies: parts.scan.trustedProxies,
      isOwnPath: (path) => path === '/healthz',
      isLoopback: () => isLoopback,
    })
  const port = await listen(t, createFront({ ...parts, toHttps: redirect(false) }))
  const near = await listen(t, createFront({ ...parts, toHttps: redirect(true) }))
  const get = async (name: string, path: string, to = port, localAddress = '127.0.0.1') => {
    const sent = httpRequest({ port: to, host: '127.0.0.1', path, headers: { host: name }, localAddress })
    sent.end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return [answer.statusCode, answer.headers.location]
  }
  const recorded = journal.stats().appended
  assert.deepEqual(await get(host, '/MENU?a=b'), [308, `https://${host}:8443/MENU?a=b`])
  assert.deepEqual(await get('QR.example.com:80', '/'), [308, `https://${host}:8443/`])
  assert.equal(journal.stats().appended, recorded, 'it is no scan')

  const scan = [302, 'https://example.com/menu']
  assert.deepEqual(await get('192.0.2.1', '/MENU'), scan)
  assert.deepEqual(await get('no-certificate.example.com', '/MENU'), scan)
  assert.deepEqual(await get(host, '/healthz'), [200, undefined])
  assert.deepEqual(await get(host, '/MENU', port, '127.0.0.9'), scan, 'a trusted proxy')
  assert.deepEqual(await get(host, '/MENU', near), scan, 'a proxy on this machine')

  const { cert } = await issuer.issue([host], { fromMs: 2 * dayMs, untilMs: 3 * dayMs })
  const isValid = (nowMs: number) => isValidFor(new X509Certificate(cert), host, nowMs)
  assert.deepEqual(
    [1, 2, 2.9, 3].map((day) => isValid(day * dayMs)),
    [false, true, true, false],
  )
})

test('failed handshakes and limits close connections, and answer nothing in plain text', async (t) => {
  const parts = someParts(2)
  const port = await listen(t, createSecureFront(parts, { certificates: openFiles(t), ticketSecret }))
  const socket = connectPlain({ port, host: '127.0.0.1' })
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk))
  socket.on('error', () => undefined).write('GET /MENU HTTP/1.1\r\nHost: qr.example.com\r\n\r\n')
  await once(socket, 'close')
  assert.doesNotMatch(received, /HTTP/)

  const waiting = [1, 2, 3].map(() => connectPlain({ port, host: '127.0.0.1' }).on('error', () => undefined))
  t.after(() => waiting.forEach((one) => one.destroy()))
  await Promise.race(waiting.map((one) => once(one, 'close')))
  assert.ok(parts.connections.size <= 2)
  assert.equal((await ask(port, '/MENU')).statusCode, 302)
})

test('connections without a request do not hold up the end', async (t) => {
  const parts = someParts()
  const server = createSecureFront(parts, { certificates: openFiles(t), ticketSecret })
  await listenPublicly(server, { port: 0, host: '127.0.0.1' }, 'HTTPS_PORT')
  const { port } = server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', servername: host, ca: issuer.ca })
  await once(socket, 'secureConnect')
  const fromMs = performance.now()
  await closeServer(server, { isUnused: (one) => parts.connections.isUnused(one), unusedMs: 100 })
  assert.ok(performance.now() - fromMs < 2_000)
})
