import { isUtf8 } from 'node:buffer'
import { problem } from '@everscan/contract/problems/problem.ts'
import { sendNotice, wantsPage } from './http/error-pages.ts'
import { addSiteFiles } from './http/site-files.ts'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import compress from '@fastify/compress'
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import { limits } from '@everscan/contract/schema/limits.ts'
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { ApiError } from '../errors.ts'
import type { Log } from '../log.ts'
import { transportSecurity, transportSecuritySeconds } from '../settings/transport-security.ts'
import { createGate } from './http/authentication.ts'
import type { Route } from './http/handler.ts'
import { addConditionalAnswers } from './http/conditional-answers.ts'
import { addDashboard } from './http/dashboard.ts'
import { ownLimiters } from '../limits/limiters.ts'
import { addMailAnswers } from './views/mail-answers.ts'
import { addGuide } from './guide/guide.ts'
import { addReachedPage } from './organizations/reached-page.ts'
import { addReference } from './reference/reference.ts'
import { answerSerializers } from './answer-serializers.ts'
import { addEndpoints, apiPrefix, checkEndpoint, type BaseContext } from './http/endpoint-routes.ts'
import { ClientGone, clientGoneStatus } from '../turns/client-gone.ts'
import { errorBody, toApiError } from './http/error-answers.ts'
import { refuseOtherMethods } from './http/other-methods.ts'
import { addMcp } from './mcp/mcp.ts'
import { routes } from './routes.ts'
import { validatorOf } from '../product/validation/validator.ts'
import type { RequestPart } from '../product/validation/problem-finder.ts'

export type ApiOptions = Omit<BaseContext, 'clock'> & {
  log: Log
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Called for every response, for metrics; `route` is the pattern, never the path. */
  observe?: (answer: { method: string; route: string; status: number; seconds: number }) => void
  /** Only tests provide their own table. */
  endpoints?: readonly Route[]
}

/**
 * Creates the REST API as a Fastify instance that does not listen yet. It belongs behind `front`,
 * on a Unix socket, because it trusts the `x-forwarded-for` and `x-request-id` of a request. Throws
 * if an endpoint of the table is invalid, for example without a permission.
 */
export function createApi(options: ApiOptions): FastifyInstance {
  const { config, log, endpoints = routes } = options
  for (const endpoint of endpoints) checkEndpoint(endpoint)
  const app = createServer(log)
  void app.register(helmet, helmetOptions(config.publicUrl))
  // Request bodies are not decompressed: a small request must not become large in memory.
  void app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false })
  acceptJsonOnly(app)
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const validate = validatorOf(schema, httpPart as RequestPart)
    return (value: unknown) => {
      validate(value)
      return true
    }
  })
  app.setSerializerCompiler(answerSerializers)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(() => {
    throw new ApiError(404, 'NOT_FOUND', problem('nothingHere'))
  })

  addAnswerHooks(app, options.observe)
  addConditionalAnswers(app)
  refuseOtherMethods(app)
  // Hooks apply only to routes registered after them, and helmet's hooks come with its plugin.
  app.after(() => addRoutes(app, options, endpoints))
  return app
}

function createServer(log: Log): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = log
  return fastify({
    loggerInstance,
    // `onResponse` below logs its own line, without addresses.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    // Only `front` can reach the socket, and it sets this header to the one real address.
    trustProxy: true,
    bodyLimit: limits.bodyBytesMax,
    // More than `front` accepts, because `front` adds headers.
    http: { maxHeaderSize: 2 * limits.headBytesMax },
    // Fastify's defaults are 0, which means no timeout. `front` has the times of bodies, because it
    // sees whether they keep coming.
    connectionTimeout: 60_000,
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = '/' }) => withoutTrailingSlash(url),
    return503OnClosing: false,
    frameworkErrors: answerError,
  })
}

/** Gives every response its headers, and observes and logs it. */
function addAnswerHooks(app: FastifyInstance, observe: ApiOptions['observe']): void {
  const record = (request: FastifyRequest, { elapsedTime: ms }: FastifyReply, status: number): void => {
    const answer = { method: request.method, route: request.routeOptions.url ?? '(none)', status }
    observe?.({ ...answer, seconds: ms / 1000 })
    request.log.info({ ...answer, ms: Math.round(ms * 10) / 10 }, 'answered')
  }
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'x-request-id': request.id, ...answerHeaders })
    // Fastify runs no `onResponse` for a client that left before its answer began.
    reply.raw.once('close', () => {
      if (!reply.raw.headersSent) record(request, reply, clientGoneStatus)
    })
  })
  app.addHook('onResponse', async (request, reply) => record(request, reply, reply.statusCode))
}

/** Adds what the API answers: its endpoints, and pages and files beside them. */
function addRoutes(app: FastifyInstance, options: ApiOptions, endpoints: readonly Route[]): void {
  const { db, store, config, accounts, box, streams, views, rules, styleWorkers } = options
  const { lookAtDns, readProblems } = options
  const { clock = Date.now, limiters, replica } = options
  const gate = createGate({ db, config, clock, limiters })
  const context = {
    db,
    store,
    config,
    accounts,
    box,
    streams,
    views,
    rules,
    lookAtDns,
    readProblems,
    styleWorkers,
    clock,
  }
  addEndpoints(app, endpoints, { ...context, gate, limiters, replica })
  addMcp(app, { db, config, clock, gate })
  addReference(app)
  addGuide(app)
  addMailAnswers(app, { db, config, views, limiters: limiters ?? ownLimiters, clock })
  addReachedPage(app, { db, config, clock })
  addSiteFiles(app, config)
  addDashboard(app)
}

/** A trailing slash is the same path of the API. Pages resolve relative links against theirs. */
function withoutTrailingSlash(url: string): string {
  return url.startsWith(`${apiPrefix}/`) ? url.replace(/\/(?=$|\?)/, '') : url
}

/** Taken from `front`, which checked or generated it; generated here for requests without one. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

/** RFC 9110, section 11.6.1. A scheme that no browser knows opens no window for a password. */
const challenge = { 'www-authenticate': 'ApiKey realm="Everscan"' }

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toApiError(isBrokenOff(request, thrown) ? new ClientGone('the client left') : thrown)
  if (error.status >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, error.message)
  // An undecodable path reaches this function without passing any hook.
  void reply.headers({ 'x-request-id': request.id, ...answerHeaders })
  if (wantsPage(request)) return void sendNotice(error.status >= 500 ? 'later' : 'unknown', request, reply)
  void reply
    .code(error.status)
    // Fastify closes the connection after a 413. Closing it while the peer still sends can cost the
    // peer the response.
    .removeHeader('connection')
    .headers({ ...(error.status === 401 && challenge), ...error.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error, request.id)))
}

/** Returns whether an error is that of a body which the client broke off. */
function isBrokenOff({ raw }: FastifyRequest, thrown: unknown): boolean {
  return thrown instanceof Error && raw.errored === thrown
}

/**
 * Accepts only JSON bodies. An empty body counts as absent: many clients send the content type with
 * every request.
 */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) done(null, undefined)
    else if (!isUtf8(body)) done(new ApiError(400, 'VALIDATION_ERROR', problem('bodyNotUtf8')))
    else void parse(request, body.toString(), done)
  })
  app.addHook('onRequest', async ({ headers }) => {
    const { 'content-encoding': encoding = 'identity' } = headers
    if (encoding.toLowerCase() === 'identity') return
    const found = problem('bodyEncoded', { encoding: encoding.slice(0, 40) })
    throw new ApiError(415, 'UNSUPPORTED_MEDIA_TYPE', found)
  })
}

/**
 * The headers of every response that sets no others. No response of the API is a page: browsers
 * must not run it, frame it, keep it or guess its type. `base-uri` and `form-action` do not follow
 * `default-src`.
 */
const answerHeaders = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

function helmetOptions(publicUrl: string): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: false,
    hsts: transportSecurity(publicUrl) !== undefined && {
      maxAge: transportSecuritySeconds,
      includeSubDomains: false,
    },
    referrerPolicy: { policy: 'no-referrer' },
  }
}
