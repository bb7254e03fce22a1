import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { FatalError } from '../../errors.ts'
import { migrateDatabase, migrations, prepareDatabase } from './migrate.ts'
import type { Migration } from './migration.ts'
import { openDatabase } from '../open-database.ts'
import { sqliteFile } from '../dialects/sqlite.ts'
import { forEachDatabase, silentLog, testPostgres } from '../testing/databases.ts'
import { programArgs } from '../testing/program-args.ts'

const next: Migration = {
  name: '0099-next',
  statements: ({ text, strict }) => [`create table extras (id ${text} not null primary key) ${strict}`],
}
const broken: Migration = {
  name: '0100-broken',
  statements: ({ text }) => [`create table halves (id ${text})`, 'create nonsense'],
}

forEachDatabase('migrating', (open) => {
  test('applies missing migrations once and in order', async () => {
    const db = await open({ unshared: true })
    assert.deepEqual(await migrateDatabase(db), [])
    assert.deepEqual(await migrateDatabase(db, [...migrations, next]), ['0099-next'])
    assert.deepEqual(await migrateDatabase(db, [...migrations, next]), [])
  })

  test('refuses a catalogue of a later release, in one line, before anything is written', async () => {
    const db = await open({ unshared: true })
    await migrateDatabase(db, [...migrations, next])
    const missing: Migration = { name: '0098-late', statements: () => ['create table late (id text)'] }
    const refused = await migrateDatabase(db, [...migrations, missing]).catch((error: unknown) => error)
    assert.ok(refused instanceof FatalError)
    assert.match(
      refused.message,
      db.dialect === 'sqlite'
        ? /^the catalogue was upgraded by a later release \(0099-next\); run that release, or restore the copy catalogue-before-0099-next-\d+\.sqlite$/
        : /^the catalogue was upgraded by a later release \(0099-next\); run that release, or restore a backup of the database from before that upgrade$/,
    )
    const rows = await db.kysely.selectFrom('migrations').select('name').execute()
    assert.ok(!rows.some(({ name }) => name === missing.name))
  })

  test('applies all of a migration or nothing', async () => {
    const db = await open({ unshared: true })
    await assert.rejects(migrateDatabase(db, [...migrations, broken]))
    assert.deepEqual(await migrateDatabase(db, [...migrations, { ...broken, statements: () => [] }]), [
      '0100-broken',
    ])
    await assert.rejects(
      db.kysely
        .selectFrom('halves' as 'jobs')
        .selectAll()
        .execute(),
    )
  })

  test('is safe in several processes at the same time', async () => {
    const db = await open({ unshared: true })
    const others = [await open({ same: db }), await open({ same: db })]
    const applied = await Promise.all(
      [db, ...others].map((each) => migrateDatabase(each, [...migrations, next])),
    )
    assert.deepEqual(applied.flat(), ['0099-next'])
  })
})

describe('preparing a catalogue', () => {
  const directory = mkdtempSync(join(tmpdir(), 'everscan-prepare-'))
  after(() => rmSync(directory, { recursive: true, force: true }))
  const options = (name: string) => ({ dataDir: join(directory, name), log: silentLog })

  test('reports every statement on SQLite, the only sign that a long migration makes progress', async () => {
    let steps = 0
    const db = await prepareDatabase({ ...options('steps'), onStep: () => steps++ })
    await db.close()
    const types = { dialect: 'sqlite', text: '', integer: '', transactionVersion: '', strict: '' } as const
    assert.ok(steps >= migrations.flatMap(({ statements }) => statements(types)).length, `${steps} steps`)
  })

  test('creates a new catalogue, on PostgreSQL from an empty database', async () => {
    const databaseUrl = await (await testPostgres()).createDatabase()
    for (const where of [options('new'), { ...options('none'), databaseUrl }]) {
      const dbs = await Promise.all([prepareDatabase(where), prepareDatabase(where)])
      const rows = await dbs[0].kysely.selectFrom('migrations').select('name').execute()
      assert.deepEqual(
        rows.map((row) => row.name),
        migrations.map((migration) => migration.name),
      )
      for (const db of dbs) await db.close()
    }
  })

  test('copies a SQLite catalogue before its schema changes', async () => {
    const db = await prepareDatabase(options('copied'))
    const copies = () =>
      readdirSync(join(db.source.dialect === 'sqlite' ? db.source.file : '', '..')).filter((name) =>
        name.includes('-before-'),
      )
    assert.deepEqual(copies(), [])
    await migrateDatabase(db, [...migrations, next])
    assert.equal(copies().length, 1)
    assert.match(copies()[0] ?? '', /^catalogue-before-0099-next-\d+\.sqlite$/)
    await db.close()
  })

  test('continues after a kill and keeps committed rows', async () => {
    const dataDir = join(directory, 'killed')
    const program = `
      import { pino } from 'pino'
      import { prepareDatabase } from '${import.meta.dirname}/migrate.ts'
      const db = await prepareDatabase({ dataDir: '${dataDir}', log: pino({ level: 'silent' }) })
      const row = { id: 'org_1', name: 'Acme', slug: 'acme', created_at_ms: 1, updated_at_ms: 1 }
      await db.kysely.insertInto('organizations').values(row).execute()
      process.kill(process.pid, 'SIGKILL')`
    const run = () => execFileSync(process.execPath, programArgs(program), { stdio: 'pipe' })
    assert.throws(run, { signal: 'SIGKILL' })
    const db = await prepareDatabase(options('killed'))
    const rows = await db.kysely.selectFrom('organizations').select('id').execute()
    assert.equal(rows.length, 1)
    await db.close()
  })

  test('refuses a damaged SQLite file after an unclean stop', async () => {
    const db = await prepareDatabase(options('damaged'))
    await db.close()
    const file = sqliteFile(join(directory, 'damaged'))
    const bytes = readFileSync(file)
    // The pages of the first tables and indexes.
    bytes.fill(0x5a, 4096 * 3, 4096 * 6)
    writeFileSync(file, bytes)
    writeFileSync(`${file}-wal`, 'left behind')
    await assert.rejects(prepareDatabase(options('damaged')))
  })

  test('is required before a reader opens: without the file the catalogue is unavailable', async () => {
    await assert.rejects(openDatabase({ ...options('missing'), role: 'reader' }), {
      name: 'CatalogueUnavailable',
    })
  })
})
