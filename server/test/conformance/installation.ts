import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, CreateQrCodeOf, EverscanError } from '@everscan/client/create-client.ts'
import type { ErrorBody, ErrorCode } from '@everscan/contract/schema/errors.ts'
import { someOrigin } from '../../src/catalogue/testing/catalogue.ts'
import { createApiKey } from '../../src/catalogue/organizations/api-keys.ts'
import { createOrganization } from '../../src/catalogue/organizations/organizations.ts'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { silentLog } from '../../src/db/testing/databases.ts'
import { phones } from '../support/phones.ts'
import { startService, type Service } from '../support/service.ts'

export type Answer = { status: number; headers: Headers; text: string }

type SendOptions = { body?: unknown; headers?: Record<string, string>; key?: string }

/** A separate organization, so that the rules of one group do not affect those of another. */
export type Tenant = {
  orgId: string
  key: string
  /** Never retries, so that the test sees every response. */
  client: Client
  /** Head of the last response to the client. */
  last: () => Pick<Answer, 'status' | 'headers'>
  /**
   * Sends requests that the client cannot send. `path` is below the organization; a `body` that is
   * neither text nor a form is sent as JSON.
   */
  send: (method: string, path: string, options?: SendOptions) => Promise<Answer>
  /**
   * Sends a request and asserts that it fails with this status and code, in the common error
   * format.
   */
  refused: (
    request: readonly [method: string, path: string, options?: SendOptions],
    ...expected: readonly [status: number, code: ErrorCode, message?: RegExp]
  ) => Promise<ErrorBody>
}

/**
 * One running service that the rules of a catalogue share. Its parts exist only while tests run.
 */
export type Installation = {
  service: () => Service
  /** How many machines answer requests in turn. */
  machines: () => number
  /** Waits until every machine has seen a change: one at once, others within a second. */
  changeSeen: () => Promise<void>
  db: () => Database
  organization: () => Promise<Tenant>
  /** Sends a request to any path of the service. */
  send: (method: string, path: string, options?: SendOptions) => Promise<Answer>
  /** Opens a short URL like a phone that the host of the short URL has forwarded here. */
  scan: (shortCode: string, headers?: Record<string, string>, method?: string) => Promise<Answer>
}

export const publicUrl = 'https://qr.example'
/** An address in a network that DB-IP locates in Germany. */
export const germany = '81.169.181.179'

/** Starts a service before the tests of the current suite, and stops it after them. */
export function useInstallation(
  env: () => Promise<Record<string, string>>,
  start: (settings: Record<string, string>) => Promise<Service> = startService,
): Installation {
  let service: Service
  let db: Database
  before(async () => {
    const settings = await env()
    service = await start({
      // The receivers of these rules run on this machine.
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...settings,
      TRUST_PROXY: '127.0.0.1',
      PUBLIC_URL: publicUrl,
    })
    db = await openDatabase({
      databaseUrl: settings['DATABASE_URL'],
      dataDir: service.dataDir,
      role: 'writer',
      log: silentLog,
    })
  })
  after(async () => {
    await db.close()
    await service.remove()
  })

  const send: Installation['send'] = async (method, path, { body, headers = {}, key } = {}) => {
    const asItIs = body === undefined || typeof body === 'string' || body instanceof FormData
    const answer = await fetch(service.baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(key !== undefined && { 'x-api-key': key }),
        ...(!asItIs && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: asItIs ? body : JSON.stringify(body) }),
    })
    const { status } = answer
    // A stream continues for as long as the client reads it.
    const isLive = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isLive) await answer.body?.cancel()
    return { status, headers: answer.headers, text: isLive ? '' : await answer.text() }
  }

  return {
    service: () => service,
    machines: () => service.machines?.length ?? 1,
    changeSeen: async () => {
      if (service.machines !== undefined) await sleep(1_000)
    },
    db: () => db,
    send,
    scan: (shortCode, headers = {}, method = 'GET') =>
      send(method, `/${shortCode}`, {
        headers: { 'user-agent': phones[0], 'x-forwarded-for': germany, ...headers },
      }),
    organization: async () => {
      // API keys cannot create organizations: the first start creates one, the others are written
      // to the catalogue.
      const { id: orgId } = await createOrganization(db, { name: `Rules ${randomBytes(4).toString('hex')}` })
      const { value: key } = await createApiKey(db, orgId, {
        name: 'Rules',
        role: 'ADMIN',
        origin: someOrigin,
      })
      return tenantOf({ service, send }, orgId, key)
    },
  }
}

/** The same organization with another key. */
export function withKey(of: Installation, { orgId }: Tenant, key: string): Tenant {
  return tenantOf({ service: of.service(), send: of.send }, orgId, key)
}

function tenantOf(
  { service, send }: { service: Service; send: Installation['send'] },
  orgId: string,
  key: string,
): Tenant {
  let last: Pick<Answer, 'status' | 'headers'> | undefined
  const client = service.client({
    apiKey: key,
    retries: 0,
    fetch: async (...request) => (last = await fetch(...request)),
  })
  const sendBelow: Tenant['send'] = (method, path, options) =>
    send(method, `/api/v1/organizations/${orgId}${path}`, { key, ...options })
  return {
    orgId,
    key,
    client,
    last: () => {
      assert.ok(last !== undefined, 'the client has sent nothing')
      return last
    },
    send: sendBelow,
    refused: async ([method, path, options], status, code, message) =>
      assertProblem(await sendBelow(method, path, options), [status, code, message]),
  }
}

/** Asserts an error in the common format, and returns it. */
export function assertProblem(
  answer: Answer,
  [status, code, message = /./]: readonly [status: number, code: ErrorCode, message?: RegExp | undefined],
): ErrorBody {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, answer.text)
  const problem = JSON.parse(answer.text) as ErrorBody
  assert.deepEqual([answer.status, problem.statusCode, problem.code], [status, status, code], answer.text)
  assert.match(problem.message, message)
  assert.deepEqual(
    Object.keys(problem).filter((name) => !['details', 'problem', 'values'].includes(name)),
    ['statusCode', 'message', 'error', 'code', 'requestId'],
  )
  // A name comes with its values, in the error and in each detail.
  for (const one of [problem, ...(problem.details ?? [])])
    assert.equal(one.problem === undefined, one.values === undefined, answer.text)
  return problem
}

/** Asserts that a call of the client rejects with this status and code, and returns the error. */
export async function rejection(
  call: Promise<unknown>,
  ...[status, code, message = /./]: readonly [status: number, code: ErrorCode, message?: RegExp]
): Promise<EverscanError> {
  const error = await call.then(
    (answer) => assert.fail(`expected ${status} ${code}, got ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown as EverscanError,
  )
  assert.deepEqual([error.status, error.code], [status, code], error.message)
  assert.match(error.message, message)
  return error
}

/** A code of type URL with a name and any other given fields. */
export function urlCode(name: string, more: Partial<CreateQrCodeOf<'URL'>> = {}): CreateQrCodeOf<'URL'> {
  return { type: 'URL', name, data: { url: 'https://example.com/' }, ...more }
}

export const timestampForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
