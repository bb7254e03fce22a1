import { nullable } from '@everscan/contract/schema/common.ts'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest, HTTPMethods } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { ApiError } from '../../errors.ts'
import { createGate, isRole, type Gate } from './authentication.ts'
import { Answer, type Endpoint } from './endpoint.ts'
import type { ApiContext } from './api-context.ts'
import type { AnyCaller, Caller } from './callers.ts'
import { acceptForms, requireForm } from './forms.ts'
import { onlyOnce } from './idempotency.ts'

export const apiPrefix = '/api/v1'

const allMethods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const noFields = Type.Object({}, { additionalProperties: false })

/** Makes every endpoint of the table answer at its path, and every other method of that path answer 405. */
export function addEndpoints(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  context: ApiContext,
): void {
  const gate = createGate(context)
  const forms = endpoints.filter(({ form }) => form !== undefined)
  for (const endpoint of endpoints)
    if (endpoint.form === undefined) addEndpoint(app, endpoint, { context, gate })
  // Only these take forms: everywhere else a form is 415 before a byte of it is read.
  void app.register(async (scope) => {
    await acceptForms(scope)
    for (const endpoint of forms) addEndpoint(scope, endpoint, { context, gate })
  })
  addOtherMethods(app, endpoints)
}

function addEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  around: { context: ApiContext; gate: Gate },
): void {
  const callers = new WeakMap<FastifyRequest, AnyCaller>()
  const { method, params, query = noFields, bodyBytesMax, response, status } = endpoint
  app.route({
    method,
    url: apiPrefix + endpoint.path,
    ...(bodyBytesMax === undefined ? {} : { bodyLimit: bodyBytesMax }),
    schema: {
      ...(params === undefined ? {} : { params }),
      querystring: query,
      ...bodySchema(endpoint),
      ...(response === undefined ? {} : { response: { [status]: response } }),
    },
    // A strong entity tag names bytes, which another encoding would not have; an event that is gathered with later ones would come late.
    ...((response !== undefined && endpoint.responseHeaders?.['ETag'] !== undefined) || isLive(endpoint)
      ? { compress: false }
      : {}),
    // Before the body is read: nobody without a key can make us parse anything.
    onRequest: async (request, reply) => {
      const caller = await around.gate(endpoint, request, reply)
      if (caller !== undefined) callers.set(request, caller)
      if (endpoint.form !== undefined) requireForm(request)
    },
    handler: async (request, reply) => {
      const caller = callers.get(request)
      const member = memberOf(caller)
      if (endpoint.form !== undefined && member !== undefined)
        request.body = await endpoint.form.receive(around.context, member, request)
      const work = (context: ApiContext) => endpoint.handle(context, caller, request)
      const once = endpoint.idempotent === true && member !== undefined
      const result = await (once
        ? onlyOnce(around.context, { caller: member, request }, work)
        : work(around.context))
      void reply.code(status)
      if (!(result instanceof Answer)) return result
      void reply.headers(result.headers)
      const { body: answered } = result
      // Of a stream only the beginning was made so far, and the rest would be made to be thrown away.
      if (request.method === 'HEAD' && answered instanceof Readable) answered.destroy()
      return answered
    },
  })
}

/** A caller that acts in an organization; `checkEndpoint` has seen to it that forms and repeats have one. */
function memberOf(caller: AnyCaller | undefined): Caller | undefined {
  return caller !== undefined && 'organizationId' in caller ? caller : undefined
}

/** Whether an answer goes on for as long as somebody reads it. */
export function isLive({ produces = [] }: Endpoint): boolean {
  return produces.includes('text/event-stream')
}

/** An endpoint that asks for no body takes none, or an empty one: fields that mean nothing are not ignored in silence. */
function bodySchema({ method, form, body, bodyOptional }: Endpoint): { body?: TSchema } {
  if (method === 'GET' || form !== undefined) return {}
  if (body === undefined) return { body: nullable(noFields) }
  return { body: bodyOptional === true ? nullable(body) : body }
}

/** RFC 9110 section 15.5.6: a 405 names the methods that the path has. */
function addOtherMethods(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  const methodsOf = new Map<string, HTTPMethods[]>()
  for (const { path, method } of endpoints) {
    const own = methodsOf.get(path) ?? []
    // Fastify answers HEAD wherever it answers GET.
    methodsOf.set(path, [...own, ...(method === 'GET' ? (['GET', 'HEAD'] as const) : [method])])
  }
  for (const [path, own] of methodsOf) {
    const allow = own.join(', ')
    app.route({
      method: allMethods.filter((method) => !own.includes(method)),
      url: apiPrefix + path,
      onRequest: (request) => {
        throw new ApiError(405, 'METHOD_NOT_ALLOWED', `This address takes ${allow}, not ${request.method}.`, {
          headers: { allow },
        })
      },
      handler: () => undefined,
    })
  }
}

/** What the types cannot say about an endpoint, or a cast could hide. Throws at boot, before anything is answered. */
export function checkEndpoint(endpoint: Endpoint): void {
  const { id, path, role, params, body, form, idempotent, response, produces } = endpoint
  const permissions: readonly string[] = ['public', 'session', 'anyCaller', 'VIEWER', 'EDITOR', 'ADMIN']
  const wrong = (what: string) => new Error(`endpoint ${id} (${endpoint.method} ${path}): ${what}`)
  if (!permissions.includes(role)) throw wrong(`needs a permission, one of ${permissions.join(', ')}`)
  const inOrganization = /^\/organizations\/:orgId(\/|$)/.test(path)
  if (inOrganization !== isRole(role))
    throw wrong('a role belongs to /organizations/:orgId and the paths below it, and only to them')
  if (/:/.test(path) !== (params !== undefined)) throw wrong('params and the path must name the same')
  if (form !== undefined && (body !== undefined || !inOrganization))
    throw wrong('a form stands in place of a body, and belongs to an organization')
  if (idempotent === true && !inOrganization) throw wrong('repeats are known by organization')
  if ((response === undefined) === (produces === undefined)) throw wrong('needs either response or produces')
}
