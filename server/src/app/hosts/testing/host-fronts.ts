import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { someOrigin } from '../../../catalogue/testing/catalogue.ts'
import type { Database } from '../../../db/database.ts'
import { openChangeFeed } from '../../../db/feeds/changes.ts'
import { openHostLookup } from '../../../db/scans/host-lookup.ts'
import { openScanLookup } from '../../../db/scans/scan-lookup.ts'
import { proofName } from '../../../dns-looks.ts'
import { silentLog as log } from '../../../db/testing/databases.ts'
import { openJournal } from '../../../journal/journal.ts'
import { journalStart, readFrames } from '../../../journal/reader.ts'
import { createTrustedProxies } from '../../../scan/client-address.ts'
import { Forward } from '../../../scan/forward.ts'
import { createFront } from '../../../scan/front.ts'
import { Hosts } from '../../../scan/hosts/hosts.ts'
import { OpenConnections } from '../../../scan/open-connections.ts'
import { RecentCache } from '../../../scan/recent-cache.ts'
import { startResolver } from '../../../scan/resolve.ts'
import { ScanTimes } from '../../../scan/scan-times.ts'
import { noGuards } from '../../../scan/testing/guards.ts'
import { noSources } from '../../../scan/testing/sources.ts'
import { createVisitorHash } from '../../../visitors/visitor-hash.ts'

export const publicHost = 'qr.example.com'

/** Returns changes and looks at the DNS, each a second later than the one before. */
export function someChanges() {
  let clockMs = 1_700_000_000_000
  const next = () => (clockMs += 1_000)
  return {
    change: () => ({ origin: someOrigin, nowMs: next() }),
    /** The look at the DNS that finds these proofs. */
    lookOf: (hostname: string, proofs: readonly string[]) => ({
      look: { found: proofs.map((value) => ({ type: 'TXT', name: proofName(hostname), value })) },
      nowMs: next(),
    }),
  }
}

/** Starts a front that answers codes of a catalogue on all its hosts. */
export async function startHostFront(
  db: Database,
  {
    isStrict = false,
    guards = noGuards(),
  }: { isStrict?: boolean; guards?: ReturnType<typeof noGuards> } = {},
) {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-hosts-'))
  const lookup = openScanLookup(db)
  const hostLookup = openHostLookup(db)
  const changes = openChangeFeed(db)
  const hosts = new Hosts({ lookup: hostLookup, publicHost, isStrict })
  const resolver = startResolver({ lookup: lookup.lookup, changes, hosts, log, pollMs: 1_000_000 })
  await resolver.catchUp()
  const journal = openJournal({ dir: join(dir, 'journal'), sync: 'interval', bytesMax: 1 << 30 })
  const trustedProxies = createTrustedProxies(['127.0.0.1'])
  const forward = new Forward({ socketPaths: [], beforeChangeAnswer: async () => undefined })
  const front = createFront({
    scan: {
      resolver,
      journal,
      visitorHash: createVisitorHash('s'.repeat(32)),
      trustedProxies,
      times: new ScanTimes(),
      sources: noSources(),
      visits: new RecentCache<true>(100),
      siteHeaders: [],
      ...guards,
      hosts,
      publicHost,
    },
    forward,
    ownPaths: { '/healthz': (_request, response) => void response.end('ok') },
    statusPaths: { '/healthz': (_request, response) => void response.end('ok') },
    connections: new OpenConnections({ connectionsMax: 100, trustedProxies }),
    log,
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port } = front.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    catchUp: () => resolver.catchUp(),
    /** The codes of the hits in the journal, in order. */
    recorded: async () => {
      const { frames } = await readFrames(join(dir, 'journal'), journalStart)
      return frames.map(({ scan }) => scan.shortCode)
    },
    ask: async (path: string, headers: Record<string, string>, method = 'GET', body?: string) => {
      const sent = httpRequest({ port, host: '127.0.0.1', path, headers, method, agent })
      sent.end(body)
      const [answer] = (await once(sent, 'response')) as [IncomingMessage]
      answer.resume()
      await once(answer, 'end')
      return { status: answer.statusCode ?? 0, location: answer.headers.location }
    },
    close: async () => {
      agent.destroy()
      front.closeAllConnections()
      front.close()
      forward.close()
      resolver.close()
      await journal.close()
      await changes.close()
      await lookup.close()
      await hostLookup.close()
      rmSync(dir, { recursive: true })
    },
  }
}
export type HostFront = Awaited<ReturnType<typeof startHostFront>>
