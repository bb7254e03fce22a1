import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AddressCheck, PublicAddress } from '@everscan/contract/resources/connections.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, publicUrl, testConfig, type TestApi } from '../testing/api.ts'

const outside = '93.184.216.34'

onEitherDatabase('the public address', (open) => {
  test('is ready once something from outside has opened it by its own name', async () => {
    const { api, address, startCheck, checked, visit } = await openAddress(await openTestApi(await open()))
    assert.deepEqual(await address(), {
      url: publicUrl,
      ready: false,
      problem: 'NOT_REACHED',
      reachedAt: null,
      localOnly: false,
    })
    const { id, url } = await startCheck()
    assert.equal(url, `${publicUrl}/app/reached/${id}`)
    assert.deepEqual([(await checked(id)).seenAt, (await checked(id)).fromOutside], [null, null])

    const otherName = await visit(id, { from: outside, host: '127.0.0.1:3000' })
    assert.equal(otherName.statusCode, 404)
    const unknown = await visit('000000000000', { from: outside })
    assert.equal(unknown.statusCode, 404)
    assert.equal((await address()).problem, 'NOT_REACHED')

    const inside = await visit(id, { from: '192.168.1.5' })
    assert.equal(inside.statusCode, 200)
    assert.equal((await checked(id)).fromOutside, false)
    assert.equal((await address()).problem, 'NOT_REACHED')

    const seen = await visit(id, { from: outside, language: 'de' })
    assert.match(seen.body, /Dieses Telefon erreicht Ihre Codes/)
    assert.match(String(seen.headers['content-security-policy']), /default-src 'none'/)
    assert.equal((await checked(id)).fromOutside, true)
    await visit(id, { from: '192.168.1.5' })
    assert.equal((await checked(id)).fromOutside, true, 'from outside counts more')
    const { ready, problem, reachedAt } = await address()
    assert.deepEqual([ready, problem, typeof reachedAt], [true, null, 'string'])
    assert.equal(
      (await api.call('GET', `${api.addressPath}/checks/${id}`, { key: api.keys.VIEWER })).statusCode,
      200,
    )
  })

  test('a private or insecure address is a problem, until an admin says that it is meant so', async () => {
    for (const [url, problem] of [
      ['http://localhost:3000', 'PRIVATE'],
      ['https://192.168.1.5', 'PRIVATE'],
      ['https://nas', 'PRIVATE'],
      ['http://go.example.com', 'INSECURE'],
    ] as const) {
      const config = { ...testConfig, publicUrl: url }
      const { api, address } = await openAddress(await openTestApi(await open(), { config }))
      assert.equal((await address()).problem, problem, url)
      const put = async (key: string, localOnly: boolean) =>
        api.call('PUT', api.addressPath, { key, payload: { localOnly } })
      assert.equal((await put(api.keys.EDITOR, true)).statusCode, 403)
      const answer = await put(api.keys.ADMIN, true)
      assert.deepEqual(answer.json<PublicAddress>(), { ...(await address()), ready: true, localOnly: true })
      await put(api.keys.ADMIN, true)
      await put(api.keys.ADMIN, false)
      assert.equal((await address()).ready, false)
      const log = await api.call('GET', `/organizations/${api.orgId}/audit-log`, { key: api.keys.ADMIN })
      const entries = log.json<{ data: { fields: string[] }[] }>().data
      assert.equal(entries.filter(({ fields }) => fields.includes('localOnly')).length, 2)
    }
  })

  test('a check is over after an hour, and an organization has at most twenty', async () => {
    let nowMs = Date.now()
    const { startCheck, checked, visit } = await openAddress(
      await openTestApi(await open(), { clock: () => nowMs }),
    )
    const first = await startCheck()
    const ids = [first.id]
    for (let count = 0; count < 20; count++) {
      nowMs++
      ids.push((await startCheck()).id)
    }
    await assert.rejects(checked(first.id), /404/)
    assert.equal((await visit(ids[1] ?? '', { from: outside })).statusCode, 200)
    nowMs += 3_600_000
    await assert.rejects(checked(ids[1] ?? ''), /404/)
    assert.equal((await visit(ids[1] ?? '', { from: outside })).statusCode, 404)
  })
})

async function openAddress(api: TestApi) {
  const addressPath = `/organizations/${api.orgId}/public-address`
  const key = api.keys.EDITOR
  return {
    api: { ...api, addressPath },
    address: () => json<PublicAddress>(api.call('GET', addressPath, { key: api.keys.VIEWER })),
    startCheck: () => json<AddressCheck>(api.call('POST', `${addressPath}/checks`, { key })),
    checked: (id: string) => json<AddressCheck>(api.call('GET', `${addressPath}/checks/${id}`, { key })),
    visit: (id: string, { from, host, language }: { from: string; host?: string; language?: string }) =>
      api.app.inject({
        url: `/app/reached/${id}`,
        remoteAddress: from,
        headers: {
          host: host ?? new URL(publicUrl).host,
          ...(language !== undefined && { 'accept-language': language }),
        },
      }),
  }
}

async function json<T>(answer: ReturnType<TestApi['call']>): Promise<T> {
  const { statusCode, body } = await answer
  assert.ok(statusCode < 300, `${statusCode}: ${body}`)
  return JSON.parse(body) as T
}
