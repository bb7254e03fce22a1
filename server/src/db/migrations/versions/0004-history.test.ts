import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { someOrigin } from '../../../catalogue/testing/catalogue.ts'
import { systemActor } from '../../../catalogue/rows/change-origins.ts'
import { listQrCodeVersions } from '../../../catalogue/codes/qr-code-history.ts'
import { readQrCode, updateQrCode } from '../../../catalogue/codes/qr-codes.ts'
import { migrateDatabase, migrations } from '../migrate.ts'
import { openDatabase } from '../../open-database.ts'
import { silentLog, testPostgres } from '../../testing/databases.ts'

const before = migrations.filter(({ name }) => name < '0004')

for (const databaseUrlOf of [async () => undefined, async () => (await testPostgres()).createDatabase()]) {
  test('a code of an older catalogue has version 1, from its creation and by the system', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-history-'))
    const databaseUrl = await databaseUrlOf()
    const db = await openDatabase({ dataDir, databaseUrl, role: 'writer', log: silentLog })
    try {
      await migrateDatabase(db, before)
      const organizationId = 'org_1'
      const organization = {
        id: organizationId,
        name: 'Acme',
        slug: 'acme',
        created_at_ms: 1,
        updated_at_ms: 1,
      }
      await db.kysely.insertInto('organizations').values(organization).execute()
      const own = { organization_id: organizationId, created_at_ms: 1_000 }
      const code = { ...own, canonical_code: 'ABCD', short_code: 'abcd', qr_code_id: 'qr_1' }
      await db.kysely.insertInto('short_codes').values(code).execute()
      const counter = { organization_id: organizationId, qr_code_id: 'qr_1', total_scans: 0, unique_scans: 0 }
      const row = {
        ...own,
        id: 'qr_1',
        canonical_code: 'ABCD',
        type: 'URL',
        name: 'Old',
        name_search: 'old',
        data: '{"url":"https://example.com/"}',
        style: '{}',
        metadata: '{}',
        status: 'ACTIVE',
        picture_version: 2,
        picture_mask: 3,
        version: 7,
        updated_at_ms: 2_000,
      } as const
      await db.kysely.insertInto('qr_codes').values(row).execute()
      await db.kysely.insertInto('scan_counters').values(counter).execute()

      await migrateDatabase(db)
      const key = { organizationId, id: 'qr_1' }
      const old = await readQrCode(db, key)
      const mark = { version: 1, changed: [], changedAtMs: 1_000, changedBy: systemActor }
      assert.deepEqual(old?.history, mark)
      const after = await updateQrCode(db, key, { name: 'New', origin: someOrigin, nowMs: 3_000 })
      const { rows } =
        after === undefined ? { rows: [] } : await listQrCodeVersions(db, after, { page: 1, limit: 5 })
      assert.deepEqual(
        rows.map(({ version, name }) => [version, name]),
        [
          [2, 'New'],
          [1, 'Old'],
        ],
      )
    } finally {
      await db.close()
      rmSync(dataDir, { recursive: true })
    }
  })
}
