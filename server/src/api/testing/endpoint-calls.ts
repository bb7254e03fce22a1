import assert from 'node:assert/strict'
import { problems } from '@everscan/contract/problems/problems.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import type { TestApi } from './api.ts'

/** Bodies of endpoints whose schema has no example. */
const bodies: Readonly<Record<string, object>> = {
  rollBackQrCode: { version: 1 },
  replayRules: { rules: [] },
  simulateRules: { visitor: {} },
  updatePublicAddress: { localOnly: true },
  addPasskey: {
    name: 'a',
    passkey: {
      id: 'a',
      rawId: 'a',
      type: 'public-key',
      response: { clientDataJSON: 'a', attestationObject: 'a' },
    },
  },
  renamePasskey: { name: 'a' },
}

/** Returns a body that is valid, so that only the caller can be the reason for an error. */
function bodyOf({ id, body }: Endpoint): object | undefined {
  const { examples: [example] = [] } = (body ?? {}) as { examples?: readonly object[] }
  const found = example ?? bodies[id]
  assert.equal(found === undefined, body === undefined, `the body of ${id} has no example`)
  return found
}

export type Answer = Awaited<ReturnType<TestApi['call']>>

type CallOptions = {
  key?: string
  session?: string
  orgId?: string
  id?: string
  headers?: Record<string, string>
}

/** Calls an endpoint with ids that do not exist, unless others are given. */
export function callEndpoint(
  api: TestApi,
  endpoint: Endpoint,
  { key, session, headers, ...ids }: CallOptions,
) {
  const payload = bodyOf(endpoint)
  return api.call(endpoint.method, pathOf(endpoint.path, { ...api, ...ids }), {
    ...(key === undefined ? {} : { key }),
    ...(session === undefined ? {} : { session }),
    ...(payload === undefined ? {} : { payload }),
    ...(headers === undefined ? {} : { headers }),
  })
}

export function pathOf(path: string, { orgId, id = 'qr_unknown' }: { orgId: string; id?: string }): string {
  return path.replace(':orgId', orgId).replace(':id', id).replace(':deliveryId', id)
}

export function checkError(
  answer: Answer,
  { status, code, title }: { status: number; code: string; title: string },
) {
  assert.equal(answer.statusCode, status, `${title}: ${answer.body}`)
  const body = answer.json<ErrorBody>()
  assert.equal(body.code, code, title)
  assert.ok(Object.hasOwn(problems, body.problem ?? ''), `${title}: ${answer.body}`)
}
