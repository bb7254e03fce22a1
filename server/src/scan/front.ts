import { problem } from '@everscan/contract/problems/problem.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Log } from '../log.ts'
import { useOriginForm } from './hosts/absolute-form.ts'
import { arrivalLimits, watchBody, type ArrivalLimits } from './bodies/body-watch.ts'
import { addressTrail } from './client-address.ts'
import type { Forward } from './forward.ts'
import { allowedMethods, forwardedMethods, refuse, refuseMalformed, refuseSocket } from './front-errors.ts'
import { codeOf } from './hosts/code-paths.ts'
import { handleScan } from './handler.ts'
import type { AnswerReach } from './hosts/reach-answers.ts'
import type { AnswerTlsAllowed } from './hosts/tls-allowed.ts'
import { isUnknownHost, type Host } from './hosts/hosts.ts'
import { answerOnHost, hostOf, type OwnPaths } from './hosts/host-answers.ts'
import type { OpenConnections } from './open-connections.ts'
import { keepAliveMs } from './internals/prepared-head.ts'
import type { ScanContext } from './scan-context.ts'
import { setSiteHeaders, type SiteHeaders } from './site-headers.ts'
import type { AnswerChallenge } from './tls/challenges.ts'
import type { HttpsRedirect } from './tls/https-redirects.ts'

export type FrontParts = {
  scan: ScanContext
  forward: Forward
  ownPaths: OwnPaths
  /** Those of them that domains answer as well, without details. */
  statusPaths?: OwnPaths
  connections: OpenConnections
  /** With certificates by ACME. */
  answerChallenge?: AnswerChallenge
  answerTlsAllowed?: AnswerTlsAllowed
  /** Shows that requests for a domain arrive. */
  answerReach?: AnswerReach
  /** For plain http beside https: sends requests on that can use it. */
  toHttps?: HttpsRedirect
  /** How bodies must arrive. Only tests provide their own. */
  arrival?: ArrivalLimits
  log: Log
}

/** Options of every server of a front. */
export const serverOptions = {
  maxHeaderSize: limits.headBytesMax,
  keepAliveTimeout: keepAliveMs,
  headersTimeout: 10_000,
  // `watchBody` has the time of a body.
  requestTimeout: 0,
  connectionsCheckingInterval: 2_000,
  // A request without a body does not wait for the end of one, which saves a redirect a fifteenth
  // of its processor time (measured).
  optimizeEmptyRequests: true,
  // `hasRightHost` checks it, because our answer has the headers of the site.
  requireHostHeader: false,
  noDelay: true,
}

/** Creates the server of the public port. It answers short codes and forwards everything else. */
export function createFront(parts: FrontParts): Server {
  const server = createServer(serverOptions)
  serveFront(server, parts)
  server.on('connection', (socket) => parts.connections.add(socket))
  return server
}

/** Has a server answer what a front answers. The caller counts its connections. */
export function serveFront(server: Server, parts: FrontParts): void {
  const { arrival = arrivalLimits, log } = parts
  const { siteHeaders } = parts.scan
  const guarded: Guarded = (response, work) => {
    try {
      work()
    } catch (error) {
      // A request that meets a bug must not end the others of this process.
      log.error({ err: error }, 'a request failed')
      response.destroy()
    }
  }
  const answer = answerer(parts, guarded)
  const answer408 = (socket: Duplex): void => refuseSocket(socket, { status: 408 }, siteHeaders)
  server.on('request', (request, response) =>
    guarded(response, () => {
      const hasPath = useOriginForm(request)
      watchBody({ request, response, answer408 }, arrival)
      if (hasPath) answer(request, response)
      else answerWithoutPath(request, response, siteHeaders)
    }),
  )
  refuseOthers(server, siteHeaders)
}

/** Runs work for a response, which is cut off if the work throws. */
type Guarded = (response: ServerResponse, work: () => void) => void
type AnswerRequest = (request: IncomingMessage, response: ServerResponse) => void

/** Returns what answers a request for a path: first what concerns every host, then by its host. */
function answerer(
  { scan, connections, answerChallenge, answerReach, toHttps, ...others }: FrontParts,
  guarded: Guarded,
): AnswerRequest {
  const { siteHeaders } = scan
  const answerUnder = hostAnswerer({ scan, connections, ...others })
  return (request, response) => {
    connections.use(request.socket)
    if (request.httpVersionMajor !== 1)
      return refuse(response, { status: 400, found: problem('httpVersionStrange') }, siteHeaders)
    if (!hasRightHost(request))
      return refuse(response, { status: 400, found: problem('hostHeaderNotOne') }, siteHeaders)
    if (answerChallenge?.(request, response) === true || answerReach?.(request, response) === true) return
    if (toHttps?.(request, response) === true) return
    const host = hostOf(request, scan)
    if (!(host instanceof Promise)) return answerUnder(host, request, response)
    void host.then((late) => guarded(response, () => answerUnder(late, request, response)))
  }
}

/**
 * Returns what answers under a host: a domain answers by itself, PUBLIC_URL with codes, the own
 * paths of fronts, and what `api` answers.
 */
function hostAnswerer({
  scan,
  forward,
  ownPaths,
  statusPaths = {},
  connections,
  answerTlsAllowed,
}: FrontParts): (host: Host | undefined, ...of: Parameters<AnswerRequest>) => void {
  const { siteHeaders } = scan
  const passOn: AnswerRequest = (request, response) => {
    if (!forwardedMethods.has(request.method ?? '')) return refuse(response, { status: 405 }, siteHeaders)
    const forwardedFor = request.headers['x-forwarded-for']
    const trail = addressTrail(request.socket.remoteAddress, forwardedFor, scan.trustedProxies)
    // An API call may take long, and its connection is idle from its end on.
    forward.forward(request, response, { trail, onEnd: () => connections.use(request.socket) })
  }
  const parts = { passOn, statusPaths }
  return (host, request, response) => {
    if (host !== undefined && !(isUnknownHost(host) && ownPaths[request.url ?? ''] !== undefined))
      return answerOnHost(
        scan,
        host,
        { request, response, fromMs: performance.now(), asked: 'scan', host, identified: undefined },
        parts,
      )
    const found = codeOf(request.url ?? '/')
    if (found !== undefined) {
      const { code, asked } = found
      const fromMs = performance.now()
      const visit = { request, response, fromMs, asked, host: undefined, identified: undefined }
      return handleScan(scan, code, visit)
    }
    setSiteHeaders(response, siteHeaders)
    const own = ownPaths[request.url ?? '']
    if (own !== undefined) {
      if (request.method === 'GET' || request.method === 'HEAD') return void own(request, response)
      return refuse(
        response,
        { status: 405, found: problem('pathOnlyRead'), methods: 'GET, HEAD' },
        siteHeaders,
      )
    }
    if (answerTlsAllowed?.(request, response) === true) return
    passOn(request, response)
  }
}

/** Refuses what is no request for a path, such as malformed ones and tunnels. */
function refuseOthers(server: Server, siteHeaders: SiteHeaders): void {
  server.on('checkExpectation', (_request, response) => refuse(response, { status: 417 }, siteHeaders))
  // Node ends the connection of a CONNECT without a word if nobody listens.
  server.on('connect', (_request, socket) => {
    // From this event on it is not Node's connection any more, nor its errors.
    socket.on('error', () => undefined).once('finish', () => socket.destroy())
    refuseSocket(socket, { status: 405 }, siteHeaders)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseMalformed(error, socket, siteHeaders),
  )
}

/** `OPTIONS *` asks for what the whole server accepts (RFC 9110, 9.3.7). */
function answerWithoutPath(request: IncomingMessage, response: ServerResponse, headers: SiteHeaders): void {
  const asksServer = request.method === 'OPTIONS' && request.url === '*' && hasRightHost(request)
  if (!asksServer) return refuse(response, { status: 400, found: problem('targetNotHere') }, headers)
  response.writeHead(204, ['Allow', allowedMethods, ...headers]).end()
}

/**
 * Returns whether a request has one `Host`, or at most one before HTTP/1.1 (RFC 9112, 3.2). Node
 * drops the second one, and a proxy in front of us may have gone by it.
 */
function hasRightHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (isHost(rawHeaders[at] as string)) hosts++
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1')
}

/**
 * Returns whether a name is `Host` in any case. It runs for each header of each scan: reading its
 * characters takes half the time of `toLowerCase` (measured).
 */
function isHost(name: string): boolean {
  return (
    name.length === 4 &&
    (name.charCodeAt(0) | 32) === 104 &&
    (name.charCodeAt(1) | 32) === 111 &&
    (name.charCodeAt(2) | 32) === 115 &&
    (name.charCodeAt(3) | 32) === 116
  )
}
