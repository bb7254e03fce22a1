import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConflictError, NotFoundError, ValidationError } from '@everscan/client/create-client.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { clientOf, openTestApi } from '../testing/api.ts'

const url = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } } as const

onEitherDatabase('folders', (open) => {
  test('201 with Location: created, read, listed newest first, renamed, deleted', async () => {
    let nowMs = Date.UTC(2026, 2, 1)
    const api = await openTestApi(await open(), { clock: () => nowMs })
    const { folders } = clientOf(api)
    const answer = await api.call('POST', `/organizations/${api.orgId}/folders`, {
      key: api.keys.EDITOR,
      payload: { name: 'Spring' },
    })
    assert.equal(answer.statusCode, 201, answer.body)
    const spring = answer.json<{ id: string }>()
    assert.equal(answer.headers['location'], `/api/v1/organizations/${api.orgId}/folders/${spring.id}`)
    assert.match(spring.id, /^fld_/)
    assert.deepEqual(spring, {
      id: spring.id,
      name: 'Spring',
      parentId: null,
      qrCodeCount: 0,
      qrCodesBelow: 0,
      createdAt: '2026-03-01T00:00:00.000Z',
      updatedAt: '2026-03-01T00:00:00.000Z',
    })
    assert.deepEqual(await folders.read(api.orgId, spring.id), spring)
    nowMs++
    const posters = await folders.create(api.orgId, { name: 'Posters', parentId: spring.id })
    nowMs++
    const summer = await folders.create(api.orgId, { name: 'Summer' })
    const { data, pagination } = await folders.list(api.orgId)
    assert.deepEqual(data, [summer, posters, spring])
    assert.equal(pagination.total, 3)
    assert.deepEqual((await folders.list(api.orgId, { parentId: spring.id })).data, [posters])
    assert.deepEqual((await folders.list(api.orgId, { search: 'MM' })).data, [summer])
    assert.deepEqual((await folders.list(api.orgId, { search: '%' })).data, [])
    assert.deepEqual((await folders.list(api.orgId, { limit: 2, page: 2 })).data, [spring])
    const all = []
    for await (const folder of folders.iterate(api.orgId, { limit: 1 })) all.push(folder.id)
    assert.deepEqual(all, [summer.id, posters.id, spring.id])

    nowMs++
    const renamed = await folders.update(api.orgId, summer.id, { name: 'Autumn' })
    assert.equal(renamed.name, 'Autumn')
    assert.ok(renamed.updatedAt > summer.updatedAt)
    assert.deepEqual(
      await folders.update(api.orgId, summer.id, {}),
      renamed,
      'an empty update changes nothing',
    )
    assert.deepEqual(await folders.delete(api.orgId, summer.id), { id: summer.id, deleted: true })
    await assert.rejects(folders.delete(api.orgId, summer.id), NotFoundError)
    await assert.rejects(folders.read(api.orgId, summer.id), NotFoundError)
    await assert.rejects(folders.update(api.orgId, summer.id, { name: 'x' }), NotFoundError)
  })

  test('a folder counts its codes; deleting it unfiles them and moves its subfolders to the top level', async () => {
    const api = await openTestApi(await open())
    const { folders, qrCodes } = clientOf(api)
    const spring = await folders.create(api.orgId, { name: 'Spring' })
    const posters = await folders.create(api.orgId, { name: 'Posters', parentId: spring.id })
    const filed = await qrCodes.create(api.orgId, { ...url, folderId: spring.id })
    const nested = await qrCodes.create(api.orgId, { ...url, folderId: posters.id })
    await qrCodes.create(api.orgId, url)
    const counts = (await folders.list(api.orgId)).data.map(({ qrCodeCount }) => qrCodeCount)
    assert.deepEqual(counts, [1, 1])
    const ofFolder = await qrCodes.list(api.orgId, { folderId: spring.id })
    assert.deepEqual(
      ofFolder.data.map(({ id }) => id),
      [filed.id],
    )
    const etagBefore = await api.call('GET', `/organizations/${api.orgId}/qr-codes/${filed.id}`, {
      key: api.keys.VIEWER,
    })
    await folders.delete(api.orgId, spring.id)
    const after = await api.call('GET', `/organizations/${api.orgId}/qr-codes/${filed.id}`, {
      key: api.keys.VIEWER,
    })
    assert.equal(after.json<{ folderId: null }>().folderId, null)
    assert.notEqual(after.headers['etag'], etagBefore.headers['etag'])
    assert.equal((await qrCodes.read(api.orgId, nested.id)).folderId, posters.id)
    assert.equal((await folders.read(api.orgId, posters.id)).parentId, null)
    assert.equal((await qrCodes.list(api.orgId)).pagination.total, 3)
  })

  test('409: a name that another folder with the same parent has, ignoring case', async () => {
    const api = await openTestApi(await open())
    const { folders } = clientOf(api)
    const spring = await folders.create(api.orgId, { name: 'Größe' })
    await assert.rejects(folders.create(api.orgId, { name: 'GRÖSSE' }), ConflictError)
    const other = await folders.create(api.orgId, { name: 'Other' })
    await assert.rejects(folders.update(api.orgId, other.id, { name: 'größe' }), ConflictError)
    // In another folder the name is free, and a folder may change the letter case of its own name.
    const nested = await folders.create(api.orgId, { name: 'größe', parentId: spring.id })
    await folders.update(api.orgId, spring.id, { name: 'GRÖSSE' })
    await assert.rejects(folders.update(api.orgId, nested.id, { parentId: null }), ConflictError)
    await folders.update(api.orgId, spring.id, { name: 'Size' })
    await folders.update(api.orgId, other.id, { name: 'größe' })
    // A deletion that would put two folders of one name at the same level fails.
    await assert.rejects(folders.delete(api.orgId, spring.id), ConflictError)
    assert.equal((await folders.read(api.orgId, nested.id)).parentId, spring.id)
    // Names are unique only within an organization.
    await clientOf(api, 'foreign').folders.create(api.foreignOrgId, { name: 'Größe' })
  })

  test('400: folders nest one level, in folders of the organization', async () => {
    const api = await openTestApi(await open())
    const { folders } = clientOf(api)
    const foreign = await clientOf(api, 'foreign').folders.create(api.foreignOrgId, { name: 'Foreign' })
    const top = await folders.create(api.orgId, { name: 'Top' })
    const nested = await folders.create(api.orgId, { name: 'Nested', parentId: top.id })
    const other = await folders.create(api.orgId, { name: 'Other' })
    await refused(
      folders.create(api.orgId, { name: 'x', parentId: nested.id }),
      /^parentId: must be a folder at the top/,
    )
    await refused(
      folders.create(api.orgId, { name: 'x', parentId: foreign.id }),
      /^parentId: must be a folder of this/,
    )
    await refused(
      folders.create(api.orgId, { name: 'x', parentId: 'fld_unknown' }),
      /^parentId: must be a folder of this/,
    )
    await refused(folders.update(api.orgId, top.id, { parentId: other.id }), /^parentId: must be null/)
    await refused(
      folders.update(api.orgId, other.id, { parentId: nested.id }),
      /^parentId: must be a folder at the top/,
    )
    await refused(
      folders.update(api.orgId, other.id, { parentId: other.id }),
      /^parentId: must be another folder/,
    )
    await refused(folders.create(api.orgId, { name: ' ' }), /^name: must not be empty/)
    await refused(folders.create(api.orgId, { name: 'a'.repeat(256) }), /^name: must have at most 255/)
    const moved = await folders.update(api.orgId, other.id, { parentId: top.id })
    assert.equal(moved.parentId, top.id)
    await folders.update(api.orgId, nested.id, { parentId: null })
    assert.equal((await folders.read(api.orgId, nested.id)).parentId, null)
  })

  test('an Idempotency-Key creates a folder once', async () => {
    const api = await openTestApi(await open())
    const { folders } = clientOf(api)
    const make = () => folders.create(api.orgId, { name: 'Once' }, { idempotencyKey: 'a' })
    const [one, other] = await Promise.all([make(), make()])
    assert.equal(one.id, other.id)
  })
})

function refused(call: Promise<unknown>, message: RegExp): Promise<void> {
  return assert.rejects(call, (error) => {
    assert.ok(error instanceof ValidationError)
    assert.match(error.message, message)
    return true
  })
}
