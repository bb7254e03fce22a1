import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NotFoundError, PreconditionFailedError, PermissionError } from '@everscan/client/create-client.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { clientOf, openTestApi } from '../testing/api.ts'

const poster = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } } as const
const dayMs = 86_400_000

onEitherDatabase('the bin of an organization', (open) => {
  test('a code goes there with bin=true and comes back; without it, a deletion is final', async () => {
    const db = await open()
    let nowMs = Date.now()
    const api = await openTestApi(db, { clock: () => nowMs })
    const [editor, viewer] = [clientOf(api, 'EDITOR'), clientOf(api, 'VIEWER')]
    const { orgId } = api
    const code = await editor.qrCodes.create(orgId, { ...poster, tags: ['spring'] })
    const gone = await editor.qrCodes.create(orgId, { ...poster, name: 'Gone' })
    await editor.qrCodes.delete(orgId, gone.id)
    await assert.rejects(viewer.qrCodes.delete(orgId, code.id, { bin: true }), PermissionError)
    const ifMatch = '"other"'
    await assert.rejects(
      editor.qrCodes.delete(orgId, code.id, { bin: true, ifMatch }),
      PreconditionFailedError,
    )
    const deleted = await editor.qrCodes.delete(orgId, code.id, { bin: true })
    const restorableUntil = new Date(nowMs + 30 * dayMs).toISOString()
    assert.deepEqual(deleted, { id: code.id, deleted: true, restorableUntil })
    await assert.rejects(editor.qrCodes.read(orgId, code.id), NotFoundError)
    await assert.rejects(editor.qrCodes.update(orgId, code.id, { name: 'x' }), NotFoundError)
    await assert.rejects(editor.qrCodes.delete(orgId, code.id, { bin: true }), NotFoundError)

    const { data } = await viewer.bin.list(orgId)
    const [binned] = data
    assert.equal(data.length, 1)
    const { deletedAt, deletedBy, restorableUntil: until, ...record } = binned ?? assert.fail('empty')
    assert.deepEqual({ ...record }, { ...code })
    assert.deepEqual([deletedAt, until], [new Date(nowMs).toISOString(), restorableUntil])
    assert.equal(deletedBy.name, 'EDITOR')

    await assert.rejects(viewer.bin.restore(orgId, code.id), PermissionError)
    await assert.rejects(clientOf(api, 'foreign').bin.restore(api.foreignOrgId, code.id), NotFoundError)
    nowMs += 1_000
    const restored = await editor.bin.restore(orgId, code.id)
    assert.deepEqual({ ...restored }, { ...code, updatedAt: new Date(nowMs).toISOString() })
    assert.deepEqual({ ...(await editor.qrCodes.read(orgId, code.id)) }, { ...restored })
    await assert.rejects(editor.bin.restore(orgId, code.id), NotFoundError)
    await assert.rejects(editor.bin.restore(orgId, gone.id), NotFoundError)

    await editor.qrCodes.delete(orgId, code.id, { bin: true })
    nowMs += 30 * dayMs
    assert.deepEqual((await editor.bin.list(orgId)).data, [])
    await assert.rejects(editor.bin.restore(orgId, code.id), NotFoundError)
  })

  test('many codes go there, come back and go for good, each with its events and log entries', async () => {
    const api = await openTestApi(await open())
    const [editor, admin] = [clientOf(api, 'EDITOR'), clientOf(api, 'ADMIN')]
    const { orgId } = api
    const made = await editor.batches.create(orgId, [
      poster,
      { ...poster, name: 'Two' },
      { ...poster, name: 'Three' },
    ])
    const ids = made.data.map(({ id }) => id)
    const [one = '', two = '', three = ''] = ids
    const deleted = await editor.batches.delete(orgId, [...ids, 'qr_none'], { bin: true })
    assert.deepEqual([deleted.successCount, deleted.errors[0]?.code], [3, 'NOT_FOUND'])
    for (const { restorableUntil } of deleted.data) assert.ok(Date.parse(restorableUntil ?? '') > Date.now())

    await assert.rejects(editor.bin.restoreMany(orgId, [one, 'qr_none'], { atomic: true }), /No item/)
    assert.equal((await editor.bin.list(orgId)).pagination.total, 3)
    const restored = await editor.bin.restoreMany(orgId, [one, 'qr_none'])
    assert.deepEqual([restored.data[0]?.id, restored.errors[0]?.id], [one, 'qr_none'])
    assert.deepEqual(await editor.bin.purge(orgId, two), { id: two, deleted: true })
    await assert.rejects(editor.bin.purge(orgId, two), NotFoundError)
    const purged = await editor.bin.purgeMany(orgId, [three, two])
    assert.deepEqual([purged.data[0]?.id, purged.errors[0]?.id], [three, two])
    assert.equal((await editor.bin.list(orgId)).pagination.total, 0)
    assert.equal((await editor.qrCodes.list(orgId)).pagination.total, 1)

    const log = await admin.auditLog.list(orgId, { limit: 100 })
    const actions = Object.groupBy(log.data, ({ action }) => action)
    assert.equal(actions['qr-code.delete']?.length, 3)
    assert.deepEqual(
      actions['qr-code.restore']?.map(({ target }) => target.id),
      [one],
    )
    assert.equal(actions['qr-code.purge']?.length, 2)
  })

  test('400: values that are none', async () => {
    const api = await openTestApi(await open())
    const path = `/organizations/${api.orgId}/qr-codes`
    const call = async (method: 'DELETE' | 'GET', url: string) =>
      (await api.call(method, url, { key: api.keys.EDITOR })).statusCode
    assert.equal(await call('DELETE', `${path}/qr_none?bin=maybe`), 400)
    assert.equal(await call('DELETE', `${path}/qr_none?bin=true&no=1`), 400)
    assert.equal(await call('DELETE', `${path}/bin`), 400)
    assert.equal(await call('DELETE', `${path}/bin?ids=a,b`), 200)
    assert.equal(await call('GET', `${path}/bin?limit=0`), 400)
  })
})
