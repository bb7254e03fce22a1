import { problem } from '@everscan/contract/problems/problem.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Config } from '../settings/settings.ts'
import { reportProgress } from '../processes/child.ts'
import { healthPaths } from '../processes/health.ts'
import { listenOnPort } from '../processes/listening.ts'
import { upgradePart, type ToChild } from '../processes/messages.ts'
import { serverOptions } from './front.ts'
import { refuseMalformed, sendUnavailable } from './front-errors.ts'
import type { OpenConnections } from './open-connections.ts'
import { setSiteHeaders, type SiteHeaders } from './site-headers.ts'

const progressMs = 10_000
const retryAfterSeconds = 5

type Options = { connections: OpenConnections; siteHeaders: SiteHeaders }

/**
 * Listens on the public port while the catalogue is upgraded, and returns the server once `main`
 * says that the catalogue is ready. Until then nothing is read from it: `/healthz` is 200,
 * `/readyz` 503 with how far the upgrade is, and every other request gets 503. Ends the process
 * if the service stops. https stays closed, because its certificates are in the catalogue.
 */
export async function waitForCatalogue(
  config: Config,
  { connections, siteHeaders }: Options,
): Promise<Server> {
  process.title = 'everscan front'
  let told = problem('catalogueUpgradeBegins')
  const paths = healthPaths({
    child: {
      isStarted: () => false,
      allReports: async () => ({
        reports: [{ process: 'main', report: { parts: [upgradePart(told)], metrics: [] } }],
        started: false,
      }),
    },
    ownReport: async () => ({ process: 'front', report: undefined, isReady: false, silentMs: 0 }),
    access: { token: config.metricsToken, requireToken: config.metricsRequireToken },
    probe: { answer: () => undefined },
  })
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    setSiteHeaders(response, siteHeaders)
    // The next request may be one for the catalogue, and a body is not awaited.
    response.setHeader('Connection', 'close')
    const own = paths[request.url ?? '']
    if (own !== undefined && (request.method === 'GET' || request.method === 'HEAD'))
      return void own(request, response)
    sendUnavailable(response, problem('serviceUpgrading'), retryAfterSeconds)
  }
  const server = createServer(serverOptions)
  server.on('connection', (socket) => connections.add(socket))
  server.on('request', answer)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseMalformed(error, socket, siteHeaders),
  )
  // A terminal sends SIGINT to the whole group, but `main` decides when to stop.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', end).on('disconnect', end)
  const waiting = setInterval(reportProgress, progressMs)
  const prepared = new Promise<void>((resolve) => {
    const hear = (message: ToChild): void => {
      if (message.type === 'upgrade') told = message.told
      if (message.type === 'stop') end()
      if (message.type !== 'prepared') return
      process.off('message', hear)
      resolve()
    }
    process.on('message', hear)
  })
  await listenOnPort(server, config)
  await prepared
  clearInterval(waiting)
  process.off('SIGTERM', end).off('disconnect', end)
  // Until the front answers, requests of these few milliseconds get the same answer.
  return server
}

function end(): never {
  process.exit(0)
}

/** Takes the answers of the time of the upgrade away from a server. */
export function endWaiting(server: Server): void {
  for (const event of ['request', 'clientError']) server.removeAllListeners(event)
}
