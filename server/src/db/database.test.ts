import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from './database.ts'
import { databaseReady } from './database-ready.ts'
import { isForeignKeyViolation, isUniqueViolation } from './errors.ts'
import { openSqliteConnection } from './dialects/sqlite.ts'
import { forEachDatabase, onSqlite } from './testing/databases.ts'

const organization = (id: string) => ({
  id,
  name: 'Acme',
  slug: id,
  created_at_ms: 1_700_000_000_000,
  updated_at_ms: 1,
})

forEachDatabase('the catalogue', (open) => {
  test('is ready once it has a schema', async () => {
    assert.equal(await databaseReady(await open()), true)
  })

  test('returns integers and counts as numbers', async () => {
    const db = await open()
    await db.kysely.insertInto('organizations').values(organization('org_1')).execute()
    const row = await db.kysely
      .selectFrom('organizations')
      .select((select) => ['created_at_ms', select.fn.countAll<number>().over().as('count')])
      .executeTakeFirst()
    assert.deepEqual({ ...row }, { created_at_ms: 1_700_000_000_000, count: 1 })
  })

  test('commits all of a transaction or nothing, and a nested transaction is part of it', async () => {
    const db = await open()
    const failing = inTransaction(db, async (tx) => {
      await tx.kysely.insertInto('organizations').values(organization('org_1')).execute()
      await inTransaction(tx, async (inner) => {
        await inner.kysely.insertInto('organizations').values(organization('org_2')).execute()
      })
      throw new Error('rolled back')
    })
    await assert.rejects(failing, /rolled back/)
    assert.deepEqual(await db.kysely.selectFrom('organizations').selectAll().execute(), [])
  })

  test('distinguishes unique and foreign key violations, identically on both databases', async () => {
    const db = await open()
    const insert = db.kysely.insertInto('organizations').values(organization('org_1'))
    await insert.execute()
    await assert.rejects(insert.execute(), isUniqueViolation)
    const member = { organization_id: 'org_1', user_id: 'usr_none', role: 'ADMIN', created_at_ms: 1 } as const
    await assert.rejects(db.kysely.insertInto('members').values(member).execute(), isForeignKeyViolation)
  })

  test('a reader cannot write', async () => {
    const db = await open()
    const reader = await open({ same: db, role: 'reader' })
    await assert.rejects(reader.kysely.insertInto('organizations').values(organization('org_1')).execute(), {
      name: 'CatalogueUnavailable',
    })
  })

  test('two connections of one process write in turns without blocking each other', async () => {
    const db = await open()
    const other = await open({ same: db })
    const write = (index: number) =>
      inTransaction(index % 2 === 0 ? db : other, async (tx) => {
        await tx.kysely
          .insertInto('organizations')
          .values(organization(`org_${index}`))
          .execute()
        await new Promise((resolve) => setTimeout(resolve, 2))
      })
    await Promise.all(Array.from({ length: 20 }, (_, index) => write(index)))
    const rows = await db.kysely.selectFrom('organizations').select('id').execute()
    assert.equal(rows.length, 20)
  })
})

onSqlite('the connections of a catalogue', (open) => {
  test('write every commit to disk before the response, and check references', async () => {
    const db = await open()
    const pragma = async (name: string): Promise<unknown> =>
      Object.values(
        (await sql<Record<string, unknown>>`${sql.raw(`pragma ${name}`)}`.execute(db.kysely)).rows[0] ?? {},
      )[0]
    // 2 is FULL: https://sqlite.org/pragma.html#pragma_synchronous
    assert.equal(await pragma('synchronous'), 2)
    assert.equal(await pragma('journal_mode'), 'wal')
    assert.equal(await pragma('foreign_keys'), 1)
    assert.ok(db.source.dialect === 'sqlite')
    for (const readOnly of [false, true]) {
      const connection = openSqliteConnection(db.source.file, { busyTimeoutMs: 0, readOnly })
      assert.equal(connection.pragma('synchronous', { simple: true }), 2)
      connection.close()
    }
  })
})
