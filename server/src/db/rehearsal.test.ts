import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction, type Database } from './database.ts'
import { isUniqueViolation } from './errors.ts'
import { rehearsalOf } from './rehearsal.ts'
import { forEachDatabase } from './testing/databases.ts'

const insert = (db: Database, id: string) =>
  db.kysely
    .insertInto('organizations')
    .values({ id, name: 'Acme', slug: id, created_at_ms: 1, updated_at_ms: 1 })
    .execute()

const ids = async (db: Database) =>
  (await db.kysely.selectFrom('organizations').select('id').orderBy('id').execute()).map(({ id }) => id)

forEachDatabase('a rehearsal', (open) => {
  test('returns the result of each transaction, and rolls it back', async () => {
    const db = await open()
    const rehearsal = rehearsalOf(db)
    const seen = await inTransaction(rehearsal, async (tx) => {
      await insert(tx, 'org_1')
      // A nested transaction is a part of the outer one.
      await inTransaction(tx, (inner) => insert(inner, 'org_2'))
      return ids(tx)
    })
    assert.deepEqual(seen, ['org_1', 'org_2'])
    assert.deepEqual(await ids(db), [])
    assert.deepEqual(await ids(rehearsal), [], 'reads go on, outside of transactions too')
    await inTransaction(db, (tx) => insert(tx, 'org_1'))
    assert.deepEqual(await ids(db), ['org_1'], 'the catalogue itself is as before')
  })

  test('throws what the change would throw', async () => {
    const db = await open()
    await insert(db, 'org_1')
    await assert.rejects(
      inTransaction(rehearsalOf(db), (tx) => insert(tx, 'org_1')),
      isUniqueViolation,
    )
    const own = new Error('no')
    const failing = inTransaction(rehearsalOf(db), async (tx) => {
      await insert(tx, 'org_2')
      throw own
    })
    await assert.rejects(failing, own)
    assert.deepEqual(await ids(db), ['org_1'])
  })

  test('refuses to write outside of a transaction', async () => {
    const db = await open()
    await insert(db, 'org_1')
    const { kysely } = rehearsalOf(db)
    for (const write of [
      () => insert(rehearsalOf(db), 'org_2'),
      () => kysely.updateTable('organizations').set({ name: 'B' }).execute(),
      () => kysely.deleteFrom('organizations').execute(),
    ])
      await assert.rejects(write(), /a dry run must write inside a transaction/)
    assert.deepEqual(await ids(db), ['org_1'])
  })

  test('what runs before a commit is a part of the transaction, and never of a rehearsal', async () => {
    const db = await open()
    const also: Database = { ...db, beforeCommit: async (tx) => void (await insert(tx, 'org_also')) }
    await inTransaction(rehearsalOf(also), (tx) => insert(tx, 'org_1'))
    assert.deepEqual(await ids(db), [])
    const failing = { ...db, beforeCommit: () => Promise.reject(new Error('no entry')) }
    await assert.rejects(
      inTransaction(failing, (tx) => insert(tx, 'org_1')),
      /no entry/,
    )
    assert.deepEqual(await ids(db), [])
    await inTransaction(also, (tx) => inTransaction(tx, (inner) => insert(inner, 'org_1')))
    assert.deepEqual(await ids(db), ['org_1', 'org_also'])
  })
})
