import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { constantFrom, maxSafeInteger, oneof, record, sample, string } from 'fast-check'
import { sql } from 'kysely'
import { FatalError } from '../../errors.ts'
import { openChangeFeed, recordChanges } from '../feeds/changes.ts'
import { inTransaction, type Database } from '../database.ts'
import { firstPosition, insertEvents, readEventPages } from '../feeds/event-pages.ts'
import { migrateDatabase, migrations } from '../migrations/migrate.ts'
import { startTestPooler } from '../testing/pooler.ts'
import { positionAfterAll } from '../testing/positions.ts'
import { dumpCatalogue } from '../testing/schema-dump.ts'
import { sqliteFile } from '../dialects/sqlite.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { withCatalogueSnapshot } from './dump-catalogue.ts'
import type { CataloguePlace } from './catalogue-snapshot.ts'
import {
  given,
  inTurn,
  kinds,
  newCatalogue,
  newPlace,
  readDump,
  readSnapshot,
  textsOf,
  valuesOf,
  withDatabase,
  type Dump,
  type Kind,
} from './testing/dump.ts'
import { findByName } from './testing/find-by-name.ts'
import { changeCodes, codesPerFixture, fillCatalogue } from './testing/fixture.ts'
import { loadCatalogue, whatIsIn } from './load-catalogue.ts'
import { hasVariants } from '@everscan/contract/testing/variants.ts'

const names = migrations.map(({ name }) => name)
const directions = kinds
  .flatMap((from) => kinds.map((to) => ({ from, to })))
  .filter(({ from, to }) => hasVariants || from !== to)

const refusal = (sentence: RegExp) => (error: unknown) =>
  error instanceof FatalError && sentence.test(error.message)

async function loaded(kind: Kind, dump: Dump): Promise<CataloguePlace> {
  const place = await newPlace(kind)
  await loadCatalogue(place, given(dump))
  return place
}

/** Returns the schema without the rows. */
async function schemaOf(place: CataloguePlace): Promise<string[]> {
  const lines = await withDatabase(place, dumpCatalogue)
  return lines.filter((line) => line.startsWith('{'))
}

/** Returns a dump with these rows of one table. */
function dumpOf(table: string, columns: readonly string[], rows: readonly unknown[]): Dump {
  const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return { migrations: names, parts: [{ table, columns, bytes, rows: rows.length }] }
}

const noteColumns = ['id', 'kind', 'detail', 'created_at_ms']
const noteOf = (id: string, detail: unknown = 'x') =>
  dumpOf('installation_notes', noteColumns, [[id, 'adopted', detail, 1]])

/** How many migrations were applied: the second, seventh and thirteenth change counts. */
const olderSchemas = {
  SQLite: { SQLite: [1, 2], PostgreSQL: [2, 6, 12] },
  PostgreSQL: { SQLite: [2, 7], PostgreSQL: [6] },
} as const

for (const { from, to } of directions)
  describe(`from ${from} to ${to}`, () => {
    test('a loaded catalogue is equal to its source, and later changes have the same effect', async () => {
      const source = await newCatalogue(from, async (db) => {
        await fillCatalogue(db, 'one')
        await fillCatalogue(db, 'two')
        await changeCodes(db, 'two')
      })
      const dump = await readDump(source)
      const target = await newPlace(to)
      const counts = await loadCatalogue(target, given(dump))

      const again = await readDump(target)
      assert.deepEqual(textsOf(again), textsOf(dump))
      assert.deepEqual(again.migrations, dump.migrations)
      for (const [table, count] of counts)
        assert.equal(count, textsOf(dump)[table]?.trimEnd().split('\n').slice(1).length ?? 0, table)
      assert.equal(counts.get('qr_codes'), 2 * codesPerFixture - 1)

      assert.deepEqual(await schemaOf(target), await schemaOf(await newPlace(to, { isCurrent: true })))
      assert.deepEqual(await withDatabase(target, (db) => migrateDatabase(db)), [])

      for (const place of [source, target]) await withDatabase(place, (db) => changeCodes(db, 'one'))
      assert.deepEqual(textsOf(await readDump(target)), textsOf(await readDump(source)))
      if (to === 'SQLite') await assertFound(target)
      else await assertCountedAtOnce(target)
    })

    test('the next start migrates a catalogue of an older release as it would have migrated the source', async () => {
      for (const count of olderSchemas[from][to]) {
        const list = migrations.slice(0, count)
        const applied = list.map(({ name }) => name)
        const source = await newCatalogue(from, (db) => fillCatalogue(db, 'one', applied), list)
        const dump = await readDump(source)
        assert.deepEqual(dump.migrations, applied)
        const target = await loaded(to, dump)
        assert.deepEqual(textsOf(await readDump(target)), textsOf(dump), applied.at(-1))
        for (const place of [source, target])
          assert.deepEqual(await withDatabase(place, (db) => migrateDatabase(db)), names.slice(count))
        const amended = await newPlace(to)
        await loadCatalogue(amended, { ...given(dump), amend: (db) => changeCodes(db, 'one') })
        for (const place of [source, target]) await withDatabase(place, (db) => changeCodes(db, 'one'))
        for (const place of [target, amended])
          assert.deepEqual(textsOf(await readDump(place)), textsOf(await readDump(source)), applied.at(-1))
        assert.deepEqual(await withDatabase(amended, (db) => migrateDatabase(db)), [])
        assert.deepEqual(await schemaOf(target), await schemaOf(await newPlace(to, { isCurrent: true })))
      }
    })

    test('any text and any number is preserved', async () => {
      const random = seededRandom()
      const seed = Math.floor(random() * 2 ** 31)
      const written = sample(
        record({
          text: oneof(
            string({ unit: 'binary', maxLength: 40 }),
            string({
              unit: constantFrom(
                '\\',
                '\t',
                '\n',
                '\r',
                'N',
                '.',
                '"',
                "'",
                'n',
                ',',
                '\u{1f600}',
                '\ud800',
                '\udfff',
              ),
            }),
          ),
          number: oneof(
            maxSafeInteger(),
            constantFrom(0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
          ),
        }),
        { numRuns: 300, seed },
      )
      // Half of a surrogate pair is not a character: drivers write U+FFFD. Only SQLite stores NUL.
      const rows = written.map(({ text, number }, index) => ({
        id: String(index).padStart(4, '0'),
        text: text.toWellFormed().replaceAll('\0', ''),
        number,
      }))
      const source = await newCatalogue(from, (db) =>
        inTransaction(db, async (tx) => {
          for (const { id, text, number } of rows)
            await tx.kysely
              .insertInto('installation_notes')
              .values({ id, kind: text, detail: text, created_at_ms: number })
              .execute()
        }),
      )
      const dump = await readDump(source)
      const target = await loaded(to, dump)
      assert.deepEqual(textsOf(await readDump(target)), textsOf(dump))
      const read = await withDatabase(target, (db) =>
        db.kysely
          .selectFrom('installation_notes')
          .select(['id', 'detail as text', 'created_at_ms as number'])
          .orderBy('id')
          .execute(),
      )
      assert.deepEqual(read, rows)
    })
  })

/** The index of names was rebuilt in the order of creation. */
async function assertFound(place: CataloguePlace): Promise<void> {
  await withDatabase(place, async (db) => {
    const ids = await findByName(db, 'menu')
    const expected = await db.kysely
      .selectFrom('qr_codes')
      .select('id')
      .where('name_search', 'like', '%menu%')
      .orderBy('created_at_ms', 'desc')
      .orderBy('id', 'desc')
      .execute()
    assert.ok(ids.length > 40)
    assert.deepEqual(
      ids,
      expected.map(({ id }) => id),
    )
    assert.deepEqual(await findByName(db, 'renamed'), ['qr_two_003', 'qr_one_003'])
    assert.deepEqual((await findByName(db, 'brand')).sort(), ['qr_one_900', 'qr_two_900'])
  })
}

/**
 * PostgreSQL counts the codes of all folders once more, and the planner has statistics of the
 * tables.
 */
async function assertCountedAtOnce(place: CataloguePlace): Promise<void> {
  const rows = await ask(
    place,
    `select
       (select sum(codes)::bigint from qr_code_counts where folder_id = '*') as counted,
       (select count(*) from qr_codes) as codes,
       (select count(distinct tablename) from pg_stats where tablename in ('qr_codes', 'scan_days')) as analyzed`,
  )
  assert.deepEqual(rows, [{ counted: 46, codes: 46, analyzed: 2 }])
}

/** Names the contents in a few words, refuses to load and changes nothing. */
async function assertRefused(what: RegExp, place: CataloguePlace): Promise<void> {
  const before = await whatIsIn(place)
  assert.match(before ?? '', what)
  await assert.rejects(
    loadCatalogue(place, given(noteOf('a'))),
    refusal(
      new RegExp(
        `^(DATA_DIR: .*|DATABASE_URL: the database "t\\w+" at 127\\.0\\.0\\.1:\\d+) holds ${what.source.replace(/^\^|\$$/g, '')}; a catalogue can be loaded only into an empty (directory: name another one, or move these files away|database: create one with: createdb NAME)$`,
      ),
    ),
  )
  assert.equal(await whatIsIn(place), before)
}

async function changeLoaded(db: Database): Promise<void> {
  assert.equal((await db.kysely.selectFrom('qr_codes').select('id').execute()).length, codesPerFixture)
  // A nested transaction is part of the load.
  await inTransaction(db, (tx) => changeCodes(tx, 'one'))
  await db.kysely.deleteFrom('users').execute()
}

for (const kind of kinds)
  describe(`a load into ${kind}`, () => {
    test('is refused if the place is not empty, with a sentence about its contents', async () => {
      await assertRefused(/^a catalogue without an organization$/, await newPlace(kind, { isCurrent: true }))
      const used = await newCatalogue(kind, (db) => fillCatalogue(db, 'one'))
      await assertRefused(/^a catalogue with the organizations "Acme one", "Acme one"$/, used)
      await withDatabase(used, (db) => fillCatalogue(db, 'two'))
      await assertRefused(
        /^a catalogue with the organizations "Acme one", "Acme two", "Acme one" and 1 more$/,
        used,
      )
      const foreign = async (...statements: string[]): Promise<CataloguePlace> => {
        const place = await newPlace(kind)
        await withDatabase(place, async (db) => {
          for (const statement of statements) await sql.raw(statement).execute(db.kysely)
        })
        return place
      }
      await assertRefused(/^things$/, await foreign('create table things (id integer)'))
      await assertRefused(/^organizations$/, await foreign('create table organizations (name integer)'))
      await assertRefused(/^one$/, await foreign('create view one as select 1 as id'))
    })

    test('leaves nothing behind when its rows, the database or its caller fail', async () => {
      const place = await newPlace(kind)
      const failure = new Error('the file ends here')
      const good = noteOf('a').parts
      const failing = async function* () {
        yield* good
        throw failure
      }
      const failed = async (
        dump: Parameters<typeof loadCatalogue>[1],
        why: object | ((error: unknown) => boolean),
      ) => {
        await assert.rejects(loadCatalogue(place, dump), why)
        assert.equal(await whatIsIn(place), undefined)
        if (kind === 'SQLite') assert.deepEqual(readdirSync(place.dataDir), [])
      }
      await failed({ migrations: names, parts: failing() }, failure)
      await failed({ ...given(noteOf('a')), amend: () => Promise.reject(failure) }, failure)
      await failed(
        { migrations: names, parts: inTurn([...good, ...good]) },
        refusal(/^the copy is damaged: .*(UNIQUE|duplicate key).*; use another copy$/),
      )
      await failed(
        given(
          dumpOf(
            'members',
            ['organization_id', 'user_id', 'role', 'created_at_ms'],
            [['o', 'u', 'ADMIN', 1]],
          ),
        ),
        refusal(/^the copy is damaged: .*members.*(organizations|users|user_id).*; use another copy$/),
      )
      await failed(
        given(dumpOf('installation_notes', ['id'], [['a']])),
        refusal(/^the copy is damaged: .*kind.*; use another copy$/),
      )
      await loadCatalogue(place, given(noteOf('a')))
      assert.match((await whatIsIn(place)) ?? '', /^a catalogue without/)
    })

    test('lets its caller change the loaded rows, in the same transaction and with all triggers', async () => {
      const source = await newCatalogue('SQLite', (db) => fillCatalogue(db, 'one'))
      const dump = await readDump(source)
      const target = await newPlace(kind)
      await loadCatalogue(target, { ...given(dump), amend: changeLoaded })
      await withDatabase(source, changeLoaded)
      const texts = textsOf(await readDump(target))
      assert.deepEqual(texts, textsOf(await readDump(source)))
      assert.equal(texts['sessions'], undefined)
    })

    test('keeps the order of events and writes later events after them, whatever numbers they had', async () => {
      const organizationId = 'org_one'
      // Numbers of a server far ahead; the order of ids differs from that of versions.
      const ids = ['k', 'c', 'd', 'b', 'm', 'a', 'l']
      const source = await newCatalogue('SQLite', async (db) => {
        await fillCatalogue(db, 'one')
        await db.kysely.deleteFrom('webhook_deliveries').execute()
        await db.kysely.deleteFrom('event_pages').execute()
        for (const [index, id] of ids.entries())
          for (const organization of [organizationId, 'oth_one'])
            await db.kysely
              .insertInto('event_pages')
              .values({
                organization_id: organization,
                id,
                version: 2 ** 52 + index,
                events: '[]',
                fanned_out: 0,
                created_at_ms: 1,
              })
              .execute()
        await db.kysely
          .updateTable('changes')
          .set({ version: 2 ** 52 })
          .where('version', '>', 20)
          .execute()
      })
      const target = await loaded(kind, await readDump(source))
      await withDatabase(target, async (db) => {
        const feed = openChangeFeed(db)
        await feed.catchUp()
        const readAll = async (): Promise<string[]> => {
          const position = { after: firstPosition, before: await positionAfterAll(db) }
          const pages = await readEventPages(db, [organizationId], { ...position, sinceMs: 0, limit: 100 })
          return pages.map(({ id }) => id)
        }
        assert.deepEqual(await readAll(), ids)
        const event = { event: 'qr-code.updated', atMs: 1, qrCodeId: null, data: {} } as never
        const [added] = await inTransaction(db, async (tx) => {
          await recordChanges(tx, ['ONE1'])
          return insertEvents(tx, organizationId, { events: [event], nowMs: 1 })
        })
        assert.deepEqual(await readAll(), [...ids, added])
        assert.deepEqual(await feed.catchUp(), ['ONE1'])
        assert.deepEqual(await feed.catchUp(), [])
        await inTransaction(db, (tx) => recordChanges(tx, ['ONE2']))
        assert.deepEqual(await feed.catchUp(), ['ONE2'])
        await feed.close()
      })
      if (kind === 'PostgreSQL') {
        const versions = valuesOf(await readDump(target), 'event_pages', 'version')
        const ahead = await ask(target, 'select from changes where version > pg_current_xact_id()')
        assert.deepEqual(ahead, [], 'changes that would be reported once this server reaches their numbers')
        assert.equal(new Set(versions).size, 5, 'one per descending id, one for the rest, one for the last')
      }
    })
  })

test('a load refuses data that no dump of this release contains', async () => {
  const place = await newPlace('SQLite')
  const refused = (dump: Dump, sentence: RegExp) =>
    assert.rejects(loadCatalogue(place, given(dump)), refusal(sentence))
  const later = /later release; use that release or a later one$/
  await refused(
    { ...noteOf('a'), migrations: [...names, '0099-x', '0098-w'] },
    /^the copy was created by a later release \(0098-w, 0099-x\); use that release or a later one$/,
  )
  await refused(
    dumpOf('laters', ['id'], [['a']]),
    /^the copy has the table "laters", which this release does not know: it was created by a /,
  )
  await refused(dumpOf('laters', ['id'], [['a']]), later)
  await refused(dumpOf('migrations', ['name'], [['a']]), later)
  await refused(dumpOf('qr_codes', ['number'], [[1]]), /^the copy has the column "number" of qr_codes, which/)
  await refused(dumpOf('changes', ['version" = 1; --'], [[1]]), later)
  await refused({ migrations: [], parts: [] }, /^the copy contains no catalogue: it names no migration$/)
  const damaged = async (row: string, sentence: RegExp) => {
    const { parts } = noteOf('a')
    const bytes = Buffer.concat([parts[0]?.bytes ?? Buffer.of(), Buffer.from(row, 'latin1')])
    await refused({ migrations: names, parts: parts.map((part) => ({ ...part, bytes })) }, sentence)
  }
  await damaged(
    '["b","x","x",1]',
    /^the copy is damaged: row 2 of installation_notes has no end; use another copy$/,
  )
  await damaged('["b","x","x"]\n', /: row 2 of installation_notes must have 4 values, one per column;/)
  await damaged('["b","x","x",1,1]\n', /: row 2 of installation_notes must have 4 values/)
  await damaged('{"length":4}\n', /: row 2 of installation_notes must have 4 values/)
  await damaged('\n', /: row 2 of installation_notes is not JSON/)
  await damaged('["b","x","x",1]["c","x","x",1]\n', /: row 2 of installation_notes is not JSON/)
  for (const value of ['true', '{}', '[1]', '1.5', '9007199254740993', '1e400'])
    await damaged(
      `["b","x","x",${value}]\n`,
      /: row 2 of installation_notes must have a text or a whole number below 2\^53 as created_at_ms;/,
    )
  await damaged('["b","x","\xff",1]\n', /: installation_notes has rows that are not UTF-8;/)
  assert.equal(await whatIsIn(place), undefined)
})

test('every name and every searched text is found again in a large catalogue', async () => {
  const count = 4_500
  const source = await newCatalogue('SQLite', async (db) => {
    await fillCatalogue(db, 'one')
    const numbers = `(with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) select i from n)`
    for (const statement of [
      `insert into short_codes select 'K' || i, 'k' || i, 'org_one', 'many_' || i, 1, null, null from ${numbers}`,
      `insert into qr_codes (organization_id, id, canonical_code, type, name, name_search, data, style, metadata, status,
         picture_version, picture_mask, version, created_at_ms, updated_at_ms,
         name_folded, content_folded, name_order, search_version)
       select 'org_one', 'many_' || i, 'K' || i, 'URL', 'x', 'poster ' || i, '{}', '{}', '{}', 'ACTIVE', 1, 0, 1, 1000 + i % 7, 1,
         'flyer', 'example.com', 'flyer', 1
       from ${numbers}`,
    ])
      await sql.raw(statement).execute(db.kysely)
  })
  const target = await loaded('SQLite', await readDump(source))
  const found = await withDatabase(target, (db) => findByName(db, 'poster'))
  assert.equal(new Set(found).size, count)
  assert.equal(found.length, count)
  for (const query of ['name_folded : "flyer"', 'content_folded : "example"', 'canonical_code : "K4499"'])
    assert.deepEqual(
      await ask(target, `select count(*) as "n" from qr_code_words where qr_code_words match '${query}'`),
      [{ n: query.includes('K4499') ? 1 : count }],
    )
})

async function ask(place: CataloguePlace, text: string): Promise<unknown[]> {
  return withDatabase(place, async (db) => (await sql.raw(text).execute(db.kysely)).rows)
}

test('no table uses a sequence, which a load would have to set', async () => {
  const sqlite = await newPlace('SQLite', { isCurrent: true })
  const postgres = await newPlace('PostgreSQL', { isCurrent: true })
  assert.deepEqual(await ask(sqlite, `select name from sqlite_master where name = 'sqlite_sequence'`), [])
  assert.deepEqual(await ask(postgres, `select relname from pg_class where relkind = 'S'`), [])
})

test('a text with NUL can be loaded into SQLite, but not into PostgreSQL', async () => {
  const source = await newCatalogue('SQLite', async (db) => {
    await db.kysely
      .insertInto('installation_notes')
      .values({ id: 'a', kind: 'adopted', detail: 'x\0y', created_at_ms: 1 })
      .execute()
  })
  const dump = await readDump(source)
  assert.deepEqual(textsOf(await readDump(await loaded('SQLite', dump))), textsOf(dump))
  await assert.rejects(
    loaded('PostgreSQL', dump),
    refusal(
      /^PostgreSQL cannot hold this catalogue: a text in the column detail of installation_notes contains the character NUL; remove it from the catalogue on SQLite with: update installation_notes set detail = replace\(detail, char\(0\), ''\)$/,
    ),
  )
})

test('a load leaves no stale files beside an SQLite file that SQLite would read with it', async () => {
  const place = await newPlace('SQLite')
  const file = sqliteFile(place.dataDir)
  // Empty files of an interrupted start and an interrupted load.
  for (const ending of ['', '.partial', '.partial-journal']) writeFileSync(`${file}${ending}`, '')
  assert.equal(await whatIsIn(place), undefined)
  await loadCatalogue(place, given(noteOf('a')))
  assert.deepEqual(readdirSync(place.dataDir), ['catalogue.sqlite'])
  const log = await newPlace('SQLite')
  writeFileSync(join(log.dataDir, 'catalogue.sqlite-wal'), 'frames')
  assert.equal(await whatIsIn(log), 'a catalogue.sqlite-wal without its catalogue.sqlite')
  await assert.rejects(loadCatalogue(log, given(noteOf('a'))), FatalError)
  const damaged = await newPlace('SQLite')
  writeFileSync(sqliteFile(damaged.dataDir), 'no database'.repeat(1_000))
  assert.equal(await whatIsIn(damaged), 'a catalogue.sqlite that is not an SQLite database')
  await assert.rejects(loadCatalogue(damaged, given(noteOf('a'))), FatalError)
})

test('a catalogue that another process created in the meantime stays', async () => {
  const place = await newPlace('SQLite')
  const create = async (): Promise<void> => writeFileSync(sqliteFile(place.dataDir), 'theirs'.repeat(1_000))
  await assert.rejects(
    loadCatalogue(place, { ...given(noteOf('a')), amend: create }),
    refusal(/ holds a catalogue\.sqlite that is not an SQLite database; /),
  )
  assert.deepEqual(readdirSync(place.dataDir), ['catalogue.sqlite'])
  assert.equal(statSync(sqliteFile(place.dataDir)).size, 6_000)
})

async function fillDisk(db: Database): Promise<void> {
  // SQLite reports the same error as for a full disk.
  await sql`pragma max_page_count = 1`.execute(db.kysely)
  const detail = 'x'.repeat(1_000_000)
  await db.kysely
    .insertInto('installation_notes')
    .values({ id: 'b', kind: 'adopted', detail, created_at_ms: 1 })
    .execute()
}

test('a full disk is reported in a sentence, and nothing is left behind', async () => {
  const place = await newPlace('SQLite')
  await assert.rejects(
    loadCatalogue(place, { ...given(noteOf('a')), amend: fillDisk }),
    refusal(
      /^DATA_DIR: .* has no space for the catalogue; nothing was loaded, free some space and try again$/,
    ),
  )
  assert.deepEqual(readdirSync(place.dataDir), [])
})

test('the data directory is created, and only its owner can access the file', async () => {
  const { dataDir, log } = await newPlace('SQLite')
  const place = { dataDir: join(dataDir, 'not', 'there'), log }
  await loadCatalogue(place, given(noteOf('a')))
  assert.equal(statSync(sqliteFile(place.dataDir)).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(place.dataDir), ['catalogue.sqlite'])
})

test('extensions of PostgreSQL do not prevent a load, functions of a former catalogue do', async () => {
  const place = await newPlace('PostgreSQL')
  await withDatabase(place, (db) => sql`create extension pg_trgm`.execute(db.kysely))
  assert.equal(await whatIsIn(place), undefined)
  await withDatabase(place, (db) =>
    sql`create function qr_codes_after_insert() returns int language sql as 'select 1'`.execute(db.kysely),
  )
  assert.equal(await whatIsIn(place), 'qr_codes_after_insert()')
})

test('a load works through a pooler and leaves nothing behind', async () => {
  const dump = await readDump(await newCatalogue('SQLite', (db) => fillCatalogue(db, 'one')))
  const direct = await newPlace('PostgreSQL')
  const pooler = await startTestPooler(direct.databaseUrl ?? '')
  try {
    await loadCatalogue({ ...direct, databaseUrl: pooler.through(direct.databaseUrl ?? '') }, given(dump))
    assert.deepEqual(textsOf(await readDump(direct)), textsOf(dump))
    assert.deepEqual(pooler.leftovers(), [])
  } finally {
    await pooler.close()
  }
})

test('timeouts of a role do not interrupt a dump or a load', async () => {
  const [source, target] = [
    await newCatalogue('PostgreSQL', (db) => fillCatalogue(db, 'one')),
    await newPlace('PostgreSQL'),
  ]
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  for (const place of [source, target])
    await withDatabase(place, async (db) => {
      for (const limit of limits)
        await sql
          .raw(
            `do $$ begin execute format('alter database %I set ${limit} = 150', current_database()); end $$`,
          )
          .execute(db.kysely)
    })
  const pauseMs = 400
  await withCatalogueSnapshot(source, async (snapshot) => {
    await sleep(pauseMs)
    await sql`select pg_sleep(0.4)`.execute(snapshot.db.kysely)
    const dump = await readSnapshot(snapshot)
    const amend = async (db: Database): Promise<void> => {
      await sleep(pauseMs)
      await sql`select pg_sleep(0.4)`.execute(db.kysely)
    }
    await loadCatalogue(target, { ...given(dump), amend })
  })
})

test('a service that starts during a load waits and finds the complete schema', async () => {
  const dump = await readDump(await newCatalogue('SQLite', (db) => fillCatalogue(db, 'one')))
  const place = await newPlace('PostgreSQL')
  let started: Promise<readonly string[]> | undefined
  await loadCatalogue(place, {
    ...given(dump),
    amend: async () => {
      started = withDatabase(place, (db) => migrateDatabase(db))
      await sleep(300)
    },
  })
  assert.deepEqual(await started, [])
  assert.deepEqual(textsOf(await readDump(place)), textsOf(dump))
})
