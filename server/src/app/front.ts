import type { Server } from 'node:http'
import type { JournalStats } from '../journal/journal.ts'
import type { Log } from '../log.ts'
import { joinMain } from '../processes/child.ts'
import { healthPaths, statusPaths } from '../processes/health.ts'
import { closeServer, listenOnPort } from '../processes/listening.ts'
import { waitingWord, type Report } from '../processes/messages.ts'
import { judgePart, type Part } from '../problems/parts.ts'
import { createMetrics } from '../processes/metrics.ts'
import { createProbe } from '../processes/probe.ts'
import { readLimits } from '../processes/start-warnings.ts'
import { createTrustedProxies } from '../scan/client-address.ts'
import { createFront, serveFront, type FrontParts } from '../scan/front.ts'
import { keepTick } from '../scan/internals/kept-tick.ts'
import { OpenConnections } from '../scan/open-connections.ts'
import { divideOpenFiles } from '../scan/open-files.ts'
import { createSiteHeaders } from '../scan/site-headers.ts'
import { endWaiting, waitForCatalogue } from '../scan/waiting-front.ts'
import type { Config } from '../settings/settings.ts'
import { limitParts } from '../front/scan-limits.ts'
import { addFrontMetrics } from '../front/front-metrics.ts'
import { hostAnswers, openForward, openScanParts, scanContext, visitorKeyOf } from '../front/front-parts.ts'

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
  keepTick()
  const siteHeaders = createSiteHeaders(config.publicUrl)
  const trustedProxies = createTrustedProxies(config.trustProxy)
  const openFiles = divideOpenFiles(readLimits())
  const connections = new OpenConnections({ connectionsMax: openFiles.clients, trustedProxies })
  const arrivals = { connections, siteHeaders }
  const waited = words.includes(waitingWord) ? await waitForCatalogue(config, arrivals) : undefined
  const visitorKey = visitorKeyOf(config)
  const isOwnPath = (path: string) => ownPaths[path] !== undefined
  const opened = await openScanParts(config, index, { log, trustedProxies, siteHeaders, isOwnPath })
  const { catalogue, tls, resolver, journal, limits, passwords } = opened
  const catchUpOthers = () => child.catchUpOthers()
  const forward = openForward(config, openFiles, { changes: catalogue.changes, resolver, catchUpOthers })
  const name = `front-${index}`
  const metrics = createMetrics(name)
  addFrontMetrics(metrics, { ...opened, connections, journalBytesMax: config.journalBytesMax })
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
      await catalogue.close()
    },
  })
  const ownReport = async () => ({ process: name, report: await report() })
  const health = { child, ownReport, probe: createProbe(visitorKey) }
  const access = { token: config.metricsToken, requireToken: config.metricsRequireToken }
  const ownPaths = healthPaths({ ...health, access })
  const scan = scanContext(config, { opened, visitorKey, child, trustedProxies, siteHeaders })
  const answers = hostAnswers(config, { scan, visitorKey })
  const paths = { ownPaths, statusPaths: statusPaths(health) }
  const parts: FrontParts = { scan, forward, connections, ...paths, ...answers, log }
  const front: Server = waited ?? createFront({ ...parts, ...tls?.plain })
  if (waited === undefined) await listenOnPort(front, config)
  else {
    endWaiting(waited)
    serveFront(waited, { ...parts, ...tls?.plain })
  }
  await tls?.listen(parts)
  child.ready()
  await opened.earlyCountries.start()
}

function journalPart({ degraded: isDegraded, bytes }: JournalStats, bytesMax: number): Part {
  return judgePart('journal', { isDegraded, bytes, bytesMax })
}
