import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BatchRejectedError,
  etagOf,
  ValidationError,
  type Client,
  type TypedQrCode,
} from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { clientOf, openTestApi, type TestApi } from '../testing/api.ts'

const unknown = 'qr_00000000000000000000000000'

onEitherDatabase('a batch with changes of its own for each code', (open) => {
  test('200: each code gets its own changes, in the requested order, with new ETags', async () => {
    const { client, orgId, codes } = await openClient(await open(), 3)
    const [a, b, c] = codes
    assert.ok(a && b && c)
    const folder = await client.folders.create(orgId, { name: 'Spring' })
    const { data, etags, errors } = await client.batches.change(orgId, [
      { id: c.id, updates: { data: { url: 'https://example.com/c' }, addTags: ['new'] } },
      { id: a.id, updates: { name: 'First', folderId: folder.id, style: { foregroundColor: '#102030' } } },
    ])
    assert.deepEqual(errors, [])
    const [changedC, changedA] = data
    assert.deepEqual(changedC, {
      ...c,
      data: { url: 'https://example.com/c' },
      tags: ['old', 'new'],
      updatedAt: changedC?.updatedAt,
    })
    assert.deepEqual(
      [changedA?.name, changedA?.folderId, changedA?.style, changedA?.data],
      ['First', folder.id, { cornerRadius: 10, foregroundColor: '#102030' }, a.data],
    )
    assert.deepEqual(await client.qrCodes.read(orgId, b.id), b)
    for (const [index, code] of data.entries()) {
      const read = await client.qrCodes.read(orgId, code.id)
      assert.deepEqual(read, code)
      assert.equal(etags[index], etagOf(read))
    }
  })

  test('a code that has changed since its ETag is PRECONDITION_FAILED, and the others are changed', async () => {
    const { client, orgId, codes } = await openClient(await open(), 3)
    const ids = codes.map(({ id }) => id)
    const [a = '', b = '', c = ''] = ids
    const { etags } = await client.batches.read(orgId, { ids })
    await client.qrCodes.update(orgId, b, { name: 'Theirs' })
    const changes = ids.map((id, index) => ({ id, updates: { name: 'Mine' }, ifMatch: etags[index] }))
    const result = await client.batches.change(orgId, changes)
    assert.deepEqual(
      result.data.map(({ id, name }) => [id, name]),
      [
        [a, 'Mine'],
        [c, 'Mine'],
      ],
    )
    assert.deepEqual(
      result.errors.map(({ id, code }) => [id, code]),
      [[b, 'PRECONDITION_FAILED']],
    )
    assert.equal((await client.qrCodes.read(orgId, b)).name, 'Theirs')
    // With the ETags of the result, the codes can be changed at once.
    const back = [a, c].map((id, index) => ({ id, updates: { name: 'Back' }, ifMatch: result.etags[index] }))
    assert.equal((await client.batches.change(orgId, back)).successCount, 2)
    const all = await client.batches.read(orgId, { ids })
    const atomic = client.batches.change(
      orgId,
      ids.map((id, index) => ({
        id,
        updates: { name: 'Atomic' },
        ifMatch: id === b ? all.etags[index] : etags[index],
      })),
      { atomic: true },
    )
    await assert.rejects(atomic, (error) => {
      assert.ok(error instanceof BatchRejectedError)
      assert.deepEqual(
        error.details.map(({ path }) => path),
        ['changes[0]', 'changes[2]'],
      )
      return true
    })
    assert.equal((await client.qrCodes.read(orgId, b)).name, 'Theirs')
  })

  test('an invalid change names its field from the beginning of the body; the others are made', async () => {
    const { api, client, orgId, codes } = await openClient(await open(), 7)
    const foreign = await clientOf(api, 'foreign').qrCodes.create(api.foreignOrgId, {
      type: 'URL',
      name: 'Foreign',
      data: { url: 'https://example.com/' },
    })
    const [a = '', b = '', c = '', d = '', e = '', f = '', g = ''] = codes.map(({ id }) => id)
    const changes = [
      { id: a, updates: { data: { url: 'ftp://example.com' } } },
      { id: b, updates: { name: '' } },
      { id: c, updates: { folderId: 'fld_1' } },
      { id: d, updates: { style: { foregroundColor: '#EEEEEE' } } },
      { id: e, updates: { shortCode: 'OTHER' } },
      { id: f, updates: { styleId: 'sty_1' } },
      { id: foreign.id, updates: { name: 'Mine now' } },
      { id: unknown, updates: { name: 'x' } },
      { id: g, updates: { name: 'Good' } },
    ]
    const { statusCode, body, errors } = await update(api, { changes })
    assert.equal(statusCode, 200, body)
    const expected = [
      /^VALIDATION_ERROR changes\[0\]\.updates\.data\.url: must begin with/,
      /^VALIDATION_ERROR changes\[1\]\.updates\.name: must not be empty$/,
      /^VALIDATION_ERROR changes\[2\]\.updates\.folderId: must be a folder of this organization/,
      /^STYLE_NOT_SCANNABLE changes\[3\]\.updates\.style: /,
      /^VALIDATION_ERROR changes\[4\]\.updates\.shortCode: cannot change$/,
      /^VALIDATION_ERROR changes\[5\]\.updates\.styleId: must be a style/,
      /^NOT_FOUND No record with this id/,
      /^NOT_FOUND No record with this id/,
    ]
    assert.equal(errors.length, expected.length, body)
    for (const [index, pattern] of expected.entries())
      assert.match(`${errors[index]?.code} ${errors[index]?.error}`, pattern)
    assert.equal((await client.qrCodes.read(orgId, g)).name, 'Good')
    const theirs = await clientOf(api, 'foreign').qrCodes.read(api.foreignOrgId, foreign.id)
    assert.deepEqual(theirs, foreign)

    const atomic = await update(api, { changes: changes.slice(0, 2) }, '?atomic=true')
    assert.equal(atomic.statusCode, 422, atomic.body)
    assert.match(atomic.body, /"path":"changes\[1\]\.updates\.name"/)
  })

  test('400: both forms, none, no code, a code twice, more than 1,000, unknown fields', async () => {
    const { api, client, orgId, codes } = await openClient(await open(), 1)
    const [id = ''] = codes.map((code) => code.id)
    const change = { id, updates: { name: 'x' } }
    const tooMany = Array.from({ length: limits.batchMax + 1 }, (_, index) => ({
      ...change,
      id: `qr_${index}`,
    }))
    const cases: [object, RegExp][] = [
      [{ changes: [change], ids: [id] }, /changes: must not stand beside/],
      [{ changes: [change], updates: { name: 'x' } }, /changes: must not stand beside/],
      [{ updates: { name: 'x' } }, /ids: is required/],
      [{}, /ids: is required.*updates: is required/],
      [{ changes: [] }, /changes: must not be empty/],
      [{ changes: [change, { ...change, id: 'qr_2' }, change] }, /changes\[2\]\.id: .*changes\[0\]/],
      [{ changes: tooMany }, /changes: must have at most 1000 entries, got 1001/],
      [{ changes: [{ id }] }, /changes\[0\]\.updates: is required/],
      [{ changes: [{ id, updates: {} }] }, /changes\[0\]\.updates: must not be empty/],
      [{ changes: [{ ...change, etag: 'x' }] }, /changes\[0\]\.etag: is not a known field/],
      [{ changes: [{ ...change, ifMatch: 'a'.repeat(1_001) }] }, /changes\[0\]\.ifMatch: must have at most/],
      [{ changes: [1] }, /changes\[0\]: must be an object/],
    ]
    for (const [payload, message] of cases) {
      const answer = await update(api, payload)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.message, message)
    }
    assert.deepEqual(await client.qrCodes.read(orgId, id), codes[0])
    const most = await client.batches.change(orgId, tooMany.slice(1))
    assert.deepEqual([most.requested, most.errorCount], [limits.batchMax, limits.batchMax])
  })

  test('a change to the same values changes nothing, in either form: version, ETag and audit log stay', async () => {
    const { client, orgId, codes } = await openClient(await open(), 2)
    const [a, b] = codes
    assert.ok(a && b)
    const ids = [a.id, b.id]
    const { etags } = await client.batches.read(orgId, { ids })
    const entries = async () => (await client.auditLog.list(orgId)).pagination.total
    const before = await entries()
    const same = {
      name: a.name,
      data: a.data,
      tags: [...a.tags],
      folderId: null,
      style: { cornerRadius: 10 },
    }
    const result = await client.batches.change(orgId, [
      { id: a.id, updates: same },
      { id: b.id, updates: { name: 'Other' } },
    ])
    assert.deepEqual(result.data[0], a)
    assert.equal(result.etags[0], etags[0])
    assert.notEqual(result.etags[1], etags[1])
    assert.deepEqual((await client.batches.update(orgId, [a.id], same)).data, [a])
    assert.equal(await entries(), before + 1)
  })

  test('an Idempotency-Key makes a repeat get the first answer, although the ETags are old by then', async () => {
    const { client, orgId, codes } = await openClient(await open(), 1)
    const ids = codes.map(({ id }) => id)
    const [etag] = (await client.batches.read(orgId, { ids })).etags
    const changes = ids.map((id) => ({ id, updates: { name: 'Once' }, ifMatch: etag }))
    const once = () => client.batches.change(orgId, changes, { idempotencyKey: 'once' })
    const [one, other] = await Promise.all([once(), once()])
    assert.equal(one.successCount, 1)
    assert.deepEqual(one, other)
    assert.equal((await client.batches.change(orgId, changes)).errors[0]?.code, 'PRECONDITION_FAILED')
  })

  test('a thousand codes with changes of their own take a few seconds', async () => {
    const { client, orgId, codes } = await openClient(await open(), limits.batchMax)
    const startMs = performance.now()
    const result = await client.batches.change(
      orgId,
      codes.map(({ id }, index) => ({ id, updates: { data: { url: `https://example.com/${index}` } } })),
    )
    assert.equal(result.successCount, limits.batchMax)
    assert.deepEqual(result.data[999]?.data, { url: 'https://example.com/999' })
    // Takes about half a second; a few queries for each code take much longer.
    assert.ok(performance.now() - startMs < 10_000, `${performance.now() - startMs} ms`)
  })
})

onEitherDatabase('a batch that reads', (open) => {
  test('200: codes by id and by short code in any writing, each once; unknown and foreign ones are NOT_FOUND', async () => {
    const { api, client, orgId, codes } = await openClient(await open(), 2)
    const theirs = await clientOf(api, 'foreign').qrCodes.create(api.foreignOrgId, {
      type: 'URL',
      name: 'Foreign',
      data: { url: 'https://example.com/' },
    })
    const own = await client.qrCodes.create(orgId, {
      type: 'TEXT',
      name: 'Own',
      data: { text: 'Hello' },
      shortCode: 'LOOK-10',
    })
    const [a, b] = codes
    assert.ok(a && b)
    const viewer = clientOf(api, 'VIEWER')
    const result = await viewer.batches.read(orgId, {
      ids: [b.id, unknown, a.id, b.id],
      shortCodes: ['1ook-io', a.shortCode, theirs.shortCode, 'no such code'],
    })
    assert.deepEqual(
      result.data.map(({ id }) => id),
      [b.id, a.id, own.id],
    )
    assert.deepEqual(result.data[2], own)
    assert.equal(result.etags[0], etagOf(await client.qrCodes.read(orgId, b.id)))
    assert.deepEqual(
      result.errors.map(({ id, shortCode, code }) => [id ?? shortCode, code]),
      [
        [unknown, 'NOT_FOUND'],
        [theirs.shortCode, 'NOT_FOUND'],
        ['no such code', 'NOT_FOUND'],
      ],
    )
    assert.equal(result.requested, 6)
  })

  test('400: nothing to read, more than 100 in all', async () => {
    const { client, orgId } = await openClient(await open())
    const many = Array.from({ length: 60 }, (_, index) => `CODE-${index}`)
    const cases: [Parameters<Client['batches']['read']>[1], RegExp][] = [
      [{}, /"ids" must not be empty/],
      [{ ids: ['', ''] }, /"ids" must not be empty without/],
      [{ ids: many, shortCodes: many }, /at most 100 entries together with "shortCodes", got 120/],
      [{ ids: [...many, ...many] }, /"ids" must have at most 100 entries together/],
    ]
    for (const [body, message] of cases)
      await assert.rejects(
        client.batches.read(orgId, body),
        (error) => error instanceof ValidationError && message.test(error.message),
      )
  })
})

type Opened = { api: TestApi; client: Client; orgId: string; codes: TypedQrCode[] }

async function openClient(db: Parameters<typeof openTestApi>[0], count = 0): Promise<Opened> {
  const api = await openTestApi(db)
  const client = clientOf(api, 'ADMIN')
  const wanted = Array.from({ length: count }, (_, index) => ({
    type: 'URL' as const,
    name: `Code ${index}`,
    data: { url: 'https://example.com/' },
    tags: ['old'],
    style: count < 10 ? { cornerRadius: 10 } : {},
  }))
  const codes = count === 0 ? [] : (await client.batches.create(api.orgId, wanted)).data
  return { api, client, orgId: api.orgId, codes }
}

/** Sends a body that the client's types would refuse. */
async function update(api: TestApi, payload: object, query = '') {
  const path = `/organizations/${api.orgId}/qr-codes/batch/update${query}`
  const answer = await api.call('POST', path, { key: api.keys.EDITOR, payload })
  const { message = '', errors = [] } = answer.json<{
    message?: string
    errors?: { id?: string; error: string; code: string }[]
  }>()
  return { statusCode: answer.statusCode, body: answer.body, message, errors }
}
