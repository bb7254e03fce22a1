import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { View } from '@everscan/contract/views/views.ts'
import { onSqlite } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'
import { documentedOperations, requestOf } from '../testing/operations.ts'

/** Operations that end a period with the last day they know, whichever it is. */
const openEnded = ['listAuditLog']

onSqlite('periods that begin after today', (open) => {
  test('400: every operation with a period says which day is the last without "endDate"', async () => {
    const { call, keys, orgId } = await openTestApi(await open())
    const ask = (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) =>
      call(method, path, { key: keys.ADMIN, ...(payload !== undefined && { payload }) })
    const ofOrganization = `/organizations/${orgId}`
    const code = (await ask('POST', `${ofOrganization}/qr-codes`, someCode)).json<QrCode>()
    const view = (await ask('POST', `${ofOrganization}/views`, { name: 'V', query: {} })).json<View>()
    const startDate = '2099-01-02'
    const requests = documentedOperations().flatMap((operation) => {
      if (!operation.parameters.some(({ name, in: place }) => place === 'query' && name === 'startDate'))
        return []
      const id = { place: { in: 'path', name: 'id', path: [] }, value: code.id } as const
      const start = { place: { in: 'query', name: 'startDate', path: [] }, value: startDate } as const
      return [{ id: operation.id, method: 'GET' as const, ...requestOf(operation, orgId, [id, start]) }]
    })
    const views = `${ofOrganization}/views`
    const bodies = [
      ['POST', `${ofOrganization}/qr-codes/${code.id}/rules/replay`, { startDate, rules: [] }, 'startDate'],
      ['POST', views, { name: 'W', query: { startDate } }, 'query.startDate'],
      ['PUT', `${views}/${view.id}`, { query: { startDate } }, 'query.startDate'],
    ] as const
    assert.equal(requests.length, 7)
    const all = [
      ...requests.map(({ id, method, path }) => ({ id, method, path, payload: undefined, at: 'startDate' })),
      ...bodies.map(([method, path, payload, at]) => ({ id: path, method, path, payload, at })),
    ]
    for (const { id, method, path, payload, at } of all) {
      const answer = await ask(method, path, payload)
      if (openEnded.includes(id)) {
        assert.equal(answer.statusCode, 200, id)
        continue
      }
      const { message, details = [] } = answer.json<ErrorBody>()
      assert.deepEqual([answer.statusCode, details.map((detail) => detail.path)], [400, [at]], id)
      assert.match(message, /must not be after today \(20\d\d-\d\d-\d\d in UTC\) without "endDate"/, id)
      assert.match(message, /got "2099-01-02"$/, id)
    }
  })
})

const someCode = { type: 'URL', name: 'Poster', data: { url: 'https://example.com/' } }
