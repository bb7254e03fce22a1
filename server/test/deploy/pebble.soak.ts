import assert from 'node:assert/strict'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { Agent, get as getSecurely, request as requestSecurely } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { CreateDomain } from '@everscan/contract/domains/domains.ts'
import { createClient, type Client } from '@everscan/client/create-client.ts'
import { startDnsServer, type Zone } from '../../src/api/testing/dns-server.ts'
import { createTestIssuer } from '../../src/scan/testing/certificates.ts'
import { freePort, startService, until, type Service } from '../support/service.ts'

// Requires Debian's package pebble, an authority for tests. Without it this suite fails, because it
// would prove nothing.

const files = mkdtempSync(join(tmpdir(), 'everscan-pebble-'))
const publicHost = 'qr.example.test'
const domain = 'go.example.test'
const alpnDomain = 'alpn.example.test'
const dnsDomain = 'dns.example.test'
const zone: Zone = {
  [alpnDomain]: { A: ['127.0.0.1'] },
  // It does not lead here yet.
  [dnsDomain]: {},
  [publicHost]: { A: ['127.0.0.1'] },
  [domain]: { A: ['127.0.0.1'] },
}
let dns: Awaited<ReturnType<typeof startDnsServer>>
let pebble: ChildProcess | undefined
let service: Service | undefined
let client: Client
let httpsPort: number
let roots: string

before(async () => {
  await promisify(execFile)('pebble', ['-h']).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error('pebble is not installed: apt-get install pebble')
  })
  dns = await startDnsServer(zone)
  const issuer = await createTestIssuer()
  const { cert, key } = await issuer.issue(['localhost'])
  const [directoryPort, managementPort, httpPort, tlsPort] = await Promise.all(
    [1, 2, 3, 4].map(() => freePort()),
  )
  httpsPort = tlsPort ?? 0
  const paths = { certificate: join(files, 'cert.pem'), privateKey: join(files, 'key.pem') }
  writeFileSync(paths.certificate, cert)
  writeFileSync(paths.privateKey, key)
  writeFileSync(join(files, 'ca.pem'), issuer.ca)
  const config = {
    pebble: {
      listenAddress: `127.0.0.1:${directoryPort}`,
      managementListenAddress: `127.0.0.1:${managementPort}`,
      ...paths,
      httpPort,
      tlsPort,
    },
  }
  writeFileSync(join(files, 'config.json'), JSON.stringify(config))
  pebble = spawn('pebble', ['-config', join(files, 'config.json'), '-dnsserver', dns.address], {
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20' },
    stdio: 'ignore',
  })
  const agent = new Agent({ ca: issuer.ca })
  const read = async (url: string): Promise<string> => {
    const [answer] = (await once(getSecurely(url, { agent }), 'response')) as [IncomingMessage]
    let text = ''
    for await (const chunk of answer) text += String(chunk)
    return text
  }
  await until('pebble answers', () =>
    read(`https://localhost:${managementPort}/roots/0`).then(Boolean, () => false),
  )
  roots = await read(`https://localhost:${managementPort}/roots/0`)
  service = await startService({
    PORT: String(httpPort),
    HTTPS_PORT: String(httpsPort),
    PUBLIC_URL: `https://${publicHost}:${httpsPort}`,
    ACME_DIRECTORY_URL: `https://localhost:${directoryPort}/dir`,
    ACME_CA_FILE: join(files, 'ca.pem'),
    ACME_EMAIL: 'admin@example.test',
    DNS_SERVERS: dns.address,
    FRONT_PROCESSES: '2',
  })
  client = createClient(service)
})
after(async () => {
  await service?.remove()
  pebble?.kill()
  dns?.close()
  rmSync(files, { recursive: true })
})

/** Opens a path over https as a browser that trusts the authority; undefined if it cannot. */
async function open(host: string, path: string): Promise<{ status: number; location: string } | undefined> {
  const sent = requestSecurely({
    port: httpsPort,
    host: '127.0.0.1',
    servername: host,
    headers: { host: `${host}:${httpsPort}` },
    path,
    ca: roots,
    agent: false,
  })
  sent.end()
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    return { status: answer.statusCode ?? 0, location: answer.headers.location ?? '' }
  } catch {
    return undefined
  }
}

test('PUBLIC_URL has https within half a minute of the first start', async () => {
  await until('a certificate', async () => (await open(publicHost, '/healthz'))?.status === 200, 30_000)
})

test('a proved domain has https, and its codes answer there', async () => {
  const orgId = (await client.organizations.listMine())[0]?.id ?? ''
  const made = await client.domains.create(orgId, { hostname: domain })
  zone[made.verification.name] = { TXT: [made.verification.value] }
  const { status } = await client.domains.check(orgId, made.id)
  assert.equal(status, 'ACTIVE')
  const code = await client.qrCodes.create(orgId, {
    type: 'URL',
    name: 'Menu',
    domainId: made.id,
    data: { url: 'https://example.com/menu' },
  })
  const { pathname } = new URL(code.shortUrl)
  await until('a certificate', async () => (await open(domain, pathname)) !== undefined, 30_000)
  assert.deepEqual(await open(domain, pathname), { status: 302, location: 'https://example.com/menu' })
  const plain = request({
    port: service?.port,
    host: '127.0.0.1',
    path: pathname,
    headers: { host: domain },
  })
  plain.end()
  const [answer] = (await once(plain, 'response')) as [IncomingMessage]
  answer.resume()
  assert.equal(answer.statusCode, 302, 'a proxy on this machine gets the scan over plain http')
})

async function addDomain(hostname: string, body: Partial<CreateDomain> = {}) {
  const orgId = (await client.organizations.listMine())[0]?.id ?? ''
  const made = await client.domains.create(orgId, { hostname, ...body })
  zone[made.verification.name] = { TXT: [made.verification.value] }
  return { orgId, id: made.id }
}

function provedBy(hostname: string): unknown {
  const catalogue = new DatabaseSync(join(service?.dataDir ?? '', 'catalogue.sqlite'), { readOnly: true })
  const row = catalogue.prepare('select proved_by from certificates where hostname = ?').get(hostname)
  catalogue.close()
  return row?.['proved_by']
}

test('a domain whose last order failed over port 80 is proved over port 443', async () => {
  const { orgId, id } = await addDomain(alpnDomain)
  const catalogue = new DatabaseSync(join(service?.dataDir ?? '', 'catalogue.sqlite'))
  catalogue.exec('pragma busy_timeout = 5000')
  catalogue
    .prepare('insert into certificates (hostname, attempts, next_order_at_ms) values (?, 1, 0)')
    .run(alpnDomain)
  catalogue.close()
  await client.domains.check(orgId, id)
  await until('a certificate', async () => (await open(alpnDomain, '/'))?.status === 200, 60_000)
  assert.equal(provedBy(alpnDomain), 'tls-alpn-01')
})

test('a domain that does not lead here yet has its certificate by a TXT record', async () => {
  const { orgId, id } = await addDomain(dnsDomain, { certificateProof: 'dns' })
  await client.domains.check(orgId, id)
  const record = async () => (await client.domains.read(orgId, id)).certificate.record
  await until('the record to set', async () => (await record()) !== null, 30_000)
  const { name = '', value = '' } = (await record()) ?? {}
  zone[name] = { TXT: [value] }
  await until('a certificate', async () => (await open(dnsDomain, '/'))?.status === 200, 120_000)
  assert.equal(provedBy(dnsDomain), 'dns-01')
  const { certificate } = await client.domains.read(orgId, id)
  assert.deepEqual([certificate.status, certificate.record], ['ISSUED', null])
})

test('a new start has the certificates at once, from the catalogue', async () => {
  await service?.restart()
  assert.equal((await open(domain, '/'))?.status, 200)
  assert.equal((await open(publicHost, '/healthz'))?.status, 200)
})
