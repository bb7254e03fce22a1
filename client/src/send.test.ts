import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  EverscanError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitedError,
  BatchRejectedError,
  StyleNotScannableError,
  TimeoutError,
  UnavailableError,
  ValidationError,
  createClient,
} from './create-client.ts'
import { retryAfterOf } from './errors.ts'
import { uploadBytesPerSecondMin } from './send.ts'
import { failure, json, startFakeService } from './testing/server.ts'

const organizations = { organizations: [{ id: 'org_1', name: 'Example', slug: 'example', role: 'ADMIN' }] }
const url = { type: 'URL', name: 'x', data: { url: 'https://example.com' } } as const
const now = { 'retry-after': '0' }

const errorClasses = [
  [400, 'VALIDATION_ERROR', ValidationError],
  [401, 'UNAUTHORIZED', AuthenticationError],
  [403, 'API_KEY_REVOKED', PermissionError],
  [404, 'NOT_FOUND', NotFoundError],
  [409, 'CONFLICT', ConflictError],
  [412, 'PRECONDITION_FAILED', PreconditionFailedError],
  [422, 'STYLE_NOT_SCANNABLE', StyleNotScannableError],
  [422, 'BATCH_REJECTED', BatchRejectedError],
  [500, 'INTERNAL_ERROR', EverscanError],
] as const

for (const [status, code, ErrorOfStatus] of errorClasses) {
  test(`${status} ${code} is a ${ErrorOfStatus.name}, thrown without a retry`, async (t) => {
    const { client, received } = await startFakeService(t, (response) => failure(response, status, code))
    await assert.rejects(client.organizations.listMine(), (error) => {
      assert.ok(error instanceof ErrorOfStatus)
      assert.equal(error.name, ErrorOfStatus.name)
      assert.equal(error.status, status)
      assert.equal(error.code, code)
      assert.equal(error.message, `${code}, said the service.`)
      assert.equal(error.requestId, 'req_1')
      return true
    })
    assert.equal(received.length, 1)
  })
}

test('an error has the details of the response', async (t) => {
  const details = [{ path: 'name', message: 'must not be empty' }]
  const body = {
    statusCode: 400,
    message: 'm',
    error: 'Bad Request',
    code: 'VALIDATION_ERROR',
    problem: 'tooLong',
    values: { max: 255, got: 300 },
    details,
    requestId: 'r',
  }
  const { client } = await startFakeService(t, (response) => json(response, 400, body))
  const { problem, values } = body
  await assert.rejects(client.organizations.listMine(), { details, problem, values })
})

for (const [status, code] of [
  [503, 'UNAVAILABLE'],
  [429, 'RATE_LIMITED'],
] as const) {
  test(`${status} is retried until it succeeds`, async (t) => {
    const { client, received } = await startFakeService(t, (response, _, count) =>
      count < 3 ? failure(response, status, code, now) : json(response, 200, organizations),
    )
    assert.deepEqual(await client.organizations.listMine(), organizations.organizations)
    assert.equal(received.length, 3)
  })
}

test('a retry waits for Retry-After', async (t) => {
  const { client } = await startFakeService(t, (response, _, count) =>
    count < 2
      ? failure(response, 503, 'UNAVAILABLE', { 'retry-after': '1' })
      : json(response, 200, organizations),
  )
  const startMs = performance.now()
  await client.organizations.listMine()
  assert.ok(performance.now() - startMs >= 990)
})

test('a Retry-After of more than a minute is left to the caller', async (t) => {
  const { client, received } = await startFakeService(t, (response) =>
    failure(response, 429, 'RATE_LIMITED', { 'retry-after': '3600' }),
  )
  await assert.rejects(client.organizations.listMine(), (error) => {
    assert.ok(error instanceof RateLimitedError)
    assert.equal(error.retryAfterMs, 3_600_000)
    return true
  })
  assert.equal(received.length, 1)
})

test('after the last retry the error is thrown', async (t) => {
  const { client, received } = await startFakeService(
    t,
    (response) => failure(response, 503, 'UNAVAILABLE', now),
    {
      retries: 3,
    },
  )
  await assert.rejects(client.organizations.listMine(), UnavailableError)
  assert.equal(received.length, 4)
})

test('a lost connection is retried, also in the middle of a body', async (t) => {
  const { client, received } = await startFakeService(t, (response, _, count) => {
    if (count === 1) response.destroy()
    else if (count === 2) {
      response.writeHead(200, { 'content-length': '1000' }).write('{"organ')
      setTimeout(() => response.destroy(), 20)
    } else json(response, 200, organizations)
  })
  assert.deepEqual(await client.organizations.listMine(), organizations.organizations)
  assert.equal(received.length, 3)
})

test('a create with an unknown outcome is not retried', async (t) => {
  const { client, received } = await startFakeService(t, (response) => response.destroy())
  await assert.rejects(client.qrCodes.create('org_1', url), ConnectionError)
  assert.equal(received.length, 1)
})

test('a create is not retried after 503, which can be a timeout of the service, but is after 429', async (t) => {
  const { client, received } = await startFakeService(t, (response, _, count) =>
    count === 1 ? failure(response, 429, 'RATE_LIMITED', now) : failure(response, 503, 'UNAVAILABLE', now),
  )
  await assert.rejects(client.qrCodes.create('org_1', url), UnavailableError)
  assert.equal(received.length, 2)
})

test('a create with an idempotency key is retried with the same key', async (t) => {
  const { client, received } = await startFakeService(t, (response, _, count) =>
    count < 3 ? response.destroy() : json(response, 201, { id: 'qr_1' }),
  )
  const code = await client.qrCodes.create('org_1', url, { idempotencyKey: 'order-17' })
  assert.equal(code.id, 'qr_1')
  assert.deepEqual(
    received.map(({ headers }) => headers['idempotency-key']),
    ['order-17', 'order-17', 'order-17'],
  )
})

test('a change with If-Match is not retried, because the retry would not match', async (t) => {
  const { client, received } = await startFakeService(t, (response) => response.destroy())
  await assert.rejects(
    client.qrCodes.update('org_1', 'qr_1', { name: 'y' }, { ifMatch: '"1"' }),
    ConnectionError,
  )
  assert.equal(received.length, 1)
})

test('no response in time is a TimeoutError, and each attempt has its own timeout', async (t) => {
  const { client, received } = await startFakeService(t, () => {}, { timeoutMs: 60, retries: 1 })
  const startMs = performance.now()
  await assert.rejects(client.organizations.listMine(), (error) => {
    assert.ok(error instanceof TimeoutError)
    assert.equal(error.code, 'TIMED_OUT')
    return true
  })
  assert.equal(received.length, 2)
  assert.ok(performance.now() - startMs < 5_000)
})

test('a file has a second more for each 16 KiB, the least rate of the service', async (t) => {
  assert.equal(uploadBytesPerSecondMin, limits.uploadBytesPerSecondMin)
  const { client } = await startFakeService(t, (response) => void setTimeout(() => response.end('{}'), 400), {
    timeoutMs: 60,
    retries: 0,
  })
  const move = { source: 'csv' as const, file: 'x'.repeat(20_000) }
  await client.moves.start('org_1', move)
  await assert.rejects(client.moves.start('org_1', move, { timeoutMs: 60 }), TimeoutError)
  await assert.rejects(client.organizations.listMine(), TimeoutError)
})

test('a response that stalls runs into the same timeout', async (t) => {
  const { client } = await startFakeService(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  })
  await assert.rejects(client.qrCodes.read('org_1', 'qr_1', { timeoutMs: 60 }), TimeoutError)
})

test('the signal of the caller ends a call or a wait between attempts with its reason', async (t) => {
  const { client, received } = await startFakeService(t, (response, _, count) => {
    if (count > 1) failure(response, 503, 'UNAVAILABLE', { 'retry-after': '30' })
  })
  const reason = new Error('enough')
  const endSoon = () => {
    const abort = new AbortController()
    setTimeout(() => abort.abort(reason), 50)
    return { signal: abort.signal }
  }
  await assert.rejects(client.organizations.listMine(endSoon()), reason)
  await assert.rejects(client.organizations.listMine(endSoon()), reason)
  await assert.rejects(client.organizations.listMine({ signal: AbortSignal.abort(reason) }), reason)
  assert.equal(received.length, 2)
})

test('an unreachable service is a ConnectionError with the address and without the key', async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'evs_secret', retries: 0 })
  await assert.rejects(client.organizations.listMine(), (error) => {
    assert.ok(error instanceof ConnectionError)
    assert.match(error.message, /127\.0\.0\.1:1/)
    assert.equal(error.status, 0)
    assert.doesNotMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /evs_secret/)
    return true
  })
})

test('an error response of a proxy is an error too', async (t) => {
  const { client } = await startFakeService(
    t,
    (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    { retries: 0 },
  )
  await assert.rejects(client.organizations.listMine(), { status: 502, code: 'UNEXPECTED_ANSWER' })
})

test('200 with a web page is an error that asks about the base URL', async (t) => {
  const { client } = await startFakeService(t, (response) => response.end('<h1>Welcome</h1>'))
  await assert.rejects(client.organizations.listMine(), { code: 'UNEXPECTED_ANSWER', message: /base URL/ })
})

test('a redirect is not followed, so the key stays here', async (t) => {
  const other = await startFakeService(t, (response) => json(response, 200, organizations))
  const { client } = await startFakeService(t, (response) =>
    response.writeHead(302, { location: `${other.baseUrl}/api/v1/users/me/organizations` }).end(),
  )
  await assert.rejects(client.organizations.listMine(), { status: 302 })
  assert.equal(other.received.length, 0)
})

test('Retry-After has seconds or a date', () => {
  const nowMs = Date.parse('2026-03-01T09:30:00Z')
  assert.equal(retryAfterOf(null, nowMs), undefined)
  assert.equal(retryAfterOf('0', nowMs), 0)
  assert.equal(retryAfterOf('120', nowMs), 120_000)
  assert.equal(retryAfterOf('Sun, 01 Mar 2026 09:30:05 GMT', nowMs), 5_000)
  assert.equal(retryAfterOf('Sun, 01 Mar 2026 09:00:00 GMT', nowMs), 0)
  assert.equal(retryAfterOf('soon', nowMs), undefined)
})

test('a call sends the session of its page or a key, never both', async () => {
  const sent: RequestInit[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    sent.push(init ?? {})
    return new Response('{"organizations":[]}')
  }
  const baseUrl = 'https://qr.example.com'
  await createClient({ baseUrl, fetch }).organizations.listMine()
  await createClient({ baseUrl, fetch, apiKey: 'evs_test' }).organizations.listMine()
  assert.deepEqual(
    sent.map(({ credentials, headers }) => [credentials, new Headers(headers).get('x-api-key')]),
    [
      ['same-origin', null],
      ['omit', 'evs_test'],
    ],
  )
})

test('401 TWO_FACTOR_REQUIRED and 429 of a sign-in are not retried, because a user is waiting', async (t) => {
  for (const [status, code, ErrorOfStatus] of [
    [401, 'TWO_FACTOR_REQUIRED', AuthenticationError],
    [429, 'RATE_LIMITED', RateLimitedError],
  ] as const) {
    const { client, received } = await startFakeService(t, (response) => failure(response, status, code, now))
    await assert.rejects(client.auth.signIn({ email: 'ada@example.com', password: 'a' }), (error) => {
      assert.ok(error instanceof ErrorOfStatus)
      assert.equal(error.code, code)
      return true
    })
    assert.equal(received.length, 1)
  }
})

test('a failure that the caller mends is sent again, once, with the same key and body', async (t) => {
  const failed: string[] = []
  const { client, received } = await startFakeService(
    t,
    (response, _, count) => {
      if (count === 1) failure(response, 401, 'UNAUTHORIZED')
      else json(response, 201, { id: 'qr_1' })
    },
    {
      timeoutMs: 1_000,
      onFailure: async ({ method, path, idempotent, error }) => {
        failed.push(`${method} ${path} ${idempotent} ${error.code}`)
        // Longer than the timeout of an attempt: a user takes their time.
        await new Promise((resolve) => setTimeout(resolve, 1_100))
      },
    },
  )
  await client.qrCodes.create('org_1', url, { idempotencyKey: 'k' })
  assert.deepEqual(failed, ['POST /organizations/org_1/qr-codes true UNAUTHORIZED'])
  assert.equal(received.length, 2)
  assert.equal(received[1]?.headers['idempotency-key'], 'k')
  assert.equal(received[1]?.body, received[0]?.body)
})

test('a failure that stays rejects, and so do the reasons of onFailure and of the signal', async (t) => {
  let calls = 0
  let onFailure = async (): Promise<void> => void calls++
  const { client, received } = await startFakeService(
    t,
    (response) => failure(response, 401, 'UNAUTHORIZED'),
    { onFailure: async () => onFailure() },
  )
  await assert.rejects(client.organizations.listMine(), AuthenticationError)
  assert.deepEqual([calls, received.length], [1, 2])
  const reason = new Error('not now')
  onFailure = async () => Promise.reject(reason)
  await assert.rejects(client.organizations.listMine(), reason)
  onFailure = async () => new Promise<void>(() => undefined)
  const stop = new AbortController()
  const waiting = client.organizations.listMine({ signal: stop.signal })
  setTimeout(() => stop.abort(reason), 20)
  await assert.rejects(waiting, reason)
})
