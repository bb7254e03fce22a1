import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditLogPage } from '@everscan/contract/resources/audit-log.ts'
import type { BatchResult } from '@everscan/contract/resources/batches.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCodeHistory } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, publicUrl, type TestApi } from '../testing/api.ts'

const poster = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }
const german = { name: 'German', when: { countries: ['DE'] }, data: { url: 'https://example.com/de' } }
const test50 = {
  name: 'Test',
  enabled: false,
  split: [
    { name: 'A', weight: 1, data: { url: 'https://example.com/a' } },
    { name: 'B', weight: 1, data: { url: 'https://example.com/b' } },
  ],
}

onEitherDatabase('the rules of a code', (open) => {
  test('are stored in order with ids, and read as they were written', async () => {
    const api = await openTestApi(await open())
    const code = await create(api, { rules: [german, test50], passQuery: true })
    const [first, second] = code.rules
    assert.match(first?.id ?? '', /^rul_[0-9a-z]{26}$/)
    assert.notEqual(first?.id, second?.id)
    assert.deepEqual(code.rules, [
      { id: first?.id, enabled: true, ...german },
      { id: second?.id, ...test50 },
    ])
    assert.equal(code.passQuery, true)
    assert.deepEqual((await send(api, 'GET', `/${code.id}`)).json<QrCode>(), code)
  })

  test('a PUT replaces the list, keeps the ids that come back and gives ids to the others', async () => {
    const api = await openTestApi(await open())
    const code = await create(api, { rules: [german, test50] })
    const [first, second] = code.rules
    const changed = await put(api, code.id, {
      rules: [
        { name: 'New', data: poster.data },
        { ...first, name: 'DE' },
      ],
    })
    assert.deepEqual(
      changed.rules.map(({ name }) => name),
      ['New', 'DE'],
    )
    assert.equal(changed.rules[1]?.id, first?.id)
    assert.ok(![first?.id, second?.id].includes(changed.rules[0]?.id))
    assert.deepEqual(
      (await put(api, code.id, { name: 'Other' })).rules,
      changed.rules,
      'untouched by other changes',
    )
    assert.deepEqual((await put(api, code.id, { rules: [] })).rules, [])
  })

  test('400: an id that no rule of the code has, and every other problem with its place', async () => {
    const api = await openTestApi(await open())
    const other = await create(api, { rules: [german] })
    const code = await create(api, { rules: [german] })
    const cases: [object, string][] = [
      [[{ ...german, id: other.rules[0]?.id }], 'rules[0].id'],
      [[german, german, { ...german, when: { countries: ['ZZ'] } }], 'rules[2].when.countries[0]'],
      [[{ ...german, when: { regions: ['DE-XX'] } }], 'rules[0].when.regions[0]'],
      [[{ ...german, when: { networks: ['10.0.0.0/33'] } }], 'rules[0].when.networks[0]'],
      [[{ ...german, data: { url: 'javascript:alert(1)' } }], 'rules[0].data.url'],
      [[{ ...german, data: { text: 'x' } }], 'rules[0].data.url'],
      [[{ ...german, data: { url: `${publicUrl}/ABCD` } }], 'rules[0].data.url'],
      [
        [{ ...test50, split: [test50.split[0], { ...test50.split[1], data: { url: 'ftp://x' } }] }],
        'rules[0].split[1].data.url',
      ],
      [[{ name: 'Empty' }], 'rules[0]'],
    ]
    for (const [rules, path] of cases) {
      const answer = await send(api, 'PUT', `/${code.id}`, { rules })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.ok(
        answer.json<ErrorBody>().details?.some((one) => one.path === path),
        `${path}: ${answer.body}`,
      )
    }
    const answer = await send(api, 'POST', '', { ...poster, rules: code.rules })
    assert.equal(answer.json<ErrorBody>().details?.[0]?.path, 'rules[0].id')
    assert.deepEqual((await send(api, 'GET', `/${code.id}`)).json<QrCode>(), code)
  })

  test('a change has an audit entry and a version; a rollback brings the rules back with their ids', async () => {
    const api = await openTestApi(await open())
    const code = await create(api, { rules: [german] })
    await put(api, code.id, { rules: [] })
    const back = await send(api, 'POST', `/${code.id}/rollback`, { version: 1 })
    assert.equal(back.statusCode, 200, back.body)
    assert.deepEqual(back.json<QrCode>().rules, code.rules)
    const { data: versions } = (await send(api, 'GET', `/${code.id}/history`)).json<QrCodeHistory>()
    assert.deepEqual(
      versions.map(({ changed, rules }) => [changed, rules]),
      [
        [['rules'], code.rules],
        [['rules'], []],
        [[], code.rules],
      ],
    )
    const entries = (
      await api.call('GET', `/organizations/${api.orgId}/audit-log`, { key: api.keys.ADMIN })
    ).json<AuditLogPage>().data
    assert.deepEqual(
      entries.slice(0, 3).map(({ action, fields }) => [action, fields]),
      [
        ['qr-code.rollback', ['rules']],
        ['qr-code.update', ['rules']],
        ['qr-code.create', []],
      ],
    )
  })

  test('412: If-Match of the state before a change of rules', async () => {
    const api = await openTestApi(await open())
    const code = await create(api, {})
    const before = (await send(api, 'GET', `/${code.id}`)).headers['etag']
    await put(api, code.id, { rules: [german] })
    const late = await send(api, 'PUT', `/${code.id}`, { rules: [] }, { 'if-match': String(before) })
    assert.equal(late.statusCode, 412)
  })

  test('a batch update replaces the rules of each code; codes of another type fail alone', async () => {
    const api = await openTestApi(await open())
    const ids = [
      (await create(api, {})).id,
      (await create(api, { type: 'TEXT', data: { text: 'Hello' } })).id,
    ]
    const result = (
      await send(api, 'POST', '/batch/update', { ids, updates: { rules: [german] } })
    ).json<BatchResult>()
    assert.deepEqual([result.successCount, result.errorCount], [1, 1])
    assert.match(result.errors[0]?.error ?? '', /^rules\[0\]\.data\.text: is required/)
    assert.equal(result.data[0]?.rules[0]?.name, 'German')
  })

  test('a clone has the rules with new ids, or others', async () => {
    const api = await openTestApi(await open())
    const code = await create(api, { rules: [german, test50], passQuery: true })
    const clone = async (overrides: object) => {
      const answer = await send(api, 'POST', '/batch/clone', { ids: [code.id], overrides })
      return answer.json<BatchResult>().data[0]
    }
    const copy = await clone({})
    assert.equal(copy?.passQuery, true)
    assert.deepEqual(
      copy?.rules.map((rule) => ({ ...rule, id: '' })),
      code.rules.map((rule) => ({ ...rule, id: '' })),
    )
    const ids = new Set([...code.rules, ...(copy?.rules ?? [])].map(({ id }) => id))
    assert.equal(ids.size, 4)
    assert.deepEqual((await clone({ rules: [] }))?.rules, [])
    const one = (await clone({ rules: code.rules.slice(1) }))?.rules
    assert.equal(one?.[0]?.name, 'Test')
    assert.ok(!ids.has(one?.[0]?.id ?? ''))
  })

  test('a deleted code comes back from the bin with its rules', async () => {
    const api = await openTestApi(await open())
    const code = await create(api, { rules: [german], passQuery: true })
    await send(api, 'DELETE', `/${code.id}?bin=true`)
    await send(api, 'POST', `/bin/${code.id}/restore`)
    const restored = (await send(api, 'GET', `/${code.id}`)).json<QrCode>()
    assert.deepEqual([restored.rules, restored.passQuery], [code.rules, true])
  })
})

async function create(api: TestApi, fields: object): Promise<QrCode> {
  const answer = await send(api, 'POST', '', { ...poster, ...fields })
  assert.equal(answer.statusCode, 201, answer.body)
  return answer.json()
}

async function put(api: TestApi, id: string, fields: object): Promise<QrCode> {
  const answer = await send(api, 'PUT', `/${id}`, fields)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

function send(
  { call, keys, orgId }: TestApi,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
  headers: Record<string, string> = {},
) {
  const body = payload === undefined ? {} : { payload }
  return call(method, `/organizations/${orgId}/qr-codes${path}`, { key: keys.EDITOR, ...body, headers })
}
