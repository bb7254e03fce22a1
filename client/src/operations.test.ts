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

/** The method of the client for each operation of the API, or the reason why there is none. */
const methods: Readonly<Record<string, ((client: Client) => Promise<unknown>) | string>> = {
  listMyOrganizations: (client) => client.organizations.listMine(),
  createQrCode: (client) => client.qrCodes.create(orgId, urlBody),
  listQrCodes: (client) => client.qrCodes.list(orgId),
  readQrCode: (client) => client.qrCodes.read(orgId, id),
  updateQrCode: (client) => client.qrCodes.update(orgId, id, { name: 'B' }),
  patchQrCode: 'the same as updateQrCode',
  deleteQrCode: (client) => client.qrCodes.delete(orgId, id),
  downloadQrCode: (client) => client.qrCodes.download(orgId, id),
  printLabelSheet: (client) => client.qrCodes.labelSheet(orgId, { ids: [id], sheet: 'avery-l7160' }),
  batchCreateQrCodes: (client) => client.batches.create(orgId, [urlBody]),
  batchUpdateQrCodes: (client) => client.batches.update(orgId, [id], { name: 'B' }),
  batchReadQrCodes: (client) => client.batches.read(orgId, { ids: [id] }),
  batchCloneQrCodes: (client) => client.batches.clone(orgId, [id]),
  batchDeleteQrCodes: (client) => client.batches.delete(orgId, [id]),
  listBin: (client) => client.bin.list(orgId),
  restoreQrCode: (client) => client.bin.restore(orgId, id),
  restoreQrCodes: (client) => client.bin.restoreMany(orgId, [id]),
  purgeQrCode: (client) => client.bin.purge(orgId, id),
  purgeQrCodes: (client) => client.bin.purgeMany(orgId, [id]),
  batchDownloadQrCodes: (client) => client.batches.download(orgId, [id]),
  readQrCodeAnalytics: (client) => client.qrCodes.analytics(orgId, id),
  readOrganizationAnalytics: (client) => client.analytics.ofOrganization(orgId),
  exportOrganizationAnalytics: (client) => client.analytics.exportOrganization(orgId),
  listQrCodeFigures: (client) => client.analytics.codes(orgId),
  exportQrCodeAnalytics: (client) => client.analytics.export(orgId, id),
  listScans: (client) => client.scans.list(orgId, id),
  createFolder: (client) => client.folders.create(orgId, { name: 'A' }),
  listFolders: (client) => client.folders.list(orgId),
  readFolder: (client) => client.folders.read(orgId, id),
  updateFolder: (client) => client.folders.update(orgId, id, { name: 'B' }),
  deleteFolder: (client) => client.folders.delete(orgId, id),
  listTags: (client) => client.tags.list(orgId),
  startImport: (client) => client.imports.start(orgId, { type: 'URL', file: 'name,url' }),
  previewImport: (client) => client.imports.preview(orgId, { file: 'name,url' }),
  listImports: (client) => client.imports.list(orgId),
  downloadImportSample: (client) => client.imports.sample(orgId, 'URL'),
  readImport: (client) => client.imports.read(orgId, id),
  cancelImport: (client) => client.imports.cancel(orgId, id),
  downloadImportErrors: (client) => client.imports.errorsCsv(orgId, id),
  createStyle: (client) => client.styles.create(orgId, { name: 'A', style: {} }),
  listStyles: (client) => client.styles.list(orgId),
  readStyle: (client) => client.styles.read(orgId, id),
  createDomain: (client) => client.domains.create(orgId, { hostname: 'go.example.com' }),
  listDomains: (client) => client.domains.list(orgId),
  readDomain: (client) => client.domains.read(orgId, id),
  updateDomain: (client) => client.domains.update(orgId, id, { isDefault: true }),
  checkDomain: (client) => client.domains.check(orgId, id),
  listFormerCodes: (client) => client.domains.formerCodes(orgId, id),
  giveDomainNotice: (client) => client.domains.giveNotice(orgId, id),
  withdrawDomainNotice: (client) => client.domains.withdrawNotice(orgId, id),
  deleteDomain: (client) => client.domains.delete(orgId, id, { codes: 'archive' }),
  createUtmTemplate: (client) => client.utmTemplates.create(orgId, { name: 'A', source: 'flyer' }),
  listUtmTemplates: (client) => client.utmTemplates.list(orgId),
  readUtmTemplate: (client) => client.utmTemplates.read(orgId, id),
  updateUtmTemplate: (client) => client.utmTemplates.update(orgId, id, { name: 'B' }),
  deleteUtmTemplate: (client) => client.utmTemplates.delete(orgId, id),
  updateStyle: (client) => client.styles.update(orgId, id, { name: 'B' }),
  deleteStyle: (client) => client.styles.delete(orgId, id),
  listQrCodeHistory: (client) => client.qrCodes.history(orgId, id),
  simulateRules: (client) => client.qrCodes.simulateRules(orgId, id, { visitor: {} }),
  replayRules: (client) => client.qrCodes.replayRules(orgId, id, { rules: [] }),
  rollBackQrCode: (client) => client.qrCodes.rollBack(orgId, id, 1),
  readPublicAddress: (client) => client.organizations.publicAddress(orgId),
  updatePublicAddress: (client) => client.organizations.updatePublicAddress(orgId, { localOnly: true }),
  createAddressCheck: (client) => client.organizations.checkAddress(orgId),
  readAddressCheck: (client) => client.organizations.addressCheck(orgId, id),
  readConnection: (client) => client.organizations.connection(orgId),
  readInstallation: (client) => client.organizations.installation(orgId),
  listSentMails: (client) => client.organizations.sentMails(orgId),
  switchMails: (client) => client.organizations.switchMails(orgId, id, { stopped: true }),
  readSignInOptions: (client) => client.auth.options(),
  listAuditLog: (client) => client.auditLog.list(orgId),
  listMembers: (client) => client.members.list(orgId),
  updateMember: (client) => client.members.update(orgId, id, 'VIEWER'),
  removeMember: (client) => client.members.remove(orgId, id),
  createInvitation: (client) => client.invitations.create(orgId, { email: 'ada@example.com' }),
  listInvitations: (client) => client.invitations.list(orgId),
  revokeInvitation: (client) => client.invitations.revoke(orgId, id),
  receiveInvitation: (client) => client.invitations.receive({ token: 'a' }),
  acceptInvitation: (client) => client.invitations.accept({ token: 'a' }),
  readOrganization: (client) => client.organizations.read(orgId),
  updateOrganization: (client) => client.organizations.update(orgId, { publicName: null }),
  createView: (client) => client.views.create(orgId, { name: 'A' }),
  listViews: (client) => client.views.list(orgId),
  readView: (client) => client.views.read(orgId, id),
  updateView: (client) => client.views.update(orgId, id, { public: null }),
  deleteView: (client) => client.views.delete(orgId, id),
  sendViewMail: (client) => client.views.sendMail(orgId, id),
  readSharedView: (client) => client.views.readShared(id),
  unlockSharedView: (client) => client.views.unlock(id, 'a'),
  leaveViewMail: (client) => client.views.leaveMail('a'),
  createWebhook: (client) => client.webhooks.create(orgId, { url: 'https://example.com/', events: ['*'] }),
  listWebhooks: (client) => client.webhooks.list(orgId),
  readWebhook: (client) => client.webhooks.read(orgId, id),
  updateWebhook: (client) => client.webhooks.update(orgId, id, { status: 'ENABLED' }),
  deleteWebhook: (client) => client.webhooks.delete(orgId, id),
  rotateWebhookSecret: (client) => client.webhooks.rotateSecret(orgId, id),
  pingWebhook: (client) => client.webhooks.ping(orgId, id),
  listWebhookDeliveries: (client) => client.webhooks.deliveries(orgId, id),
  replayWebhookDelivery: (client) => client.webhooks.replay(orgId, id, id),
  streamEvents: (client) => openedStream(client),
  exportOrganization: (client) => client.organizations.export(orgId),
  startMove: (client) => client.moves.start(orgId, { source: 'csv', file: 'slug,url' }),
  listMoves: (client) => client.moves.list(orgId),
  readMove: (client) => client.moves.read(orgId, id),
  cancelMove: (client) => client.moves.cancel(orgId, id),
  startComparison: (client) => client.moves.compare(orgId, id),
  readComparison: (client) => client.moves.readComparison(orgId, id),
  downloadMoveErrors: (client) => client.moves.errorsCsv(orgId, id),
  downloadArchivedIds: (client) => client.organizations.importedIds(orgId, id),
  startArchiveImport: (client) => client.organizations.import({ file: new Uint8Array(1) }),
  readArchiveImport: (client) => client.organizations.readImport(orgId, id),
  createApiKey: (client) => client.apiKeys.create(orgId, { name: 'A' }),
  listApiKeys: (client) => client.apiKeys.list(orgId),
  revokeApiKey: (client) => client.apiKeys.revoke(orgId, id),
  createOrganization: (client) => client.organizations.create({ name: 'A' }),
  leaveOrganization: (client) => client.me.leaveOrganization(id),
  signIn: (client) => client.auth.signIn({ email: 'ada@example.com', password: 'a' }),
  signOut: (client) => client.auth.signOut(),
  readMe: (client) => client.me.read(),
  updateMe: (client) => client.me.update({ name: 'A' }),
  changePassword: (client) => client.me.changePassword({ currentPassword: 'a', newPassword: 'b' }),
  requestEmailConfirmation: (client) => client.me.requestEmailConfirmation(),
  confirmEmail: (client) => client.me.confirmEmail({ token: 'a' }),
  listAccountLog: (client) => client.me.accountLog(),
  listSessions: (client) => client.me.sessions(),
  endSession: (client) => client.me.endSession(id),
  endOtherSessions: (client) => client.me.endOtherSessions(),
  confirmSession: (client) => client.me.confirm({ code: '123456' }),
  beginPasskey: (client) => client.me.beginPasskey({ currentPassword: 'a' }),
  addPasskey: (client) => client.me.addPasskey({ name: 'A', passkey: registration }),
  listPasskeys: (client) => client.me.passkeys(),
  renamePasskey: (client) => client.me.renamePasskey(id, 'B'),
  removePasskey: (client) => client.me.removePasskey(id, { currentPassword: 'a' }),
  beginPasskeySignIn: (client) => client.auth.beginPasskey(),
  signInWithPasskey: (client) => client.auth.signInWithPasskey({ passkey: assertion }),
  beginTwoFactor: (client) => client.me.beginTwoFactor({ currentPassword: 'a' }),
  confirmTwoFactor: (client) => client.me.confirmTwoFactor({ code: '123456' }),
  renewRecoveryCodes: (client) => client.me.renewRecoveryCodes({ currentPassword: 'a' }),
  endTwoFactor: (client) => client.me.endTwoFactor({ currentPassword: 'a', code: '123456' }),
  requestPasswordReset: (client) => client.auth.requestPasswordReset({ email: 'ada@example.com' }),
  confirmPasswordReset: (client) => client.auth.confirmPasswordReset({ token: 'a', newPassword: 'b' }),
  createMemberPasswordReset: (client) => client.members.createPasswordReset(orgId, id),
  signUp: (client) => client.auth.signUp({ email: 'ada@example.com', name: 'A', organizationName: 'C' }),
  confirmSignUp: (client) => client.auth.confirmSignUp({ token: 'a', password: 'b' }),
  readOpenApi: 'the document that describes the API',
  readTlsAllowed: 'proxies nearby ask it',
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
  assert.deepEqual(operations.map(({ operationId }) => operationId).sort(), Object.keys(methods).sort())

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
    const call = methods[operationId]
    if (typeof call !== 'function') continue
    await call(client)
    const address = template.replace('{orgId}', orgId).replaceAll(/\{(id|deliveryId|token)\}/g, id)
    assert.equal(sent.pop(), `${method.toUpperCase()} /api/v1${address}`)
  }
})

test('a call is sent again only if its endpoint may be repeated, and no person waits', async () => {
  for (const endpoint of Object.values(endpoints).flatMap((ofNoun) => Object.values<Endpoint>(ofNoun))) {
    const { id: operation, method, interactive, idempotent, requestHeaders = {} } = endpoint
    const call = methods[operation]
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
