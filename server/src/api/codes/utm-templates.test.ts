import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { UtmTemplate } from '@everscan/contract/utm/utm-templates.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { clientOf, openTestApi } from '../testing/api.ts'

const values = {
  source: 'flyer',
  medium: 'print',
  campaign: 'spring-{folder}',
  term: null,
  content: '{name} {shortCode}',
}

onEitherDatabase('UTM templates', (open) => {
  test('201, 200: saved, listed newest first, changed in part, deleted; the audit log has each change', async () => {
    const api = await openTestApi(await open())
    const { orgId } = api
    const client = clientOf(api, 'ADMIN')
    const { utmTemplates } = client
    const flyer = await utmTemplates.create(orgId, { name: 'Flyer', ...values })
    assert.deepEqual(flyer, {
      id: flyer.id,
      name: 'Flyer',
      ...values,
      createdAt: flyer.createdAt,
      updatedAt: flyer.createdAt,
    })
    assert.match(flyer.id, /^utm_[0-9a-z]{26}$/)
    const poster = await utmTemplates.create(orgId, { name: 'Poster', medium: 'print' })
    assert.equal(poster.source, null)
    assert.deepEqual(await utmTemplates.read(orgId, flyer.id), flyer)
    const viewer = clientOf(api, 'VIEWER')
    assert.deepEqual((await viewer.utmTemplates.list(orgId)).data, [poster, flyer])
    assert.deepEqual((await viewer.utmTemplates.list(orgId, { limit: 1, page: 2 })).data, [flyer])

    const changed = await utmTemplates.update(orgId, flyer.id, { campaign: 'summer', content: null })
    assert.deepEqual(changed, {
      ...flyer,
      campaign: 'summer',
      content: null,
      updatedAt: changed.updatedAt,
    })
    assert.deepEqual(
      await utmTemplates.update(orgId, flyer.id, { campaign: 'summer', name: 'Flyer' }),
      changed,
    )
    assert.deepEqual(await utmTemplates.delete(orgId, poster.id), { id: poster.id, deleted: true })
    await assert.rejects(utmTemplates.read(orgId, poster.id), { status: 404 })
    await assert.rejects(utmTemplates.delete(orgId, poster.id), { status: 404 })
    assert.deepEqual((await utmTemplates.list(orgId)).data, [changed])
    const { data } = await client.auditLog.list(orgId)
    assert.deepEqual(
      data.map(({ action }) => action).filter((action) => action.startsWith('utm-template')),
      ['utm-template.delete', 'utm-template.update', 'utm-template.create', 'utm-template.create'],
    )
  })

  test('400: no value, none left, unknown placeholders, line breaks, too long', async () => {
    const api = await openTestApi(await open())
    const { orgId } = api
    const path = `/organizations/${orgId}/utm-templates`
    const refused = async (payload: object, message: RegExp, at = path, method: 'POST' | 'PUT' = 'POST') => {
      const answer = await api.call(method, at, { key: api.keys.EDITOR, payload })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json<{ message: string }>().message, message)
    }
    await refused({ name: 'A' }, /must have at least one of source, medium/)
    await refused({ name: 'A', source: null }, /must have at least one of/)
    await refused({ source: 'a' }, /name: is required/)
    await refused({ name: 'A', source: '' }, /source: must not be empty/)
    await refused({ name: 'A', source: ' ' }, /source: must be one line/)
    await refused({ name: 'A', source: '{nmae}' }, /source: .*braces only as "\{name\}"/)
    await refused({ name: 'A', source: 'a\nb' }, /source: must be one line/)
    await refused({ name: 'A', source: 'a'.repeat(201) }, /source: must have at most 200/)
    await refused({ name: 'A', utm_source: 'a' }, /utm_source: is not a known field/)
    const { id } = await clientOf(api, 'EDITOR').utmTemplates.create(orgId, { name: 'A', source: 'a' })
    await refused({ source: null }, /must have at least one of/, `${path}/${id}`, 'PUT')
    assert.equal((await clientOf(api, 'EDITOR').utmTemplates.read(orgId, id)).source, 'a')
  })

  test('409: at most 100 for each organization, also of simultaneous ones', async () => {
    const api = await openTestApi(await open())
    const client = clientOf(api, 'EDITOR')
    const one = () => client.utmTemplates.create(api.orgId, { name: 'A', source: 'a' })
    for (let count = 1; count < limits.utmTemplatesMax; count++) await one()
    const last = await Promise.allSettled([one(), one(), one()])
    assert.deepEqual(last.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected'])
    await assert.rejects(one(), { status: 409, code: 'CONFLICT' })
    assert.equal((await client.utmTemplates.list(api.orgId)).pagination.total, limits.utmTemplatesMax)
    const theirs = await clientOf(api, 'foreign').utmTemplates.create(api.foreignOrgId, {
      name: 'B',
      term: 'b',
    })
    await assert.rejects(client.utmTemplates.read(api.orgId, theirs.id), { status: 404 })
    await assert.rejects(client.utmTemplates.update(api.orgId, theirs.id, { term: 'c' }), { status: 404 })
    await assert.rejects(client.utmTemplates.delete(api.orgId, theirs.id), { status: 404 })
    assert.deepEqual(await clientOf(api, 'foreign').utmTemplates.read(api.foreignOrgId, theirs.id), theirs)
  })

  test('201: an Idempotency-Key saves a template once', async () => {
    const api = await openTestApi(await open())
    const client = clientOf(api, 'EDITOR')
    const create = (): Promise<UtmTemplate> =>
      client.utmTemplates.create(api.orgId, { name: 'A', source: 'a' }, { idempotencyKey: 'once' })
    const [one, other] = await Promise.all([create(), create()])
    assert.deepEqual(one, other)
    assert.equal((await client.utmTemplates.list(api.orgId)).pagination.total, 1)
  })
})
