import assert from 'node:assert/strict'
import { copyFileSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { factsOf } from '../db/dialects/dialect-facts.ts'
import { startTestPooler } from '../db/testing/pooler.ts'
import { reserveShortCodes } from '../db/scans/reserved-codes.ts'
import { openSqliteConnection, sqliteFile, stoppedUncleanly } from '../db/dialects/sqlite.ts'
import { forEachDatabase, newPostgresDatabase, onPostgres, onSqlite } from '../db/testing/databases.ts'
import {
  connectionsOf,
  catalogueChecks,
  judgeConnections,
  judgeDurability,
  judgeEncryption,
  judgeSchema,
  judgeSize,
  judgeTransactions,
  judgeVersion,
} from './catalogue-checks.ts'
import { migrations } from '../db/migrations/migrate.ts'
import { contextFor, findingOf, scratchDir, textOf } from './testing/doctor.ts'
import { runChecks } from './run-checks.ts'

const dayMs = 86_400_000

forEachDatabase('catalogue checks', (open) => {
  test('every check of a catalogue of this release is ok', async () => {
    const db = await open()
    const given = { database: async () => db, catalogue: async () => db }
    const context = contextFor({ DATA_DIR: scratchDir() }, given)
    const results = await runChecks(context, [catalogueChecks], { fix: false })
    // The PostgreSQL of the tests runs without durability.
    const expected = db.dialect === 'postgres' ? ['catalogue.durability'] : []
    assert.deepEqual(
      results.filter(({ finding }) => finding.state !== 'ok').map(({ name }) => name),
      expected,
      JSON.stringify(results.filter(({ finding }) => finding.state !== 'ok')),
    )
    const product = results.find(({ name }) => name === 'catalogue.version')?.finding.says ?? ''
    assert.match(product, db.dialect === 'postgres' ? /^PostgreSQL \d+/ : /^SQLite 3\.\d+/)
  })

  test('reserved codes are listed, without deleted codes', async () => {
    const db = await open()
    const context = contextFor({ DATA_DIR: scratchDir() }, { catalogue: async () => db })
    const code = { organization_id: 'org_1', qr_code_id: 'qr_1', created_at_ms: 1, deleted_at_ms: 2 }
    await db.kysely
      .insertInto('organizations')
      .values({ id: 'org_1', name: 'A', slug: 'a', created_at_ms: 1, updated_at_ms: 1 })
      .execute()
    await db.kysely
      .insertInto('short_codes')
      .values({ ...code, canonical_code: 'DELETED', short_code: 'DELETED' })
      .execute()
    assert.equal(textOf(await findingOf('catalogue.reserved-codes', context)), 'ok: none')
    await reserveShortCodes(db, [
      { organizationId: 'org_1', qrCodeId: 'qr_2', shortCode: 'AAAA1' },
      { organizationId: 'org_1', qrCodeId: 'qr_3', shortCode: 'BBBB2' },
    ])
    assert.match(
      textOf(await findingOf('catalogue.reserved-codes', context)),
      /^notice: 2 codes that only scans know.*: AAAA1, BBBB2 -> /,
    )
  })

  test('missing migrations are a warning, those of a later release a failure', async () => {
    const db = await open({ unshared: true })
    const context = contextFor({ DATA_DIR: scratchDir() }, { database: async () => db })
    await sql`delete from migrations where name = '0017-installation'`.execute(db.kysely)
    assert.match(
      textOf(await findingOf('catalogue.schema', context)),
      /^warning: 1 migration behind this release \(0017-installation\) -> \.\/everscan upgrade --check/,
    )
    await sql`insert into migrations (name, applied_at_ms) values ('9999-later', 1)`.execute(db.kysely)
    assert.match(
      textOf(await findingOf('catalogue.schema', context)),
      /^failed: a later release upgraded it \(9999-later\) -> run that release/,
    )
  })
})

onSqlite('a catalogue in a file', (open) => {
  test('the log of an unclean stop stays for the next start, which checks the file', async () => {
    const db = await open()
    const dataDir = scratchDir()
    const file = sqliteFile(dataDir)
    const source = db.source.dialect === 'sqlite' ? db.source.file : assert.fail()
    await db.kysely
      .insertInto('organizations')
      .values({ id: 'org_1', name: 'A', slug: 'a', created_at_ms: 1, updated_at_ms: 1 })
      .execute()
    // The files as a killed writer leaves them.
    for (const ending of ['', '-wal']) copyFileSync(`${source}${ending}`, `${file}${ending}`)
    assert.ok(stoppedUncleanly(file))
    const { size } = statSync(`${file}-wal`)
    const context = contextFor({ DATA_DIR: dataDir })
    await runChecks(context, [catalogueChecks], { fix: true })
    const rows = await (await context.database()).kysely.selectFrom('organizations').select('id').execute()
    assert.equal(rows.length, 1, 'the catalogue is read with its log')
    await context.close()
    assert.ok(stoppedUncleanly(file))
    assert.equal(statSync(`${file}-wal`).size, size)
  })

  test('a damaged file is found, and the connections of the doctor cannot write', async (t) => {
    const db = await open()
    const dataDir = scratchDir()
    const file = sqliteFile(dataDir)
    await sql`vacuum into ${file}`.execute(db.kysely)
    const context = contextFor({ DATA_DIR: dataDir })
    t.after(context.close)
    assert.equal((await findingOf('catalogue.integrity', context)).state, 'ok')
    const insert = sql`delete from migrations`
    await assert.rejects(insert.execute((await context.database()).kysely))
    const { size } = statSync(file)
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(40_000, 0xff), 0, 40_000, Math.floor(size / 2))
    assert.match(
      textOf(await findingOf('catalogue.integrity', context)),
      /^failed: the file is damaged: .* -> stop the service, keep the file, and restore a copy/,
    )
  })

  test('a file that is not a catalogue fails, and the checks after it are unknown', async (t) => {
    const dataDir = scratchDir()
    writeFileSync(
      sqliteFile(dataDir),
      'not a database, but long enough to be taken for one by its size'.repeat(50),
    )
    const context = contextFor({ DATA_DIR: dataDir })
    t.after(context.close)
    const results = await runChecks(context, [catalogueChecks], { fix: false })
    assert.equal(results[0]?.finding.state, 'failed')
    assert.equal(results[1]?.finding.state, 'unknown')
  })

  test('copies from before upgrades are reported with number, size and age', async () => {
    const dataDir = scratchDir()
    const nowMs = Date.UTC(2026, 10, 23)
    const context = contextFor({ DATA_DIR: dataDir }, { nowMs })
    assert.equal((await findingOf('catalogue.upgrade-copies', context)).state, 'ok')
    const of = (daysAgo: number) => join(dataDir, `catalogue-before-0017-x-${nowMs - daysAgo * dayMs}.sqlite`)
    writeFileSync(of(40), '')
    truncateSync(of(40), 5_000_000)
    assert.match(
      textOf(await findingOf('catalogue.upgrade-copies', context)),
      /^notice: 1 copy \(4\.8 MiB\), the newest from 2026-10-14.* -> remove catalogue-before-/,
    )
    writeFileSync(of(3), '')
    assert.match(textOf(await findingOf('catalogue.upgrade-copies', context)), /^ok: 2 copies .*2026-11-20$/)
  })

  test('a log that an open reader makes grow is measured', async () => {
    const db = await open()
    const file = db.source.dialect === 'sqlite' ? db.source.file : assert.fail()
    const reader = openSqliteConnection(file, { busyTimeoutMs: 0, readOnly: true })
    reader.exec('begin; select * from migrations')
    for (let index = 0; index < 50; index++)
      await sql`update migrations set applied_at_ms = ${index}`.execute(db.kysely)
    const found = await factsOf(db).readSize(db)
    reader.close()
    assert.ok(found.logBytes >= 50 * 4096, String(found.logBytes))
    assert.ok(found.bytes > 100_000)
  })
})

onPostgres('a catalogue on a server', (open) => {
  const urlOf = (db: Awaited<ReturnType<typeof open>>) =>
    db.source.dialect === 'postgres' ? db.source.url : assert.fail()

  test('its clock, connections, encryption, transactions and pooler are read', async () => {
    const db = await open()
    const facts = factsOf(db)
    assert.ok(Math.abs(Number(await facts.readClockMs(db)) - Date.now()) < 5_000)
    const { most, used } = (await facts.readConnections(db)) ?? assert.fail()
    assert.equal(most, 197)
    assert.ok(used >= 1)
    assert.deepEqual(await facts.readEncryption(db), { isEncrypted: false, isLocal: true })
    assert.equal(await facts.isPooled(db), false)
    const client = new Client({ connectionString: urlOf(db), application_name: 'somebody' })
    await client.connect()
    await client.query('begin; select 1')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const old = (await facts.readOldTransactions(db)) ?? assert.fail()
    await client.end()
    assert.ok(old.oldestMs >= 50)
    assert.match(old.holder, / \(process \d+, /)
    assert.ok(old.wraparoundShare < 0.1)
    assert.equal(old.prepared, 0)
    const pooler = await startTestPooler(urlOf(db), { refusesParameters: false })
    const pooled = contextFor({ DATA_DIR: scratchDir(), DATABASE_URL: pooler.through(urlOf(db)) })
    assert.match(
      textOf(await findingOf('catalogue.pooler', pooled)),
      /^notice: connections go through a pooler/,
    )
    assert.equal((await findingOf('catalogue.answers', pooled)).state, 'ok')
    await pooled.close()
    await pooler.close()
  })

  test('--fix analyzes tables without statistics, and writes nothing else', async (t) => {
    const db = await open({ unshared: true })
    const client = new Client({ connectionString: urlOf(db) })
    await client.connect()
    await client.query('alter table changes set (autovacuum_enabled = off)')
    // Another test may have used this database before, and the server may have analyzed it then.
    await client.query('select pg_stat_reset()')
    await client.query(
      `insert into changes (canonical_code, version) select n, pg_current_xact_id() from generate_series(1, 10100) as n`,
    )
    await client.query('select pg_stat_force_next_flush()')
    await client.end()
    const context = contextFor({ DATA_DIR: scratchDir(), DATABASE_URL: urlOf(db) })
    t.after(context.close)
    assert.match(
      textOf(await findingOf('catalogue.statistics', context)),
      /^warning: it has no statistics of changes.* -> run "analyze;" as SQL, or \.\/everscan doctor --fix/,
    )
    await assert.rejects(sql`delete from changes`.execute((await context.database()).kysely))
    const fixed = await findingOf('catalogue.statistics', context, { fix: true })
    assert.deepEqual([fixed.state, fixed.fixed], ['ok', 'analyzed all tables'])
  })

  test('the refusal of a server is reported in the same words as at a start', async (t) => {
    const db = await open()
    const url = new URL(urlOf(db))
    url.password = 'wrong'
    const refused = contextFor({ DATA_DIR: scratchDir(), DATABASE_URL: url.href })
    t.after(refused.close)
    const text = textOf(await findingOf('catalogue.answers', refused))
    assert.match(text, /^failed: DATABASE_URL: .* refused the user "everscan" with this password/)
    assert.doesNotMatch(text, /wrong/)
    const away = contextFor({ DATA_DIR: scratchDir(), DATABASE_URL: 'postgres://u:p@127.0.0.1:1/db' })
    t.after(away.close)
    assert.match(
      textOf(await findingOf('catalogue.answers', away)),
      /^failed: PostgreSQL at 127\.0\.0\.1:1: .* -> start the database server, or correct DATABASE_URL/,
    )
    assert.equal((await findingOf('catalogue.size', away)).state, 'unknown')
  })
})

test('each fact is judged, with its remedy', () => {
  assert.equal(judgeSchema([], []).state, 'ok')
  assert.match(
    textOf(
      judgeSchema(
        migrations.map(({ name }) => name),
        [],
      ),
    ),
    /^warning: there is none: nothing of Everscan is in this database -> .*correct DATABASE_URL/,
  )
  const server = { product: 'PostgreSQL 14.5', refusal: undefined, ends: '2026-11-12' }
  assert.equal(judgeVersion(server, Date.UTC(2026, 0, 1)).state, 'ok')
  assert.match(
    textOf(judgeVersion(server, Date.UTC(2027, 0, 1))),
    /^warning: .*since 2026-11-12 -> upgrade the server/,
  )
  assert.match(textOf(judgeVersion({ ...server, refusal: 'too old' }, 0)), /^failed: too old -> upgrade it/)

  const setting = { name: 'fsync', value: 'on', keeps: 'whole' } as const
  const late = { name: 'synchronous_commit', value: 'off', keeps: 'behind' } as const
  assert.equal(judgeDurability([setting]).state, 'ok')
  assert.match(
    textOf(judgeDurability([setting, late])),
    /^warning: synchronous_commit = off: .* -> set synchronous_commit/,
  )
  assert.match(
    textOf(judgeDurability([{ name: 'fsync', value: 'off', keeps: 'broken' }, late])),
    /^failed: fsync = off, synchronous_commit = off: .* -> set fsync and synchronous_commit/,
  )

  assert.equal(judgeConnections({ most: 100, used: 20, machines: 1 }, 20, true).state, 'ok')
  assert.match(
    textOf(judgeConnections({ most: 100, used: 85, machines: 1 }, 20, true)),
    /^warning: .* -> raise max_connections/,
  )
  assert.equal(
    judgeConnections({ most: 100, used: 70, machines: 1 }, 20, false).state,
    'warning',
    'the next start adds its connections',
  )
  assert.equal(judgeConnections({ most: 15, used: 1, machines: 1 }, 20, false).state, 'failed')
  assert.match(
    textOf(judgeConnections({ most: 100, used: 40, machines: 5 }, 20, true)),
    /^warning: .*opens up to 20, 5 machines up to 100 -> .*lower DATABASE_CONNECTIONS/,
  )
  assert.equal(connectionsOf({ frontProcesses: 2, apiProcesses: 1, databaseConnections: 8 }), 30)

  assert.match(
    textOf(judgeEncryption({ isEncrypted: false, isLocal: false })),
    /^warning: none: .*sslmode=verify-full/,
  )
  assert.equal(judgeEncryption({ isEncrypted: true, isLocal: false }).state, 'ok')

  const old = { oldestMs: 0, holder: '', prepared: 0, wraparoundShare: 0.1 }
  assert.equal(judgeTransactions(old).state, 'ok')
  assert.match(
    textOf(judgeTransactions({ ...old, oldestMs: 3_600_000, holder: 'psql (process 7, idle)' })),
    /^warning: one has been open for 60 minutes, by psql .* -> end it: select pg_terminate_backend/,
  )
  assert.match(
    textOf(judgeTransactions({ ...old, prepared: 1 })),
    /^warning: 1 prepared transaction .*pg_prepared_xacts/,
  )
  assert.match(
    textOf(judgeTransactions({ ...old, wraparoundShare: 0.6 })),
    /^warning: 60 % .* -> run "vacuum freeze;"/,
  )

  const size = { bytes: 2 ** 30, unusedBytes: 0, logBytes: 0 }
  assert.equal(judgeSize(size).state, 'ok')
  assert.match(
    textOf(judgeSize({ ...size, logBytes: 2 ** 29 })),
    /^warning: .*grown to 512 MiB.* -> restart the service/,
  )
  assert.match(
    textOf(judgeSize({ ...size, unusedBytes: 2 ** 29 })),
    /^notice: .*512 MiB belong to deleted rows.* -> nothing/,
  )
  assert.match(
    textOf(judgeSize({ ...size, unusedBytes: 2 ** 29 }, 'postgres://u@h/qr')),
    /-> run "vacuum \(full\);".* qr,/,
  )
})

test('an empty database is told as such by every check, none of which asks to report a bug', async () => {
  const context = contextFor({ DATABASE_URL: await newPostgresDatabase(), DATA_DIR: scratchDir() })
  try {
    for (const { name } of catalogueChecks.checks) {
      const text = textOf(await findingOf(name, context))
      assert.doesNotMatch(text, /report it as a bug/, name)
    }
    assert.match(
      textOf(await findingOf('catalogue.schema', context)),
      /nothing of Everscan is in this database/,
    )
    assert.match(
      textOf(await findingOf('catalogue.connections', context)),
      /^unknown: the database holds no catalogue yet/,
    )
  } finally {
    await context.close()
  }
})
