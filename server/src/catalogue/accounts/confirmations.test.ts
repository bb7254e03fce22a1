import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { migrateDatabase, migrations } from '../../db/migrations/migrate.ts'
import { openDatabase } from '../../db/open-database.ts'
import { silentLog, testPostgres } from '../../db/testing/databases.ts'
import { findSession } from './sessions.ts'
import { createToken, hashOfToken } from './tokens.ts'

const older = migrations.filter(({ name }) => name < '0026')

for (const databaseUrlOf of [async () => undefined, async () => (await testPostgres()).createDatabase()]) {
  test('sessions of an older catalogue stay signed in, and are not confirmed', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-fresh-sessions-'))
    const db = await openDatabase({
      dataDir,
      databaseUrl: await databaseUrlOf(),
      role: 'writer',
      log: silentLog,
    })
    try {
      await migrateDatabase(db, older)
      const token = createToken()
      await sql`
        insert into users (id, email, name, created_at_ms) values ('usr_1', 'ada@example.com', 'Ada', 1)
      `.execute(db.kysely)
      await sql`
        insert into sessions (id, user_id, token_hash, created_at_ms, last_used_at_ms, expires_at_ms)
        values ('ses_1', 'usr_1', ${hashOfToken(token)}, 1, 1, 9)
      `.execute(db.kysely)
      await migrateDatabase(db)
      const found = await findSession(db, token, { nowMs: 2 })
      assert.deepEqual([found?.session.id, found?.session.confirmedAtMs], ['ses_1', null])
    } finally {
      await db.close()
      rmSync(dataDir, { recursive: true })
    }
  })
}
