import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someOrganization } from '../../catalogue/testing/catalogue.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { deleteExpiredIdempotencyKeys } from './delete-expired-idempotency-keys.ts'

const dayMs = 86_400_000

forEachDatabase('answers to repeats', (open) => {
  test('are forgotten after 24 hours, however many there are, and not before', async () => {
    const db = await open()
    const { id } = await someOrganization(db)
    const nowMs = 10 * dayMs
    const rest = { organization_id: id, fingerprint: '', status: 201, body: '{}', headers: '{}' }
    for (let page = 0; page < 25; page++)
      await db.kysely
        .insertInto('idempotency_keys')
        .values(
          Array.from({ length: 100 }, (_, i) => ({
            ...rest,
            idempotency_key: `${page} ${i}`,
            created_at_ms: page < 24 ? page * 100 + i : nowMs - dayMs + i,
          })),
        )
        .execute()
    assert.equal(await deleteExpiredIdempotencyKeys.run(db, nowMs), 2_400)
    assert.equal(await deleteExpiredIdempotencyKeys.run(db, nowMs), 0)
    const left = await db.kysely.selectFrom('idempotency_keys').select('idempotency_key').execute()
    assert.equal(left.length, 100)
  })
})
