import { problem } from '@everscan/contract/problems/problem.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BatchRejectedError,
  ValidationError,
  type AnyCreateQrCode,
  type Client,
  type TypedQrCode,
} from '@everscan/client/create-client.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { BatchResult } from '@everscan/contract/resources/batches.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { clientOf, openTestApi, publicUrl, type TestApi } from '../testing/api.ts'

const url = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } } as const
const text = { type: 'TEXT', name: 'Note', data: { text: 'Hello' } } as const
const unknown = 'qr_00000000000000000000000000'

onEitherDatabase('batches', (open) => {
  test('201: many codes are created, in order, as if one by one', async () => {
    const { client, orgId } = await openClient(await open())
    const wanted = Array.from({ length: 1_000 }, (_, index): AnyCreateQrCode => ({
      ...(index % 2 === 0 ? url : text),
      name: `Code ${index}`,
      tags: [`t${index % 3}`],
      style: index % 5 === 0 ? { foregroundColor: '#102030' } : {},
    }))
    const result = await client.batches.create(orgId, wanted)
    assert.deepEqual([result.requested, result.successCount, result.errorCount], [1_000, 1_000, 0])
    assert.deepEqual(
      result.data.map(({ type, name, data, tags, style }) => ({ type, name, data, tags, style })),
      wanted,
    )
    assert.equal(new Set(result.data.map(({ shortCode }) => shortCode)).size, 1_000)
    for (const code of [result.data[0], result.data[999]])
      assert.deepEqual(await client.qrCodes.read(orgId, code?.id ?? ''), code)
    const newest = await client.qrCodes.list(orgId, { limit: 3 })
    assert.deepEqual(newest.data, result.data.slice(-3).toReversed())
  })

  test('valid codes are created, and the problems of the others are listed by index', async () => {
    const { api, orgId, client } = await openClient(await open())
    const taken = await client.qrCodes.create(orgId, { ...url, shortCode: 'TAKEN' })
    const qrCodes = [
      url,
      { ...url, name: ' ' },
      { ...text, data: { url: 'https://example.com/' } },
      { ...url, shortCode: 'taken' },
      { ...url, shortCode: 'Mine' },
      { ...url, shortCode: 'M1NE' },
      { ...url, folderId: 'fld_unknown' },
      { ...url, style: { foregroundColor: '#EEEEEE' } },
      { ...url, data: { url: `${publicUrl}/${taken.shortCode}` } },
      { ...url, colour: 'red' },
      {},
      null,
      text,
    ]
    const answer = await api.call('POST', `/organizations/${orgId}/qr-codes/batch`, {
      key: api.keys.EDITOR,
      payload: { qrCodes },
    })
    assert.equal(answer.statusCode, 201, answer.body)
    const { requested, successCount, errorCount, errors, data } = answer.json<BatchResult>()
    assert.deepEqual([requested, successCount, errorCount], [13, 3, 10])
    assert.deepEqual(
      data.map(({ type, shortCode }) => (shortCode === 'Mine' ? shortCode : type)),
      ['URL', 'Mine', 'TEXT'],
    )
    const messages = errors.map(({ index, code, error }) => `${index} ${code} ${error}`)
    const expected = [
      /^1 VALIDATION_ERROR name: must not be empty/,
      /^2 VALIDATION_ERROR .*data\.text: is required/,
      /^3 CONFLICT shortCode: "taken" is taken/,
      /^5 CONFLICT shortCode: "M1NE" is taken/,
      /^6 VALIDATION_ERROR folderId: must be a folder/,
      /^7 STYLE_NOT_SCANNABLE style: /,
      /^8 VALIDATION_ERROR data\.url: must not lead back/,
      /^9 VALIDATION_ERROR colour: is not a known field$/,
      /^10 VALIDATION_ERROR type: is required/,
      /^11 VALIDATION_ERROR qrCodes\[11\]: must be an object, got null/,
    ]
    assert.equal(messages.length, expected.length)
    for (const [place, pattern] of expected.entries()) assert.match(messages[place] ?? '', pattern)
    assert.equal((await client.qrCodes.list(orgId)).pagination.total, 4)
  })

  test('200, not 201, if every item failed, again with the same key', async () => {
    const { api, orgId } = await openClient(await open())
    const call = async (path: string, payload: object) => {
      const answers = [1, 2].map(() =>
        api.call('POST', `/organizations/${orgId}/qr-codes/batch${path}`, {
          key: api.keys.EDITOR,
          headers: { 'idempotency-key': `batch${path}` },
          payload,
        }),
      )
      return Promise.all(
        answers.map(async (answer) => [
          (await answer).statusCode,
          (await answer).json<BatchResult>().errorCount,
        ]),
      )
    }
    assert.deepEqual(await call('', { qrCodes: [null] }), [
      [200, 1],
      [200, 1],
    ])
    assert.deepEqual(await call('/clone', { ids: [unknown] }), [
      [200, 1],
      [200, 1],
    ])
  })

  test('an item that is no object is named, at every batch', async () => {
    const { api, orgId, codes } = await openClient(await open(), 1)
    const call = async (below: string, payload: object, method: 'POST' | 'DELETE' = 'POST') => {
      const path = `/organizations/${orgId}/qr-codes/batch${below}`
      const answer = await api.call(method, path, { key: api.keys.EDITOR, payload })
      return { status: answer.statusCode, body: answer.json<BatchResult & ErrorBody>() }
    }
    const [id] = codes.map((code) => code.id)
    for (const [item, got] of [
      [null, 'null'],
      [3, '3'],
      ['x', '"x"'],
      [true, 'true'],
      [[url], 'an array'],
    ] as const) {
      const message = `must be an object, got ${got}`
      const named = { problem: 'wrongType', values: { expected: 'object', got } }
      const mixed = await call('', { qrCodes: [url, url, url, item] })
      assert.deepEqual(
        [mixed.status, mixed.body.successCount, mixed.body.errors],
        [201, 3, [{ index: 3, error: `qrCodes[3]: ${message}`, code: 'VALIDATION_ERROR', ...named }]],
      )
      const none = await call('?atomic=true', { qrCodes: [url, item] })
      assert.deepEqual([none.status, none.body.details], [422, [{ path: 'qrCodes[1]', ...named, message }]])
      const changes = await call('/update', { changes: [{ id, updates: { name: 'B' } }, item] })
      assert.deepEqual([changes.status, changes.body.message], [400, `changes[1]: ${message}`])
      const updates = await call('/update', { changes: [{ id, updates: item }] })
      assert.deepEqual([updates.status, updates.body.message], [400, `changes[0].updates: ${message}`])
      if (typeof item === 'string') continue
      for (const [below, method] of [
        ['/update', 'POST'],
        ['/clone', 'POST'],
        ['/download', 'POST'],
        ['', 'DELETE'],
      ] as const) {
        const body = { ids: [id, item], ...(below === '/update' && { updates: { name: 'B' } }) }
        const refused = await call(below, body, method)
        assert.deepEqual(
          [refused.status, refused.body.message],
          [400, `ids[1]: must be a string, got ${got}`],
          below,
        )
      }
    }
  })

  test('422 with atomic: a failing item is named, and nothing is done', async () => {
    const { client, orgId, codes } = await openClient(await open(), 2)
    const [first = '', second = ''] = codes.map(({ id }) => id)
    const before = (await client.qrCodes.list(orgId)).data
    const atomic = { atomic: true }
    const badData = { ...url, data: { url: 'nonsense' } }
    await rejected(client.batches.create(orgId, [url, badData], atomic), 'qrCodes[1]', /^data\.url/)
    const twice = [
      { ...url, shortCode: 'SAME' },
      { ...url, shortCode: 'same' },
    ]
    await rejected(client.batches.create(orgId, twice, atomic), 'qrCodes[1]', /is taken/)
    await rejected(
      client.batches.clone(orgId, [first, unknown], {}, atomic),
      'ids[1]',
      /No record with this id/,
    )
    const ids = [first, first, unknown, second]
    await rejected(
      client.batches.update(orgId, ids, { name: 'x' }, atomic),
      'ids[2]',
      /No record with this id/,
    )
    await rejected(client.batches.delete(orgId, ids, atomic), 'ids[2]', /No record with this id/)
    assert.deepEqual((await client.qrCodes.list(orgId)).data, before)
    // Without a failing item all of it is done.
    assert.equal((await client.batches.create(orgId, twice.slice(1), atomic)).successCount, 1)
    assert.equal((await client.batches.update(orgId, [first, second], { name: 'x' }, atomic)).successCount, 2)
    assert.equal((await client.batches.clone(orgId, [first], {}, atomic)).successCount, 1)
    assert.equal((await client.batches.delete(orgId, [first, second], atomic)).successCount, 2)
  })

  test('200: updated alike, in the requested order; repeated ids count once, foreign and unknown ones are NOT_FOUND', async () => {
    const { api, client, orgId, codes } = await openClient(await open(), 3)
    const folder = await client.folders.create(orgId, { name: 'Spring' })
    const foreign = await clientOf(api, 'foreign').qrCodes.create(api.foreignOrgId, url)
    const [a, b, c] = codes
    assert.ok(a && b && c)
    const result = await client.batches.update(orgId, [c.id, unknown, a.id, foreign.id, c.id], {
      folderId: folder.id,
      style: { foregroundColor: '#000080' },
      metadata: { season: 'spring' },
      status: 'ARCHIVED',
      addTags: ['new', ' spring '],
      removeTags: ['old'],
    })
    const { message: error, ...named } = problem('noSuchRecord')
    const notFound = { error, code: 'NOT_FOUND', ...named }
    assert.deepEqual(
      { ...result, data: result.data.map(({ id }) => id) },
      {
        requested: 4,
        successCount: 2,
        errorCount: 2,
        errors: [
          { id: unknown, ...notFound },
          { id: foreign.id, ...notFound },
        ],
        data: [c.id, a.id],
      },
    )
    for (const [index, before] of [c, a].entries()) {
      const after = result.data[index]
      assert.deepEqual(after, {
        ...before,
        folderId: folder.id,
        style: { cornerRadius: 10, foregroundColor: '#000080' },
        scannability: after?.scannability,
        metadata: { own: before.metadata['own'], season: 'spring' },
        status: 'ARCHIVED',
        state: 'ARCHIVED',
        tags: [`n${codes.indexOf(before)}`, 'new', 'spring'],
        updatedAt: after?.updatedAt,
      })
      assert.deepEqual(await client.qrCodes.read(orgId, before.id), after)
    }
    assert.deepEqual(await client.qrCodes.read(orgId, b.id), b)
    const theirs = await clientOf(api, 'foreign').qrCodes.read(api.foreignOrgId, foreign.id)
    assert.deepEqual(theirs, foreign)
    // Back to the original state.
    const ids = [a.id, c.id]
    const back = await client.batches.update(orgId, ids, { folderId: null, status: 'ACTIVE', tags: [] })
    assert.deepEqual(
      back.data.map(({ folderId, status, tags }) => ({ folderId, status, tags })),
      ids.map(() => ({ folderId: null, status: 'ACTIVE', tags: [] })),
    )
  })

  test('a change that does not suit one type fails only for codes of that type', async () => {
    const { client, orgId } = await openClient(await open())
    const { data } = await client.batches.create(orgId, [url, text, url])
    const ids = data.map(({ id }) => id)
    const result = await client.batches.update(orgId, ids, { data: { url: 'https://example.org/' } })
    assert.deepEqual(
      result.data.map(({ id }) => id),
      [ids[0], ids[2]],
    )
    const [error] = result.errors
    assert.equal(error?.id, ids[1])
    assert.equal(error?.code, 'VALIDATION_ERROR')
    assert.match(error?.error ?? '', /data\.text: is required/)

    const light = await client.batches.update(orgId, [ids[0] ?? ''], {
      style: { backgroundColor: '#223344' },
    })
    assert.equal(light.errors[0]?.code, 'STYLE_NOT_SCANNABLE')
    const many = Array.from({ length: 50 }, (_, index) => `t${index}`)
    await client.batches.update(orgId, ids, { tags: many })
    const full = await client.batches.update(orgId, ids, { addTags: ['one more'] })
    assert.deepEqual([full.successCount, full.errors[0]?.code], [0, 'VALIDATION_ERROR'])
    assert.match(full.errors[0]?.error ?? '', /^tags: must have at most 50 entries, got 51$/)
    const swapped = await client.batches.update(orgId, ids, { addTags: ['one more'], removeTags: ['t0'] })
    assert.equal(swapped.data[0]?.tags.length, 50)
  })

  test('201: cloned with content, style, folder, tags and metadata; scans, short code and status are new', async () => {
    const { client, orgId, codes } = await openClient(await open(), 2)
    const folder = await client.folders.create(orgId, { name: 'Spring' })
    const [a, b] = codes
    assert.ok(a && b)
    await client.batches.update(orgId, [a.id], { status: 'ARCHIVED', folderId: folder.id })
    const { data, errors, requested } = await client.batches.clone(orgId, [b.id, unknown, a.id, b.id])
    assert.deepEqual([requested, data.length, errors[0]?.code], [3, 2, 'NOT_FOUND'])
    for (const [index, source] of [b, a].entries()) {
      const copy = data[index]
      assert.ok(copy)
      assert.notEqual(copy.id, source.id)
      assert.notEqual(copy.shortCode, source.shortCode)
      assert.deepEqual(
        { ...copy, ...ofItsOwn },
        {
          ...source,
          name: `${source.name} (copy)`,
          folderId: source === a ? folder.id : null,
          ...ofItsOwn,
        },
      )
    }
    const replacement = { url: 'https://example.org/' }
    const changes = { tags: ['clone'], folderId: null, status: 'ARCHIVED', data: replacement } as const
    const overrides = {
      ...changes,
      tags: ['clone'],
      style: { cornerRadius: null },
      metadata: { own: null, more: 'x' },
    }
    const other = await client.batches.clone(orgId, [a.id], { nameSuffix: ' 2', overrides })
    assert.deepEqual(other.data[0], {
      ...other.data[0],
      ...changes,
      name: `${a.name} 2`,
      style: {},
      metadata: { more: 'x' },
    })
    const named = await client.batches.clone(orgId, [a.id], { overrides: { name: 'All the same' } })
    assert.equal(named.data[0]?.name, 'All the same')
    await client.qrCodes.update(orgId, a.id, { name: '👋'.repeat(255) })
    const long = await client.batches.clone(orgId, [a.id])
    assert.equal(long.data[0]?.name, `${'👋'.repeat(248)} (copy)`)
  })

  test('200: deleted permanently, by body or by query', async () => {
    const { api, client, orgId, codes } = await openClient(await open(), 4)
    const foreign = await clientOf(api, 'foreign').qrCodes.create(api.foreignOrgId, url)
    const [a = '', b = '', c = '', d = ''] = codes.map(({ id }) => id)
    const result = await client.batches.delete(orgId, [b, unknown, a, b, foreign.id])
    assert.deepEqual([result.requested, result.successCount, result.errorCount], [4, 2, 2])
    assert.deepEqual(result.data, [
      { id: b, deleted: true },
      { id: a, deleted: true },
    ])
    assert.deepEqual(
      result.errors.map(({ id, code }) => [id, code]),
      [
        [unknown, 'NOT_FOUND'],
        [foreign.id, 'NOT_FOUND'],
      ],
    )
    const again = { ...url, shortCode: codes[0]?.shortCode ?? '' }
    await assert.rejects(client.qrCodes.create(orgId, again), { status: 409 })
    const path = `/organizations/${orgId}/qr-codes/batch`
    const inQuery = await api.call('DELETE', `${path}?ids=${c},%20${unknown},${c}`, { key: api.keys.EDITOR })
    assert.equal(inQuery.statusCode, 200, inQuery.body)
    assert.deepEqual(inQuery.json<BatchResult>().data, [{ id: c, deleted: true }])
    assert.deepEqual(
      (await client.qrCodes.list(orgId)).data.map(({ id }) => id),
      [d],
    )
    assert.equal((await clientOf(api, 'foreign').qrCodes.read(api.foreignOrgId, foreign.id)).id, foreign.id)
    for (const [query, payload] of [
      ['', undefined],
      ['?ids=', undefined],
      ['?ids=,', undefined],
      [`?ids=${d}`, { ids: [d] }],
      ['', { ids: [] }],
      ['', { ids: d }],
      ['?atomic=maybe', { ids: [d] }],
    ] as const) {
      const body = payload === undefined ? {} : { payload }
      const answer = await api.call('DELETE', path + query, { key: api.keys.EDITOR, ...body })
      assert.equal(answer.statusCode, 400, `${query} ${JSON.stringify(payload)} ${answer.body}`)
    }
  })

  test('400: empty, over 1,000 (BATCH_TOO_LARGE), fields that cannot change, an unknown folder, unknown fields', async () => {
    const { api, client, orgId, codes } = await openClient(await open(), 1)
    const ids = codes.map(({ id }) => id)
    const code = async (path: string, payload: object): Promise<string> => {
      const answer = await api.call('POST', `/organizations/${orgId}/qr-codes/batch${path}`, {
        key: api.keys.EDITOR,
        payload,
      })
      assert.equal(answer.statusCode, 400, answer.body)
      const { code: name, message } = answer.json<{ code: string; message: string }>()
      return `${name} ${message}`
    }
    const tooMany = Array.from({ length: 1_001 }, (_, index) => `qr_${index}`)
    const large = /^BATCH_TOO_LARGE (ids|qrCodes): must have at most 1000 entries, got 1001/
    assert.match(await code('/update', { ids: tooMany, updates: { name: 'x' } }), large)
    assert.match(await code('/clone', { ids: tooMany }), large)
    assert.match(await code('', { qrCodes: tooMany.map(() => url) }), large)
    await assert.rejects(client.batches.delete(orgId, tooMany), { code: 'BATCH_TOO_LARGE' })
    // Repeated ids count once.
    const doubled = await client.batches.update(orgId, [...tooMany.slice(1), ...tooMany.slice(1)], {
      name: 'x',
    })
    assert.equal(doubled.requested, 1_000)

    const empty = /^VALIDATION_ERROR (ids|qrCodes): must not be empty/
    assert.match(await code('/update', { ids: [], updates: { name: 'x' } }), empty)
    assert.match(await code('/clone', { ids: [] }), empty)
    assert.match(await code('', { qrCodes: [] }), empty)
    const cases: [string, object, RegExp][] = [
      ['/update', { ids, updates: {} }, /updates: must not be empty/],
      ['/update', { ids, updates: { type: 'TEXT' } }, /updates\.type: cannot change/],
      ['/update', { ids, updates: { shortCode: 'NEW1' } }, /updates\.shortCode: cannot change/],
      ['/update', { ids, updates: { colour: 1 } }, /updates\.colour: is not a known field/],
      ['/update', { ids, updates: { folderId: 'fld_1' } }, /updates\.folderId: must be a folder/],
      ['/update', { ids }, /updates: is required/],
      ['/clone', { ids, overrides: { folderId: 'fld_1' } }, /overrides\.folderId: must be a folder/],
      ['/clone', { ids, overrides: { shortCode: 'NEW1' } }, /overrides\.shortCode: cannot change/],
      ['/clone', { ids, nameSuffix: 'a'.repeat(51) }, /nameSuffix: must have at most 50/],
      ['', { qrCodes: url }, /qrCodes: must be an array/],
      ['', { ids }, /qrCodes: is required/],
    ]
    for (const [path, payload, message] of cases) assert.match(await code(path, payload), message)
    await assert.rejects(client.batches.update(orgId, ids, { name: '' }), ValidationError)
    assert.deepEqual((await client.qrCodes.list(orgId)).data, codes)
  })

  test('an Idempotency-Key creates the codes of a batch once', async () => {
    const { client, orgId, codes } = await openClient(await open(), 1)
    const create = () => client.batches.create(orgId, [url, text], { idempotencyKey: 'a' })
    const clone = () => client.batches.clone(orgId, [codes[0]?.id ?? ''], {}, { idempotencyKey: 'b' })
    for (const make of [create, clone]) {
      const [one, other] = await Promise.all([make(), make()])
      assert.deepEqual(one, other)
    }
    assert.equal((await client.qrCodes.list(orgId)).pagination.total, 4)
  })

  test('simultaneous batches and single changes of the same codes are all applied', async () => {
    const { client, orgId, codes } = await openClient(await open(), 5)
    const ids = codes.map(({ id }) => id)
    const batch = (index: number) =>
      client.batches.update(
        orgId,
        index % 2 === 0 ? ids : ids.toReversed(),
        { metadata: { [`b${index}`]: 'x' }, style: { cornerRadius: 5 } },
        { atomic: index < 2 },
      )
    const single = (id: string) => client.qrCodes.update(orgId, id, { metadata: { single: 'x' } })
    await Promise.all([batch(0), batch(1), batch(2), batch(3), ...ids.map(single)])
    for (const { metadata } of (await client.qrCodes.list(orgId)).data)
      assert.deepEqual(Object.keys(metadata).sort(), ['b0', 'b1', 'b2', 'b3', 'own', 'single'])
  })
})

type Opened = { api: TestApi; client: Client; orgId: string; codes: TypedQrCode[] }

/** A client and some codes, the oldest last in the list. */
async function openClient(db: Parameters<typeof openTestApi>[0], count = 0): Promise<Opened> {
  const api = await openTestApi(db)
  const client = clientOf(api, 'EDITOR')
  const wanted = Array.from({ length: count }, (_, index) => ({
    ...url,
    name: `Code ${index}`,
    style: { cornerRadius: 10 },
    metadata: { own: String(index) },
    tags: ['old', `n${index}`],
  }))
  const codes = count === 0 ? [] : (await client.batches.create(api.orgId, wanted)).data
  return { api, client, orgId: api.orgId, codes }
}

function rejected(call: Promise<unknown>, path: string, message: RegExp): Promise<void> {
  return assert.rejects(call, (error) => {
    assert.ok(error instanceof BatchRejectedError, String(error))
    assert.equal(error.status, 422)
    assert.equal(error.code, 'BATCH_REJECTED')
    assert.equal(error.details.length, 1)
    assert.equal(error.details[0]?.path, path)
    assert.match(error.details[0]?.message ?? '', message)
    return true
  })
}

/** The fields in which a copy differs from its original. */
const ofItsOwn = { id: '', shortCode: '', shortUrl: '', imageUrl: '', createdAt: '', updatedAt: '' }
