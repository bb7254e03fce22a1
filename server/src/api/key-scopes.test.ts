import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyScopes, type KeyScope } from '@everscan/contract/resources/api-keys.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { roleAllows, roles, type Role } from '@everscan/contract/schema/common.ts'
import { createApiKey } from '../catalogue/organizations/api-keys.ts'
import { someOrigin } from '../catalogue/testing/catalogue.ts'
import { onEitherDatabase } from '../db/testing/databases.ts'
import { routes } from './routes.ts'
import { openTestApi, somePerson, type TestApi } from './testing/api.ts'
import { callEndpoint, checkError } from './testing/endpoint-calls.ts'
import { upload } from './testing/imports.ts'

const readers = ['codes:read', 'codes:write'] as const

/**
 * The scopes with which a key may call each endpoint that admits keys. Written by hand, so that a
 * changed scope is seen here.
 */
const expected: Readonly<Record<string, readonly KeyScope[]>> = {
  listMyOrganizations: keyScopes,
  readOrganization: keyScopes,
  readPublicAddress: keyScopes,
  streamEvents: keyScopes,

  listQrCodes: readers,
  readQrCode: readers,
  listQrCodeHistory: readers,
  downloadQrCode: readers,
  batchDownloadQrCodes: readers,
  batchReadQrCodes: readers,
  simulateRules: readers,
  listUtmTemplates: readers,
  readUtmTemplate: readers,
  createUtmTemplate: ['codes:write'],
  updateUtmTemplate: ['codes:write'],
  deleteUtmTemplate: ['codes:write'],
  printLabelSheet: readers,
  listFolders: readers,
  readFolder: readers,
  listStyles: readers,
  readStyle: readers,
  listTags: readers,

  createQrCode: ['codes:write'],
  updateQrCode: ['codes:write'],
  patchQrCode: ['codes:write'],
  deleteQrCode: ['codes:write'],
  rollBackQrCode: ['codes:write'],
  batchCreateQrCodes: ['codes:write'],
  batchUpdateQrCodes: ['codes:write'],
  batchCloneQrCodes: ['codes:write'],
  batchDeleteQrCodes: ['codes:write'],
  listBin: readers,
  restoreQrCode: ['codes:write'],
  restoreQrCodes: ['codes:write'],
  purgeQrCode: ['codes:write'],
  purgeQrCodes: ['codes:write'],
  createFolder: ['codes:write'],
  updateFolder: ['codes:write'],
  deleteFolder: ['codes:write'],
  createStyle: ['codes:write'],
  updateStyle: ['codes:write'],
  deleteStyle: ['codes:write'],

  readOrganizationAnalytics: ['analytics:read'],
  readQrCodeAnalytics: ['analytics:read'],
  exportQrCodeAnalytics: ['analytics:read'],
  exportOrganizationAnalytics: ['analytics:read'],
  listQrCodeFigures: ['analytics:read'],
  listScans: ['analytics:read'],
  replayRules: ['analytics:read'],

  startImport: ['imports'],
  previewImport: ['imports'],
  listImports: ['imports'],
  downloadImportSample: ['imports'],
  readImport: ['imports'],
  cancelImport: ['imports'],
  downloadImportErrors: ['imports'],
  startMove: ['imports'],
  listMoves: ['imports'],
  readMove: ['imports'],
  cancelMove: ['imports'],
  startComparison: ['imports'],
  readComparison: ['imports'],
  downloadMoveErrors: ['imports'],

  updateOrganization: ['admin'],
  updatePublicAddress: ['admin'],
  createAddressCheck: ['codes:write'],
  readAddressCheck: readers,
  exportOrganization: ['admin'],
  startArchiveImport: ['admin'],
  readArchiveImport: ['admin'],
  downloadArchivedIds: ['admin'],
  createApiKey: ['admin'],
  listApiKeys: ['admin'],
  revokeApiKey: ['admin'],
  listMembers: ['admin'],
  updateMember: ['admin'],
  removeMember: ['admin'],
  createInvitation: ['admin'],
  listInvitations: ['admin'],
  revokeInvitation: ['admin'],
  listAuditLog: ['admin'],
  readConnection: ['admin'],
  readInstallation: ['admin'],
  listSentMails: ['admin'],
  switchMails: ['admin'],
  listDomains: readers,
  readDomain: readers,
  createDomain: ['admin'],
  updateDomain: ['admin'],
  checkDomain: ['admin'],
  deleteDomain: ['admin'],
  listFormerCodes: readers,
  giveDomainNotice: ['admin'],
  withdrawDomainNotice: ['admin'],
  createWebhook: ['admin'],
  listWebhooks: ['admin'],
  readWebhook: ['admin'],
  updateWebhook: ['admin'],
  deleteWebhook: ['admin'],
  rotateWebhookSecret: ['admin'],
  pingWebhook: ['admin'],
  listWebhookDeliveries: ['admin'],
  replayWebhookDelivery: ['admin'],
  listViews: ['analytics:read'],
  readView: ['analytics:read'],
  createView: ['admin'],
  updateView: ['admin'],
  deleteView: ['admin'],
  sendViewMail: ['admin'],
}

const keyed = routes.filter(
  ({ role, sessionOnly }) => role !== 'public' && role !== 'session' && sessionOnly !== true,
)
const forbidden = { status: 403, code: 'FORBIDDEN' }

test('the table has exactly the endpoints that admit keys', () => {
  assert.deepEqual(Object.keys(expected).toSorted(), keyed.map(({ id }) => id).toSorted())
})

onEitherDatabase('scopes of keys', (open) => {
  test('403 for each scope at exactly the endpoints of others, and the message names both', async () => {
    const db = await open()
    const api = await openTestApi(db)
    for (const scope of keyScopes) {
      const key = await keyWith(db, api, [scope])
      for (const endpoint of keyed) {
        const title = `${endpoint.id} with ${scope}`
        const answer = await callEndpoint(api, endpoint, { key })
        if (expected[endpoint.id]?.includes(scope) === true) {
          assert.notEqual(answer.statusCode, 403, `${title}: ${answer.body}`)
          continue
        }
        checkError(answer, { ...forbidden, title })
        const { message } = answer.json<ErrorBody>()
        assert.equal(message, `This requires the scope ${endpoint.scope}; the API key has ${scope}.`, title)
      }
    }
  })

  test('a key may use the endpoints of all its scopes; without any, those that its role allows', async () => {
    const db = await open()
    const api = await openTestApi(db)
    for (const scopes of [['codes:read', 'analytics:read'], ['imports', 'admin'], [...keyScopes], null] as (
      | KeyScope[]
      | null
    )[]) {
      const key = await keyWith(db, api, scopes)
      for (const endpoint of keyed) {
        const { statusCode } = await callEndpoint(api, endpoint, { key })
        const isAllowed =
          scopes === null || expected[endpoint.id]?.some((scope) => scopes.includes(scope)) === true
        assert.equal(statusCode !== 403, isAllowed, `${endpoint.id} with ${String(scopes)}: ${statusCode}`)
      }
    }
  })

  test('403: scopes never raise a role, and the role is named first', async () => {
    const db = await open()
    const api = await openTestApi(db)
    for (const role of roles) {
      const key = await keyWith(db, api, [...keyScopes], role)
      for (const endpoint of keyed.filter(({ path }) => path.startsWith('/organizations/:orgId'))) {
        const answer = await callEndpoint(api, endpoint, { key })
        const isAllowed = roleAllows(role, endpoint.role as Role)
        assert.equal(answer.statusCode !== 403, isAllowed, `${endpoint.id} as ${role}: ${answer.body}`)
        if (!isAllowed) assert.match(answer.body, /requires the role/)
      }
    }
    const key = await keyWith(db, api, ['analytics:read'], 'VIEWER')
    const payload = { name: 'a' }
    const answer = await api.call('POST', `/organizations/${api.orgId}/folders`, { key, payload })
    assert.equal(answer.json<ErrorBody>().message, 'This requires the role EDITOR; the API key has VIEWER.')
  })

  test('sessions have no scopes', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { session } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    for (const endpoint of keyed)
      assert.notEqual((await callEndpoint(api, endpoint, { session })).statusCode, 403, endpoint.id)
  })

  test('202 for imports with their scope alone; 403 without it, before the form is read', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const file = 'name,url\na,https://example.com/\n'
    const allowed = await upload(api, { file, key: await keyWith(db, api, ['imports'], 'EDITOR') })
    assert.equal(allowed.statusCode, 202, allowed.body)
    const others = keyScopes.filter((scope) => scope !== 'imports')
    const key = await keyWith(db, api, others)
    const title = 'an import without its scope'
    checkError(await upload(api, { file, key }), { ...forbidden, title })
    checkError(await upload(api, { file, key, fields: { nonsense: 'x' } }), { ...forbidden, title })
    const { rows } = await db.kysely
      .selectFrom('import_chunks')
      .select((select) => select.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    assert.equal(rows, 1)
  })

  test("a key with codes:write gets the record in each answer; another organization's stays 403", async () => {
    const db = await open()
    const api = await openTestApi(db)
    const key = await keyWith(db, api, ['codes:write'], 'EDITOR')
    const path = `/organizations/${api.orgId}/qr-codes`
    const payload = { type: 'URL', name: 'a', data: { url: 'https://example.com/' } }
    const made = await api.call('POST', path, { key, payload })
    assert.equal(made.statusCode, 201, made.body)
    const { id } = made.json<{ id: string }>()
    const renamed = await api.call('PUT', `${path}/${id}`, { key, payload: { name: 'b' } })
    assert.equal(renamed.json<{ name: string }>().name, 'b')
    assert.equal((await api.call('GET', `${path}/${id}`, { key })).statusCode, 200)
    const foreign = await api.call('GET', `/organizations/${api.foreignOrgId}/qr-codes`, { key })
    assert.match(foreign.json<ErrorBody>().message, /does not belong to the organization/)
  })
})

async function keyWith(
  db: Parameters<typeof createApiKey>[0],
  { orgId }: TestApi,
  scopes: readonly KeyScope[] | null,
  role: Role = 'ADMIN',
): Promise<string> {
  const { value } = await createApiKey(db, orgId, { name: 'a', role, scopes, origin: someOrigin })
  return value
}
