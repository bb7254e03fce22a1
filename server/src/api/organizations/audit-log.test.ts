import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditEntry, AuditLogPage } from '@everscan/contract/resources/audit-log.ts'
import type { QrCodeHistory } from '@everscan/contract/resources/qr-code-history.ts'
import { recordAudit } from '../../catalogue/ledger/audit-log.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import { inTransaction } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { ended, startImportWorker, upload } from '../testing/imports.ts'
import { openTestApi, type TestApi } from '../testing/api.ts'

const code = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }

onEitherDatabase('the audit log', (open) => {
  test('has one entry for each change, with its actor, target and origin', async () => {
    const api = await openTestApi(await open())
    const { call, orgId, keys } = api
    const path = `/organizations/${orgId}`
    const headers = { 'user-agent': `Shop/1 ${'x'.repeat(600)}`, 'x-request-id': 'req_of_mine' }
    const send = async (
      method: 'POST' | 'PUT' | 'DELETE',
      to: string,
      payload?: object,
      key = keys.EDITOR,
    ) => {
      const answer = await call(method, path + to, { key, headers, ...(payload && { payload }) })
      assert.ok(answer.statusCode < 300, answer.body)
      return answer.json<{ id: string; data: { id: string }[] }>()
    }
    await newest(api)
    const expected: [string, string | null, string[]][] = []
    const { id } = await send('POST', '/qr-codes', code)
    expected.push(['qr-code.create', 'Poster', []])
    await send('PUT', `/qr-codes/${id}`, { name: 'Flyer', tags: ['a'] })
    expected.push(['qr-code.update', 'Flyer', ['name', 'tags']])
    await send('PUT', `/qr-codes/${id}`, { name: 'Flyer' })
    await send('POST', `/qr-codes/${id}/rollback`, { version: 1 })
    expected.push(['qr-code.rollback', 'Poster', ['name']])
    await send('POST', `/qr-codes/${id}/rollback`, { version: 1 })
    const batch = await send('POST', '/qr-codes/batch', { qrCodes: [code, { ...code, name: 'B' }] })
    expected.push(['qr-code.create', 'Poster', []], ['qr-code.create', 'B', []])
    const ids = batch.data.map((one) => one.id)
    await send('POST', '/qr-codes/batch/update', { ids, updates: { name: 'C', status: 'ARCHIVED' } })
    for (const _ of ids) expected.push(['qr-code.update', 'C', ['name', 'status']])
    await send('DELETE', '/qr-codes/batch', { ids })
    for (const _ of ids) expected.push(['qr-code.delete', 'C', []])
    await send('DELETE', `/qr-codes/${id}`)
    expected.push(['qr-code.delete', 'Poster', []])
    const folder = await send('POST', '/folders', { name: 'Spring' })
    expected.push(['folder.create', 'Spring', []])
    await send('PUT', `/folders/${folder.id}`, { name: 'Summer' })
    expected.push(['folder.update', 'Summer', ['name']])
    await send('DELETE', `/folders/${folder.id}`)
    expected.push(['folder.delete', 'Summer', []])
    const made = await send('POST', '/api-keys', { name: 'Shop' }, keys.ADMIN)
    expected.push(['api-key.create', 'Shop', []])
    await send('DELETE', `/api-keys/${made.id}`, undefined, keys.ADMIN)
    await send('DELETE', `/api-keys/${made.id}`, undefined, keys.ADMIN)
    expected.push(['api-key.revoke', 'Shop', []])
    const job = await upload(api, { file: 'name,url\na,https://example.com/\n', headers })
    assert.equal(job.statusCode, 202, job.body)
    expected.push(['import.start', 'codes.csv', []])
    await send('POST', `/qr-codes/bulk-import/${job.json<{ id: string }>().id}/cancel`)
    await send('POST', `/qr-codes/bulk-import/${job.json<{ id: string }>().id}/cancel`)
    expected.push(['import.cancel', 'codes.csv', []])

    const { data } = await newest(api, '&limit=100')
    const mine = data.filter(({ origin }) => origin.requestId === 'req_of_mine').toReversed()
    const summaries = mine.map(({ action, target, fields }) => [action, target.name, fields])
    assert.deepEqual(summaries.map(String).sort(), expected.map(String).sort())
    for (const { action, actor, target, origin } of mine) {
      assert.equal(target.kind, action.split('.')[0])
      const key = action.startsWith('api-key') ? 'ADMIN' : 'EDITOR'
      assert.deepEqual([actor.kind, actor.name], ['api-key', key])
      const userAgent = headers['user-agent'].slice(0, 512)
      assert.deepEqual(origin, { via: 'api', country: 'XX', userAgent, requestId: 'req_of_mine' })
    }
    const [created] = mine
    assert.equal(created?.target.id, id)
  })

  test('an import is one entry; its codes and folders record who started it', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const jobs = startImportWorker(db)
    const rows = Array.from({ length: 30 }, (_, i) => `Row ${i},https://example.com/,Folder ${i % 2}`)
    const job = await ended(api, await upload(api, { file: ['name,url,folder', ...rows].join('\n') }))
    await jobs.stop()
    assert.equal(job.successCount, 30)
    const { data } = await newest(api, '&limit=100&startDate=2000-01-01')
    const made = data.filter(({ action }) => !action.startsWith('api-key'))
    assert.deepEqual(
      made.map(({ action, actor, origin }) => [action, actor.name, origin.via]),
      [
        ['folder.create', 'EDITOR', 'import'],
        ['folder.create', 'EDITOR', 'import'],
        ['import.start', 'EDITOR', 'api'],
      ],
    )
    const path = `/organizations/${api.orgId}/qr-codes`
    const codes = (await api.call('GET', path, { key: api.keys.VIEWER })).json<{ data: { id: string }[] }>()
    const history = await api.call('GET', `${path}/${codes.data[0]?.id}/history`, { key: api.keys.VIEWER })
    const [version] = history.json<QrCodeHistory>().data
    assert.deepEqual([version?.version, version?.changed, version?.changedBy], [1, [], made[0]?.actor])
  })

  test('is filtered by action, actor, target and dates', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const entries = Array.from({ length: 20 }, (_, day) => ({
      action: day % 2 === 0 ? ('qr-code.update' as const) : ('folder.update' as const),
      target: { id: `target_${day % 5}`, name: null },
      origin: { ...someOrigin, actor: { kind: 'user' as const, id: `usr_${day % 4}`, name: 'Ada' } },
      nowMs: Date.UTC(2020, 0, day + 1, 12),
    }))
    await inTransaction(db, (tx) => recordAudit(tx, api.orgId, entries))
    const days = async (query: string) =>
      (await newest(api, `${query}&endDate=2020-12-31&limit=100`)).data.map(({ createdAt }) =>
        Number(createdAt.slice(8, 10)),
      )
    assert.deepEqual(
      await days(''),
      Array.from({ length: 20 }, (_, day) => 20 - day),
    )
    assert.deepEqual(await days('&action=folder.update&actorId=usr_1'), [18, 14, 10, 6, 2])
    assert.deepEqual(await days('&targetId=target_3'), [19, 14, 9, 4])
    assert.deepEqual(await days('&startDate=2020-01-18&action=qr-code.update'), [19])
    assert.deepEqual(await days('&action=nonsense'), [])
    const before = await newest(api, '&startDate=2020-01-01&endDate=2020-01-03&limit=2')
    assert.deepEqual(
      before.data.map(({ createdAt }) => createdAt.slice(0, 10)),
      ['2020-01-03', '2020-01-02'],
    )
    assert.equal(before.pagination.total, 3)
    const wrong = await api.call('GET', `/organizations/${api.orgId}/audit-log?startDate=2020-02-30`, {
      key: api.keys.ADMIN,
    })
    assert.equal(wrong.statusCode, 400)
  })

  test('contains nothing of another organization', async () => {
    const api = await openTestApi(await open())
    const path = `/organizations/${api.foreignOrgId}/qr-codes`
    const theirs = await api.call('POST', path, { key: api.keys.foreign, payload: code })
    const { id } = theirs.json<{ id: string }>()
    assert.ok(!JSON.stringify(await newest(api, '&limit=100')).includes(id))
    assert.deepEqual((await newest(api, `&targetId=${id}`)).data, [])
  })
})

async function newest({ call, orgId, keys }: TestApi, query = ''): Promise<AuditLogPage> {
  const answer = await call('GET', `/organizations/${orgId}/audit-log?page=1${query}`, { key: keys.ADMIN })
  assert.equal(answer.statusCode, 200, answer.body)
  const page = answer.json<AuditLogPage>()
  const times = page.data.map(({ createdAt }: AuditEntry) => createdAt)
  assert.deepEqual(times, times.toSorted().toReversed(), 'newest first')
  return page
}
