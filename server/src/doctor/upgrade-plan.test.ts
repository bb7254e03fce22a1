import assert from 'node:assert/strict'
import { closeSync, mkdirSync, openSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { migrateScanStore, pendingStoreMigrations, scanStoreSchema } from '../analytics/store/migrations.ts'
import { firstColumns } from '../analytics/testing/scan-rows.ts'
import { startTestStore } from '../analytics/testing/store.ts'
import type { Database } from '../db/database.ts'
import { sqliteFile } from '../db/dialects/sqlite.ts'
import { forEachDatabase, onSqlite } from '../db/testing/databases.ts'
import { FatalError } from '../errors.ts'
import { writeIdentity } from '../processes/identity-file.ts'
import { CannotTell } from './cannot-tell.ts'
import type { DoctorContext } from './context.ts'
import { contextFor, matchingParts, scratchDir } from './testing/doctor.ts'
import { planUpgrade } from './upgrade-plan.ts'

const { store, remove } = await startTestStore({ schema: 'none' })
after(remove)
const env = (dataDir: string) => ({ DATA_DIR: dataDir, SECRET: 's'.repeat(32) })

/** Returns a context with this catalogue, and with its address if it is on a server. */
const contextOf = (db: Database, dataDir: string, given: Partial<DoctorContext> = {}): DoctorContext => {
  if (db.source.dialect === 'sqlite') writeFileSync(join(dataDir, 'catalogue.sqlite'), '')
  const address = db.source.dialect === 'postgres' ? { DATABASE_URL: db.source.url } : {}
  const opened = { database: async () => db, catalogue: async () => db, store: async () => store }
  return contextFor({ ...env(dataDir), ...address }, { ...opened, ...given })
}

const away = async () => {
  throw new CannotTell('it does not answer', 'start it')
}

forEachDatabase('upgrade --check', (open) => {
  test('there is nothing to do if both are of this release', async () => {
    await migrateScanStore(store)
    const plan = await planUpgrade(contextOf(await open(), scratchDir()))
    assert.deepEqual(plan.refusals, [])
    assert.match(
      plan.catalogue.says,
      /^nothing to do: (SQLite|PostgreSQL) .* has the schema of this release$/,
    )
    assert.match(plan.scanStore.says, /^nothing to do: ClickHouse/)
  })

  test('missing migrations are listed with time and disk space, and nothing is changed', async () => {
    const db = await open({ unshared: true })
    await sql`delete from migrations where name in ('0016-due-uniques', '0017-installation')`.execute(
      db.kysely,
    )
    const { catalogue, refusals } = await planUpgrade(contextOf(db, scratchDir()))
    assert.deepEqual(refusals, [])
    assert.deepEqual(catalogue.migrations, ['0016-due-uniques', '0017-installation'])
    assert.ok(catalogue.durationMs > 0)
    const isCopied = catalogue.bytes > 0
    assert.equal(isCopied, db.source.dialect === 'sqlite')
    assert.match(
      catalogue.says,
      isCopied ? /^2 migrations \(0016.*the start copies it first/ : /make a copy of the database .* first$/,
    )
    const { rows } = await sql`select 1 from migrations where name = '0017-installation'`.execute(db.kysely)
    assert.equal(rows.length, 0)
  })

  test('refused: a catalogue of a later release, foreign parts, a store of another installation', async () => {
    const db = await open({ unshared: true })
    await sql`insert into migrations (name, applied_at_ms) values ('9999-later', 1)`.execute(db.kysely)
    const parts = {
      ...matchingParts,
      refuseForeignParts: async () => {
        throw new FatalError('DATA_DIR belongs to another installation')
      },
      refuseForeignStore: async () => {
        throw new FatalError('the scan store belongs to another installation')
      },
    }
    const { refusals } = await planUpgrade(contextOf(db, scratchDir(), { parts }))
    assert.deepEqual(refusals, [
      'DATA_DIR belongs to another installation',
      'the catalogue: a later release upgraded it (9999-later); run that release, or restore a copy from before the upgrade',
      'the scan store belongs to another installation',
    ])
  })

  test('a start needs an answer of the catalogue, but none of the store', async () => {
    const db = await open()
    const without = await planUpgrade(contextOf(db, scratchDir(), { database: away, store: away }))
    assert.deepEqual(without.refusals, ['it does not answer: start it'])
    const storeAway = await planUpgrade(contextOf(db, scratchDir(), { store: away }))
    assert.deepEqual(storeAway.refusals, [])
    assert.equal(storeAway.scanStore.isKnown, false)
    assert.equal(storeAway.scanStore.says, 'unknown: it does not answer (start it)')
  })
})

onSqlite('upgrade --check of a file', (open) => {
  test('refused without disk space for the copy', async (t) => {
    const db = await open({ unshared: true })
    await sql`delete from migrations where name = '0017-installation'`.execute(db.kysely)
    const dataDir = scratchDir()
    const file = sqliteFile(dataDir)
    await sql`vacuum into ${file}`.execute(db.kysely)
    // A sparse catalogue of 8 TiB: the number of its pages is in its header
    // (https://sqlite.org/fileformat.html).
    const pages = Buffer.alloc(4)
    pages.writeUInt32BE(2 ** 31)
    const handle = openSync(file, 'r+')
    writeSync(handle, pages, 0, 4, 28)
    closeSync(handle)
    truncateSync(file, 2 ** 31 * 4096)
    const context = contextFor(env(dataDir))
    t.after(context.close)
    const { refusals, catalogue } = await planUpgrade(context)
    assert.equal(refusals.length, 1)
    assert.match(
      refusals[0] ?? '',
      /^DATA_DIR: the catalogue is copied before it is upgraded, which needs \d+ MiB of free space in/,
    )
    assert.equal(catalogue.bytes, 2 ** 43)
  })

  test('a new installation works, and is not created; one whose SECRET is lost is refused', async () => {
    const dataDir = join(scratchDir(), 'new')
    const context = contextFor({ DATA_DIR: dataDir })
    const fresh = await planUpgrade(context)
    assert.deepEqual(fresh.refusals, [])
    assert.equal(fresh.catalogue.says, 'there is none yet: the first start creates it')
    assert.equal(statSync(dataDir, { throwIfNoEntry: false }), undefined)
    mkdirSync(dataDir)
    writeIdentity(dataDir, { installation: 'ins_1', epoch: 1, pulse: 1 })
    const { refusals } = await planUpgrade(contextFor({ DATA_DIR: dataDir }))
    assert.match(refusals[0] ?? '', /^SECRET is missing: restore .*secret from/)
  })
})

test('a store of the first release lists its migrations with time and size; one of a later release is refused', async () => {
  await store.command(`drop database ${store.database}`)
  await store.createDatabase()
  await migrateScanStore(store, 1)
  await store.command(
    `insert into scans (${firstColumns})
     select 'org_1', 'qr_1', now64(3), 'w', number, generateUUIDv4(), 'human', '', 'DE', 'Berlin', '', null, null,
       'Mobile', 'iOS', 'Safari', '', 'de', 'bat_1'
     from numbers(40000)`,
  )
  const context = contextFor(env(scratchDir()), {
    store: async () => store,
    catalogue: async () => Promise.reject(new CannotTell('older', 'x')),
  })
  const { scanStore } = await planUpgrade(context)
  assert.deepEqual(scanStore.migrations, pendingStoreMigrations(1))
  assert.equal(scanStore.migrations[0], 'rollups')
  assert.ok(scanStore.durationMs > 0)
  assert.ok(scanStore.bytes > 100_000)
  assert.match(
    scanStore.says,
    /^\d+ migrations .*in seconds; 80,000 rows are rewritten in the background, about [\d,]+ \w+ and .* \(an estimate: the same work on 40,000 rows just took \d+ \w+ here\); codes redirect/,
  )
  const whole = scanStore.durationMs
  await store.command('truncate table first_scans')
  const half = (await planUpgrade(context)).scanStore
  assert.match(half.says, /40,000 rows are rewritten/)
  assert.ok(whole > 0 && half.durationMs > 0)
  assert.deepEqual(await store.select('select max(version) as version from schema_versions'), [
    { version: 1 },
  ])
  await store.insert('schema_versions', ['version', 'name'], [Buffer.from(`${scanStoreSchema + 1}\tlater\n`)])
  const later = await planUpgrade(context)
  assert.match(
    later.refusals[0] ?? '',
    /^the scan store: a later release upgraded it \(schema \d+.*; run that release/,
  )
})
