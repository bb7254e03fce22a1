import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { sql } from 'kysely'
import { someQrCode } from '../../../catalogue/testing/catalogue.ts'
import { createQrCode } from '../../../catalogue/codes/qr-codes.ts'
import { migrateDatabase, migrations } from '../migrate.ts'
import { openDatabase } from '../../open-database.ts'
import { countCodes } from '../../lists/qr-code-counts.ts'
import { silentLog, testPostgres } from '../../testing/databases.ts'

test('counts that an older release left in many rows are preserved and continue', async () => {
  const databaseUrl = await (await testPostgres()).createDatabase()
  const db = await openDatabase({ dataDir: tmpdir(), databaseUrl, role: 'writer', log: silentLog })
  try {
    await migrateDatabase(
      db,
      migrations.filter(({ name }) => name < '0007'),
    )
    const organizationId = 'org_1'
    const { kysely } = db
    await sql`insert into organizations values (${organizationId}, 'Old', 'old', 1, 1)`.execute(kysely)
    for (const codes of [3, 1, -1])
      await sql`insert into qr_code_counts values (${organizationId}, 'URL', 'ACTIVE', '', ${codes}, 5)`.execute(
        kysely,
      )
    await migrateDatabase(db)
    assert.deepEqual(await countCodes(db, { organizationId }), {
      all: 3,
      inFolder: 3,
      ofKind: 3,
      revision: 15,
    })
    await createQrCode(db, organizationId, someQrCode())
    const counts = await countCodes(db, { organizationId })
    assert.equal(counts.all, 4)
    assert.ok(counts.revision > 15)
  } finally {
    await db.close()
  }
})
