import assert from 'node:assert/strict'
import { problems } from '@everscan/contract/problems/problems.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import type { TestApi } from './api.ts'

/**
 * A body that matches the schema of its endpoint, so that only the caller can be the reason for an
 * error.
 */
export const bodies: Readonly<Record<string, object>> = {
  createQrCode: { type: 'URL', name: 'a', data: { url: 'https://example.com/' } },
  updateQrCode: { name: 'b' },
  patchQrCode: { name: 'b' },
  batchCreateQrCodes: { qrCodes: [{ type: 'URL', name: 'a', data: { url: 'https://example.com/' } }] },
  batchUpdateQrCodes: { ids: ['qr_1'], updates: { name: 'b' } },
  batchCloneQrCodes: { ids: ['qr_1'] },
  batchDeleteQrCodes: { ids: ['qr_1'] },
  batchDownloadQrCodes: { ids: ['qr_1'] },
  restoreQrCodes: { ids: ['qr_1'] },
  purgeQrCodes: { ids: ['qr_1'] },
  printLabelSheet: { ids: ['qr_1'], sheet: 'avery-l7160' },
  createFolder: { name: 'a' },
  createStyle: { name: 'a', style: {} },
  updateStyle: { name: 'b' },
  createDomain: { hostname: 'go.example.com' },
  updateDomain: { isDefault: true },
  startComparison: {},
  createUtmTemplate: { name: 'a', source: 'flyer' },
  updateUtmTemplate: { name: 'b' },
  updateFolder: { name: 'b' },
  createApiKey: { name: 'a' },
  rollBackQrCode: { version: 1 },
  replayRules: { rules: [] },
  simulateRules: { visitor: {} },
  updateMember: { role: 'VIEWER' },
  updatePublicAddress: { localOnly: true },
  switchMails: { stopped: true },
  updateOrganization: { publicName: 'b' },
  createWebhook: { url: 'https://hooks.example.com/', events: ['*'] },
  updateWebhook: { description: 'b' },
  createView: { name: 'a' },
  updateView: { name: 'b' },
  createInvitation: { email: 'ada@example.com' },
  createOrganization: { name: 'a' },
  updateMe: { name: 'a' },
  confirmSession: { code: '123456' },
  beginTwoFactor: { currentPassword: 'a' },
  confirmEmail: { token: 'v1.a' },
  confirmTwoFactor: { code: '123456' },
  renewRecoveryCodes: { currentPassword: 'a' },
  beginPasskey: { currentPassword: 'a' },
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
  removePasskey: { currentPassword: 'a' },
  endTwoFactor: { currentPassword: 'a', code: '123456' },
  changePassword: { currentPassword: 'a', newPassword: 'a long enough one' },
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
  const payload = bodies[endpoint.id]
  assert.equal(payload === undefined, endpoint.body === undefined, `bodies lacks ${endpoint.id}`)
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
