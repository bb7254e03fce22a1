import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { onEitherDatabase } from '../db/testing/databases.ts'
import { openTestApi } from '../api/testing/api.ts'

onEitherDatabase('unknown API keys', (open) => {
  test('429 beyond the bound of a network, without a query; its valid keys and other networks go on', async () => {
    let nowMs = 1_000_000 * 60_000
    const db = await open()
    const api = await openTestApi(db, { clock: () => nowMs })
    const path = `/organizations/${api.orgId}/folders`
    const from = async (address: string, key: string) =>
      api.call('GET', path, { key, headers: { 'x-forwarded-for': address } })
    const used = api.keys.VIEWER
    assert.equal((await from('203.0.113.9', used)).statusCode, 200)
    for (let tries = 0; tries < limits.unknownKeysPerMinute; tries++)
      assert.equal((await from('203.0.113.9', `evs_unknown${tries}`)).statusCode, 401)

    const refused = await from('203.0.113.9', 'evs_another')
    assert.equal(refused.statusCode, 429)
    assert.equal(refused.json<ErrorBody>().code, 'RATE_LIMITED')
    assert.equal(refused.headers['retry-after'], '60')
    // Valid, but not used from here so far: a guesser's hit must not show either.
    assert.equal((await from('203.0.113.9', api.keys.EDITOR)).statusCode, 429)
    assert.equal((await from('203.0.113.9', used)).statusCode, 200)
    assert.equal((await from('198.51.100.9', api.keys.EDITOR)).statusCode, 200)
    nowMs += 60_000
    for (let tries = 0; tries < limits.unknownKeysPerMinute; tries++)
      assert.equal((await from('203.0.113.9', 'evs_another')).statusCode, 401)
    // A query would fail, and answer 503.
    await db.kysely.destroy()
    assert.equal((await from('203.0.113.9', 'evs_another')).statusCode, 429)
  })
})
