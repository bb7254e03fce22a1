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
import type { Endpoint } from './http/endpoint.ts'
import type { ApiContext } from './http/api-context.ts'
import { addConditionalAnswers } from './http/conditional-answers.ts'
import { addDashboard } from './http/dashboard.ts'
import { addDocsPage } from './openapi/docs-page.ts'
import { addEndpoints, checkEndpoint } from './http/endpoint-routes.ts'
import { errorBody, toApiError } from './http/error-answers.ts'
import { routes } from './routes.ts'
import { validatorOf } from './http/validation.ts'
import type { RequestPart } from '../validation/problem-finder.ts'

export type ApiOptions = Omit<ApiContext, 'clock'> & {
  log: Log
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Told of every answer, for metrics; `route` is the pattern, never the path. */
  observe?: (answer: { method: string; route: string; status: number; seconds: number }) => void
  /** Only tests give their own table. */
  endpoints?: readonly Endpoint[]
}

/**
 * The REST interface as a Fastify instance that does not listen yet. It belongs behind `front`, on a Unix socket: it
 * believes the `x-forwarded-for` and `x-request-id` that come with a request.
 * Throws when an endpoint of the table is wrong, such as one without a permission.
 */
export function createApi(options: ApiOptions): FastifyInstance {
  const { db, store, config, accounts, box, streams, clock = Date.now, endpoints = routes } = options
  for (const endpoint of endpoints) checkEndpoint(endpoint)
  const loggerInstance: FastifyBaseLogger = options.log
  const app = fastify({
    loggerInstance,
    // Our own line below, without addresses.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    // Only `front` can reach the socket, and it puts the one real address there.
    trustProxy: true,
    bodyLimit: limits.bodyBytesMax,
    // Fastify's defaults are 0, which means for ever.
    connectionTimeout: 60_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 200 },
    return503OnClosing: false,
    frameworkErrors: answerError,
  })

  void app.register(helmet, helmetOptions(config.publicUrl))
  // Bodies that come are taken as they are: what is small on the wire must not become large in memory.
  void app.register(compress, { encodings: ['br', 'gzip'], globalDecompression: false })
  acceptJsonOnly(app)
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const validate = validatorOf(schema, httpPart as RequestPart)
    return (value: unknown) => {
      validate(value)
      return true
    }
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(() => {
    throw new ApiError(404, 'NOT_FOUND', 'There is nothing at this address.')
  })

  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({ 'x-request-id': request.id, 'cache-control': 'no-store' })
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? '(none)'
    const answer = { method: request.method, route, status: reply.statusCode }
    options.observe?.({ ...answer, seconds: reply.elapsedTime / 1000 })
    request.log.info({ ...answer, ms: Math.round(reply.elapsedTime * 10) / 10 }, 'answered')
  })
  addConditionalAnswers(app)
  // Hooks cover only the routes that are registered after them, and helmet's come with its plugin.
  app.after(() => {
    addEndpoints(app, endpoints, { db, store, config, accounts, box, streams, clock })
    addDocsPage(app)
    addDashboard(app)
  })
  return app
}

/** Taken from `front`, which has checked or made it; made here for whoever comes without. */
function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID()
}

function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toApiError(thrown)
  if (error.status >= 500) request.log.error({ err: error.cause ?? error, code: error.code }, error.message)
  void reply
    .code(error.status)
    // Fastify closes after a 413; closing on what the peer still sends can cost the peer the answer.
    .removeHeader('connection')
    // A path that cannot even be decoded comes here past all hooks.
    .headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', ...error.headers })
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error, request.id)))
}

/** JSON bodies only. An empty one counts as absent: many clients send the content type with every request. */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else void parse(request, body as string, done)
  })
}

/** Nothing of the API is a page: nothing may be run, framed or guessed from it. */
function helmetOptions(publicUrl: string): FastifyHelmetOptions {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] },
    },
    // Over plain http browsers ignore it, and on localhost it would lock people out of their other servers.
    hsts: publicUrl.startsWith('https:'),
    referrerPolicy: { policy: 'no-referrer' },
  }
}
