import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { filesOfZip } from '../../src/api/testing/zip.ts'
import { rejection, timestampForm, urlCode, type Installation, type Tenant } from './installation.ts'

/** History, roles and the archive: section 10 of the decisions. */
export function organizationRules(of: Installation): void {
  describe('organizations', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })

    test('decisions 10: GET history: each change of destination, content, style and status, with actor and time', async () => {
      const { client, orgId } = org
      const { id } = await client.qrCodes.create(orgId, urlCode('First'))
      await client.qrCodes.update(orgId, id, { data: { url: 'https://example.com/2' } })
      await client.qrCodes.update(orgId, id, { style: { foregroundColor: '#112233' } })
      await client.qrCodes.update(orgId, id, { status: 'ARCHIVED' })
      const { data, pagination } = await client.qrCodes.history(orgId, id)
      assert.equal(pagination.total, 4)
      assert.deepEqual(
        data.map(({ version, changed }) => [version, changed]),
        [
          [4, ['status']],
          [3, ['style']],
          [2, ['data']],
          [1, []],
        ],
      )
      assert.deepEqual(data[3]?.data, { url: 'https://example.com/' })
      for (const { changedBy, changedAt } of data) {
        assert.deepEqual([changedBy.kind, changedBy.name], ['api-key', 'Rules'])
        assert.match(changedAt, timestampForm)
      }
    })

    test('decisions 10: POST rollback {version}', async () => {
      const { client, orgId } = org
      const code = await client.qrCodes.create(orgId, urlCode('To be taken back'))
      await client.qrCodes.update(orgId, code.id, { data: { url: 'https://example.com/wrong' } })
      const back = await client.qrCodes.rollBack(orgId, code.id, 1)
      assert.deepEqual(back.data, { url: 'https://example.com/' })
      const { headers } = await of.scan(code.shortCode)
      assert.equal(headers.get('location'), 'https://example.com/')
      assert.equal((await client.qrCodes.history(orgId, code.id)).pagination.total, 3)
      await rejection(client.qrCodes.rollBack(orgId, code.id, 9), 404, 'NOT_FOUND')
    })

    test('decisions 10: GET audit-log: who changed what, when, from where', async () => {
      const { client, orgId } = await of.organization()
      const code = await client.qrCodes.create(orgId, urlCode('Audited'))
      await client.qrCodes.update(orgId, code.id, { name: 'Renamed' })
      await client.folders.create(orgId, { name: 'New' })
      await client.qrCodes.delete(orgId, code.id)
      const { data } = await client.auditLog.list(orgId)
      assert.deepEqual(
        data.slice(0, 4).map(({ action, fields }) => [action, fields]),
        [
          ['qr-code.delete', []],
          ['folder.create', []],
          ['qr-code.update', ['name']],
          ['qr-code.create', []],
        ],
      )
      for (const { actor, createdAt, origin, target } of data.slice(0, 4)) {
        assert.equal(actor.kind, 'api-key')
        assert.match(createdAt, timestampForm)
        assert.equal(origin.via, 'api')
        assert.ok(origin.requestId !== null && target.id !== '')
      }
      assert.doesNotMatch(JSON.stringify(data), /127\.0\.0\.1/)
    })

    test('decisions 10: POST and GET invitations, DELETE revokes one; accepting creates a member', async () => {
      const { client, orgId } = await of.organization()
      const email = `ada-${orgId}@example.com`
      const invited = await client.invitations.create(orgId, { email, role: 'EDITOR' })
      assert.deepEqual([invited.email, invited.role, invited.acceptedAt], [email, 'EDITOR', null])
      const gone = await client.invitations.create(orgId, { email: `bob-${orgId}@example.com` })
      assert.equal((await client.invitations.revoke(orgId, gone.id)).deleted, true)
      const { data } = await client.invitations.list(orgId)
      assert.deepEqual(
        data.map(({ id }) => id),
        [invited.id],
      )
      assert.ok(!('acceptUrl' in (data[0] ?? {})), 'shown once')
      const token = /[^/=#]+$/.exec(invited.acceptUrl)?.[0] ?? ''
      const password = 'a long enough password'
      const { member } = await client.invitations.accept({ token, name: 'Ada', password })
      assert.deepEqual([member.email, member.role], [email, 'EDITOR'])

      const members = await client.members.list(orgId)
      assert.deepEqual(members.data, [member])
      assert.equal((await client.members.update(orgId, member.id, 'ADMIN')).role, 'ADMIN')
      const last = client.members.remove(orgId, member.id)
      await rejection(last, 409, 'CONFLICT', /ADMIN/)
    })

    test('decisions 10: GET members, PUT changes a role, DELETE removes one', async () => {
      const { client, orgId } = await of.organization()
      const join = async (name: string, role: 'ADMIN' | 'VIEWER') => {
        const invited = await client.invitations.create(orgId, {
          email: `${name}-${orgId}@example.com`,
          role,
        })
        const token = /[^/=#]+$/.exec(invited.acceptUrl)?.[0] ?? ''
        return (await client.invitations.accept({ token, name, password: 'a long enough password' })).member
      }
      await join('eve', 'ADMIN')
      const member = await join('tom', 'VIEWER')
      assert.equal((await client.members.update(orgId, member.id, 'EDITOR')).role, 'EDITOR')
      assert.deepEqual(await client.members.remove(orgId, member.id), { id: member.id, deleted: true })
      assert.equal((await client.members.list(orgId)).pagination.total, 1)
      await rejection(client.members.update(orgId, member.id, 'EDITOR'), 404, 'NOT_FOUND')
    })

    test('decisions 10: GET export: all data as one archive, with redirect maps for nginx and Caddy', async () => {
      const { client, orgId } = await of.organization()
      const code = await client.qrCodes.create(orgId, urlCode('In the archive'))
      const { body, contentType } = await client.organizations.export(orgId)
      assert.equal(contentType, 'application/zip')
      const parts: Uint8Array[] = []
      for await (const part of body) parts.push(part)
      const files = await filesOfZip(Buffer.concat(parts))
      const names = [...files.keys()]
      for (const ending of ['.map', '.caddy'])
        assert.match(
          names
            .filter((one) => one.endsWith(ending))
            .map((one) => files.get(one)?.toString())
            .join(''),
          new RegExp(code.shortCode, 'i'),
        )
      assert.ok([...files.values()].some((contents) => contents.includes(code.id)))
    })
  })
}
