import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { prepareDatabase } from './migrate.ts'
import { checkIntegrity, openSqliteConnection, sqliteFile } from '../dialects/sqlite.ts'
import { silentLog } from '../testing/databases.ts'
import { programArgs } from '../testing/program-args.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'

const kills = process.env['SOAK'] === '1' ? 200 : 4
const dataDir = mkdtempSync(join(tmpdir(), 'everscan-kills-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

/** Writes transactions of three rows for ever, and prints each after its commit. */
const program = `
  import { pino } from 'pino'
  import { inTransaction } from '${import.meta.dirname}/../database.ts'
  import { recordChanges } from '${import.meta.dirname}/../feeds/changes.ts'
  import { openDatabase } from '${import.meta.dirname}/../open-database.ts'
  const db = await openDatabase({ dataDir: process.argv[1], role: 'writer', log: pino({ level: 'silent' }) })
  for (let count = 0; ; count++) {
    const id = process.argv[2] + '-' + count
    await inTransaction(db, async (tx) => {
      const times = { created_at_ms: 1, updated_at_ms: 1 }
      await tx.kysely.insertInto('organizations').values({ id, name: 'x', slug: id, ...times }).execute()
      await tx.kysely.insertInto('users').values({ id, email: id, name: 'x', password_hash: null, created_at_ms: 1 }).execute()
      await recordChanges(tx, [id])
    })
    process.stdout.write(id + '\\n')
  }`

test(`a SQLite catalogue whose writer is killed ${kills} times is intact and has every committed row`, async () => {
  const random = seededRandom()
  const db = await prepareDatabase({ dataDir, log: silentLog })
  await db.close()
  const acknowledged: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    const child = spawn(process.execPath, [...programArgs(program), dataDir, `k${kill}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.on('data', (bytes: Buffer) => {
      output += bytes.toString()
    })
    await once(child.stdout, 'data')
    await new Promise((resolve) => setTimeout(resolve, random() * 60))
    child.kill('SIGKILL')
    await once(child, 'close')
    // Text after the last line break was not printed completely.
    acknowledged.push(...output.split('\n').slice(0, -1))
  }
  const connection = openSqliteConnection(sqliteFile(dataDir), { busyTimeoutMs: 0, readOnly: true })
  checkIntegrity(connection)
  const ids = (table: string) => connection.prepare<[], string>(`select id from ${table}`).pluck().all()
  const organizations = new Set(ids('organizations'))
  assert.ok(acknowledged.length > kills)
  assert.deepEqual(
    acknowledged.filter((id) => !organizations.has(id)),
    [],
  )
  assert.deepEqual(new Set(ids('users')), organizations, 'all of a transaction or nothing')
  const changed = connection.prepare<[], string>('select canonical_code from changes').pluck().all()
  assert.deepEqual(new Set(changed), organizations)
  connection.close()
})
