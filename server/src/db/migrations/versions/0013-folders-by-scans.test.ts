import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { someOrigin, someQrCode } from '../../../catalogue/testing/catalogue.ts'
import { deleteFolder } from '../../../catalogue/codes/folder-deletion.ts'
import { createFolder } from '../../../catalogue/codes/folders.ts'
import { listQrCodes } from '../../../catalogue/codes/qr-code-lists.ts'
import { createQrCode, updateQrCode } from '../../../catalogue/codes/qr-codes.ts'
import { migrateDatabase, migrations } from '../migrate.ts'
import { openDatabase } from '../../open-database.ts'
import { silentLog, testPostgres } from '../../testing/databases.ts'

// The current code writes columns that later migrations add, so only this one is missing.
const older = migrations.filter(({ name }) => !name.startsWith('0013'))
const organizationId = 'org_1'
const origin = someOrigin

for (const databaseUrlOf of [async () => undefined, async () => (await testPostgres()).createDatabase()]) {
  test('counters of an older catalogue get their folders and follow every move', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-folders-'))
    const databaseUrl = await databaseUrlOf()
    const db = await openDatabase({ dataDir, databaseUrl, role: 'writer', log: silentLog })
    try {
      await migrateDatabase(db, older)
      const organization = { name: 'Acme', slug: 'acme', created_at_ms: 1, updated_at_ms: 1 }
      await db.kysely
        .insertInto('organizations')
        .values({ id: organizationId, ...organization })
        .execute()
      const folders = [await createFolder(db, organizationId, { origin, name: 'A' })]
      folders.push(await createFolder(db, organizationId, { origin, name: 'B' }))
      const [a = '', b = ''] = folders.map((folder) => folder?.id)
      const create = async (name: string, folderId?: string) =>
        (
          await createQrCode(
            db,
            organizationId,
            someQrCode({ name, ...(folderId !== undefined && { folderId }) }),
          )
        ).id
      const old = await create('old', a)
      await create('loose')
      await migrateDatabase(db)

      const namesIn = async (folderId: string) => {
        const query = { folderId, sort: 'totalScans', order: 'asc', page: 1, limit: 10 } as const
        return (await listQrCodes(db, organizationId, query)).rows.map(({ name }) => name).sort()
      }
      assert.deepEqual(await namesIn(a), ['old'])
      const fresh = await create('fresh', a)
      assert.deepEqual(await namesIn(a), ['fresh', 'old'])
      await updateQrCode(db, { organizationId, id: old }, { origin, folderId: b })
      assert.deepEqual([await namesIn(a), await namesIn(b)], [['fresh'], ['old']])
      await deleteFolder(db, { organizationId, id: b }, { origin })
      const counters = await db.kysely
        .selectFrom('scan_counters')
        .select(['qr_code_id', 'folder_id'])
        .execute()
      assert.deepEqual(new Map(counters.map((row) => [row.qr_code_id, row.folder_id])).get(fresh), a)
      assert.equal(counters.filter((row) => row.folder_id !== null).length, 1)
      assert.equal(counters.length, 3)
    } finally {
      await db.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
}
