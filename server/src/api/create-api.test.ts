import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { problems } from '@everscan/contract/problems/problems.ts'
import { errorCodes } from '@everscan/contract/schema/errors.ts'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { Type } from 'typebox'
import { CatalogueUnavailable } from '../db/errors.ts'
import { checkEndpoint } from './http/endpoint-routes.ts'
import { endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import { routeOf, type Route } from './http/handler.ts'
import { openTableApi } from './testing/api.ts'
import { echo } from './testing/echo.ts'

/** A table that shows only what applies to every table. */
const table = [
  echo,
  routeOf(
    endpoint({
      id: 'remove',
      method: 'DELETE',
      path: '/echo',
      role: 'public',
      tag: 'Documentation',
      summary: 'Takes nothing.',
      status: 200,
      response: Type.Object({}),
    }),
    {
      handle: () => ({}),
    },
  ),
  failing('/fails', () => new Error('select secret from somewhere')),
  failing('/down', () => new CatalogueUnavailable(new Error('ECONNREFUSED 10.0.0.7'))),
]

/** `base-uri` and `form-action` do not follow `default-src`. */
const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

describe('errors of every path', () => {
  const cases: [string, number, string, [Method, string, InjectOptions?]][] = [
    ['unknown path', 404, 'NOT_FOUND', ['GET', '/nothing']],
    ['path outside the API', 404, 'NOT_FOUND', ['PUT', '/../../nothing']],
    ['path with an invalid percent-encoding', 400, 'VALIDATION_ERROR', ['GET', '/%zz']],
    ['wrong method', 405, 'METHOD_NOT_ALLOWED', ['PUT', '/echo']],
    ['broken JSON', 400, 'VALIDATION_ERROR', ['POST', '/echo', json('{"text":')]],
    [
      'prototype poisoning',
      400,
      'VALIDATION_ERROR',
      ['POST', '/echo', json('{"__proto__":{"a":1},"text":"a"}')],
    ],
    [
      'constructor poisoning',
      400,
      'VALIDATION_ERROR',
      ['POST', '/echo', json('{"constructor":{"prototype":{}}}')],
    ],
    ['no body', 400, 'VALIDATION_ERROR', ['POST', '/echo']],
    ['empty body', 400, 'VALIDATION_ERROR', ['POST', '/echo', json('')]],
    ['body that is not an object', 400, 'VALIDATION_ERROR', ['POST', '/echo', json('"text"')]],
    ['unknown field', 400, 'VALIDATION_ERROR', ['POST', '/echo', json('{"text":"a","more":1}')]],
    ['unknown parameter', 400, 'VALIDATION_ERROR', ['POST', '/echo?x=1', json('{"text":"a"}')]],
    ['body that is not JSON', 415, 'UNSUPPORTED_MEDIA_TYPE', ['POST', '/echo', typed('text/plain')]],
    [
      'body in the form of a form',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      ['POST', '/echo', typed('application/x-www-form-urlencoded')],
    ],
    ['invalid content type', 415, 'UNSUPPORTED_MEDIA_TYPE', ['POST', '/echo', typed('nonsense')]],
    [
      'body without a content type',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      ['POST', '/echo', { payload: Buffer.from('{}') }],
    ],
    [
      'body of 3 MB',
      413,
      'PAYLOAD_TOO_LARGE',
      ['POST', '/echo', json(JSON.stringify({ text: 'a'.repeat(3_000_000) }))],
    ],
    ['internal error', 500, 'INTERNAL_ERROR', ['GET', '/fails']],
    ['catalogue is down', 503, 'UNAVAILABLE', ['GET', '/down']],
  ]
  for (const [title, status, code, call] of cases) {
    test(`${status} ${code}: ${title}`, async () => {
      const answer = await send(openTableApi(table), ...call)
      checkError(answer, { status, code })
      assert.doesNotMatch(answer.body, /secret|ECONN|10\.0\.0|node_modules|\.ts\b/)
      if (status === 405) assert.equal(answer.headers['allow'], 'POST, DELETE')
      if (status === 503) assert.match(String(answer.headers['retry-after']), /^\d+$/)
    })
  }
})

test('405 with Allow: every method that a page or a file does not have', async () => {
  const api = openTableApi(table)
  for (const path of ['/', '/app', '/docs', '/robots.txt'])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
      const answer = await api.inject({ method, url: path })
      assert.equal(answer.statusCode, 405, `${method} ${path}`)
      checkError(answer, { status: 405, code: 'METHOD_NOT_ALLOWED' })
      assert.equal(answer.headers['allow'], 'GET, HEAD', path)
    }
  checkError(await send(api, 'POST', '/nothing'), { status: 404, code: 'NOT_FOUND' })
})

test('201: a valid request gets its response, with the request id that it sent and restrictive headers', async () => {
  const answer = await send(openTableApi(table), 'POST', '/echo', {
    payload: { text: 'a' },
    headers: { 'x-request-id': 'front-17' },
  })
  assert.equal(answer.statusCode, 201)
  assert.deepEqual(answer.json(), { text: 'a' })
  assert.equal(answer.headers['x-request-id'], 'front-17')
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  assert.equal(answer.headers['content-security-policy'], policy)
  assert.equal(answer.headers['referrer-policy'], 'no-referrer')
  assert.equal(answer.headers['strict-transport-security'], 'max-age=31536000')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['access-control-allow-origin'], undefined)
  assert.equal(answer.headers['x-powered-by'], undefined)
})

test('400: a body that is not UTF-8', async () => {
  const latin = Buffer.from('{"text":"Café"}', 'latin1')
  const headers = { 'content-type': 'application/json' }
  const answer = await openTableApi(table).inject({
    method: 'POST',
    url: '/api/v1/echo',
    payload: latin,
    headers,
  })
  assert.equal(answer.json<{ message: string }>().message, 'The body is not valid UTF-8.')
})

test('a request id that could forge a log line is replaced', async () => {
  const answer = await send(openTableApi(table), 'GET', '/nothing', { headers: { 'x-request-id': 'a b"c' } })
  assert.match(answer.json<{ requestId: string }>().requestId, /^[0-9a-f-]{36}$/)
})

test('200: DELETE with the content type of JSON and no body', async () => {
  const answer = await send(openTableApi(table), 'DELETE', '/echo', {
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(answer.statusCode, 200)
})

test('an endpoint that admits keys without a scope, or has one for nobody, fails at startup', () => {
  const params = Type.Object({ orgId: Type.String() })
  const path = '/organizations/:orgId/things' as const
  const good = { ...(table[0] as Route), path, params, role: 'VIEWER', scope: 'codes:read' } as const
  const { scope, ...without } = good
  assert.doesNotThrow(() => checkEndpoint(good))
  assert.doesNotThrow(() => checkEndpoint({ ...without, sessionOnly: true }))
  assert.doesNotThrow(() => checkEndpoint({ ...without, path: '/things/:orgId', role: 'session' }))
  const anyCaller = { ...without, path: '/things/:orgId', role: 'anyCaller' } as const
  assert.doesNotThrow(() => checkEndpoint({ ...anyCaller, scope: 'anyScope' }))
  const wrong: Route[] = [
    without,
    anyCaller,
    { ...good, sessionOnly: true },
    { ...good, path: '/things/:orgId', role: 'session' },
    { ...(table[0] as Route), scope },
    { ...good, scope: 'everything' as 'admin' },
  ]
  for (const one of wrong) assert.throws(() => checkEndpoint(one), /scope/, JSON.stringify(one))
})

test('an endpoint that admits keys without a scope, or has one for nobody, does not compile', () => {
  const common = {
    id: 'things',
    method: 'GET',
    path: '/things',
    tag: 'Documentation',
    summary: 'Nothing.',
    status: 200,
    response: Type.Object({}),
  } as const
  const made = [
    endpoint({ ...common, role: 'VIEWER', scope: 'codes:read' }),
    endpoint({ ...common, role: 'anyCaller', scope: 'anyScope' }),
    endpoint({ ...common, role: 'ADMIN', sessionOnly: true }),
    endpoint({ ...common, role: 'session' }),
    // @ts-expect-error a role without a scope
    endpoint({ ...common, role: 'VIEWER' }),
    // @ts-expect-error any caller without a scope
    endpoint({ ...common, role: 'anyCaller' }),
    // @ts-expect-error an unknown scope
    endpoint({ ...common, role: 'VIEWER', scope: 'codes:reads' }),
    // @ts-expect-error a scope of an endpoint that rejects keys
    endpoint({ ...common, role: 'ADMIN', scope: 'admin', sessionOnly: true }),
    // @ts-expect-error a scope of an endpoint for sessions
    endpoint({ ...common, role: 'session', scope: 'admin' }),
    // @ts-expect-error a scope of a public endpoint
    endpoint({ ...common, role: 'public', scope: 'admin' }),
  ]
  assert.equal(made.length, 10)
})

test('an endpoint without a permission, or with one that does not suit its path, fails at startup', () => {
  const good = table[0] as Route
  const wrong: [Partial<Route>, RegExp][] = [
    [{ role: undefined as unknown as 'public' }, /requires a permission/],
    [{ role: 'OWNER' as 'ADMIN' }, /requires a permission/],
    [{ role: 'VIEWER', scope: 'admin' }, /a role belongs to .* and the paths below it/],
    [{ path: '/organizations/:orgId/things' }, /a role belongs to .* and the paths below it/],
    [{ path: '/echo/:id' }, /params and the path/],
    [{ produces: ['text/csv'] }, /either response or produces/],
  ]
  for (const [change, message] of wrong) {
    const endpoints = [{ ...good, ...change }]
    assert.throws(() => openTableApi(endpoints), message)
  }
})

function checkError(answer: LightMyRequestResponse, expected: { status: number; code: string }): void {
  const body = answer.json<Record<string, unknown>>()
  assert.equal(answer.statusCode, expected.status, answer.body)
  assert.equal(body['statusCode'], expected.status)
  assert.equal(body['code'], expected.code)
  assert.equal(errorCodes[expected.code as keyof typeof errorCodes], expected.status)
  assert.ok(typeof body['message'] === 'string' && body['message'].length > 10, answer.body)
  assert.ok(Object.hasOwn(problems, String(body['problem'])), answer.body)
  assert.ok(typeof body['error'] === 'string' && /^[A-Z]/.test(body['error']))
  assert.equal(body['requestId'], answer.headers['x-request-id'])
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  assert.equal(answer.headers['content-security-policy'], policy)
  assert.equal(answer.headers['cache-control'], 'no-store')
}

type Method = NonNullable<InjectOptions['method']>

function send(app: FastifyInstance, method: Method, path: string, options: InjectOptions = {}) {
  return app.inject({ method, url: `/api/v1${path}`, ...options })
}

function failing(path: `/${string}`, makeError: () => Error): Route {
  return routeOf(
    endpoint({
      id: path.slice(1),
      method: 'GET',
      path,
      role: 'public',
      tag: 'Documentation',
      summary: 'Fails.',
      status: 200,
      response: Type.Object({}),
    }),
    {
      handle: () => {
        throw makeError()
      },
    },
  )
}

function json(payload: string) {
  return { payload, headers: { 'content-type': 'application/json' } }
}

function typed(contentType: string) {
  return { payload: 'text=a', headers: { 'content-type': contentType } }
}
