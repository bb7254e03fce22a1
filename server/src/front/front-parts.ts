// The parts of a front, as its settings have them.
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { limits as contractLimits } from '@everscan/contract/schema/limits.ts'
import { openChangeFeed, type ChangeFeed } from '../db/feeds/changes.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open-database.ts'
import { openHostLookup, type HostLookup } from '../db/scans/host-lookup.ts'
import { openScanLookup, type ScanLookup } from '../db/scans/scan-lookup.ts'
import { openJournal, type Journal } from '../journal/journal.ts'
import type { Log } from '../log.ts'
import type { Child } from '../processes/child.ts'
import { readVisitorKey } from '../processes/data-dir.ts'
import { mayReadDetails } from '../processes/details-access.ts'
import { socketPath } from '../processes/listening.ts'
import { createSplits } from '../rules/splits.ts'
import { createReachCodes } from '../reach-codes.ts'
import { RightAnswers } from '../scan/access/right-answers.ts'
import { Forward } from '../scan/forward.ts'
import type { FrontParts } from '../scan/front.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { namedHost } from '../scan/hosts/host-answers.ts'
import { Hosts } from '../scan/hosts/hosts.ts'
import { createReachAnswer } from '../scan/hosts/reach-answers.ts'
import { createTlsAllowed } from '../scan/hosts/tls-allowed.ts'
import type { OpenFiles } from '../scan/open-files.ts'
import { RecentCache } from '../scan/recent-cache.ts'
import { startResolver, type Resolver } from '../scan/resolve.ts'
import { ScanTimes } from '../scan/scan-times.ts'
import { openTls } from '../scan/tls/front-tls.ts'
import type { Config } from '../settings/settings.ts'
import { PasswordThreads } from './password-threads.ts'
import { openScanLimits } from './scan-limits.ts'
import { createEarlyCountries, visitorSourceLoaders } from '../visitors/source-loaders.ts'
import { createVisitorHash } from '../visitors/visitor-hash.ts'
import { VisitorSources } from '../visitors/visitor-sources.ts'

/** Visitors that a front remembers for rules that ask for earlier visits: about 15 MB. */
const visitsMax = 100_000

const unknownHostMessage =
  'requests come for a host that is neither PUBLIC_URL nor a domain; they get the codes of PUBLIC_URL'

/** Throws if `main` neither passed the key on nor wrote it: a front cannot record scans without. */
export function visitorKeyOf({ visitorKey, dataDir }: Config): string {
  const key = visitorKey ?? readVisitorKey(dataDir)
  if (key === undefined) throw new Error('VISITOR_KEY: must be passed on by main, or be in DATA_DIR')
  return key
}

/** The readers of the catalogue that a front needs. */
type FrontCatalogue = {
  db: Database
  lookup: ScanLookup
  hostLookup: HostLookup
  changes: ChangeFeed
  close: () => Promise<void>
}

async function openFrontCatalogue(config: Config, log: Log): Promise<FrontCatalogue> {
  const { dataDir, databaseUrl, databaseConnections } = config
  const connectionsMax = Math.ceil(databaseConnections / 2)
  const db = await openDatabase({ databaseUrl, dataDir, role: 'reader', connectionsMax, log })
  const lookup = openScanLookup(db)
  const changes = openChangeFeed(db)
  const hostLookup = openHostLookup(db)
  return {
    db,
    lookup,
    hostLookup,
    changes,
    close: async () => {
      await changes.close()
      await lookup.close()
      await hostLookup.close()
      await db.close()
    },
  }
}

function openHosts(
  { publicUrl, strictHosts: isStrict }: Config,
  { hostLookup: lookup }: FrontCatalogue,
  log: Log,
): Hosts {
  const onUnknown = (hostname: string) => log.info({ hostname }, unknownHostMessage)
  return new Hosts({ lookup, publicHost: new URL(publicUrl).host, isStrict, onUnknown })
}

function openFrontJournal(config: Config, index: number, log: Log): Journal {
  const rootDir = join(config.dataDir, 'journal')
  return openJournal({
    dir: join(rootDir, `front-${index}`),
    rootDir,
    sync: config.journalSync,
    bytesMax: config.journalBytesMax,
    writers: config.frontProcesses,
    onProblem: (error, what) => log.error({ err: error, what }, 'journal'),
  })
}

/** Hands requests on to `api`. A change is answered once every front of this machine knows it. */
export function openForward(
  { dataDir, apiProcesses, frontProcesses }: Config,
  { upstreams: requestsMax }: OpenFiles,
  {
    changes,
    resolver,
    catchUpOthers,
  }: { changes: ChangeFeed; resolver: Resolver } & Pick<Child, 'catchUpOthers'>,
): Forward {
  // On SQLite each front reads the changes before it answers a scan.
  const hasOthers = frontProcesses > 1 && changes.poll === undefined
  return new Forward({
    socketPaths: Array.from({ length: apiProcesses }, (_, api) => socketPath(dataDir, `api-${api}`)),
    beforeChangeAnswer: async () => {
      await Promise.all([resolver.knowChanges(), hasOthers ? catchUpOthers() : undefined])
    },
    requestsMax,
  })
}

/** The parts that a front answers scans with. */
export type ScanParts = Awaited<ReturnType<typeof openScanParts>>

/** Opens the parts that a front answers scans with. Resolves once it knows every change so far. */
export async function openScanParts(
  config: Config,
  index: number,
  {
    log,
    trustedProxies,
    siteHeaders,
    isOwnPath,
  }: Pick<ScanContext, 'trustedProxies' | 'siteHeaders'> & {
    log: Log
    isOwnPath: (path: string) => boolean
  },
) {
  const catalogue = await openFrontCatalogue(config, log)
  const { db, lookup, changes } = catalogue
  const sources = new VisitorSources(visitorSourceLoaders(config, log), log)
  const earlyCountries = createEarlyCountries(db, sources, log)
  const hosts = openHosts(config, catalogue, log)
  const readChanges = () => resolver.readChanges()
  const tls = openTls(config, { db, log, trustedProxies, isOwnPath, readChanges })
  const resolver = startResolver({
    lookup: lookup.lookup,
    changes,
    log,
    siteHeaders,
    hosts: tls === undefined ? hosts : tls.besides(hosts),
    createSplit: createSplits(config.splitKey ?? ''),
    onChanged: earlyCountries.onChanged,
  })
  await resolver.catchUp()
  return {
    catalogue,
    sources,
    earlyCountries,
    hosts,
    tls,
    resolver,
    journal: openFrontJournal(config, index, log),
    limits: openScanLimits(config, log),
    passwords: new PasswordThreads(Math.min(contractLimits.accessChecksMax, availableParallelism())),
    times: new ScanTimes(),
  }
}

/** Returns how scans are answered, with nothing remembered of visitors yet. */
export function scanContext(
  { publicUrl }: Config,
  {
    opened: { resolver, journal, times, sources, limits, passwords, hosts },
    visitorKey,
    child,
    trustedProxies,
    siteHeaders,
  }: Pick<ScanContext, 'trustedProxies' | 'siteHeaders'> & {
    opened: ScanParts
    visitorKey: string
    child: Child
  },
): ScanContext {
  return {
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
    gate: passwordGate(child, passwords),
    siteHeaders,
    hosts,
    publicHost: new URL(publicUrl).host,
  }
}

/** Checks passwords of codes on threads, when `main` gives a turn. */
function passwordGate(child: Child, passwords: PasswordThreads): ScanContext['gate'] {
  return {
    begin: (question) => child.beginTurn(question),
    verify: (password, hash) => passwords.verify(password, hash),
    right: new RightAnswers(),
  }
}

/** Answers of a front that are no scans and have no endpoint: they are about its host names. */
export function hostAnswers(
  { publicUrl }: Config,
  { scan, visitorKey }: { scan: ScanContext; visitorKey: string },
): Pick<FrontParts, 'answerTlsAllowed' | 'answerReach'> {
  const { hosts, resolver, trustedProxies } = scan
  return {
    answerTlsAllowed: createTlsAllowed({
      hosts,
      publicHost: new URL(publicUrl).hostname,
      isNear: (request) => mayReadDetails(request, { token: undefined, requireToken: false }),
      readChanges: () => resolver.readChanges(),
    }),
    answerReach: createReachAnswer({
      codes: createReachCodes(visitorKey),
      hostOf: (request) => namedHost(request, trustedProxies),
    }),
  }
}
