import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { FatalError } from '../../errors.ts'
import { inTransaction, type Database } from '../database.ts'
import { migrateDatabase, migrations } from '../migrations/migrate.ts'
import { startTestPooler } from '../testing/pooler.ts'
import { testPostgres } from '../testing/databases.ts'
import { withCatalogueSnapshot } from './dump-catalogue.ts'
import type { CataloguePlace, RowChunk } from './catalogue-snapshot.ts'
import {
  kinds,
  newCatalogue,
  newPlace,
  readDump,
  readSnapshot,
  textsOf,
  withDatabase,
  type Dump,
} from './testing/dump.ts'
import { changeCodes, fillCatalogue } from './testing/fixture.ts'
import { hostileTexts } from './testing/hostile-texts.ts'

const refusal = (sentence: RegExp) => (error: unknown) =>
  error instanceof FatalError && sentence.test(error.message)

/** Returns every table of the database, except those of a full-text index. */
async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await sql
    .raw<{ name: string }>(
      db.dialect === 'sqlite'
        ? `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'`
        : `select tablename as name from pg_tables where schemaname = 'public'`,
    )
    .execute(db.kysely)
  return rows.map(({ name }) => name).filter((name) => name !== 'migrations')
}

/** Returns all references between tables, except within one table. */
async function pointersOf(db: Database): Promise<{ from: string; to: string }[]> {
  const { rows } = await sql
    .raw<{ from: string; to: string }>(
      db.dialect === 'sqlite'
        ? `select t.name as "from", f."table" as "to" from pragma_table_list as t, pragma_foreign_key_list(t.name) as f`
        : `select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint where contype = 'f'`,
    )
    .execute(db.kysely)
  return rows.filter(({ from, to }) => from !== to)
}

async function insertNote(db: Database, id: string, detail: string): Promise<void> {
  await db.kysely
    .insertInto('installation_notes')
    .values({ id, kind: 'adopted', detail, created_at_ms: 1 })
    .execute()
}

/** Adds rows to every table and deletes all existing ones. */
async function changeEveryTable(db: Database): Promise<void> {
  await fillCatalogue(db, 'two')
  await inTransaction(db, async (tx) => {
    for (const table of ['qr_codes', 'folders', 'organizations', 'users'] as const)
      await tx.kysely
        .deleteFrom(table)
        .where(sql<string>`id`, 'like', '%one%')
        .execute()
  })
}

async function readChunks(chunks: AsyncIterable<RowChunk>): Promise<RowChunk[]> {
  const all: RowChunk[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

test('a catalogue has the same bytes on SQLite and PostgreSQL', async () => {
  const dumps: Dump[] = []
  for (const kind of kinds) {
    const place = await newCatalogue(kind, async (db) => {
      await fillCatalogue(db, 'one')
      await fillCatalogue(db, 'two')
      await changeCodes(db, 'one')
    })
    dumps.push(await readDump(place))
  }
  const [sqlite, postgres] = dumps
  assert.ok(sqlite !== undefined && postgres !== undefined)
  assert.deepEqual(textsOf(postgres), textsOf(sqlite))
  assert.deepEqual(postgres.migrations, sqlite.migrations)
})

for (const kind of kinds)
  describe(`a dump of ${kind}`, () => {
    test('contains every table, after the tables that it references, and the fixture has rows in each', async () => {
      const place = await newCatalogue(kind, (db) => fillCatalogue(db, 'one'))
      await withCatalogueSnapshot(place, async (snapshot) => {
        const { migrations: applied, tables, db } = snapshot
        assert.deepEqual(
          applied,
          migrations.map(({ name }) => name),
        )
        assert.deepEqual([...tables].sort(), (await tablesOf(db)).sort())
        const pointers = await pointersOf(db)
        assert.ok(pointers.length > 10)
        for (const { from, to } of pointers)
          assert.ok(tables.indexOf(from) > tables.indexOf(to), `${from} points to ${to}`)
        const dump = await readSnapshot(snapshot)
        for (const table of tables) {
          const rows = dump.parts
            .filter((part) => part.table === table)
            .reduce((sum, part) => sum + part.rows, 0)
          assert.ok(rows > 0, `${table} has rows in the fixture`)
        }
      })
    })

    test('contains the written rows as lines of JSON in the order of the primary key', async () => {
      const place = await newCatalogue(kind, async (db) => {
        for (const [index, text] of hostileTexts.entries())
          await insertNote(db, `${String.fromCodePoint(0x1f600 - index * 4_000)}${index}`, text)
      })
      await withCatalogueSnapshot(place, async ({ rows }) => {
        const { columns, chunks } = rows('installation_notes')
        assert.deepEqual(columns, ['id', 'kind', 'detail', 'created_at_ms'])
        const [chunk] = await readChunks(chunks)
        // Sorted by UTF-8, and so by code points, unlike strings in JavaScript.
        const expected = [...hostileTexts.entries()].toReversed().map(([index, text]) => {
          const id = `${String.fromCodePoint(0x1f600 - index * 4_000)}${index}`
          return `${JSON.stringify([id, 'adopted', text, 1])}\n`
        })
        assert.equal(chunk?.bytes.toString(), expected.join(''))
        assert.equal(chunk?.rows, hostileTexts.length)
      })
    })

    test('comes in chunks of about a MiB that end with a whole line, whatever the length of lines', async () => {
      const lengths = [...Array.from({ length: 2_500 }, () => 1_000), 3_000_000, 10]
      const place = await newCatalogue(kind, async (db) => {
        await inTransaction(db, async (tx) => {
          for (const [index, length] of lengths.entries())
            await insertNote(tx, String(index).padStart(5, '0'), 'ß'.repeat(length / 2))
        })
      })
      await withCatalogueSnapshot(place, async ({ rows }) => {
        const chunks = await readChunks(rows('installation_notes').chunks)
        assert.ok(chunks.length >= 3 && chunks.length <= 6, `${chunks.length} chunks`)
        const all = chunks.map(({ bytes }) => bytes.toString())
        for (const [index, { rows: count, bytes }] of chunks.entries()) {
          assert.ok(all[index]?.endsWith(',1]\n'))
          assert.equal(count, (all[index]?.split('\n').length ?? 0) - 1)
          assert.ok(bytes.length < 4_200_000, `${bytes.length} bytes`)
        }
        const ids = all
          .join('')
          .trimEnd()
          .split('\n')
          .map((line) => (JSON.parse(line) as [string])[0])
        assert.deepEqual(
          ids,
          lengths.map((_length, index) => String(index).padStart(5, '0')),
        )
      })
    })

    test('is of one moment, and blocks no writer that changes every table', async () => {
      const place = await newCatalogue(kind, async (db) => {
        await fillCatalogue(db, 'one')
        for (let index = 0; index < 3; index++) await insertNote(db, `big-${index}`, 'x'.repeat(1_500_000))
      })
      const before = textsOf(await readDump(place))
      const during = await withCatalogueSnapshot(place, async (snapshot) => {
        const parts: Dump['parts'] = []
        let isChanged = false
        for (const table of [
          'installation_notes',
          ...snapshot.tables.filter((name) => name !== 'installation_notes'),
        ]) {
          const { columns, chunks } = snapshot.rows(table)
          for await (const { rows, bytes } of chunks) {
            parts.push({ table, columns, bytes, rows })
            // In the middle of a table.
            if (!isChanged) await withDatabase(place, changeEveryTable)
            isChanged = true
          }
        }
        const left = await snapshot.db.kysely.selectFrom('organizations').select('id').orderBy('id').execute()
        assert.deepEqual(
          left.map(({ id }) => id),
          ['org_one', 'oth_one'],
        )
        return textsOf({ migrations: [], parts })
      })
      assert.deepEqual(during, before)
      const changed = textsOf(await readDump(place))
      for (const table of Object.keys(before)) assert.notEqual(changed[table], before[table], table)
    })

    test('gives its reader the same moment, read-only', async () => {
      const place = await newCatalogue(kind, (db) => fillCatalogue(db, 'one'))
      await withCatalogueSnapshot(place, async ({ db, rows }) => {
        const count = async (): Promise<number> =>
          (await db.kysely.selectFrom('jobs').select('id').execute()).length
        await withDatabase(place, (writer) => writer.kysely.deleteFrom('jobs').execute())
        assert.equal(await count(), 1)
        // A nested transaction is part of the snapshot and does not end it.
        assert.equal(await inTransaction(db, count), 1)
        assert.equal(await count(), 1)
        assert.equal((await readChunks(rows('jobs').chunks))[0]?.rows, 1)
        assert.equal(await count(), 1)
        assert.throws(() => rows('migrations'), /no table "migrations"/)
      })
      assert.equal((await readDump(place)).parts.filter(({ table }) => table === 'jobs').length, 0)
      const writing = withCatalogueSnapshot(place, ({ db }) => db.kysely.deleteFrom('users').execute())
      await assert.rejects(writing)
      assert.equal((await readDump(place)).parts.filter(({ table }) => table === 'users').length, 1)
    })

    test('may be stopped early by its reader, whose errors propagate', async () => {
      const place = await newCatalogue(kind, async (db) => {
        for (let index = 0; index < 5; index++) await insertNote(db, `${index}`, 'x'.repeat(1_500_000))
      })
      const first = await withCatalogueSnapshot(place, async ({ rows }) => {
        for await (const { bytes } of rows('installation_notes').chunks) return bytes.length
        return 0
      })
      assert.ok(first > 1_500_000 && first < 3_500_000, `${first} bytes`)
      const failure = new Error('no room')
      const breaking = withCatalogueSnapshot(place, async ({ rows }) => {
        for await (const chunk of rows('installation_notes').chunks) {
          assert.ok(chunk.rows > 0)
          throw failure
        }
      })
      await assert.rejects(breaking, failure)
      await assert.rejects(
        withCatalogueSnapshot(place, () => Promise.reject(failure)),
        failure,
      )
      await withDatabase(place, (db) => db.kysely.deleteFrom('installation_notes').execute())
    })

    test('fails without a catalogue, and for a catalogue of a later release', async () => {
      const nowhere = await newPlace(kind)
      await assert.rejects(
        readDump(nowhere),
        refusal(
          kind === 'SQLite'
            ? /^DATA_DIR: there is no catalogue at .*catalogue\.sqlite; name the directory of an installation$/
            : /^DATABASE_URL: there is no catalogue in the database "t\w+" at 127\.0\.0\.1:\d+; name the database of an installation$/,
        ),
      )
      const later = { name: '0099-later', statements: () => ['create table laters (id text)'] }
      const place = await newCatalogue(kind, undefined, [...migrations, later])
      await assert.rejects(
        readDump(place),
        refusal(
          /^the catalogue was created by a later release \(0099-later\); use that release or a later one$/,
        ),
      )
    })

    test('of an older schema has its tables and columns', async () => {
      const place = await newCatalogue(kind, undefined, migrations.slice(0, 3))
      const { tables, columns } = await withCatalogueSnapshot(place, async (snapshot) => ({
        tables: snapshot.tables,
        columns: snapshot.rows('organizations').columns,
      }))
      assert.ok(tables.includes('import_chunks') && !tables.includes('audit_log'))
      assert.deepEqual(columns, ['id', 'name', 'slug', 'created_at_ms', 'updated_at_ms'])
      await withDatabase(place, (db) => migrateDatabase(db))
      assert.ok(
        (await withCatalogueSnapshot(place, async (snapshot) => snapshot.tables)).includes('audit_log'),
      )
    })
  })

test('a number that JavaScript cannot represent is named in the error', async () => {
  const place = await newCatalogue('SQLite', (db) =>
    sql`insert into scan_days values ('w', 1, 9007199254740993)`.execute(db.kysely).then(() => undefined),
  )
  await assert.rejects(
    readDump(place),
    refusal(
      /^the catalogue cannot be copied: in the table scan_days, the row \["w",1\] must have a text or a whole number below 2\^53 as hits; correct that row$/,
    ),
  )
})

test('other queries fail at once while rows of PostgreSQL are read', async () => {
  const place = await newCatalogue('PostgreSQL', async (db) => {
    for (let index = 0; index < 8; index++) await insertNote(db, `${index}`, 'x'.repeat(2_000_000))
  })
  await withCatalogueSnapshot(place, async ({ db, rows }) => {
    let asked = 0
    for await (const chunk of rows('installation_notes').chunks) {
      assert.ok(chunk.rows > 0)
      if (asked++ > 0) continue
      await assert.rejects(
        db.kysely.selectFrom('jobs').select('id').execute(),
        /first read the rows of the table to their end/,
      )
      await assert.rejects(readChunks(rows('jobs').chunks), /first read the rows/)
    }
    assert.deepEqual(await db.kysely.selectFrom('jobs').select('id').execute(), [])
  })
})

test('a PostgreSQL that disappears in the middle of a dump is unavailable', async () => {
  const place = await newCatalogue('PostgreSQL', async (db) => {
    for (let index = 0; index < 8; index++) await insertNote(db, `${index}`, 'x'.repeat(2_000_000))
  })
  const dumping = withCatalogueSnapshot(place, async ({ rows }) => {
    for await (const chunk of rows('installation_notes').chunks) {
      assert.ok(chunk.rows > 0)
      await withDatabase(place, (db) =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'everscan copy' and datname = current_database()`.execute(db.kysely),
      )
    }
  })
  await assert.rejects(dumping, { name: 'CatalogueUnavailable' })
})

test('a dump works through a pooler and leaves nothing behind', async () => {
  const direct: CataloguePlace = await newCatalogue('PostgreSQL', (db) => fillCatalogue(db, 'one'))
  const pooler = await startTestPooler(direct.databaseUrl ?? (await testPostgres()).url)
  try {
    const pooled = { ...direct, databaseUrl: pooler.through(direct.databaseUrl ?? '') }
    assert.deepEqual(textsOf(await readDump(pooled)), textsOf(await readDump(direct)))
    assert.ok(pooler.transactions() > 0)
    assert.deepEqual(pooler.leftovers(), [])
  } finally {
    await pooler.close()
  }
})
