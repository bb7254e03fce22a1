import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCode, QrCodePage } from '@everscan/contract/resources/qr-codes.ts'
import { createFolder } from '../../catalogue/codes/folders.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, publicUrl, type TestApi } from '../testing/api.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'

const poster = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/spring' } }

onEitherDatabase('QR codes', (open) => {
  test('201: created with every field, then read, changed, listed and deleted', async () => {
    const nowMs = Date.UTC(2026, 2, 1, 9, 30)
    const api = await openTestApi(await open(), { clock: () => nowMs })
    const created = await send(api, 'POST', '', {
      ...poster,
      tags: [' a ', 'b'],
      metadata: { campaign: 'x' },
    })
    assert.equal(created.statusCode, 201, created.body)
    const code = created.json<QrCode>()
    const path = `/api/v1/organizations/${api.orgId}/qr-codes/${code.id}`
    assert.equal(created.headers['location'], path)
    assert.match(code.id, /^qr_/)
    assert.match(code.shortCode, /^[0-9A-HJKMNP-TV-Z]{7}$/)
    const { id, shortCode, ...rest } = code
    assert.deepEqual(rest, {
      ...poster,
      shortUrl: `${publicUrl}/${shortCode}`,
      domainId: null,
      imageUrl: `${publicUrl}${path}/download`,
      rules: [],
      passQuery: false,
      access: null,
      style: {},
      status: 'ACTIVE',
      state: 'LIVE',
      folderId: null,
      tags: ['a', 'b'],
      metadata: { campaign: 'x' },
      totalScans: 0,
      scansBefore: 0,
      uniqueScans: 0,
      scannability: {
        verified: true,
        readers: [
          { name: 'zxing', read: 7, of: 7 },
          { name: 'qr/decode', read: 7, of: 7 },
        ],
        contrast: 21,
        minPrintMm: 19.8,
        minPrintReason: code.scannability.minPrintReason,
        minPrintDetails: code.scannability.minPrintDetails,
        warnings: [],
        warningDetails: [],
      },
      createdAt: '2026-03-01T09:30:00.000Z',
      updatedAt: '2026-03-01T09:30:00.000Z',
    })

    const read = await send(api, 'GET', `/${id}`)
    assert.deepEqual(read.json(), code)
    assert.equal(read.headers['etag'], created.headers['etag'])

    for (const method of ['PUT', 'PATCH'] as const) {
      const changed = await send(api, method, `/${id}`, { metadata: { [method]: '1', campaign: null } })
      assert.equal(changed.statusCode, 200, changed.body)
      assert.equal(changed.json<QrCode>().metadata[method], '1')
      assert.notEqual(changed.headers['etag'], created.headers['etag'])
    }
    const whole = {
      name: 'Summer',
      data: { url: 'https://example.com/summer' },
      status: 'ARCHIVED',
      tags: [],
    }
    const changed = (await send(api, 'PUT', `/${id}`, whole)).json<QrCode>()
    assert.deepEqual(changed, {
      ...code,
      ...whole,
      state: 'ARCHIVED',
      metadata: { PUT: '1', PATCH: '1' },
    })
    assert.deepEqual((await send(api, 'GET', '')).json<QrCodePage>().data, [changed])

    assert.deepEqual((await send(api, 'DELETE', `/${id}`)).json(), { id, deleted: true })
    for (const method of ['GET', 'DELETE'] as const)
      assert.equal((await send(api, method, `/${id}`)).statusCode, 404)
    assert.equal((await send(api, 'PUT', `/${id}`, { name: 'x' })).statusCode, 404)
  })

  test('400: every problem of a body is reported', async () => {
    const api = await openTestApi(await open())
    const cases: [object, RegExp][] = [
      [{}, /^type: is required; name: is required; data: is required$/],
      [{ ...poster, colour: 'red' }, /^colour: is not a known field$/],
      [
        { ...poster, id: 'qr_1', totalScans: 5 },
        /^id: is not a known field; totalScans: is not a known field$/,
      ],
      [{ ...poster, name: ' ' }, /^name: must not be empty/],
      [{ ...poster, type: 'FAX' }, /^type: must be one of "URL", .*, got "FAX"$/],
      [{ ...poster, data: 'https://example.com' }, /^data: must be an object, got "https:\/\/example.com"$/],
      [{ ...poster, data: [] }, /^data: must be an object, got an array$/],
      [{ ...poster, data: {} }, /^data\.url: is required$/],
      [{ ...poster, data: { url: 'https://example.com', more: 1 } }, /^data\.more: is not a known field$/],
      [{ ...poster, type: 'WIFI' }, /data\.ssid: is required/],
      [
        { ...poster, data: { url: 'javascript:alert(1)' } },
        /^data\.url: must begin with http:\/\/ or https:\/\/$/,
      ],
      [{ ...poster, data: { url: `${publicUrl}/ABC` } }, /^data\.url: must not lead back to this service/],
      [{ ...poster, shortCode: 'api' }, /^shortCode: must be 4 to 32|^shortCode: must have at least 4/],
      [{ ...poster, shortCode: 'Hea1thz' }, /^shortCode: must not be a reserved word/],
      [{ ...poster, folderId: 'fld_unknown' }, /^folderId: /],
      [{ ...poster, style: { foregroundColor: 'red' } }, /^style\.foregroundColor: must be a hex color/],
      [{ ...poster, name: 'a\0b' }, /^name: must not contain the character U\+0000$/],
      [{ ...poster, tags: [7] }, /^tags\[0\]: must be a string, got 7$/],
    ]
    for (const [body, message] of cases) {
      const answer = await send(api, 'POST', '', body)
      assert.equal(answer.statusCode, 400, `${JSON.stringify(body)} ${answer.body}`)
      const error = answer.json<ErrorBody>()
      assert.match(error.message, message)
      assert.equal(error.code, 'VALIDATION_ERROR')
      assert.ok(error.details?.every(({ path, message: said }) => path !== '' && said !== ''))
      assert.ok(error.details?.every(({ problem, values }) => Boolean(problem) && values !== undefined))
      assert.equal(error.problem, error.details?.length === 1 ? error.details[0]?.problem : 'severalProblems')
    }
    assert.deepEqual((await send(api, 'GET', '')).json<QrCodePage>().pagination.total, 0)
  })

  test('400: fields that cannot change, or not to this value', async () => {
    const api = await openTestApi(await open())
    const { id } = await create(api)
    const cases: [object, RegExp][] = [
      [{ type: 'TEXT' }, /^type: cannot change$/],
      [{ id: 'qr_2' }, /^id: cannot change$/],
      [{ shortCode: 'NEWCODE' }, /^shortCode: cannot change$/],
      [{ totalScans: null }, /^totalScans: must be a whole number, got null$/],
      [{ createdAt: '2026-01-01T00:00:00.000Z' }, /^createdAt: cannot change$/],
      [{ opens: 1 }, /^opens: is not a known field$/],
      [{ data: { text: 'a' } }, /^data\.url: is required/],
      [{ data: { url: 'data:text/html,x' } }, /^data\.url: must begin with/],
      [{ status: 'DELETED' }, /^status: must be one of "ACTIVE", "ARCHIVED"/],
      [{ name: null }, /^name: must be a string, got null/],
    ]
    for (const [body, message] of cases) {
      const answer = await send(api, 'PUT', `/${id}`, body)
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json<ErrorBody>().message, message)
    }
  })

  test('409: a short code that was ever assigned, in any spelling, in any organization', async () => {
    const api = await openTestApi(await open())
    const { id, shortCode } = await create(api, { shortCode: 'Lobby-01' })
    assert.equal(shortCode, 'Lobby-01')
    await send(api, 'DELETE', `/${id}`)
    const again = { ...poster, shortCode: 'l0bby-o1' }
    const taken = await send(api, 'POST', '', again)
    assert.equal(taken.statusCode, 409)
    const foreign = await api.call('POST', `/organizations/${api.foreignOrgId}/qr-codes`, {
      key: api.keys.foreign,
      payload: again,
    })
    assert.deepEqual(withoutId(foreign.json()), withoutId(taken.json()))
  })

  test('412: If-Match with another version, on PUT, PATCH and DELETE', async () => {
    const api = await openTestApi(await open())
    const { id } = await create(api)
    const etag = String((await send(api, 'GET', `/${id}`)).headers['etag'])
    const changed = await send(api, 'PUT', `/${id}`, { name: 'B' }, { 'if-match': etag })
    assert.equal(changed.statusCode, 200)
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const body = method === 'DELETE' ? undefined : { name: 'C' }
      const answer = await send(api, method, `/${id}`, body, { 'if-match': etag })
      assert.equal(answer.statusCode, 412, answer.body)
      assert.equal(answer.json<ErrorBody>().code, 'PRECONDITION_FAILED')
    }
    const unknown = await send(api, 'DELETE', '/qr_unknown', undefined, { 'if-match': etag })
    assert.equal(unknown.statusCode, 404)
    const current = { 'if-match': String(changed.headers['etag']) }
    assert.equal((await send(api, 'DELETE', `/${id}`, undefined, current)).statusCode, 200)
  })

  test('422: a style that makes the code unreadable, also as the result of a change', async () => {
    const api = await openTestApi(await open())
    const pale = { foregroundColor: '#EEEEEE' }
    const refused = await send(api, 'POST', '', { ...poster, style: pale })
    assert.equal(refused.statusCode, 422)
    const [detail] = refused.json<ErrorBody>().details ?? []
    const { style } = await create(api, { style: { ...pale, ...detail?.suggestion } })
    assert.deepEqual(style, detail?.suggestion)

    const { id } = await create(api, { style: { foregroundColor: '#333333', dotStyle: 'dots' } })
    const darker = await send(api, 'PUT', `/${id}`, { style: { backgroundColor: '#444444' } })
    assert.equal(darker.statusCode, 422)
    assert.equal(darker.json<ErrorBody>().code, 'STYLE_NOT_SCANNABLE')
    const both = { backgroundColor: '#CCCCCC', dotStyle: null }
    const merged = await send(api, 'PUT', `/${id}`, { style: both })
    assert.deepEqual(merged.json<QrCode>().style, { foregroundColor: '#333333', backgroundColor: '#CCCCCC' })
  })

  test('simultaneous changes are all applied', async () => {
    const api = await openTestApi(await open())
    const { id } = await create(api)
    const names = Array.from({ length: 8 }, (_, index) => `key${index}`)
    const answers = await Promise.all(
      names.map((name) =>
        send(api, 'PATCH', `/${id}`, { metadata: { [name]: 'x' }, style: { cornerRadius: 5 } }),
      ),
    )
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      names.map(() => 200),
    )
    const { metadata } = (await send(api, 'GET', `/${id}`)).json<QrCode>()
    assert.deepEqual(Object.keys(metadata).sort(), names)
  })

  test('200: the list accepts every parameter', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const folder = await createFolder(db, api.orgId, { origin: someOrigin, name: 'Spring' })
    const folderId = folder?.id
    const text = { type: 'TEXT', data: { text: 'a' } }
    await create(api, { name: 'Ärger 100%', folderId, tags: ['a', 'b'] })
    await create(api, { ...text, name: 'Berlin', tags: ['a'] })
    const { id } = await create(api, { name: 'Coburg' })
    await send(api, 'PUT', `/${id}`, { status: 'ARCHIVED' })
    const cases: [string, string[]][] = [
      ['', ['Coburg', 'Berlin', 'Ärger 100%']],
      ['?sort=name&order=asc', ['Ärger 100%', 'Berlin', 'Coburg']],
      ['?sort=totalScans&order=asc', ['Ärger 100%', 'Berlin', 'Coburg']],
      ['?order=asc&limit=2', ['Ärger 100%', 'Berlin']],
      ['?order=asc&limit=2&page=2', ['Coburg']],
      ['?page=9', []],
      ['?type=TEXT', ['Berlin']],
      [`?folderId=${folderId}`, ['Ärger 100%']],
      ['?search=%C3%A4RGER', ['Ärger 100%']],
      ['?search=0%25', ['Ärger 100%']],
      ['?search=%25', ['Ärger 100%']],
      ['?status=ARCHIVED', ['Coburg']],
      ['?tag=a', ['Berlin', 'Ärger 100%']],
      ['?tag=a&tag=b', ['Ärger 100%']],
    ]
    for (const [query, names] of cases) {
      const answer = await send(api, 'GET', query)
      assert.deepEqual(
        answer
          .json<QrCodePage>()
          .data?.map(({ name }) => name)
          .sort(),
        names.toSorted(),
        query,
      )
    }
    const { pagination } = (await send(api, 'GET', '?limit=2')).json<QrCodePage>()
    assert.deepEqual(pagination, {
      page: 1,
      limit: 2,
      total: 3,
      totalPages: 2,
      hasNext: true,
      hasPrev: false,
    })
  })

  test('400: invalid parameters of the list', async () => {
    const api = await openTestApi(await open())
    const cases: [string, string][] = [
      ['?limit=250', '"limit" must be at most 100, got 250'],
      ['?limit=0', '"limit" must be at least 1, got 0'],
      ['?limit=ten', '"limit" must be a whole number, got "ten"'],
      ['?page=0', '"page" must be at least 1, got 0'],
      ['?colour=red', '"colour" is not a known parameter'],
      [
        '?sort=shoeSize',
        '"sort" must be one of "createdAt", "updatedAt", "name", "totalScans", got "shoeSize"',
      ],
      ['?search=a%00', '"search" must not contain the character U+0000'],
      ['?limit=1&limit=2', '"limit" must be given once'],
    ]
    for (const [query, message] of cases) {
      const answer = await send(api, 'GET', query)
      assert.equal(answer.statusCode, 400, query)
      assert.equal(answer.json<ErrorBody>().message, message)
    }
  })

  test('503 with Retry-After: analytics while the scan store is down; 400 and 404 take precedence', async () => {
    const api = await openTestApi(await open())
    const { id } = await create(api)
    const down = await send(api, 'GET', `/${id}/analytics?timezone=Europe/Berlin&country=DE`)
    assert.equal(down.statusCode, 503, down.body)
    assert.equal(down.json<ErrorBody>().code, 'UNAVAILABLE')
    assert.match(String(down.headers['retry-after']), /^\d+$/)
    assert.doesNotMatch(down.body, /ENOENT|socket|nobody/)
    assert.equal((await send(api, 'GET', '/qr_unknown/analytics')).statusCode, 404)
    for (const query of [
      'startDate=2026-02-30',
      'interval=minute',
      'timezone=Mars',
      'startDate=2026-02-02&endDate=2026-02-01',
    ])
      assert.equal((await send(api, 'GET', `/${id}/analytics?${query}`)).statusCode, 400, query)
  })
})

async function create(api: TestApi, fields: object = {}): Promise<QrCode> {
  const answer = await send(api, 'POST', '', { ...poster, ...fields })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json<QrCode>()
}

function send(
  { call, keys, orgId }: TestApi,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
  headers: Record<string, string> = {},
) {
  const body = payload === undefined ? {} : { payload }
  return call(method, `/organizations/${orgId}/qr-codes${path}`, { key: keys.EDITOR, ...body, headers })
}

function withoutId(body: ErrorBody): ErrorBody {
  return { ...body, requestId: '' }
}
