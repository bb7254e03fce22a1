import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openChangeFeed, recordChanges } from '../feeds/changes.ts'
import { inTransaction, type Database } from '../database.ts'
import { migrations, prepareDatabase } from '../migrations/migrate.ts'
import { openDatabase } from '../open-database.ts'
import { startTestPooler, type TestPooler } from '../testing/pooler.ts'
import { openScanLookup } from '../scans/scan-lookup.ts'
import { silentLog, testPostgres } from '../testing/databases.ts'

const limits = { statement: 'statement_timeout', lock: 'lock_timeout' } as const

for (const refusesParameters of [true, false])
  describe(`behind a pooler that ${refusesParameters ? 'refuses' : 'ignores'} startup parameters and uses a new session for each transaction`, () => {
    let pooler: TestPooler
    let writer: Database
    let reader: Database
    const others: Database[] = []
    before(async () => {
      const postgres = await testPostgres()
      pooler = await startTestPooler(postgres.url, { refusesParameters })
      const databaseUrl = pooler.through(await postgres.createDatabase())
      const options = { databaseUrl, dataDir: '', log: silentLog }
      const prepared = await Promise.all([prepareDatabase(options), prepareDatabase(options)])
      others.push(...prepared)
      writer = prepared[0]
      reader = await openDatabase({ ...options, role: 'reader' })
      others.push(reader)
    })
    after(async () => {
      for (const db of others) await db.close()
      await pooler.close()
    })

    test('two simultaneous processes created the schema', async () => {
      const rows = await writer.kysely.selectFrom('migrations').select('name').execute()
      assert.deepEqual(rows.map((row) => row.name).sort(), migrations.map(({ name }) => name).sort())
    })

    test('lookups and the change feed work repeatedly on the same connections', async () => {
      const scans = openScanLookup(reader)
      const feed = openChangeFeed(reader)
      await feed.catchUp()
      const many = Array.from({ length: 20 }, async () => scans.lookup('NONE'))
      assert.deepEqual([...new Set(await Promise.all(many))], [undefined])
      for (let round = 0; round < 20; round++) {
        await inTransaction(writer, (tx) => recordChanges(tx, [`CODE-${round}`]))
        assert.deepEqual(await feed.catchUp(), [`CODE-${round}`])
        assert.equal(await scans.lookup('NONE'), undefined)
      }
      await feed.close()
    })

    test('each transaction has its timeouts', async () => {
      const shown = await inTransaction(writer, async (tx) => {
        const of = async (name: string) =>
          (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(tx.kysely)).rows[0]
            ?.value
        return [await of(limits.statement), await of(limits.lock)]
      })
      assert.deepEqual(shown, ['10s', '5s'])
    })

    test('no session contains leftovers for the next client', () => {
      assert.ok(pooler.transactions() > 60, `${pooler.transactions()} went through the pooler`)
      assert.deepEqual(pooler.leftovers(), [])
    })
  })

describe('PostgreSQL without a pooler', () => {
  test('plans a lookup once per connection, and limits every statement', async () => {
    const databaseUrl = await (await testPostgres()).createDatabase()
    const writer = await prepareDatabase({ databaseUrl, dataDir: '', log: silentLog })
    const reader = await openDatabase({ databaseUrl, dataDir: '', role: 'reader', log: silentLog })
    const scans = openScanLookup(reader)
    for (let i = 0; i < 3; i++) assert.equal(await scans.lookup('NONE'), undefined)
    const { rows: names } = await sql<{ name: string }>`
      select name from pg_prepared_statements where name like 'everscan%'`.execute(reader.kysely)
    assert.deepEqual(names, [{ name: 'everscan-lookup' }])
    for (const [db, expected] of [
      [writer, ['10s', '5s', 'off']],
      [reader, ['3s', '5s', 'on']],
    ] as const) {
      const { rows } = await sql<Record<string, string>>`
        select current_setting('statement_timeout') as a, current_setting('lock_timeout') as b,
          current_setting('default_transaction_read_only') as c`.execute(db.kysely)
      assert.deepEqual(Object.values(rows[0] ?? {}), expected)
    }
    await writer.close()
    await reader.close()
  })
})
