import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorCode } from '@everscan/contract/schema/errors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Log } from '../log.ts'
import { arrivalLimits, watchBody, type ArrivalLimits } from './bodies/body-watch.ts'
import { addressTrail } from './client-address.ts'
import type { Forward } from './forward.ts'
import { frontError } from './front-errors.ts'
import { codeOf } from './hosts/code-paths.ts'
import { handleScan, type ScanContext } from './handler.ts'
import type { AnswerReach } from './hosts/reach-answers.ts'
import type { AnswerTlsAllowed } from './hosts/tls-allowed.ts'
import { isUnknownHost } from './hosts/hosts.ts'
import { answerOnHost, hostOf } from './hosts/host-answers.ts'
import type { OpenConnections } from './open-connections.ts'
import { keepAliveMs, prepareHead } from './prepared-head.ts'
import { setSiteHeaders, type SiteHeaders } from './site-headers.ts'
import type { AnswerChallenge } from './tls/challenges.ts'
import type { HttpsRedirect } from './tls/https-redirects.ts'

/** Paths that the front answers itself: `GET /healthz` and so on. */
export type OwnPaths = Readonly<
  Record<string, (request: IncomingMessage, response: ServerResponse) => void | Promise<void>>
>

export type FrontParts = {
  scan: ScanContext
  forward: Forward
  ownPaths: OwnPaths
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
export function serveFront(
  server: Server,
  {
    scan,
    forward,
    ownPaths,
    connections,
    answerChallenge,
    answerTlsAllowed,
    answerReach,
    toHttps,
    arrival = arrivalLimits,
    log,
  }: FrontParts,
): void {
  const { siteHeaders } = scan
  const passOn = (request: IncomingMessage, response: ServerResponse): void => {
    const forwardedFor = request.headers['x-forwarded-for']
    const trail = addressTrail(request.socket.remoteAddress, forwardedFor, scan.trustedProxies)
    // An API call may take long, and its connection is idle from its end on.
    forward.forward(request, response, { trail, onEnd: () => connections.use(request.socket) })
  }
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    connections.use(request.socket)
    if (!hasRightHost(request)) return refuse(response, 400, { siteHeaders, message: hostMessage })
    if (answerChallenge?.(request, response) === true || answerReach?.(request, response) === true) return
    if (toHttps?.(request, response) === true) return
    const host = hostOf(request, scan)
    if (host !== undefined && !(isUnknownHost(host) && ownPaths[request.url ?? ''] !== undefined))
      return answerOnHost(
        scan,
        host,
        { request, response, fromMs: performance.now(), identified: undefined },
        passOn,
      )
    const asked = codeOf(request.url ?? '/')
    if (asked !== undefined) {
      const fromMs = performance.now()
      return handleScan(scan, asked, { request, response, fromMs, identified: undefined })
    }
    setSiteHeaders(response, siteHeaders)
    const own = ownPaths[request.url ?? '']
    if (own !== undefined && (request.method === 'GET' || request.method === 'HEAD'))
      return void own(request, response)
    if (answerTlsAllowed?.(request, response) === true) return
    passOn(request, response)
  }
  const answer408 = (socket: Duplex): void => refuseSocket(socket, 408, siteHeaders)
  server.on('request', (request, response) => {
    try {
      watchBody({ request, response, answer408 }, arrival)
      answer(request, response)
    } catch (error) {
      // A request that meets a bug must not end the others of this process.
      log.error({ err: error }, 'a request failed')
      response.destroy()
    }
  })
  server.on('checkExpectation', (_request, response) => refuse(response, 417, { siteHeaders }))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
    refuseMalformed(error, socket, siteHeaders),
  )
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

/** Errors of the head of a request, by status. */
const refusals = {
  400: ['VALIDATION_ERROR', 'The request is not valid HTTP.'],
  408: [
    'REQUEST_TIMEOUT',
    `The request took too long to arrive. A body has ${limits.bodySecondsMax} s; a file has longer while it comes at ${limits.uploadBytesPerSecondMin / 1024} KiB/s or more.`,
  ],
  417: ['VALIDATION_ERROR', 'The service meets no expectation of the header Expect but 100-continue.'],
  431: ['HEADERS_TOO_LARGE', `The head of the request must have at most ${limits.headBytesMax / 1024} KiB.`],
} as const satisfies Record<number, readonly [ErrorCode, string]>
const hostMessage = 'The request must have one header Host.'

/** Refuses a request and closes its connection, which may hold the rest of the request. */
function refuse(
  response: ServerResponse,
  status: keyof typeof refusals,
  { siteHeaders, message = refusals[status][1] }: { siteHeaders: SiteHeaders; message?: string },
): void {
  const { headers, body } = frontError(status, refusals[status][0], message)
  response.writeHead(status, ['Connection', 'close', ...headers, ...siteHeaders])
  response.end(body)
}

/**
 * Answers a request that Node's parser refused with the parser's reason, then closes the
 * connection.
 */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex, siteHeaders: SiteHeaders): void {
  // After a failed handshake there is nothing to write to.
  const isHandshake = /^ERR_(?:SSL|TLS)_/.test(error.code ?? '')
  if (!socket.writable || isHandshake || error.code === 'ECONNRESET') return void socket.destroy()
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  refuseSocket(socket, status, siteHeaders)
}

/** Refuses a request that has no response yet, and ends its connection. */
function refuseSocket(socket: Duplex, status: keyof typeof refusals, siteHeaders: SiteHeaders): void {
  const { headers, body } = frontError(status, refusals[status][0], refusals[status][1])
  const head = prepareHead(status, ['Connection', 'close', ...headers, ...siteHeaders])
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`), body]))
}
