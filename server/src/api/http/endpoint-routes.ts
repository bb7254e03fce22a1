import { keyScopes } from '@everscan/contract/resources/api-keys.ts'
import { nullable } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import type { Database } from '../../db/database.ts'
import type { Replica } from '../../db/replica.ts'
import { isRole, type Gate } from './authentication.ts'
import type { Endpoint, PlaceKind } from '@everscan/contract/endpoints/endpoint.ts'
import { Answer, type Handler, type Route } from './handler.ts'
import type { Places } from '../../limits/fair-share.ts'
import { ownLimiters, type Limiters } from '../../limits/limiters.ts'
import type { ApiContext } from './api-context.ts'
import type { AnyCaller, Caller, PlaceHolder } from '../../catalogue/organizations/callers.ts'
import { ClientGone } from '../../turns/client-gone.ts'
import { acceptForms, requireForm } from './forms.ts'
import { onlyOnce } from './idempotency.ts'
import { innerCallOf } from './inner-calls.ts'
import type { RunStyleJob, StyleWorkers } from '../../product/styles/style-work.ts'
import { reportWork } from './work-reports.ts'

/** The dependencies of all requests. */
export type BaseContext = Omit<ApiContext, 'work' | 'closed'> & {
  styleWorkers: StyleWorkers
  replica?: Replica | undefined
  limiters?: Limiters | undefined
}

export const apiPrefix = '/api/v1'

type PlacesByKind = Readonly<Record<PlaceKind, Places>>

const noFields = Type.Object({}, { additionalProperties: false })

/** Adds a route for every endpoint of the table. */
export function addEndpoints(
  app: FastifyInstance,
  routes: readonly Route[],
  { gate, limiters = ownLimiters, ...context }: BaseContext & { gate: Gate },
): void {
  const places = createPlaces(limiters)
  const forms = routes.filter(({ form }) => form !== undefined)
  for (const route of routes) if (route.form === undefined) addRoute(app, route, { context, gate, places })
  // Only these accept forms: elsewhere a form is a 415 before any of it is read.
  void app.register(async (scope) => {
    await acceptForms(scope)
    for (const route of forms) addRoute(scope, route, { context, gate, places })
  })
}

function addRoute(
  app: FastifyInstance,
  route: Route,
  around: { context: BaseContext; gate: Gate; places: PlacesByKind },
): void {
  const callers = new WeakMap<FastifyRequest, AnyCaller>()
  const { method, params, query = noFields, bodyBytesMax, response, status } = route
  app.route({
    method,
    url: apiPrefix + route.path,
    ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
    schema: {
      ...(params === undefined ? {} : { params }),
      querystring: query,
      ...bodySchema(route),
      ...(response === undefined ? {} : { response: { [status]: response, 200: response } }),
    },
    // A strong entity tag names exact bytes, which compression would change. Compression of a live
    // stream would hold events back to gather them with later ones.
    ...((response !== undefined && route.responseHeaders?.['ETag'] !== undefined) || isLive(route)
      ? { compress: false }
      : {}),
    // Before the body is read: a client without a key cannot make the service parse anything.
    onRequest: async (request, reply) => {
      const caller = await around.gate(route, request, reply)
      if (caller !== undefined) callers.set(request, caller)
      if (route.form !== undefined) requireForm(request)
    },
    handler: async (request, reply) =>
      answerRequest(route, { request, reply, caller: callers.get(request), around }),
  })
}

type Received = {
  request: FastifyRequest
  reply: FastifyReply
  caller: AnyCaller | undefined
  around: { context: BaseContext; places: PlacesByKind }
}

/** Does what the endpoint does for an admitted request, and returns the body of the answer. */
async function answerRequest(route: Route, { request, reply, caller, around }: Received): Promise<unknown> {
  const handler = await route.handler()
  const inner = innerCallOf(request)
  const { db = around.context.db } = inner ?? {}
  const { replica, ...base } = around.context
  const context = requestContext({ ...base, db }, { reply, caller })
  if (route.takes !== undefined && caller !== undefined)
    await takePlace(around.places[route.takes], placeHolderOf(caller), reply)
  if (handler.receive !== undefined && caller !== undefined) {
    reportWork(request, reply)
    request.body = await handler.receive(context, caller, request)
  }
  const reads = route.readsMuch === true && inner === undefined ? replica : undefined
  const isOnce = route.idempotent === true
  const result = await runHandler(handler, { context, caller, request, reads, isOnce })
  return sendResult(route, result, { request, reply })
}

/**
 * Prepares and commits a request, once for each idempotency key. It reads from `reads`, if that is
 * given.
 */
async function runHandler(
  { prepare, handle }: Handler,
  {
    context,
    caller,
    request,
    reads,
    isOnce,
  }: {
    context: ApiContext
    caller: AnyCaller | undefined
    request: FastifyRequest
    reads: Replica | undefined
    isOnce: boolean
  },
): Promise<unknown> {
  const member = memberOf(caller)
  const phases = {
    prepare: () => prepare?.(context, caller, request),
    commit: (one: ApiContext, prepared: unknown) => {
      const from = (db: Database) => handle({ ...one, db }, caller, request, prepared)
      return reads === undefined ? from(one.db) : reads.read(one.db, from)
    },
  }
  return isOnce && member !== undefined
    ? onlyOnce(context, { caller: member, request }, phases)
    : phases.commit(context, await phases.prepare())
}

/** Sets the status and the headers of an answer, and returns its body. */
function sendResult(
  { createdNothing, status, tellsOfWork }: Endpoint,
  result: unknown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): unknown {
  const answered = result instanceof Answer ? result.body : result
  void reply.code(createdNothing?.(answered as never) === true ? 200 : status)
  if (tellsOfWork === true) void reply.header('X-Everscan-Tells-Work', '1')
  if (!(result instanceof Answer)) return result
  void reply.headers(result.headers)
  // Only the beginning of a stream exists so far; the rest would be produced only to be
  // discarded.
  if (request.method === 'HEAD' && answered instanceof Readable) answered.destroy()
  return answered
}

function createPlaces(limiters: Limiters): PlacesByKind {
  return {
    downloads: limiters.places({ noun: 'downloads', ...limits.downloads }),
    uploads: limiters.places({ noun: 'uploads', ...limits.uploads }),
  }
}

/** Takes a place until the response is closed, whether it was sent, has failed or was left. */
async function takePlace(places: Places, holder: PlaceHolder, reply: FastifyReply): Promise<void> {
  refuseGone(reply)
  const giveBack = await places.take(holder)
  try {
    refuseGone(reply)
  } catch (error) {
    giveBack()
    throw error
  }
  reply.raw.once('close', giveBack)
}

/** The event of a connection that was closed before has passed. */
function refuseGone(reply: FastifyReply): void {
  if (reply.raw.destroyed) throw new ClientGone('The client left before its request was processed.')
}

/** Gives a request its share of the work on styles, which ends when the client leaves. */
function requestContext(
  { styleWorkers, ...context }: Omit<BaseContext, 'replica'>,
  { reply, caller }: { reply: FastifyReply; caller: AnyCaller | undefined },
): ApiContext {
  const holder = memberOf(caller)?.organizationId ?? caller?.sessionId ?? ''
  let runFor: RunStyleJob | undefined
  const run: RunStyleJob = (name, input) => {
    runFor ??= styleWorkers.for({ holder, signal: closedSignal(reply) })
    return runFor(name, input)
  }
  return { ...context, work: { run, suggests: true }, closed: () => closedSignal(reply) }
}

/**
 * Returns a signal that is aborted when the response is closed. The signal of Fastify's request is
 * not aborted once the body has been received.
 */
function closedSignal({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController()
  if (raw.destroyed) closed.abort()
  else raw.once('close', () => closed.abort())
  return closed.signal
}

/** A session outside of any organization shares the places of its account. */
function placeHolderOf(caller: AnyCaller): PlaceHolder {
  if ('organizationId' in caller) return caller
  const { userId, sessionId } = caller
  return { organizationId: userId, userId, sessionId, keyId: undefined }
}

/**
 * The caller, if it acts in an organization. `checkEndpoint` ensures that endpoints with
 * idempotency have such a caller.
 */
function memberOf(caller: AnyCaller | undefined): Caller | undefined {
  return caller !== undefined && 'organizationId' in caller ? caller : undefined
}

/** Whether the response continues for as long as the client reads it. */
export function isLive({ produces = [] }: Endpoint): boolean {
  return produces.includes('text/event-stream')
}

/**
 * An endpoint without a body schema accepts no body, or an empty one, so that no field is silently
 * ignored.
 */
function bodySchema({ method, form, body, bodyOptional }: Endpoint): { body?: TSchema } {
  if (method === 'GET' || form !== undefined) return {}
  if (body === undefined) return { body: nullable(noFields) }
  return { body: bodyOptional === true ? nullable(body) : body }
}

/**
 * Checks what the types cannot express, or what a cast could hide. Throws at startup, before any
 * request.
 */
export function checkEndpoint(endpoint: Endpoint): void {
  const { id, path, role, scope, sessionOnly, params, body, form, idempotent, response, produces, takes } =
    endpoint
  const permissions: readonly string[] = ['public', 'session', 'anyCaller', 'VIEWER', 'EDITOR', 'ADMIN']
  const wrong = (what: string) => new Error(`endpoint ${id} (${endpoint.method} ${path}): ${what}`)
  if (!permissions.includes(role)) throw wrong(`requires a permission, one of ${permissions.join(', ')}`)
  const admitsKeys = role !== 'public' && role !== 'session' && sessionOnly !== true
  const scopes: readonly string[] = [...keyScopes, 'anyScope']
  if (admitsKeys ? !scopes.includes(String(scope)) : scope !== undefined)
    throw wrong(`requires a scope exactly if it admits API keys, one of ${scopes.join(', ')}`)
  const inOrganization = /^\/organizations\/:orgId(\/|$)/.test(path)
  if (inOrganization !== isRole(role))
    throw wrong('a role belongs to /organizations/:orgId and the paths below it, and only to them')
  if (/:/.test(path) !== (params !== undefined)) throw wrong('params and the path must have the same names')
  if (form !== undefined && (body !== undefined || role === 'public'))
    throw wrong('a form replaces the body, and belongs to a caller')
  if (idempotent === true && !inOrganization) throw wrong('idempotency keys belong to an organization')
  if (endpoint.readsMuch === true && (endpoint.method !== 'GET' || response === undefined))
    throw wrong('only a GET of JSON may read a replica')
  if (takes !== undefined && role === 'public') throw wrong('takes a place, which belongs to a caller')
  if ((response === undefined) === (produces === undefined))
    throw wrong('requires either response or produces')
}
