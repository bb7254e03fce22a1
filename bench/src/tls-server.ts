// A server of `npm run bench -- tls`: `ours` is the https of a front with its journal on, `bare` is
// `node:https` with a constant 302. Reads certificates from a file, and tells its port and memory.
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openJournal } from '@everscan/server/journal/journal.ts'
import { createLog } from '@everscan/server/log.ts'
import { Forward } from '@everscan/server/scan/forward.ts'
import { keepTick } from '@everscan/server/scan/internals/kept-tick.ts'
import { OpenConnections } from '@everscan/server/scan/open-connections.ts'
import { RecentCache } from '@everscan/server/scan/recent-cache.ts'
import { startResolver } from '@everscan/server/scan/resolve.ts'
import { ScanTimes } from '@everscan/server/scan/scan-times.ts'
import { createSiteHeaders } from '@everscan/server/scan/site-headers.ts'
import { noGuards } from '@everscan/server/scan/testing/guards.ts'
import { someHosts } from '@everscan/server/scan/testing/hosts.ts'
import { noSources } from '@everscan/server/scan/testing/sources.ts'
import { createSecureFront } from '@everscan/server/scan/tls/secure-front.ts'
import { StoredCertificates } from '@everscan/server/scan/tls/stored-certificates.ts'
import { createVisitorHash } from '@everscan/server/visitors/visitor-hash.ts'
import { createSecretBox } from '@everscan/server/secret-box.ts'

type Pair = { hostname: string; cert: string; key: string }

const [side = '', file = ''] = process.argv.slice(2)
const pairs = JSON.parse(readFileSync(file, 'utf8')) as [Pair, ...Pair[]]
const url = 'https://example.com/menu'

keepTick()

async function startOurs(): Promise<Server> {
  const log = createLog({ level: 'silent', role: 'front' })
  const box = createSecretBox('b'.repeat(32), 'bench')
  const expiresAtMs = Date.now() + 86_400_000
  const rows = pairs.map(({ hostname, cert, key }) => ({
    hostname,
    chain: cert,
    privateKey: box.seal(key, hostname),
    expiresAtMs,
  }))
  const publicHost = pairs[0].hostname
  const certificates = new StoredCertificates({ read: async () => rows, box, publicHost, log })
  await certificates.refresh([])
  const siteHeaders = createSiteHeaders(`https://${publicHost}`)
  const target = { organizationId: 'org_1', qrCodeId: 'qr_1', codeKey: 'MENU', name: 'A', shortCode: 'MENU' }
  const code = { ...target, style: {}, brand: {}, type: 'URL', data: { url }, status: 'ACTIVE' } as const
  const changes = { poll: () => [], catchUp: async () => [] }
  const resolver = startResolver({ lookup: () => code, changes, log, siteHeaders })
  const dir = join(mkdtempSync(join(tmpdir(), 'everscan-bench-tls-')), 'journal')
  const scan = {
    resolver,
    journal: openJournal({ dir, sync: 'interval', bytesMax: 1 << 30 }),
    visitorHash: createVisitorHash('s'.repeat(32)),
    trustedProxies: undefined,
    times: new ScanTimes(),
    sources: noSources(),
    visits: new RecentCache<true>(1),
    siteHeaders,
    ...noGuards(),
    hosts: someHosts(),
    publicHost,
  }
  const connections = new OpenConnections({ connectionsMax: 10_000, trustedProxies: undefined })
  const forward = new Forward({ socketPaths: [], beforeChangeAnswer: async () => undefined })
  const parts = { scan, forward, ownPaths: {}, connections, log }
  return createSecureFront(parts, { certificates, ticketSecret: 't'.repeat(32) })
}

function startBare(): Server {
  const { cert, key } = pairs[0]
  return createServer({ cert, key, keepAliveTimeout: 65_000, noDelay: true }, (_request, response) => {
    response.writeHead(302, { Location: url, 'Cache-Control': 'private, no-store', 'Content-Length': '0' })
    response.end()
  })
}

const server = side === 'ours' ? await startOurs() : startBare()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
process.on('message', () => process.send?.({ memoryMb: process.memoryUsage.rss() / 1e6 }))
process.on('disconnect', () => process.exit())
process.send?.({ port: (server.address() as AddressInfo).port })
