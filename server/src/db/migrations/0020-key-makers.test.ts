import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listApiKeys } from '../../catalogue/organizations/api-keys.ts'
import { systemActor } from '../../catalogue/rows/change-origins.ts'
import { migrateDatabase, migrations } from './migrate.ts'
import { openDatabase } from '../open-database.ts'
import { silentLog, testPostgres } from '../testing/databases.ts'

const older = migrations.filter(({ name }) => name < '0020')
const organizationId = 'org_1'

for (const databaseUrlOf of [async () => undefined, async () => (await testPostgres()).createDatabase()]) {
  test('keys of an older catalogue get their makers from the audit log', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-key-makers-'))
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
      for (const [id, atMs] of [
        ['key_1', 3],
        ['key_2', 2],
        ['key_3', 1],
      ])
        await sql`
          insert into api_keys (organization_id, id, name, role, prefix, hash, created_at_ms)
          values (${organizationId}, ${id}, 'x', 'ADMIN', 'evs_', ${id}, ${atMs})
        `.execute(kysely)
      const name = 'O\'Neil "CI" \\ Ä'
      for (const [id, action, kind, actorId, target] of [
        ['aud_1', 'api-key.create', 'api-key', 'key_0', 'key_1'],
        ['aud_2', 'api-key.create', 'system', null, 'key_2'],
        ['aud_3', 'api-key.revoke', 'user', 'usr_1', 'key_1'],
      ])
        await sql`
          insert into audit_log
            (organization_id, id, action, actor_kind, actor_id, actor_name, target_id, fields, via, country, created_at_ms)
          values
            (${organizationId}, ${id}, ${action}, ${kind}, ${actorId}, ${name}, ${target}, '', 'api', 'XX', 1)
        `.execute(kysely)
      await migrateDatabase(db)
      const { rows } = await listApiKeys(db, organizationId, { page: 1, limit: 10 })
      assert.deepEqual(
        rows.map(({ madeBy }) => madeBy),
        // The creation of the third is not in the log.
        [{ kind: 'api-key', id: 'key_0', name }, { kind: 'system', id: null, name }, systemActor],
      )
    } finally {
      await db.close()
      rmSync(dataDir, { recursive: true })
    }
  })
}
