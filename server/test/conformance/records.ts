import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { etagOf } from '@everscan/client/create-client.ts'
import {
  assertProblem,
  publicUrl,
  rejection,
  timestampForm,
  urlCode,
  type Installation,
  type Tenant,
} from './installation.ts'

const specified = 'id type name shortUrl shortCode data style status totalScans createdAt updatedAt'.split(
  ' ',
)
const added =
  'domainId rules passQuery access state folderId tags metadata uniqueScans scansBefore imageUrl scannability'.split(
    ' ',
  )

/** The life of a code: sections 1 to 4 of the specification, sections 1 and 4 of the decisions. */
export function recordRules(of: Installation): void {
  describe('records', () => {
    let org: Tenant
    let make: (more?: object) => ReturnType<Tenant['client']['qrCodes']['create']>
    before(async () => {
      org = await of.organization()
      make = (more = {}) => org.client.qrCodes.create(org.orgId, urlCode('A', more))
    })
    const read = (id: string) => org.client.qrCodes.read(org.orgId, id)
    const update = (id: string, body: Parameters<Tenant['client']['qrCodes']['update']>[2]) =>
      org.client.qrCodes.update(org.orgId, id, body)

    test('spec 2: the record has the specified fields, decisions 4: the added ones, and no others', async () => {
      const code = await make()
      assert.deepEqual(Object.keys(code).sort(), [...specified, ...added].sort())
      const { id, shortCode, createdAt } = code
      assert.deepEqual(
        { ...code, scannability: undefined },
        {
          id,
          type: 'URL',
          name: 'A',
          shortUrl: `${publicUrl}/${shortCode}`,
          shortCode,
          domainId: null,
          imageUrl: `${publicUrl}/api/v1/organizations/${org.orgId}/qr-codes/${id}/download`,
          data: { url: 'https://example.com/' },
          rules: [],
          passQuery: false,
          access: null,
          style: {},
          status: 'ACTIVE',
          state: 'LIVE',
          folderId: null,
          tags: [],
          metadata: {},
          totalScans: 0,
          uniqueScans: 0,
          scansBefore: 0,
          scannability: undefined,
          createdAt,
          updatedAt: createdAt,
        },
      )
    })

    test('spec 3: created ACTIVE, with totalScans 0, short URL and short code', async () => {
      const code = await make()
      assert.deepEqual([code.status, code.totalScans], ['ACTIVE', 0])
      assert.ok(code.shortCode.length > 0 && code.shortUrl.endsWith(code.shortCode))
      assert.equal((await of.scan(code.shortCode)).headers.get('location'), 'https://example.com/')
    })

    test('spec 4: type, name and data are required', async () => {
      for (const name of ['type', 'name', 'data']) {
        const body = { ...urlCode('A'), [name]: undefined }
        const { details } = await org.refused(['POST', '/qr-codes', { body }], 400, 'VALIDATION_ERROR')
        assert.deepEqual(
          details?.map(({ path }) => path),
          [name],
        )
      }
    })

    test('spec 4: style, folderId and tags are optional; decisions 4: so is metadata', async () => {
      const { id: folderId } = await org.client.folders.create(org.orgId, { name: 'Given' })
      const style = { foregroundColor: '#112233', backgroundColor: '#FFEEDD', cornerRadius: 30 }
      const given = { style, folderId, tags: ['spring', 'print'], metadata: { campaign: 'spring-2026' } }
      const code = await make(given)
      for (const record of [code, await read(code.id)]) {
        const { tags, metadata } = record
        assert.deepEqual({ style: record.style, folderId: record.folderId, tags, metadata }, given)
      }
    })

    test('spec 2: type is one of the supported types', async () => {
      for (const type of ['url', 'LINK', '', null, 7]) {
        const body = { ...urlCode('A'), type }
        await org.refused(['POST', '/qr-codes', { body }], 400, 'VALIDATION_ERROR', /type/)
      }
    })

    test('spec 2: colors have the form #RRGGBB; decisions 8: cornerRadius is 0 to 100', async () => {
      for (const style of [
        ...['red', '#123', '112233', '#11223G', '#11223344', 7].map((foregroundColor) => ({
          foregroundColor,
        })),
        ...[-1, 101, '5'].map((cornerRadius) => ({ cornerRadius })),
        { backgroundColor: 'rgb(0,0,0)' },
      ]) {
        const [name = ''] = Object.keys(style)
        const body = { ...urlCode('A'), style }
        await org.refused(['POST', '/qr-codes', { body }], 400, 'VALIDATION_ERROR', new RegExp(name))
      }
      for (const cornerRadius of [0, 12.5, 100])
        assert.equal((await make({ style: { cornerRadius } })).style.cornerRadius, cornerRadius)
    })

    test('decisions 1: ids have a prefix for their kind, and sort by creation', async () => {
      const { client, orgId } = org
      const ids: string[] = []
      for (let index = 0; index < 10; index++) ids.push((await make()).id)
      assert.deepEqual(ids.toSorted(), ids)
      const job = await client.imports.start(orgId, {
        type: 'URL',
        file: 'name,url\nA,https://example.com/',
        dryRun: true,
      })
      const made = [
        ids[0] ?? '',
        orgId,
        (await client.apiKeys.create(orgId, { name: 'Id' })).id,
        job.id,
        (await client.folders.create(orgId, { name: 'Id' })).id,
      ]
      assert.deepEqual(
        made.map((id) => id.replace(/_[0-9a-z]{26}$/, '')),
        ['qr', 'org', 'key', 'job', 'fld'],
      )
    })

    test('decisions 1: timestamps are ISO 8601 UTC with milliseconds', async () => {
      const fromMs = Date.now()
      const { createdAt, updatedAt } = await make()
      assert.match(createdAt, timestampForm)
      assert.match(updatedAt, timestampForm)
      const atMs = Date.parse(createdAt)
      assert.ok(atMs >= fromMs - 5 && atMs <= Date.now() + 5, createdAt)
    })

    test('decisions 1: create is 201 with Location, everything else 200 with a JSON body', async () => {
      const { id } = await make()
      const { status, headers } = org.last()
      assert.equal(status, 201)
      const location = headers.get('location') ?? ''
      assert.equal(location, `/api/v1/organizations/${org.orgId}/qr-codes/${id}`)
      const there = await of.send('GET', location, { key: org.key })
      assert.equal((JSON.parse(there.text) as { id: string }).id, id)
      for (const call of [
        () => read(id),
        () => update(id, { name: 'B' }),
        () => org.client.qrCodes.list(org.orgId),
        () => org.client.qrCodes.analytics(org.orgId, id),
        () => org.client.tags.list(org.orgId),
        () => org.client.qrCodes.delete(org.orgId, id),
      ]) {
        await call()
        assert.equal(org.last().status, 200)
        assert.match(org.last().headers.get('content-type') ?? '', /^application\/json/)
      }
    })

    test('decisions 4: metadata is an object of strings', async () => {
      for (const metadata of [{ a: 1 }, { a: null }, { a: { b: 'c' } }, ['a'], 'a']) {
        const body = { ...urlCode('A'), metadata }
        await org.refused(['POST', '/qr-codes', { body }], 400, 'VALIDATION_ERROR', /metadata/)
      }
    })

    test('decisions 4: tags are trimmed, non-empty, at most 50 of 50 characters', async () => {
      const most = Array.from({ length: 50 }, (_, index) => `${index}`.padEnd(50, 'x'))
      assert.deepEqual((await make({ tags: most })).tags, most)
      assert.deepEqual((await make({ tags: ['  spring ', 'print'] })).tags, ['spring', 'print'])
      // White space around a tag does not count.
      const padded = most.map((tag) => ` ${tag} `)
      assert.deepEqual((await make({ tags: padded })).tags, most)
      for (const tags of [[...most, 'one more'], ['x'.repeat(51)], [''], ['  '], [7], 'spring'])
        await org.refused(
          ['POST', '/qr-codes', { body: { ...urlCode('A'), tags } }],
          ...([400, 'VALIDATION_ERROR', /tags/] as const),
        )
    })

    test('decisions 4: an unknown folder is rejected', async () => {
      const { folderId } = { folderId: 'fld_01jqzv4x8m3c5t7w9y2b4d6f8h' }
      await rejection(make({ folderId }), 400, 'VALIDATION_ERROR', /folderId/)
      const { id } = await make()
      await rejection(update(id, { folderId }), 400, 'VALIDATION_ERROR', /folderId/)
    })

    test('decisions 4: PUT is partial and returns the whole record', async () => {
      const { id: folderId } = await org.client.folders.create(org.orgId, { name: 'Partial' })
      let code = await make({ tags: ['a'], metadata: { a: 'b' }, style: { foregroundColor: '#112233' } })
      for (const change of [
        { name: 'B' },
        { data: { url: 'https://example.com/b' } },
        { style: { foregroundColor: '#332211' } },
        { folderId },
        { tags: ['b', 'c'] },
        { metadata: { a: 'c' } },
        { status: 'ARCHIVED' as const },
      ]) {
        const changed = await update(code.id, change)
        const { scannability, updatedAt, state } = changed
        assert.deepEqual(changed, { ...code, ...change, scannability, updatedAt, state })
        assert.ok(changed.updatedAt >= code.updatedAt)
        assert.deepEqual(await read(code.id), changed)
        code = changed
      }
    })

    test('decisions 4: PATCH is identical to PUT', async () => {
      const { id, updatedAt } = await make({ metadata: { a: 'b', c: 'd' } })
      const body = { name: 'By PATCH', metadata: { c: null } }
      const { status, text } = await org.send('PATCH', `/qr-codes/${id}`, { body })
      const record = JSON.parse(text) as Record<string, unknown>
      assert.equal(status, 200)
      assert.deepEqual(record, { ...(await read(id)), updatedAt: record['updatedAt'] })
      assert.deepEqual([record['name'], record['metadata']], ['By PATCH', { a: 'b' }])
      assert.ok(String(record['updatedAt']) >= updatedAt)
    })

    test('decisions 4: data is replaced as a whole and validated for the type of the code', async () => {
      const data = { ssid: 'Guests', password: 'secret-2026', hidden: true }
      const wifi = await org.client.qrCodes.create(org.orgId, { type: 'WIFI', name: 'A', data })
      assert.deepEqual((await update(wifi.id, { data: { ssid: 'Other' } })).data, { ssid: 'Other' })
      const other = { url: 'https://example.com/' }
      await rejection(update(wifi.id, { data: other }), 400, 'VALIDATION_ERROR', /data\.(url|ssid)/)
      assert.deepEqual((await read(wifi.id)).data, { ssid: 'Other' })
    })

    test('decisions 4: style merges by key, null removes a key', async () => {
      const { id } = await make({ style: { foregroundColor: '#112233', cornerRadius: 10 } })
      assert.deepEqual(
        (await update(id, { style: { backgroundColor: '#FFFFFF', cornerRadius: 20 } })).style,
        {
          foregroundColor: '#112233',
          cornerRadius: 20,
          backgroundColor: '#FFFFFF',
        },
      )
      const { style } = await update(id, { style: { foregroundColor: null, cornerRadius: null } })
      assert.deepEqual(style, { backgroundColor: '#FFFFFF' })
    })

    test('decisions 4: metadata merges by key, null removes a key', async () => {
      const { id } = await make({ metadata: { a: '1', b: '2' } })
      const { metadata } = await update(id, { metadata: { b: null, c: '3', never: null } })
      assert.deepEqual(metadata, { a: '1', c: '3' })
    })

    test('decisions 4: type, id and shortCode cannot change: 400', async () => {
      const code = await make()
      for (const name of ['type', 'id', 'shortCode'] as const)
        for (const method of ['PUT', 'PATCH'])
          await org.refused(
            [method, `/qr-codes/${code.id}`, { body: { [name]: 'TEXT' } }],
            ...([400, 'VALIDATION_ERROR', new RegExp(name)] as const),
          )
      assert.deepEqual(await read(code.id), code)
    })

    test('decisions 4: folderId null removes the code from its folder', async () => {
      const { id: folderId } = await org.client.folders.create(org.orgId, { name: 'To be left' })
      const { id } = await make({ folderId })
      assert.equal((await update(id, { folderId: null })).folderId, null)
      assert.equal((await org.client.folders.read(org.orgId, folderId)).qrCodeCount, 0)
    })

    test('decisions 4: status moves between ACTIVE and ARCHIVED, both ways', async () => {
      const { id } = await make()
      for (const status of ['ARCHIVED', 'ARCHIVED', 'ACTIVE', 'ARCHIVED'] as const)
        assert.equal((await update(id, { status })).status, status)
      const body = { status: 'DELETED' }
      await org.refused(['PUT', `/qr-codes/${id}`, { body }], 400, 'VALIDATION_ERROR', /status/)
    })

    test('spec 1: updating its destination leaves the QR image unchanged', async () => {
      const { id, shortUrl } = await make()
      const atFirst = await org.client.qrCodes.download(org.orgId, id)
      const changed = await update(id, { data: { url: `https://example.com/${'x'.repeat(500)}` } })
      assert.equal(changed.shortUrl, shortUrl)
      assert.deepEqual((await org.client.qrCodes.download(org.orgId, id)).bytes, atFirst.bytes)
      assert.equal((await of.scan(changed.shortCode)).headers.get('location')?.length, 520)
    })

    test('decisions 4: DELETE returns {id, deleted: true}, then 404; spec 1: its short URL stops working', async () => {
      const { id, shortCode } = await make()
      assert.equal((await of.scan(shortCode)).status, 302)
      assert.deepEqual(await org.client.qrCodes.delete(org.orgId, id), { id, deleted: true })
      await rejection(org.client.qrCodes.delete(org.orgId, id), 404, 'NOT_FOUND')
      await rejection(read(id), 404, 'NOT_FOUND')
      await rejection(update(id, { status: 'ACTIVE' }), 404, 'NOT_FOUND')
      const { data } = await org.client.qrCodes.list(org.orgId, { limit: 100 })
      assert.ok(data.every((one) => one.id !== id))
      assert.equal((await of.scan(shortCode)).status, 410)
    })

    test('decisions 4: every record has an ETag, which differs after a change', async () => {
      const code = await make()
      const made = etagOf(code)
      assert.match(made ?? '', /^"[^"]+"$/)
      assert.equal(etagOf(await read(code.id)), made)
      const changed = etagOf(await update(code.id, { name: 'B' }))
      assert.notEqual(changed, made)
      assert.equal(etagOf(await read(code.id)), changed)
      const headers = { 'if-none-match': changed ?? '' }
      assert.equal((await org.send('GET', `/qr-codes/${code.id}`, { headers })).status, 304)
    })

    test('decisions 4: If-Match on PUT is honoured; decisions 2: 412 PRECONDITION_FAILED', async () => {
      const code = await make()
      const { qrCodes } = org.client
      const ifMatch = etagOf(code)
      const changed = await qrCodes.update(org.orgId, code.id, { name: 'First' }, { ifMatch })
      const late = qrCodes.update(org.orgId, code.id, { name: 'Second' }, { ifMatch })
      const error = await rejection(late, 412, 'PRECONDITION_FAILED')
      assert.equal(error.constructor.name, 'PreconditionFailedError')
      assert.deepEqual(await read(code.id), changed)
      const again = { ifMatch: etagOf(changed) }
      assert.equal((await qrCodes.update(org.orgId, code.id, { name: 'Third' }, again)).name, 'Third')
      const options = { body: { name: 'Fourth' }, headers: { 'if-match': ifMatch ?? '' } }
      await org.refused(['PATCH', `/qr-codes/${code.id}`, options], 412, 'PRECONDITION_FAILED')
    })

    test('decisions 4: If-Match on DELETE is honoured', async () => {
      const code = await make()
      const changed = await update(code.id, { name: 'B' })
      const { qrCodes } = org.client
      const late = qrCodes.delete(org.orgId, code.id, { ifMatch: etagOf(code) })
      await rejection(late, 412, 'PRECONDITION_FAILED')
      assert.equal((await read(code.id)).name, 'B')
      const { deleted } = await qrCodes.delete(org.orgId, code.id, { ifMatch: etagOf(changed) })
      assert.equal(deleted, true)
    })

    test('decisions 4: Idempotency-Key: a repeat returns the first response with Idempotent-Replayed: true', async () => {
      const idempotencyKey = `first ${org.orgId}`.replace(' ', '-')
      const { client, orgId } = org
      const calls = [
        () => client.qrCodes.create(orgId, urlCode('Once'), { idempotencyKey }),
        () => client.folders.create(orgId, { name: 'Once' }, { idempotencyKey: `${idempotencyKey}-folder` }),
        () => client.batches.create(orgId, [urlCode('Once')], { idempotencyKey: `${idempotencyKey}-batch` }),
        () => {
          const file = 'name,url\nOnce,https://example.com/'
          return client.imports.start(
            orgId,
            { type: 'URL', file },
            { idempotencyKey: `${idempotencyKey}-job` },
          )
        },
      ]
      for (const call of calls) {
        const first = await call()
        const { status, headers } = org.last()
        assert.equal(headers.get('idempotent-replayed'), null)
        assert.deepEqual(await call(), first)
        assert.equal(org.last().status, status)
        assert.equal(org.last().headers.get('idempotent-replayed'), 'true')
        assert.equal(org.last().headers.get('location'), headers.get('location'))
      }
      const copies = () => client.batches.clone(orgId, [ids[0] ?? ''], {}, { idempotencyKey: 'clone-once' })
      const ids = (await client.qrCodes.list(orgId, { search: 'Once' })).data.map(({ id }) => id)
      assert.deepEqual(await copies(), await copies())
      assert.equal(org.last().headers.get('idempotent-replayed'), 'true')
    })

    test('decisions 2: 409 CONFLICT for the same Idempotency-Key with another body', async () => {
      const options = { idempotencyKey: 'used' }
      await org.client.qrCodes.create(org.orgId, urlCode('First'), options)
      const other = org.client.qrCodes.create(org.orgId, urlCode('Other'), options)
      await rejection(other, 409, 'CONFLICT', /Idempotency-Key/)
      // In another organization it is another key.
      const foreign = await of.organization()
      await foreign.client.qrCodes.create(foreign.orgId, urlCode('Other'), options)
      const answer = await org.send('POST', '/qr-codes', {
        body: urlCode('A'),
        headers: { 'idempotency-key': 'x'.repeat(256) },
      })
      assertProblem(answer, [400, 'VALIDATION_ERROR', /Idempotency-Key/])
    })
  })
}
