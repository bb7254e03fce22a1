import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { AnyCreateQrCode } from '@everscan/client/create-client.ts'
import { rejection, urlCode, type Installation, type Tenant } from './installation.ts'

const missing = 'qr_01jqzv4x8m3c5t7w9y2b4d6f8h'

/** Many codes in one call: section 4 of the specification, section 7 of the decisions. */
export function batchRules(of: Installation): void {
  describe('batches', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })
    const make = async (count: number, more = {}): Promise<string[]> => {
      const bodies = Array.from({ length: count }, (_, index) => urlCode(`Batch ${index}`, more))
      return (await org.client.batches.create(org.orgId, bodies)).data.map(({ id }) => id)
    }
    const read = (id: string) => org.client.qrCodes.read(org.orgId, id)
    const total = async () => (await org.client.qrCodes.list(org.orgId, { limit: 1 })).pagination.total
    const wrong = { type: 'URL', name: '', data: { url: 'nope' } } as AnyCreateQrCode

    test('spec 4: batch update with ids and updates: folderId, style', async () => {
      const ids = await make(2)
      const { id: folderId } = await org.client.folders.create(org.orgId, { name: 'Together' })
      const style = { foregroundColor: '#112233' }
      const result = await org.client.batches.update(org.orgId, ids, { folderId, style })
      assert.equal(org.last().status, 200)
      for (const record of [...result.data, ...(await Promise.all(ids.map(read)))])
        assert.deepEqual([record.folderId, record.style], [folderId, style])
    })

    test('decisions 7: batch update accepts everything that PUT accepts', async () => {
      const ids = await make(2, { metadata: { a: '1', b: '2' } })
      const updates = {
        name: 'Same',
        data: { url: 'https://example.com/same' },
        tags: ['same'],
        metadata: { a: null, c: '3' },
        status: 'ARCHIVED',
        folderId: null,
      } as const
      const { data } = await org.client.batches.update(org.orgId, ids, { ...updates, tags: ['same'] })
      for (const record of data) {
        const { name, tags, metadata, status } = record
        assert.deepEqual(
          { name, data: record.data, tags, metadata, status },
          {
            name: 'Same',
            data: updates.data,
            tags: ['same'],
            metadata: { b: '2', c: '3' },
            status: 'ARCHIVED',
          },
        )
        assert.deepEqual(await read(record.id), record)
        assert.equal((await of.scan(record.shortCode)).status, 410)
      }
      const body = { ids, updates: { shortCode: 'OTHER' } }
      await org.refused(['POST', '/qr-codes/batch/update', { body }], 400, 'VALIDATION_ERROR', /shortCode/)
    })

    test('decisions 7: batch update {changes: [{id, updates, ifMatch?}]}, each code in its own way', async () => {
      const { client, orgId } = org
      const [first = '', second = '', third = ''] = await make(3)
      const { etags } = await client.batches.read(orgId, { ids: [third] })
      await client.qrCodes.update(orgId, third, { name: 'Changed meanwhile' })
      const result = await client.batches.change(orgId, [
        { id: first, updates: { data: { url: 'https://example.com/first' } } },
        { id: missing, updates: { name: 'x' } },
        { id: second, updates: { name: 'Second', addTags: ['own'] } },
        { id: third, updates: { name: 'Third' }, ifMatch: etags[0] },
      ])
      assert.equal(org.last().status, 200)
      assert.deepEqual(
        result.errors.map(({ id, code }) => [id, code]),
        [
          [missing, 'NOT_FOUND'],
          [third, 'PRECONDITION_FAILED'],
        ],
      )
      assert.deepEqual(result.data, [await read(first), await read(second)])
      const scan = await of.scan(result.data[0]?.shortCode ?? '')
      assert.deepEqual([scan.status, scan.headers.get('location')], [302, 'https://example.com/first'])
      const twice = { changes: [first, first].map((id) => ({ id, updates: { name: 'x' } })) }
      await org.refused(
        ['POST', '/qr-codes/batch/update', { body: twice }],
        400,
        'VALIDATION_ERROR',
        /changes\[1\]\.id/,
      )
      const bad = { changes: [{ id: first, updates: { data: { url: 'javascript:alert(1)' } } }] }
      const { text } = await org.send('POST', '/qr-codes/batch/update', { body: bad })
      assert.match(text, /changes\[0\]\.updates\.data\.url: /)
    })

    test('decisions 7: addTags and removeTags', async () => {
      const ids = [...(await make(1, { tags: ['a', 'b'] })), ...(await make(1, { tags: ['c'] }))]
      const updates = { addTags: ['c', ' d '], removeTags: ['a'] }
      const { data } = await org.client.batches.update(org.orgId, ids, updates)
      assert.deepEqual(
        data.map(({ tags }) => tags),
        [
          ['b', 'c', 'd'],
          ['c', 'd'],
        ],
      )
    })

    test('decisions 7: batch clone {ids, nameSuffix?, overrides?}; decisions 1: 201', async () => {
      const ids = await make(2, { tags: ['a'], metadata: { b: 'c' }, style: { foregroundColor: '#112233' } })
      const originals = await Promise.all(ids.map(read))
      const { data } = await org.client.batches.clone(org.orgId, ids, { nameSuffix: ' II' })
      assert.equal(org.last().status, 201)
      for (const [index, clone] of data.entries()) {
        const original = originals[index] ?? assert.fail('more clones than codes')
        const { id, shortCode, shortUrl, imageUrl, createdAt, updatedAt } = clone
        const own = { id, shortCode, shortUrl, imageUrl, createdAt, updatedAt }
        assert.deepEqual(clone, { ...original, ...own, name: `${original.name} II` })
        assert.ok(id !== original.id && shortCode !== original.shortCode && clone.totalScans === 0)
        assert.equal((await of.scan(shortCode)).status, 302)
      }
      const overrides = { name: 'Other', tags: [], data: { url: 'https://example.com/other' } }
      const changed = await org.client.batches.clone(org.orgId, ids, { overrides })
      for (const { name, tags, data: content } of changed.data)
        assert.deepEqual({ name, tags, data: content }, overrides)
    })

    test('decisions 7: batch delete with {ids} in the body', async () => {
      const [first = '', second = '', third = ''] = await make(3)
      const result = await org.client.batches.delete(org.orgId, [first, second])
      assert.equal(org.last().status, 200)
      assert.deepEqual(result, {
        requested: 2,
        successCount: 2,
        errorCount: 0,
        errors: [],
        data: [
          { id: first, deleted: true },
          { id: second, deleted: true },
        ],
      })
      await rejection(read(first), 404, 'NOT_FOUND')
      assert.equal((await read(third)).id, third)
    })

    test('decisions 7: batch delete with ?ids=a,b', async () => {
      const ids = await make(2)
      const { status, text } = await org.send('DELETE', `/qr-codes/batch?ids=${ids.join(',')}`)
      assert.equal(status, 200)
      assert.equal((JSON.parse(text) as { successCount: number }).successCount, 2)
      for (const id of ids) await rejection(read(id), 404, 'NOT_FOUND')
    })

    test('decisions 7: POST qr-codes/batch {qrCodes: […]} creates; decisions 1: 201', async () => {
      const result = await org.client.batches.create(org.orgId, [
        urlCode('First', { tags: ['a'], shortCode: 'BATCH-FIRST' }),
        { type: 'TEXT', name: 'Second', data: { text: 'A' } },
      ])
      assert.equal(org.last().status, 201)
      assert.deepEqual(
        result.data.map(({ name, type, status }) => [name, type, status]),
        [
          ['First', 'URL', 'ACTIVE'],
          ['Second', 'TEXT', 'ACTIVE'],
        ],
      )
      for (const record of result.data) assert.deepEqual(await read(record.id), record)
    })

    test('decisions 7: all return {requested, successCount, errorCount, errors, data}; valid items succeed', async () => {
      const { client, orgId } = org
      const [id = ''] = await make(1)
      for (const result of [
        await client.batches.update(orgId, [id, missing], { name: 'Good' }),
        await client.batches.clone(orgId, [id, missing]),
        await client.batches.delete(orgId, [missing, id]),
      ]) {
        assert.deepEqual(Object.keys(result), ['requested', 'successCount', 'errorCount', 'errors', 'data'])
        const { requested, successCount, errorCount, errors, data } = result
        assert.deepEqual([requested, successCount, errorCount, data.length], [2, 1, 1, 1])
        const named = { problem: 'noSuchRecord', values: {} }
        assert.deepEqual(errors, [{ id: missing, error: errors[0]?.error, code: 'NOT_FOUND', ...named }])
        assert.match(errors[0]?.error ?? '', /^\S.{10,}$/)
      }
    })

    test('decisions 7: create identifies an error by index', async () => {
      const result = await org.client.batches.create(org.orgId, [urlCode('Good'), wrong, urlCode('Better')])
      const { requested, successCount, errorCount, errors, data } = result
      assert.deepEqual([requested, successCount, errorCount], [3, 2, 1])
      const { error, problem, values } = errors[0] ?? {}
      assert.deepEqual(errors, [{ index: 1, error, code: 'VALIDATION_ERROR', problem, values }])
      assert.match(error ?? '', /name/)
      assert.equal(problem, 'empty')
      assert.deepEqual(
        data.map(({ name }) => name),
        ['Good', 'Better'],
      )
    })

    test('decisions 7: at most 1,000; decisions 2: 400 BATCH_TOO_LARGE', async () => {
      const { client, orgId } = org
      const ids = Array.from({ length: 1_001 }, (_, index) => `qr_${index}`)
      await rejection(client.batches.update(orgId, ids, { name: 'A' }), 400, 'BATCH_TOO_LARGE', /1,?000/)
      await rejection(client.batches.clone(orgId, ids), 400, 'BATCH_TOO_LARGE')
      await rejection(client.batches.delete(orgId, ids), 400, 'BATCH_TOO_LARGE')
      const bodies = ids.map((name) => urlCode(name))
      await rejection(client.batches.create(orgId, bodies), 400, 'BATCH_TOO_LARGE')
      const most = await client.batches.delete(orgId, ids.slice(1))
      assert.deepEqual([most.requested, most.errorCount], [1_000, 1_000])
    })

    test('decisions 7: a batch of 1,000 creates', async () => {
      const atFirst = await total()
      const bodies = Array.from({ length: 1_000 }, (_, index) => urlCode(`Of a thousand ${index}`))
      const { successCount, data } = await org.client.batches.create(org.orgId, bodies)
      assert.deepEqual([successCount, data.length], [1_000, 1_000])
      assert.equal(new Set(data.map(({ shortCode }) => shortCode)).size, 1_000)
      assert.equal(await total(), atFirst + 1_000)
    })

    test('decisions 7: empty is 400', async () => {
      const { client, orgId } = org
      await rejection(client.batches.update(orgId, [], { name: 'A' }), 400, 'VALIDATION_ERROR', /ids/)
      await rejection(client.batches.clone(orgId, []), 400, 'VALIDATION_ERROR', /ids/)
      await rejection(client.batches.delete(orgId, []), 400, 'VALIDATION_ERROR', /ids/)
      await rejection(client.batches.create(orgId, []), 400, 'VALIDATION_ERROR', /qrCodes/)
      await org.refused(['DELETE', '/qr-codes/batch'], 400, 'VALIDATION_ERROR', /ids/)
      for (const query of ['ids=', 'ids=,'])
        await org.refused(['DELETE', `/qr-codes/batch?${query}`], 400, 'VALIDATION_ERROR', /ids/)
    })

    test('decisions 7: repeated ids count once', async () => {
      const { client, orgId } = org
      const [id = ''] = await make(1)
      const twice = [id, missing, id, missing]
      const atFirst = await total()
      assert.deepEqual(countsOf(await client.batches.update(orgId, twice, { name: 'B' })), [2, 1, 1])
      assert.deepEqual(countsOf(await client.batches.clone(orgId, twice)), [2, 1, 1])
      assert.equal(await total(), atFirst + 1)
      assert.deepEqual(countsOf(await client.batches.delete(orgId, twice)), [2, 1, 1])
      const thousandTwice = Array.from({ length: 2_000 }, (_, index) => `qr_${index % 1_000}`)
      assert.deepEqual(countsOf(await client.batches.delete(orgId, thousandTwice)), [1_000, 0, 1_000])
    })

    test('decisions 7: ?atomic=true makes it all or nothing (422)', async () => {
      const { client, orgId } = org
      const [id = ''] = await make(1)
      const atFirst = await total()
      const atomic = { atomic: true }
      for (const call of [
        () => client.batches.update(orgId, [id, missing], { name: 'Changed' }, atomic),
        () => client.batches.clone(orgId, [id, missing], {}, atomic),
        () => client.batches.delete(orgId, [id, missing], atomic),
        () => client.batches.create(orgId, [urlCode('None'), wrong], atomic),
      ]) {
        const error = await rejection(call(), 422, 'BATCH_REJECTED')
        assert.equal(error.constructor.name, 'BatchRejectedError')
        assert.match(error.details[0]?.path ?? '', /^(ids|qrCodes)\[1\]/)
      }
      assert.equal((await read(id)).name, 'Batch 0')
      assert.equal(await total(), atFirst)
      const all = await client.batches.update(orgId, [id], { name: 'Changed' }, atomic)
      assert.deepEqual([all.successCount, (await read(id)).name], [1, 'Changed'])
      const path = '/qr-codes/batch/update?atomic=maybe'
      const body = { ids: [id], updates: { name: 'A' } }
      await org.refused(['POST', path, { body }], 400, 'VALIDATION_ERROR', /atomic/)
    })
  })
}

type Counts = { requested: number; successCount: number; errorCount: number }

function countsOf({ requested, successCount, errorCount }: Counts): number[] {
  return [requested, successCount, errorCount]
}
