import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ListQrCodesQuery, TypedQrCode } from '@everscan/client/create-client.ts'
import { until } from '../support/service.ts'
import { urlCode, type Installation, type Tenant } from './installation.ts'

const count = 23

/**
 * The list of codes, and the common features of all lists: sections 4 and 8 of the specification,
 * sections 1 and 4 of the decisions.
 */
export function listRules(of: Installation): void {
  describe('lists', () => {
    let org: Tenant
    let folderId: string
    const made: TypedQrCode[] = []
    before(async () => {
      org = await of.organization()
      folderId = (await org.client.folders.create(org.orgId, { name: 'Spring' })).id
      for (let index = 0; index < count; index++) {
        const name = index === 4 ? '100% Café_Bar' : `Poster ${String.fromCharCode(65 + ((index * 7) % 23))}`
        const tags = [...(index % 2 === 0 ? ['even'] : []), ...(index % 3 === 0 ? ['third'] : [])]
        const common = { name, tags, ...(index < 5 && { folderId }) }
        made.push(
          index % 5 === 1
            ? await org.client.qrCodes.create(org.orgId, { ...common, type: 'TEXT', data: { text: 'A' } })
            : await org.client.qrCodes.create(org.orgId, urlCode(name, common)),
        )
      }
      for (const index of [2, 7]) {
        const { id = '' } = made[index] ?? {}
        made[index] = await org.client.qrCodes.update(org.orgId, id, { status: 'ARCHIVED' })
      }
    })

    const listed = async (query: ListQrCodesQuery): Promise<TypedQrCode[]> =>
      (await org.client.qrCodes.list(org.orgId, { limit: 100, ...query })).data
    /** The ids of the created codes that match, newest first. */
    const idsWhere = (matches: (code: TypedQrCode, index: number) => boolean): string[] =>
      idsOf(made.filter(matches)).toReversed()

    test('spec 8: page default 1, limit default 20; decisions 1: newest first', async () => {
      const { data, pagination } = await org.client.qrCodes.list(org.orgId)
      assert.deepEqual([pagination.page, pagination.limit, data.length], [1, 20, 20])
      assert.deepEqual(idsOf(data), idsOf(made).toReversed().slice(0, 20))
    })

    test('decisions 1: a paged list is data and pagination {page, limit, total, totalPages, hasNext, hasPrev}', async () => {
      const { text, status } = await org.send('GET', '/qr-codes?page=2&limit=10')
      const { data, ...rest } = JSON.parse(text) as { data: unknown[] }
      assert.equal(status, 200)
      assert.equal(data.length, 10)
      assert.deepEqual(rest, {
        pagination: { page: 2, limit: 10, total: count, totalPages: 3, hasNext: true, hasPrev: true },
      })
    })

    test('decisions 1: the pages contain every item once; the first has no previous page, the last no next one', async () => {
      const seen: string[] = []
      for (const page of [1, 2, 3]) {
        const { data, pagination } = await org.client.qrCodes.list(org.orgId, { page, limit: 9 })
        assert.deepEqual([pagination.hasPrev, pagination.hasNext], [page > 1, page < 3])
        seen.push(...idsOf(data))
      }
      assert.deepEqual(seen, idsOf(made).toReversed())
    })

    test('decisions 1: a page past the end is 200 with data: []', async () => {
      for (const page of [4, 1_000_000]) {
        const { data, pagination } = await org.client.qrCodes.list(org.orgId, { page, limit: 9 })
        assert.deepEqual(data, [])
        const { total, totalPages, hasNext } = pagination
        assert.deepEqual([pagination.page, total, totalPages, hasNext], [page, count, 3, false])
      }
    })

    test('spec 8: limit maximum 100; decisions 1: over 100, below 1 or not a whole number is 400, in every list', async () => {
      const lists = [
        '/qr-codes',
        '/folders',
        '/tags',
        '/api-keys',
        '/qr-codes/bulk-import',
        `/qr-codes/${made[0]?.id}/scans`,
      ]
      for (const path of lists) {
        assert.equal((await org.send('GET', `${path}?limit=100`)).status, 200, path)
        assert.equal((await org.send('GET', `${path}?limit=1`)).status, 200, path)
        for (const limit of ['101', '0', '-1', '1.5', 'ten', '', '1;2', '1e1', '0x10', '%2B5', '5.0'])
          await org.refused(['GET', `${path}?limit=${limit}`], 400, 'VALIDATION_ERROR', /limit/)
        for (const page of ['0', '-1', '1.5', 'x', ''])
          await org.refused(['GET', `${path}?page=${page}`], 400, 'VALIDATION_ERROR', /page/)
      }
    })

    test('decisions 1: every paged list has the same envelope', async () => {
      const { client, orgId } = org
      for (const page of [
        await client.folders.list(orgId, { limit: 7 }),
        await client.tags.list(orgId, { limit: 7 }),
        await client.apiKeys.list(orgId, { limit: 7 }),
        await client.imports.list(orgId, { limit: 7 }),
        await client.scans.list(orgId, made[0]?.id ?? '', { limit: 7 }),
      ]) {
        assert.deepEqual(Object.keys(page), ['data', 'pagination'])
        const { total } = page.pagination
        assert.equal(page.data.length, total)
        const totalPages = total === 0 ? 0 : 1
        const place = { page: 1, limit: 7, total, totalPages, hasNext: false, hasPrev: false }
        assert.deepEqual(page.pagination, place)
      }
    })

    test('spec 4: type filters by type', async () => {
      assert.deepEqual(
        idsOf(await listed({ type: 'TEXT' })),
        idsWhere(({ type }) => type === 'TEXT'),
      )
      assert.deepEqual(await listed({ type: 'WIFI' }), [])
      await org.refused(['GET', '/qr-codes?type=text'], 400, 'VALIDATION_ERROR', /type/)
    })

    test('spec 4: folderId filters by folder', async () => {
      assert.deepEqual(
        idsOf(await listed({ folderId })),
        idsWhere((_, index) => index < 5),
      )
      assert.deepEqual(await listed({ folderId: 'fld_01jqzv4x8m3c5t7w9y2b4d6f8h' }), [])
    })

    test('spec 4: status filters by ACTIVE or ARCHIVED; decisions 4: without it both are listed', async () => {
      assert.deepEqual(
        idsOf(await listed({ status: 'ARCHIVED' })),
        idsWhere((_, index) => [2, 7].includes(index)),
      )
      assert.equal((await listed({ status: 'ACTIVE' })).length, count - 2)
      assert.equal((await listed({})).length, count)
      await org.refused(['GET', '/qr-codes?status=active'], 400, 'VALIDATION_ERROR', /status/)
    })

    test('decisions 4: search finds all its words, in any order, case and accent, as parts of the name', async () => {
      const special = [made[4]?.id]
      for (const search of ['100% Café_Bar', 'CAFÉ', 'cafe', 'afé_b', '0% c', ' bar 100 ', '%', '_', 'BAR'])
        assert.deepEqual(idsOf(await listed({ search })), special, search)
      assert.deepEqual(
        idsOf(await listed({ search: 'OSTER' })),
        idsWhere((_, index) => index !== 4),
      )
      assert.equal((await listed({ search: '  ' })).length, count)
      for (const search of ['%%', 'cafe poster', 'example.com'])
        assert.deepEqual(await listed({ search }), [])
    })

    test('decisions 4: q finds each word in name, short code, destination or tags', async () => {
      const [first] = made
      assert.ok(first)
      const { id, shortCode, shortUrl } = first
      const asLetters = shortCode.replaceAll('0', 'o').replaceAll('1', 'l').toLowerCase()
      for (const q of [shortCode, asLetters, shortUrl, shortUrl.toUpperCase(), ` ${shortCode} poster `])
        assert.deepEqual(idsOf(await listed({ q })), [id], q)
      assert.deepEqual(
        idsOf(await listed({ q: 'EVEN third' })),
        idsWhere((_, index) => index % 6 === 0),
      )
      assert.deepEqual(
        idsOf(await listed({ q: 'example.com poster' })),
        idsWhere(({ type }, index) => type === 'URL' && index !== 4),
      )
      assert.deepEqual(await listed({ q: `${shortCode} nothing` }), [])
    })

    test('decisions 4: folderId=none lists unfiled codes, subfolders=true those below a folder, too', async () => {
      const unfiled = idsWhere((_, index) => index >= 5)
      assert.deepEqual(idsOf(await listed({ folderId: 'none' })), unfiled)
      const inner = await org.client.folders.create(org.orgId, { name: 'Inner', parentId: folderId })
      const { id } = await org.client.qrCodes.create(org.orgId, urlCode('Inner', { folderId: inner.id }))
      const own = idsWhere((_, index) => index < 5)
      assert.deepEqual(idsOf(await listed({ folderId })), own)
      assert.deepEqual(idsOf(await listed({ folderId, subfolders: false })), own)
      assert.deepEqual(idsOf(await listed({ folderId, subfolders: true })), [id, ...own])
      const { qrCodeCount, qrCodesBelow } = await org.client.folders.read(org.orgId, folderId)
      assert.deepEqual([qrCodeCount, qrCodesBelow], [5, 1])
      await org.client.qrCodes.delete(org.orgId, id)
      await org.client.folders.delete(org.orgId, inner.id)
    })

    test('decisions 4: sort=name is as people sort', async () => {
      const { client, orgId } = await of.organization()
      for (const name of ['Zebra', 'Table 10', 'Äpfel', 'Table 2', 'apfel'])
        await client.qrCodes.create(orgId, urlCode(name))
      const { data } = await client.qrCodes.list(orgId, { sort: 'name', order: 'asc' })
      assert.deepEqual(
        data.map(({ name }) => name),
        ['apfel', 'Äpfel', 'Table 2', 'Table 10', 'Zebra'],
      )
    })

    test('decisions 4: tag is repeatable, and all tags must be present', async () => {
      assert.deepEqual(
        idsOf(await listed({ tag: ['even'] })),
        idsWhere((_, index) => index % 2 === 0),
      )
      assert.deepEqual(
        idsOf(await listed({ tag: ['even', 'third'] })),
        idsWhere((_, index) => index % 6 === 0),
      )
      assert.deepEqual(await listed({ tag: ['even', 'none'] }), [])
    })

    test('spec 4: a code must match all filters', async () => {
      const query: ListQrCodesQuery = { folderId, status: 'ACTIVE', tag: ['even'], search: 'poster' }
      const { data, pagination } = await org.client.qrCodes.list(org.orgId, query)
      assert.deepEqual(
        idsOf(data),
        idsWhere((_, index) => index === 0),
      )
      assert.equal(pagination.total, 1)
    })

    test('decisions 4: sort=createdAt, order=asc|desc', async () => {
      assert.deepEqual(idsOf(await listed({ sort: 'createdAt', order: 'asc' })), idsOf(made))
      assert.deepEqual(idsOf(await listed({ order: 'desc' })), idsOf(made).toReversed())
    })

    test('decisions 4: sort=name', async () => {
      const names = (await listed({ sort: 'name', order: 'asc' })).map(({ name }) => name)
      assert.deepEqual(
        names,
        made.map(({ name }) => name).sort((a, b) => a.localeCompare(b, 'en')),
      )
      const back = (await listed({ sort: 'name', order: 'desc' })).map(({ name }) => name)
      assert.deepEqual(back, names.toReversed())
    })

    test('decisions 4: sort=updatedAt', async () => {
      const { id = '' } = made[11] ?? {}
      made[11] = await org.client.qrCodes.update(org.orgId, id, { metadata: { a: 'b' } })
      const codes = await listed({ sort: 'updatedAt', order: 'desc' })
      assert.equal(codes[0]?.id, id)
      const times = codes.map(({ updatedAt }) => updatedAt)
      assert.deepEqual(times, times.toSorted().toReversed())
      assert.equal((await listed({ sort: 'updatedAt', order: 'asc' })).at(-1)?.id, id)
    })

    test('decisions 4: sort=totalScans', async () => {
      const [once, twice] = [made[3], made[9]]
      for (const code of [once, twice, twice]) await of.scan(code?.shortCode ?? '')
      const most = async () => (await listed({ sort: 'totalScans', order: 'desc' })).slice(0, 2)
      const counts = async () => (await most()).map(({ totalScans }) => totalScans).join(' ')
      await until('the records count', async () => (await counts()) === '2 1')
      assert.deepEqual(idsOf(await most()), [twice?.id, once?.id])
      assert.deepEqual(idsOf((await listed({ sort: 'totalScans', order: 'asc' })).slice(-2)), [
        once?.id,
        twice?.id,
      ])
    })

    test('decisions 4: no other sort and order', async () => {
      for (const query of ['sort=shortCode', 'sort=', 'order=up', 'sort=name&sort=createdAt'])
        await org.refused(['GET', `/qr-codes?${query}`], 400, 'VALIDATION_ERROR', /sort|order/)
    })
  })
}

function idsOf(codes: readonly { id: string }[]): string[] {
  return codes.map(({ id }) => id)
}
