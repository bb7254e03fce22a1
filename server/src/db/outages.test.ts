import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { openChangeFeed, recordChanges } from './feeds/changes.ts'
import { databaseReady } from './database-ready.ts'
import { inTransaction, type Database } from './database.ts'
import { CatalogueUnavailable } from './errors.ts'
import { prepareDatabase } from './migrations/migrate.ts'
import { openDatabase } from './open-database.ts'
import { startPostgres, type TestPostgres } from './testing/postgres.ts'
import { openScanLookup } from './scans/scan-lookup.ts'
import { silentLog } from './testing/databases.ts'
import { sendSignal } from '../processes/testing/signals.ts'

const organization = (id: string) => ({ id, name: 'x', slug: id, created_at_ms: 1, updated_at_ms: 1 })

const insertOrganization = (db: Database, id: string) =>
  db.kysely.insertInto('organizations').values(organization(id)).execute()

describe('PostgreSQL that is unavailable', () => {
  let postgres: TestPostgres
  let writer: Database
  let reader: Database
  before(async () => {
    postgres = await startPostgres()
    const options = { databaseUrl: await postgres.createDatabase(), dataDir: '', log: silentLog }
    writer = await prepareDatabase(options)
    reader = await openDatabase({ ...options, role: 'reader' })
  })
  after(async () => {
    await writer.close()
    await reader.close()
    await postgres.remove()
  })

  test('when stopped, is CatalogueUnavailable everywhere and at once, and everything works again afterwards', async () => {
    const feed = openChangeFeed(reader)
    const scans = openScanLookup(reader)
    await feed.catchUp()
    assert.equal(await scans.lookup('NONE'), undefined)
    assert.equal(await databaseReady(writer), true)
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
    const interrupted = inTransaction(writer, async (tx) => {
      await insertOrganization(tx, 'org_lost')
      begin()
      await stopped
      await insertOrganization(tx, 'org_lost2')
    })
    await begun
    await postgres.stop()
    stop()
    await assert.rejects(interrupted, CatalogueUnavailable)
    const startMs = performance.now()
    await assert.rejects(insertOrganization(writer, 'org_1'), CatalogueUnavailable)
    await assert.rejects(async () => scans.lookup('NONE'), CatalogueUnavailable)
    await assert.rejects(feed.catchUp(), CatalogueUnavailable)
    assert.equal(await databaseReady(writer), false)
    assert.ok(performance.now() - startMs < 2_000)

    await postgres.start()
    assert.equal(await scans.lookup('NONE'), undefined)
    await inTransaction(writer, (tx) => recordChanges(tx, ['WHILE-AWAY']))
    assert.deepEqual(await feed.catchUp(), ['WHILE-AWAY'])
    const ids = await writer.kysely.selectFrom('organizations').select('id').execute()
    assert.deepEqual(ids, [], 'the interrupted transaction left nothing')
  })

  test('when it hangs, a reader gives up within 4 seconds and continues afterwards', async () => {
    const scans = openScanLookup(reader)
    assert.equal(await scans.lookup('NONE'), undefined)
    const pids = backendsOf(postgres.pid())
    for (const pid of pids) sendSignal(pid, 'SIGSTOP')
    const startMs = performance.now()
    try {
      const lookups = [1, 2, 3].map(() =>
        assert.rejects(async () => scans.lookup('NONE'), CatalogueUnavailable),
      )
      await Promise.all([...lookups, databaseReady(reader).then((ready) => assert.equal(ready, false))])
    } finally {
      for (const pid of pids) sendSignal(pid, 'SIGCONT')
    }
    assert.ok(performance.now() - startMs < 4_000, `${performance.now() - startMs} ms`)
    assert.equal(await scans.lookup('NONE'), undefined)
    assert.equal(await databaseReady(reader), true)
  })

  test('without a listening server, opens and fails at the first query', async () => {
    const databaseUrl = 'postgres://nobody:secret-word@127.0.0.1:1/none'
    const db = await openDatabase({ databaseUrl, dataDir: '', role: 'writer', log: silentLog })
    const failure = await insertOrganization(db, 'org_1').catch((error: unknown) => error)
    assert.ok(failure instanceof CatalogueUnavailable)
    assert.doesNotMatch(`${failure.message} ${String(failure.cause)}`, /secret-word/)
    await assert.rejects(prepareDatabase({ databaseUrl, dataDir: '', log: silentLog }), CatalogueUnavailable)
    await db.close()
  })
})

describe('SQLite that cannot write', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'everscan-full-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  test('because the disk is full, is CatalogueUnavailable, keeps its data and continues once there is space', async () => {
    const db = await prepareDatabase({ dataDir, log: silentLog })
    await insertOrganization(db, 'org_1')
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db.kysely)
    // The closest simulation of a full disk on one connection:
    // https://sqlite.org/pragma.html#pragma_max_page_count
    await sql`pragma max_page_count = ${sql.raw(String(rows[0]?.page_count))}`.execute(db.kysely)
    const fill = inTransaction(db, async (tx) => {
      for (let index = 0; index < 1_000; index++) await insertOrganization(tx, `org_full${index}`.padEnd(500))
    })
    await assert.rejects(fill, CatalogueUnavailable)
    assert.equal((await db.kysely.selectFrom('organizations').select('id').execute()).length, 1)
    await sql`pragma max_page_count = 1000000`.execute(db.kysely)
    await insertOrganization(db, 'org_2')
    assert.equal((await db.kysely.selectFrom('organizations').select('id').execute()).length, 2)
    await db.close()
  })
})

/** Returns the server's main process and its children. */
function backendsOf(pid: number): number[] {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return [pid, ...children.trim().split(/\s+/).map(Number)]
}
