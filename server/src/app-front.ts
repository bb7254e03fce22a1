import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { openChangeFeed } from './db/changes.ts'
import { openDatabase } from './db/open-database.ts'
import { openScanLookup } from './db/scan-lookup.ts'
import { openJournal } from './journal/journal.ts'
import type { Log } from './log.ts'
import { joinMain } from './processes/child.ts'
import { createMetrics, healthPaths } from './processes/health.ts'
import { closeServer, listenPublicly, socketPath } from './processes/listening.ts'
import type { Part } from './processes/messages.ts'
import { createTrustedProxies } from './scan/client-address.ts'
import { createForward } from './scan/forward.ts'
import { createFront } from './scan/front.ts'
import { createResolver } from './scan/resolve.ts'
import { createVisitorHash } from './scan/visitor.ts'

/** `front`: the public port; answers scans by itself and passes the rest on to `api`. */
export async function runFront(config: Config, index: number, log: Log): Promise<void> {
  const { dataDir, databaseUrl } = config
  const db = await openDatabase({ databaseUrl, dataDir, role: 'reader', log })
  const lookup = openScanLookup(db)
  const changes = openChangeFeed(db)
  const resolver = createResolver({ lookup: lookup.lookup, changes, log })
  const journal = openJournal({
    dir: join(dataDir, 'journal', `front-${index}`),
    rootDir: join(dataDir, 'journal'),
    sync: config.journalSync,
    bytesMax: config.journalBytesMax,
    onProblem: (error, what) => log.error({ err: error, what }, 'journal'),
  })
  const forward = createForward({
    socketPaths: Array.from({ length: config.apiProcesses }, (_, api) => socketPath(dataDir, `api-${api}`)),
    beforeChangeAnswer: resolver.catchUp,
  })

  const metrics = createMetrics(`front-${index}`)
  metrics.figures({
    scans_recorded_total: ['Scans in the journal', () => journal.stats().appended],
    scans_unrecorded_total: ['Scans answered that no journal could take', () => journal.stats().unrecorded],
    journal_bytes: ['Size of all journals of this machine', () => journal.stats().bytes],
    journal_problems_total: ['Input and output errors of the journal', () => journal.stats().problems],
    codes_in_memory: ['Codes that redirect without the catalogue', () => resolver.stats().entries],
    code_hits_total: ['Scans answered from memory', () => resolver.stats().hits],
    code_misses_total: ['Scans that asked the catalogue', () => resolver.stats().misses],
  })

  const child = joinMain('front', log, {
    report: async () => {
      const { degraded } = journal.stats()
      const part: Part = {
        name: 'journal',
        ok: !degraded,
        ...(degraded && { detail: 'scans go unrecorded or unsynced' }),
      }
      return { parts: [part], metrics: await metrics.collect() }
    },
    stop: async () => {
      forward.endStreams()
      await closeServer(server)
      forward.close()
      resolver.close()
      await journal.close()
      await changes.close()
      await lookup.close()
      await db.close()
    },
  })
  const server: Server = createFront({
    scan: {
      resolver,
      journal,
      visitorHash: createVisitorHash(config.secret ?? ''),
      trustedProxies: createTrustedProxies(config.trustProxy),
    },
    forward,
    ownPaths: healthPaths(child),
    log,
  })
  // With several fronts the kernel spreads the connections over them.
  await listenPublicly(server, {
    port: config.port,
    host: config.host,
    backlog: 4096,
    reusePort: config.frontProcesses > 1,
  })
  child.ready()
}
