import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import { endpoints } from '@everscan/contract/endpoints/endpoints.ts'
import { createClient, type Client } from './create-client.ts'

const orgId = 'org_1'
const id = 'id_1'
const urlBody = { type: 'URL', name: 'A', data: { url: 'https://example.com/' } } as const

const credential = { id: 'a', rawId: 'a', type: 'public-key' } as const
const registration = { ...credential, response: { clientDataJSON: 'a', attestationObject: 'a' } }
const assertion = {
  ...credential,
  response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a' },
}

/**
 * The method of the client for each operation of the API that takes other values than its path and
 * body, or is written by hand; or the reason why there is none.
 */
const methods: Readonly<Record<string, ((client: Client) => Promise<unknown>) | string>> = {
  patchQrCode: 'the same as updateQrCode',
  downloadQrCode: (client) => client.qrCodes.download(orgId, id),
  printLabelSheet: (client) => client.qrCodes.labelSheet(orgId, { ids: [id], sheet: 'avery-l7160' }),
  batchCreateQrCodes: (client) => client.batches.create(orgId, [urlBody]),
  batchUpdateQrCodes: (client) => client.batches.update(orgId, [id], { name: 'B' }),
  batchReadQrCodes: (client) => client.batches.read(orgId, { ids: [id] }),
  batchCloneQrCodes: (client) => client.batches.clone(orgId, [id]),
  batchDeleteQrCodes: (client) => client.batches.delete(orgId, [id]),
  restoreQrCodes: (client) => client.bin.restoreMany(orgId, [id]),
  purgeQrCodes: (client) => client.bin.purgeMany(orgId, [id]),
  batchDownloadQrCodes: (client) => client.batches.download(orgId, [id]),
  startImport: (client) => client.imports.start(orgId, { type: 'URL', file: 'name,url' }),
  previewImport: (client) => client.imports.preview(orgId, { file: 'name,url' }),
  downloadImportSample: (client) => client.imports.sample(orgId, 'URL'),
  deleteDomain: (client) => client.domains.delete(orgId, id, { codes: 'archive' }),
  simulateRules: (client) => client.qrCodes.simulateRules(orgId, id, { visitor: {} }),
  replayRules: (client) => client.qrCodes.replayRules(orgId, id, { rules: [] }),
  rollBackQrCode: (client) => client.qrCodes.rollBack(orgId, id, 1),
  updatePublicAddress: (client) => client.organizations.updatePublicAddress(orgId, { localOnly: true }),
  updateMember: (client) => client.members.update(orgId, id, 'VIEWER'),
  receiveInvitation: (client) => client.invitations.receive({ token: 'a' }),
  acceptInvitation: (client) => client.invitations.accept({ token: 'a' }),
  updateView: (client) => client.views.update(orgId, id, { public: null }),
  unlockSharedView: (client) => client.views.unlock(id, 'a'),
  leaveViewMail: (client) => client.views.leaveMail('a'),
  streamEvents: (client) => openedStream(client),
  startComparison: (client) => client.moves.compare(orgId, id),
  startMove: (client) => client.moves.start(orgId, { source: 'csv', file: 'slug,url' }),
  startArchiveImport: (client) => client.organizations.import({ file: new Uint8Array(1) }),
  addPasskey: (client) => client.me.addPasskey({ name: 'A', passkey: registration }),
  renamePasskey: (client) => client.me.renamePasskey(id, 'B'),
  signInWithPasskey: (client) => client.auth.signInWithPasskey({ passkey: assertion }),
  readOpenApi: 'the document that describes the API',
  readTlsAllowed: 'proxies nearby ask it',
}

/** Returns the method of an operation: one in the table, or the generated one with an example. */
function methodOf(operationId: string): ((client: Client) => Promise<unknown>) | string {
  const known = methods[operationId]
  if (known !== undefined) return known
  const all = Object.entries(endpoints).flatMap(([noun, ofNoun]) =>
    Object.entries<Endpoint>(ofNoun).map(([own, endpoint]) => ({ noun, own, ...endpoint })),
  )
  const { noun, own, call, path, body } =
    all.find((endpoint) => endpoint.id === operationId) ?? assert.fail(operationId)
  assert.notEqual(call, 'byHand', `methods lacks ${operationId}`)
  const { examples = [] } = (body ?? {}) as { examples?: readonly unknown[] }
  assert.equal(examples[0] === undefined, body === undefined, `methods lacks ${operationId}`)
  const [area = '', name = ''] = (call ?? `${noun}.${own === 'remove' ? 'delete' : own}`).split('.')
  const values: unknown[] = [...path.matchAll(/:(\w+)/g)].map(([, parameter]) =>
    parameter === 'orgId' ? orgId : id,
  )
  if (body !== undefined) values.push(examples[0])
  return async (client) => {
    const ofArea: unknown = client[area as keyof Client]
    const method = (ofArea as Record<string, (...values: unknown[]) => Promise<unknown>>)[name]
    await (method ?? assert.fail(`the client has no ${area}.${name}`))(...values)
  }
}

/** A stream never ends, so read its first event and abort. */
async function openedStream(client: Client): Promise<void> {
  const ending = new AbortController()
  const first = client.events.stream(orgId, {}, { signal: ending.signal }).next()
  await new Promise((resolve) => setImmediate(resolve))
  ending.abort()
  await assert.rejects(first, { name: 'AbortError' })
}

type Document = { paths: Record<string, Record<string, { operationId: string }>> }

test('every operation of the OpenAPI document has a method of the client', async () => {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json')
  const { paths } = JSON.parse(readFileSync(path, 'utf8')) as Document
  const operations = Object.entries(paths).flatMap(([template, of]) =>
    Object.entries(of).map(([method, { operationId }]) => ({ operationId, method, template })),
  )
  const known = new Set(operations.map(({ operationId }) => operationId))
  for (const operationId of Object.keys(methods)) assert.ok(known.has(operationId), operationId)

  const sent: string[] = []
  const client = createClient({
    baseUrl: 'https://qr.example.com',
    apiKey: 'evs_test',
    fetch: async (url, init) => {
      sent.push(`${init?.method} ${new URL(url instanceof Request ? url.url : url).pathname}`)
      return new Response('{}')
    },
  })
  for (const { operationId, method, template } of operations) {
    const call = methodOf(operationId)
    if (typeof call !== 'function') continue
    await call(client)
    const address = template.replace('{orgId}', orgId).replaceAll(/\{(id|deliveryId|token)\}/g, id)
    assert.equal(sent.pop(), `${method.toUpperCase()} /api/v1${address}`)
  }
})

test('a call is sent again only if its endpoint may be repeated, and no person waits', async () => {
  for (const endpoint of Object.values(endpoints).flatMap((ofNoun) => Object.values<Endpoint>(ofNoun))) {
    const { id: operation, method, interactive, idempotent, requestHeaders = {} } = endpoint
    const call = methodOf(operation)
    if (typeof call !== 'function' || operation === 'streamEvents') continue
    const { repeatable = method !== 'POST' || 'If-Match' in requestHeaders } = endpoint
    // Changes of a batch may be repeated, as they are the same for all codes.
    const isRepeated = operation === 'batchUpdateQrCodes' || (repeatable && idempotent !== true)
    assert.equal(await timesSent(call, 503), isRepeated ? 2 : 1, operation)
    assert.equal(await timesSent(call, 429), interactive === true ? 1 : 2, operation)
  }
})

/** Returns how often a call is sent that fails with a status, if it may be repeated once. */
async function timesSent(call: (client: Client) => Promise<unknown>, status: number): Promise<number> {
  let sent = 0
  const fetch = async () => {
    sent++
    return new Response('{}', { status, headers: { 'retry-after': '0' } })
  }
  const client = createClient({ baseUrl: 'https://qr.example.com', apiKey: 'evs_test', retries: 1, fetch })
  await assert.rejects(call(client), { status })
  return sent
}
