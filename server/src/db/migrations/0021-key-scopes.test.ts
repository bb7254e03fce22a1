import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { hashApiKey } from '../../catalogue/organizations/api-key-values.ts'
import { findApiKey } from '../../catalogue/organizations/api-keys.ts'
import { migrateDatabase, migrations } from './migrate.ts'
import { openDatabase } from '../open-database.ts'
import { silentLog, testPostgres } from '../testing/databases.ts'

const older = migrations.filter(({ name }) => name < '0021')
const organizationId = 'org_1'

for (const databaseUrlOf of [async () => undefined, async () => (await testPostgres()).createDatabase()]) {
  test('keys of an older catalogue keep working, everywhere and for all that their role allows', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-key-scopes-'))
    const db = await openDatabase({
      dataDir,
      databaseUrl: await databaseUrlOf(),
      role: 'writer',
      log: silentLog,
    })
    const { kysely } = db
    try {
      await migrateDatabase(db, older)
      const organization = { name: 'Acme', slug: 'acme', created_at_ms: 1, updated_at_ms: 1 }
      await kysely
        .insertInto('organizations')
        .values({ id: organizationId, ...organization })
        .execute()
      const value = 'a-key-of-an-older-release-with-any-form'
      await sql`
        insert into api_keys (organization_id, id, name, role, prefix, hash, created_at_ms)
        values (${organizationId}, 'key_1', 'x', 'EDITOR', 'evs_', ${hashApiKey(value)}, 1)
      `.execute(kysely)
      await migrateDatabase(db)
      const found = await findApiKey(db, value)
      assert.deepEqual(
        [found?.state, found?.key.role, found?.key.scopes, found?.key.networks],
        ['VALID', 'EDITOR', null, null],
      )
    } finally {
      await db.close()
      rmSync(dataDir, { recursive: true })
    }
  })
}
