import type { Server } from 'node:http'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { limits as contractLimits } from '@everscan/contract/schema/limits.ts'
import type { Config } from '../settings/settings.ts'
import { openChangeFeed } from '../db/feeds/changes.ts'
import { openDatabase } from '../db/open-database.ts'
import { openHostLookup } from '../db/scans/host-lookup.ts'
import { openScanLookup } from '../db/scans/scan-lookup.ts'
import { openJournal, type JournalStats } from '../journal/journal.ts'
import type { Log } from '../log.ts'
import { createReachCodes } from '../reach-codes.ts'
import { release } from '../release.ts'
import { joinMain } from '../processes/child.ts'
import { mayReadDetails } from '../processes/details-access.ts'
import { healthPaths, statusPaths } from '../processes/health.ts'
import { closeServer, listenOnPort, socketPath } from '../processes/listening.ts'
import { readVisitorKey } from '../processes/data-dir.ts'
import { waitingWord, type Part, type Report } from '../processes/messages.ts'
import { createMetrics, type OwnMetrics } from '../processes/metrics.ts'
import { readLimits } from '../processes/start-warnings.ts'
import { createProbe } from '../processes/probe.ts'
import { createTrustedProxies } from '../scan/client-address.ts'
import { RightAnswers } from '../scan/access/right-answers.ts'
import { Forward } from '../scan/forward.ts'
import { createFront, serveFront, type FrontParts } from '../scan/front.ts'
import { OpenConnections } from '../scan/open-connections.ts'
import { divideOpenFiles } from '../scan/open-files.ts'
import { Hosts } from '../scan/hosts/hosts.ts'
import { namedHost } from '../scan/hosts/host-answers.ts'
import { createReachAnswer } from '../scan/hosts/reach-answers.ts'
import { createTlsAllowed } from '../scan/hosts/tls-allowed.ts'
import { startResolver } from '../scan/resolve.ts'
import { ScanTimes } from '../scan/scan-times.ts'
import { createSiteHeaders } from '../scan/site-headers.ts'
import { RecentCache } from '../scan/recent-cache.ts'
import { VisitorSources } from '../visitors/visitor-sources.ts'
import { createSplits } from '../rules/splits.ts'
import { openTls } from '../scan/tls/front-tls.ts'
import { PasswordThreads } from '../threads/password-threads.ts'
import { limitParts, openScanLimits } from '../threads/scan-limits.ts'
import { createEarlyCountries, visitorSourceLoaders } from '../visitors/source-loaders.ts'
import { createVisitorHash } from '../visitors/visitor-hash.ts'
import { endWaiting, waitForCatalogue } from '../scan/waiting-front.ts'

/** Visitors that a front remembers for rules that ask for earlier visits: about 15 MB. */
const visitsMax = 100_000

const unknownHostMessage =
  'requests come for a host that is neither PUBLIC_URL nor a domain; they get the codes of PUBLIC_URL'

/**
 * Runs `front`: the public port. It answers scans, and forwards other requests to `api`. One that
 * starts while the catalogue is upgraded says so until it is ready.
 */
export async function runFront(
  config: Config,
  index: number,
  log: Log,
  words: readonly string[],
): Promise<void> {
  const { dataDir, databaseUrl } = config
  const siteHeaders = createSiteHeaders(config.publicUrl)
  const trustedProxies = createTrustedProxies(config.trustProxy)
  const openFiles = divideOpenFiles(readLimits())
  const connections = new OpenConnections({ connectionsMax: openFiles.clients, trustedProxies })
  const isWaiting = words.includes(waitingWord)
  const waited = isWaiting ? await waitForCatalogue(config, { connections, siteHeaders }) : undefined
  const visitorKey = config.visitorKey ?? readVisitorKey(dataDir)
  if (visitorKey === undefined) throw new Error('VISITOR_KEY: must be passed on by main, or be in DATA_DIR')
  const db = await openDatabase({
    databaseUrl,
    dataDir,
    role: 'reader',
    connectionsMax: Math.ceil(config.databaseConnections / 2),
    log,
  })
  const lookup = openScanLookup(db)
  const changes = openChangeFeed(db)
  const createSplit = createSplits(config.splitKey ?? '')
  const sources = new VisitorSources(visitorSourceLoaders(config, log), log)
  const earlyCountries = createEarlyCountries(db, sources, log)
  const { onChanged } = earlyCountries
  const publicHost = new URL(config.publicUrl).host
  const hostLookup = openHostLookup(db)
  const hosts = new Hosts({
    lookup: hostLookup,
    publicHost,
    isStrict: config.strictHosts,
    onUnknown: (hostname) => log.info({ hostname }, unknownHostMessage),
  })
  const tls = openTls(config, {
    db,
    log,
    trustedProxies,
    isOwnPath: (path) => ownPaths[path] !== undefined,
    readChanges: () => resolver.readChanges(),
  })
  const resolver = startResolver({
    lookup: lookup.lookup,
    changes,
    log,
    siteHeaders,
    hosts: tls === undefined ? hosts : tls.besides(hosts),
    createSplit,
    onChanged,
  })
  await resolver.catchUp()
  const journal = openJournal({
    dir: join(dataDir, 'journal', `front-${index}`),
    rootDir: join(dataDir, 'journal'),
    sync: config.journalSync,
    bytesMax: config.journalBytesMax,
    writers: config.frontProcesses,
    onProblem: (error, what) => log.error({ err: error, what }, 'journal'),
  })
  // On SQLite each front reads the changes before it answers a scan.
  const hasOthers = config.frontProcesses > 1 && changes.poll === undefined
  const forward = new Forward({
    socketPaths: Array.from({ length: config.apiProcesses }, (_, api) => socketPath(dataDir, `api-${api}`)),
    beforeChangeAnswer: async () => {
      await Promise.all([resolver.knowChanges(), hasOthers ? child.catchUpOthers() : undefined])
    },
    requestsMax: openFiles.upstreams,
  })

  const limits = openScanLimits(config, log)
  const passwords = new PasswordThreads(Math.min(contractLimits.accessChecksMax, availableParallelism()))
  const metrics = createMetrics(`front-${index}`)
  metrics.figures({
    scans_recorded_total: ['Scans in the journal', () => journal.stats().appended],
    scans_unrecorded_total: [
      'Scans answered but not recorded in a journal',
      () => journal.stats().unrecorded,
    ],
    journal_bytes: ['Size of all journals of this machine', () => journal.stats().bytes],
    journal_max_bytes: ['Maximum size of all journals', () => config.journalBytesMax],
    journal_segments_lost_total: [
      'Segments of the journal that were removed or renamed during writing',
      () => journal.stats().segmentsLost,
    ],
    journal_problems_total: ['Input and output errors of the journal', () => journal.stats().problems],
    codes_in_memory: [
      'Codes in memory, which redirect without the catalogue',
      () => resolver.stats().entries,
    ],
    hosts_in_memory: ['Host names in memory that are domains', () => hosts.size],
    code_hits_total: ['Scans answered from memory', () => resolver.stats().hits],
    code_misses_total: ['Scans that asked the catalogue', () => resolver.stats().misses],
    scan_limits_unknown_open_total: [
      'Answers of codes with a limit that were given while the catalogue could not count them',
      () => limits.scanLimits.stats().open,
    ],
    scan_limits_unknown_closed_total: [
      'Scans of codes with a limit that were refused while the catalogue could not count them',
      () => limits.scanLimits.stats().closed,
    ],
  })
  const times = new ScanTimes()
  addScanMetrics(metrics, times)
  addConnectionMetrics(metrics, connections)

  const report = async (): Promise<Report> => ({
    parts: [journalPart(journal.stats(), config.journalBytesMax), ...limitParts(limits.scanLimits)],
    metrics: await metrics.collect(),
  })
  const child = joinMain('front', log, {
    report,
    catchUp: () => resolver.knowChanges(),
    stop: async () => {
      forward.endStreams()
      await Promise.all([closeServer(front), tls?.close()])
      await limits.close()
      await passwords.close()
      forward.close()
      resolver.close()
      await journal.close()
      await changes.close()
      await lookup.close()
      await hostLookup.close()
      await db.close()
    },
  })
  const health = {
    child,
    ownReport: async () => ({ process: `front-${index}`, report: await report() }),
    probe: createProbe(visitorKey),
  }
  const access = { token: config.metricsToken, requireToken: config.metricsRequireToken }
  const ownPaths = healthPaths({ ...health, access })
  const parts: FrontParts = {
    scan: {
      resolver,
      journal,
      visitorHash: createVisitorHash(visitorKey),
      trustedProxies,
      times,
      sources,
      visits: new RecentCache(visitsMax),
      posted: new RecentCache(visitsMax),
      answered: new RecentCache(visitsMax),
      limits: limits.scanLimits,
      gate: {
        begin: (question) => child.beginTurn(question),
        verify: (password, hash) => passwords.verify(password, hash),
        right: new RightAnswers(),
      },
      siteHeaders,
      hosts,
      publicHost,
    },
    forward,
    connections,
    ownPaths,
    statusPaths: statusPaths(health),
    answerTlsAllowed: createTlsAllowed({
      hosts,
      publicHost: new URL(config.publicUrl).hostname,
      isNear: (request) => mayReadDetails(request, { token: undefined, requireToken: false }),
      readChanges: () => resolver.readChanges(),
    }),
    answerReach: createReachAnswer({
      codes: createReachCodes(visitorKey),
      hostOf: (request) => namedHost(request, trustedProxies),
    }),
    log,
  }
  const front: Server = waited ?? createFront({ ...parts, ...tls?.plain })
  if (waited === undefined) await listenOnPort(front, config)
  else {
    endWaiting(waited)
    serveFront(waited, { ...parts, ...tls?.plain })
  }
  await tls?.listen(parts)
  child.ready()
  await earlyCountries.start()
}

function addScanMetrics(metrics: OwnMetrics, times: ScanTimes): void {
  metrics.add(
    'redirect_duration_seconds',
    { help: 'Time to answer a short URL, by status class; landing pages are 2xx', type: 'histogram' },
    (name) => times.read(name),
  )
  metrics.labelled({
    build_info: [
      'The running release, and its Node',
      () => [[{ version: release, node: process.version }, 1]],
    ],
  })
}

function addConnectionMetrics(metrics: OwnMetrics, connections: OpenConnections): void {
  metrics.figures({
    client_connections: ['Open connections of clients', () => connections.size],
    client_connections_max: ['Limit of the connections of clients', () => connections.connectionsMax],
  })
  metrics.labelled({
    client_connections_closed_total: [
      'Connections of clients that were closed at a limit',
      () => {
        const { all, network } = connections.closed()
        return [
          [{ limit: 'all', connection: 'idle' }, all.idle],
          [{ limit: 'all', connection: 'new' }, all.refused],
          [{ limit: 'network', connection: 'idle' }, network.idle],
          [{ limit: 'network', connection: 'new' }, network.refused],
        ]
      },
    ],
  })
}

const journalShareMax = 0.9

function journalPart({ degraded, bytes }: JournalStats, bytesMax: number): Part {
  const share = bytes / bytesMax
  const detail = degraded
    ? 'scans go unrecorded or unsynced'
    : share > journalShareMax
      ? `nearly full: ${Math.floor(share * 100)} % of JOURNAL_MAX_BYTES are used`
      : undefined
  return { name: 'journal', ok: detail === undefined, ...(detail !== undefined && { detail }) }
}
