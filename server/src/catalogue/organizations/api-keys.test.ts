import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Database } from '../../db/database.ts'
import { insertRows } from '../../db/dialects/row-sets.ts'
import { systemActor, systemOrigin } from '../rows/change-origins.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { hashApiKey } from './api-key-values.ts'
import { createApiKey, findApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { someOrganization, someOrigin } from '../testing/catalogue.ts'
import { createUser, saveMember } from '../accounts/users.ts'

const minuteMs = 60_000

forEachDatabase('an API key', (open) => {
  test('is found by its value, which the catalogue does not contain', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { key, value } = await createApiKey(db, organizationId, {
      origin: someOrigin,
      name: 'Print shop',
      role: 'EDITOR',
    })
    const found = await findApiKey(db, value)
    assert.equal(found?.state, 'VALID')
    assert.deepEqual(found?.key, key)
    assert.equal(key.role, 'EDITOR')
    assert.equal(key.prefix, value.slice(0, 8))
    const stored = await db.kysely.selectFrom('api_keys').selectAll().execute()
    assert.ok(!JSON.stringify(stored).includes(value))
    assert.equal(stored[0]?.hash, hashApiKey(value))
    assert.equal(await findApiKey(db, `${value.slice(0, -1)}!`), undefined)
  })

  test('with a wrong checksum never reaches the database', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { value } = await createApiKey(db, organizationId, { origin: someOrigin, name: 'x', role: 'ADMIN' })
    await db.close()
    const other = value.at(-1) === '0' ? '1' : '0'
    assert.equal(await findApiKey(db, `${value.slice(0, -1)}${other}`), undefined)
    await assert.rejects(findApiKey(db, value))
  })

  test('when revoked differs from an expired key, and stays revoked', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id: otherOrganizationId } = await someOrganization(db, 'Other')
    const ends = await createApiKey(db, organizationId, {
      origin: someOrigin,
      name: 'x',
      role: 'ADMIN',
      expiresAtMs: 5000,
    })
    assert.equal((await findApiKey(db, ends.value, { nowMs: 4999 }))?.state, 'VALID')
    assert.equal((await findApiKey(db, ends.value, { nowMs: 5000 }))?.state, 'EXPIRED')
    const foreign = { organizationId: otherOrganizationId, id: ends.key.id }
    assert.equal(await revokeApiKey(db, foreign, { origin: someOrigin }), undefined)
    const id = { organizationId, id: ends.key.id }
    assert.equal((await revokeApiKey(db, id, { origin: someOrigin, nowMs: 6000 }))?.revokedAtMs, 6000)
    assert.equal((await revokeApiKey(db, id, { origin: someOrigin, nowMs: 7000 }))?.revokedAtMs, 6000)
    assert.equal((await findApiKey(db, ends.value, { nowMs: 1 }))?.state, 'REVOKED')
  })

  test('never has a higher role than its creator', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const user = await createUser(db, { email: 'a@example.com', name: 'A' })
    const userId = user?.id ?? ''
    await saveMember(db, organizationId, { userId, role: 'ADMIN' })
    const { value } = await createApiKey(db, organizationId, {
      origin: someOrigin,
      name: 'x',
      role: 'EDITOR',
      userId,
    })
    assert.equal((await findApiKey(db, value))?.key.role, 'EDITOR')
    await saveMember(db, organizationId, { userId, role: 'VIEWER' })
    assert.equal((await findApiKey(db, value))?.key.role, 'VIEWER')
  })

  test('records its use at most once a minute, without a change that caches read', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { value } = await createApiKey(db, organizationId, { origin: someOrigin, name: 'x', role: 'ADMIN' })
    const lastUse = async () => {
      const { rows } = await listApiKeys(db, organizationId, { page: 1, limit: 20 })
      return rows[0]?.lastUsedAtMs
    }
    const untilNoted = async (atMs: number) => {
      for (const endMs = Date.now() + 2_000; Date.now() < endMs && (await lastUse()) !== atMs;)
        await new Promise((resolve) => setTimeout(resolve, 5))
      assert.equal(await lastUse(), atMs)
    }
    const nowMs = 10 * minuteMs
    await Promise.all(Array.from({ length: 20 }, () => findApiKey(db, value, { nowMs })))
    await untilNoted(nowMs)
    await findApiKey(db, value, { nowMs: nowMs + minuteMs - 1 })
    await findApiKey(db, value, { nowMs: nowMs + minuteMs })
    await untilNoted(nowMs + minuteMs)
    assert.deepEqual(await db.kysely.selectFrom('changes').selectAll().execute(), [])
  })

  test('is listed newest first, and only in its organization', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id: otherId } = await someOrganization(db, 'Other')
    await createApiKey(db, otherId, { origin: someOrigin, name: 'other', role: 'ADMIN' })
    for (const name of ['a', 'b', 'c'])
      await createApiKey(db, organizationId, { origin: someOrigin, name, role: 'VIEWER' })
    const { rows, total } = await listApiKeys(db, organizationId, { page: 1, limit: 2 })
    assert.deepEqual(
      rows.map((row) => row.name),
      ['c', 'b'],
    )
    assert.equal(total, 3)
  })

  test('is one of at most 1,000 active keys, also when many are created at once', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id: otherId } = await someOrganization(db, 'Other')
    await insertKeys(db, organizationId, { count: limits.apiKeysMax - 3, expiresAtMs: 5_000 })
    const create = async (nowMs = 1_000) =>
      createApiKey(db, organizationId, { origin: someOrigin, name: 'x', role: 'VIEWER', nowMs })
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => create()))
    const made = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.key] : []))
    assert.equal(made.length, 3)
    for (const result of results)
      if (result.status === 'rejected') {
        assert.deepEqual([result.reason.status, result.reason.code], [409, 'CONFLICT'])
        assert.match(result.reason.message, /at most 1000 API keys .* this one has 1000\. Revoke one first/)
      }
    await createApiKey(db, otherId, { origin: someOrigin, name: 'x', role: 'VIEWER', nowMs: 1_000 })
    // A revoked key makes room for one, and the expired ones for all the others.
    await revokeApiKey(db, { organizationId, id: made[0]?.id ?? '' }, { origin: someOrigin })
    await create()
    await assert.rejects(create(), { status: 409 })
    await create(5_000)
  })

  test('knows its maker; a key that was revoked meanwhile makes none', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const first = await createApiKey(db, organizationId, { origin: systemOrigin, name: 'CI', role: 'ADMIN' })
    assert.deepEqual(first.key.madeBy, systemActor)
    const actor = { kind: 'api-key', id: first.key.id, name: 'CI' } as const
    const create = () =>
      createApiKey(db, organizationId, { origin: { ...someOrigin, actor }, name: 'x', role: 'ADMIN' })
    const second = await create()
    const target = { organizationId, id: first.key.id }
    const revoked = await revokeApiKey(db, target, { origin: someOrigin })
    assert.deepEqual(revoked?.madeBy, systemActor)
    await assert.rejects(create(), { status: 403, code: 'API_KEY_REVOKED' })
    assert.equal((await findApiKey(db, second.value))?.state, 'VALID')
    const { rows } = await listApiKeys(db, organizationId, { page: 1, limit: 20 })
    assert.deepEqual(
      rows.map(({ madeBy }) => madeBy),
      [actor, systemActor],
    )
  })
})

/** Inserts keys at once: each would otherwise be a transaction. */
async function insertKeys(
  db: Database,
  organizationId: string,
  { count, expiresAtMs }: { count: number; expiresAtMs: number },
): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => ({
    organization_id: organizationId,
    id: `key_${index}`,
    user_id: null,
    name: 'x',
    role: 'VIEWER' as const,
    prefix: 'evs_',
    hash: `${organizationId} ${index}`,
    created_at_ms: 1,
    last_used_at_ms: null,
    expires_at_ms: expiresAtMs,
    revoked_at_ms: null,
    made_by: null,
  }))
  await insertRows(db, 'api_keys', { rows })
}
