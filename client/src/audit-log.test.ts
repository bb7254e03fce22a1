import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buffer } from 'node:stream/consumers'
import { etagOf } from './create-client.ts'
import { json, startFakeService } from './testing/server.ts'

test('history, audit log, members and invitations call the right paths', async (t) => {
  const { client, received } = await startFakeService(t, (response) => json(response, 200, { id: 'x' }))
  await client.qrCodes.history('org_1', 'qr_1', { page: 2 })
  await client.qrCodes.rollBack('org_1', 'qr_1', 3)
  await client.auditLog.list('org_1', { action: 'qr-code.update', startDate: '2026-03-01' })
  await client.members.list('org_1')
  await client.members.update('org_1', 'usr_1', 'EDITOR')
  await client.members.remove('org_1', 'usr_1')
  await client.invitations.create('org_1', { email: 'ada@example.com' })
  await client.invitations.list('org_1', { limit: 5 })
  await client.invitations.revoke('org_1', 'inv_1')
  await client.invitations.accept({ token: 'x', name: 'Ada', password: 'a long enough one' })
  const prefix = '/api/v1/organizations/org_1'
  assert.deepEqual(
    received.map(({ method, url, body }) => `${method} ${url.replace(prefix, '')} ${body}`.trim()),
    [
      'GET /qr-codes/qr_1/history?page=2',
      'POST /qr-codes/qr_1/rollback {"version":3}',
      'GET /audit-log?action=qr-code.update&startDate=2026-03-01',
      'GET /members',
      'PUT /members/usr_1 {"role":"EDITOR"}',
      'DELETE /members/usr_1',
      'POST /invitations {"email":"ada@example.com"}',
      'GET /invitations?limit=5',
      'DELETE /invitations/inv_1',
      'POST /api/v1/invitations/accept {"token":"x","name":"Ada","password":"a long enough one"}',
    ],
  )
})

test('a rollback sends an ETag and returns one', async (t) => {
  const { client, received } = await startFakeService(t, (response, _, count) =>
    json(response, 200, { id: 'qr_1' }, { etag: `"v${count}"` }),
  )
  const code = await client.qrCodes.read('org_1', 'qr_1')
  const back = await client.qrCodes.rollBack('org_1', 'qr_1', 1, { ifMatch: etagOf(code) })
  assert.equal(received[1]?.headers['if-match'], '"v1"')
  assert.equal(etagOf(back), '"v2"')
})

test('iterate reads the audit log page by page', async (t) => {
  const { client, received } = await startFakeService(t, (response, _, count) =>
    json(response, 200, { data: [{ id: `aud_${count}` }], pagination: { hasNext: count < 3 } }),
  )
  const ids: string[] = []
  for await (const { id } of client.auditLog.iterate('org_1', { actorId: 'key_1' })) ids.push(id)
  assert.deepEqual(ids, ['aud_1', 'aud_2', 'aud_3'])
  assert.equal(received[2]?.url, '/api/v1/organizations/org_1/audit-log?limit=100&actorId=key_1&page=3')
})

test('an export is a stream with a file name', async (t) => {
  const { client } = await startFakeService(t, (response) => {
    response.writeHead(200, {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="Acme.zip"; filename*=UTF-8''Acme.zip`,
    })
    response.end('PK')
  })
  const { body, ...rest } = await client.organizations.export('org_1')
  assert.deepEqual(rest, { contentType: 'application/zip', fileName: 'Acme.zip' })
  assert.equal((await buffer(body)).toString(), 'PK')
})
