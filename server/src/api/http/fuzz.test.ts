import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { createSession } from '../../catalogue/accounts/sessions.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { documentedOperations, type Operation, requestOf, withValue } from '../testing/operations.ts'
import { openTestApi, somePerson, type TestApi } from '../testing/api.ts'

const callsMax = process.env['SOAK'] === '1' ? 5_000 : 500
const random = seededRandom()
const below = (count: number): number => Math.floor(random() * count)
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T

const operations = documentedOperations()

/** Values that people and programs send by mistake or on purpose. */
const oddValues: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  'null',
  'undefined',
  '0',
  '-1',
  'NaN',
  '1e9',
  [],
  [[]],
  [null],
  {},
  { a: { b: [] } },
  { $ref: '#' },
  { length: -1 },
  { toString: 'x' },
  { constructor: 1 },
  "' or 1=1 --",
  '"; drop table qr_codes; --',
  '%',
  '_',
  '\\',
  '%00',
  '../../etc/passwd',
  '<script>',
  '{{7*7}}',
  '${x}',
  'javascript:alert(1)',
  'https://example.com/\\@evil',
  'http://[::1',
  '\u0000',
  '\u202e',
  '\ud800',
  '👍🏽'.repeat(60),
  'ß'.repeat(201),
  'a'.repeat(3_000),
  '2026-02-30',
  '2026-13-01T00:00:00Z',
  'Europe/Nowhere',
  'ACTIVE',
  'active',
  'asc',
  'URL',
  '__proto__',
]

const oddTexts = oddValues.filter((value) => typeof value === 'string')

onEitherDatabase('generated calls', (open) => {
  test('valid and invalid requests: no response is a 500, and each matches the OpenAPI document', async (t) => {
    const db = await open()
    const api = await openTestApi(db)
    const ids = await someIds(api)
    const { userId } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    // A new session for each request, because requests also end sessions.
    const session = async () =>
      (await createSession(db, userId, { userAgent: null, nowMs: Date.now() })).token
    const statuses = new Map<number, number>()
    for (let i = 0; i < callsMax; i++) {
      const operation = oneOf(operations)
      const { path, payload } = randomRequest(operation, api.orgId, ids)
      const byPerson = operation.role === 'session' ? random() < 0.9 : random() < 0.2
      const credentials = byPerson
        ? { session: await session() }
        : { key: oneOf([api.keys.ADMIN, api.keys.ADMIN, api.keys.EDITOR, api.keys.VIEWER]) }
      const headers = randomHeaders(operation)
      const answer = await api.call(
        oneOf([operation.method, operation.method, operation.method, 'HEAD']),
        path,
        {
          ...credentials,
          headers,
          ...(payload === undefined ? {} : { payload: payload as object }),
        },
      )
      statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
      // The scan store of these tests is down, so 503 is expected.
      const title = `${operation.method} ${path} ${JSON.stringify(payload)?.slice(0, 300)} → ${answer.body}`
      assert.notEqual(answer.statusCode, 500, title)
      if (answer.statusCode === 503 && answer.body !== '') assert.match(answer.body, /scan store/, title)
    }
    t.diagnostic(JSON.stringify(Object.fromEntries([...statuses].sort(([a], [b]) => a - b))))
    for (const status of [200, 201, 400, 403, 404])
      assert.ok(statuses.has(status), `no ${status} among the responses`)
  })
})

async function someIds({ call, orgId, keys }: TestApi): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < 20; i++) {
    const payload = { type: 'URL', name: `Code ${i}`, data: { url: 'https://example.com/' } }
    const answer = await call('POST', `/organizations/${orgId}/qr-codes`, { key: keys.ADMIN, payload })
    ids.push(answer.json<QrCode>().id)
  }
  return ids
}

function randomRequest(
  operation: Operation,
  orgId: string,
  ids: readonly string[],
): { path: string; payload?: unknown } {
  const id = () => oneOf([...ids, ...ids, 'qr_unknown', oneOf(oddValues)])
  const values = operation.idPlaces
    .filter((place) => place.in === 'path' || random() < 0.3)
    .map((place) => ({ place, value: id() }))
  for (const { name, in: place, schema, example } of operation.parameters)
    if (place === 'query' && random() < 0.3)
      values.push({
        place: { in: 'query', name, path: [] },
        value: oneOf([example, example, ...((schema['enum'] ?? []) as unknown[]), oneOf(oddValues)]),
      })
  const { path, payload } = requestOf(operation, random() < 0.95 ? orgId : oneOf(oddTexts), values)
  const extra = random() < 0.05 ? `${path.includes('?') ? '&' : '?'}unknown=1` : ''
  return { path: path + extra, ...(payload === undefined ? {} : { payload: changed(payload) }) }
}

/** Mostly unchanged, so that some requests succeed. */
function changed(payload: unknown): unknown {
  if (random() < 0.4) return payload
  if (random() < 0.05) return oneOf(oddValues.filter((value) => typeof value === 'object' && value !== null))
  const places = placesIn(payload, [])
  let result = payload
  for (let i = 0; i <= below(2); i++) {
    const place = oneOf(places)
    result = withValue(result, random() < 0.2 ? [...place, 'unknown'] : place, oneOf(oddValues))
  }
  return result
}

function placesIn(value: unknown, path: readonly (string | number)[]): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  const inner = Object.entries(value).flatMap(([key, one]) =>
    placesIn(one, [...path, Array.isArray(value) ? Number(key) : key]),
  )
  return [path, ...inner].filter((one) => one.length > 0)
}

function randomHeaders({ parameters }: Operation): Record<string, string> {
  const chosen = parameters.filter((one) => one.in === 'header' && random() < 0.3)
  return Object.fromEntries(
    chosen.map(({ name, example }) => [
      name.toLowerCase(),
      oneOf([String(example), '*', 'nonsense', '"a", W/"b"', 'x'.repeat(300), `key-${below(50)}`]),
    ]),
  )
}
