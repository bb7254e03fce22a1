import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { clientOf, openTestApi } from '../testing/api.ts'

onEitherDatabase('tags', (open) => {
  test('200: the most used first, then by name; search ignores case; paged', async () => {
    const api = await openTestApi(await open())
    const { qrCodes, tags, batches } = clientOf(api)
    assert.deepEqual(await tags.list(api.orgId), {
      data: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0, hasNext: false, hasPrev: false },
    })
    const made = await batches.create(api.orgId, [
      tagged(['b', 'Straße']),
      tagged(['b', 'a']),
      tagged(['c', ' b ', 'B']),
      tagged([]),
    ])
    await clientOf(api, 'foreign').qrCodes.create(api.foreignOrgId, tagged(['foreign', 'b']))
    const used = async (query = {}) =>
      (await tags.list(api.orgId, query)).data.map(({ tag, qrCodeCount }) => `${tag} ${qrCodeCount}`)
    assert.deepEqual(await used(), ['b 3', 'B 1', 'Straße 1', 'a 1', 'c 1'])
    assert.deepEqual(await used({ search: 'b' }), ['b 3', 'B 1'])
    assert.deepEqual(await used({ search: 'RASSE' }), ['Straße 1'])
    assert.deepEqual(await used({ limit: 2, page: 2 }), ['Straße 1', 'a 1'])
    assert.equal((await tags.list(api.orgId, { limit: 2 })).pagination.total, 5)
    // A tag disappears when no code has it any more.
    await qrCodes.update(api.orgId, made.data[0]?.id ?? '', { tags: ['b'] })
    await qrCodes.delete(api.orgId, made.data[1]?.id ?? '')
    assert.deepEqual(await used(), ['b 2', 'B 1', 'c 1'])
  })
})

function tagged(tags: string[]) {
  return { type: 'TEXT' as const, name: 'a', data: { text: 'a' }, tags }
}
