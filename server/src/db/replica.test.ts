import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { sql } from 'kysely'
import type { Database } from './database.ts'
import { openDatabase } from './open-database.ts'
import { Replica } from './replica.ts'
import { startPostgres, type TestPostgres, type TestStandby } from './testing/postgres.ts'
import { silentLog } from './testing/templates.ts'

let postgres: TestPostgres
let standby: TestStandby
let databaseUrl: string
let db: Database

before(async () => {
  postgres = await startPostgres()
  databaseUrl = await postgres.createDatabase()
  // As servers have it; those of tests do not wait for the disk.
  await onServer(
    databaseUrl,
    `alter database ${new URL(databaseUrl).pathname.slice(1)} set synchronous_commit = on`,
  )
  standby = await postgres.startStandby()
  db = await openDatabase({ databaseUrl, dataDir: '/nonexistent', role: 'writer', log: silentLog })
  await sql`create table notes (id int primary key, line text)`.execute(db.kysely)
})
after(async () => {
  await db.close()
  await postgres.remove()
})

const openReplica = (url = standby.urlOf(databaseUrl)) => new Replica({ url, primary: db, log: silentLog })
const countOf = async (from: Database): Promise<number> => {
  const { rows } = await sql<{ notes: number }>`select count(*)::int as notes from notes`.execute(from.kysely)
  return rows[0]?.notes ?? -1
}
const isStandby = async (from: Database): Promise<boolean> => {
  const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(from.kysely)
  return rows[0]?.is === true
}
const add = async (id: number) => sql`insert into notes values (${id}, 'a note')`.execute(db.kysely)

async function onServer(connectionString: string, statement: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query(statement)
  await client.end()
}

test('a read after a change has it, and reads are of the replica when it follows', async (t) => {
  const replica = openReplica()
  t.after(() => replica.close())
  for (let id = 0; id < 200; id++) {
    await add(id)
    assert.equal(await replica.read(db, countOf), id + 1)
  }
  const { replica: reads, primary } = replica.stats()
  assert.equal(reads + primary, 200)
  t.diagnostic(`${reads} reads of the replica, ${primary} of the catalogue`)
  while (!(await replica.read(db, isStandby))) await sleep(50)
})

test('a replica that does not follow is not read, and is read again when it has every change', async (t) => {
  const replica = openReplica()
  t.after(() => replica.close())
  await onServer(standby.urlOf(databaseUrl), 'select pg_wal_replay_pause()')
  await add(1_000)
  const fromMs = performance.now()
  assert.equal(await replica.read(db, countOf), 201)
  assert.ok(performance.now() - fromMs < 1_000)
  assert.deepEqual(replica.stats(), { replica: 0, primary: 1 })
  const again = performance.now()
  assert.equal(await replica.read(db, isStandby), false)
  assert.ok(performance.now() - again < 40, 'not every request waits for it')
  await onServer(standby.urlOf(databaseUrl), 'select pg_wal_replay_resume()')
  while (!(await replica.read(db, isStandby))) await sleep(50)
  assert.equal(await replica.read(db, countOf), 201)
})

test('a failure on the replica is read from the catalogue; mistakes are not asked twice', async (t) => {
  const replica = openReplica()
  t.after(() => replica.close())
  const asked: boolean[] = []
  const cancelled = await replica.read(db, async (from) => {
    asked.push(await isStandby(from))
    if (asked.length === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(from.kysely)
    return countOf(from)
  })
  assert.deepEqual([cancelled, asked], [201, [true, false]])
  const other = openReplica()
  t.after(() => other.close())
  await assert.rejects(
    other.read(db, async (from) => sql`select * from no_such_table`.execute(from.kysely)),
    /no_such_table/,
  )
  assert.deepEqual(other.stats(), { replica: 0, primary: 0 })
})

test('an address that is no standby, or of no server, is not read', async (t) => {
  for (const url of [databaseUrl, 'postgres://127.0.0.1:1/none']) {
    const replica = openReplica(url)
    t.after(() => replica.close())
    assert.equal(await replica.read(db, isStandby), false)
    assert.deepEqual(replica.stats(), { replica: 0, primary: 1 })
  }
})
