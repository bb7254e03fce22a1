import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QrCodeHistory } from '@everscan/contract/resources/qr-code-history.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'

onEitherDatabase('history and rollback', (open) => {
  test('a rollback creates a new version with the name, data, style and status of the old one', async () => {
    const { history, change, rollBack } = await openCode(await openTestApi(await open()))
    const style = { foregroundColor: '#112233', cornerRadius: 20 }
    await change({ name: 'Two', data: { url: 'https://example.com/2' }, style, tags: ['kept'] })
    await change({ style: { foregroundColor: null, backgroundColor: '#FFFFEE' }, status: 'ARCHIVED' })
    const back = await rollBack({ version: 2 })
    assert.equal(back.statusCode, 200, back.body)
    const record = back.json<QrCode>()
    assert.deepEqual(
      [record.name, record.data, record.style, record.status, record.tags],
      ['Two', { url: 'https://example.com/2' }, style, 'ACTIVE', ['kept']],
    )
    const { data, pagination } = await history()
    assert.equal(pagination.total, 4)
    const [latest, , second] = data
    assert.deepEqual(latest?.changed, ['style', 'status'])
    assert.deepEqual({ ...latest, ...second }, second, 'the same content')
    assert.equal(latest?.changedBy.name, 'EDITOR')

    const again = await rollBack({ version: 2 })
    assert.deepEqual(again.json(), record, 'a rollback to the current content changes nothing')
    assert.equal((await rollBack({ version: 4 })).statusCode, 200)
    assert.equal((await history()).pagination.total, 4)
  })

  test('404: an unknown version, a deleted code', async () => {
    const { api, path, history, rollBack } = await openCode(await openTestApi(await open()))
    for (const version of [2, 1_000_000, Number.MAX_SAFE_INTEGER]) {
      const answer = await rollBack({ version })
      assert.equal(answer.statusCode, 404)
      assert.match(answer.body, new RegExp(`no version ${version}`))
    }
    for (const version of [0, -1, 1.5, '1', null])
      assert.equal((await rollBack({ version })).statusCode, 400, String(version))
    await api.call('DELETE', path, { key: api.keys.EDITOR })
    assert.equal((await rollBack({ version: 1 })).statusCode, 404)
    await assert.rejects(history(), /404/)
  })

  test('412: If-Match names another version; 200 if it names the current one', async () => {
    const { etag, change, rollBack } = await openCode(await openTestApi(await open()))
    await change({ name: 'Two' })
    assert.equal((await rollBack({ version: 1 }, { 'if-match': etag })).statusCode, 412)
    const now = await change({ name: 'Three' })
    const answer = await rollBack({ version: 1 }, { 'if-match': String(now.headers['etag']) })
    assert.equal(answer.statusCode, 200)
    assert.notEqual(answer.headers['etag'], now.headers['etag'])
  })

  test('simultaneous changes and rollbacks leave versions without gaps', async () => {
    const { history, change, rollBack } = await openCode(await openTestApi(await open()))
    await change({ name: 'Two' })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        i % 3 === 0 ? rollBack({ version: 1 }) : change({ name: `Name ${i}` }),
      ),
    )
    for (const { statusCode } of answers) assert.equal(statusCode, 200)
    const { data, pagination } = await history('?limit=100')
    assert.deepEqual(
      data.map(({ version }) => version),
      Array.from({ length: pagination.total }, (_, i) => pagination.total - i),
    )
    for (const [index, { name }] of data.entries()) assert.notEqual(name, data[index + 1]?.name)
  })
})

async function openCode(api: Awaited<ReturnType<typeof openTestApi>>) {
  const key = api.keys.EDITOR
  const codes = `/organizations/${api.orgId}/qr-codes`
  const payload = { type: 'URL', name: 'One', data: { url: 'https://example.com/1' } }
  const created = await api.call('POST', codes, { key, payload })
  const path = `${codes}/${created.json<QrCode>().id}`
  return {
    api,
    path,
    etag: String(created.headers['etag']),
    change: async (changes: object) => {
      const answer = await api.call('PUT', path, { key, payload: changes })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer
    },
    rollBack: (body: object, headers: Record<string, string> = {}) =>
      api.call('POST', `${path}/rollback`, { key, payload: body, headers }),
    history: async (query = '') => {
      const answer = await api.call('GET', `${path}/history${query}`, { key: api.keys.VIEWER })
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}`)
      return answer.json<QrCodeHistory>()
    },
  }
}
