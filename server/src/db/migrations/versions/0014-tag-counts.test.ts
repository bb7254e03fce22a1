import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { someOrigin, someQrCode } from '../../../catalogue/testing/catalogue.ts'
import { createFolder } from '../../../catalogue/codes/folders.ts'
import { listQrCodes, type ListQrCodes } from '../../../catalogue/codes/qr-code-lists.ts'
import { createQrCode, updateQrCode } from '../../../catalogue/codes/qr-codes.ts'
import { deleteQrCode } from '../../../catalogue/codes/qr-code-deletion.ts'
import { listTags } from '../../../catalogue/codes/tags.ts'
import { migrateDatabase, migrations } from '../migrate.ts'
import { openDatabase } from '../../open-database.ts'
import { addUpCodeCounts } from '../../lists/qr-code-counts.ts'
import { silentLog, testPostgres } from '../../testing/databases.ts'

// The current code writes columns that later migrations add, so only this one is missing.
const older = migrations.filter(({ name }) => !name.startsWith('0014'))
const organizationId = 'org_1'
const origin = someOrigin

for (const databaseUrlOf of [async () => undefined, async () => (await testPostgres()).createDatabase()]) {
  test('tags of an older catalogue are counted, and later changes update the counts', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-tags-'))
    const db = await openDatabase({
      dataDir,
      databaseUrl: await databaseUrlOf(),
      role: 'writer',
      log: silentLog,
    })
    try {
      await migrateDatabase(db, older)
      const organization = { name: 'Acme', slug: 'acme', created_at_ms: 1, updated_at_ms: 1 }
      await db.kysely
        .insertInto('organizations')
        .values({ id: organizationId, ...organization })
        .execute()
      const folderId = (await createFolder(db, organizationId, { origin, name: 'A' }))?.id ?? ''
      const create = (fields: object) => createQrCode(db, organizationId, someQrCode(fields))
      const { id } = await create({ tags: ['x', 'y'], folderId })
      await create({ tags: ['x'] })
      await create({ tags: ['x'], status: 'ARCHIVED' })
      await migrateDatabase(db)

      const total = async (query: Partial<ListQrCodes>) =>
        (await listQrCodes(db, organizationId, { page: 1, limit: 1, ...query })).total
      const totals = async () => [
        await total({ tag: ['x'] }),
        await total({ tag: ['x'], status: 'ACTIVE' }),
        await total({ tag: ['x'], folderId }),
        await total({ tag: ['y'], folderId, status: 'ARCHIVED' }),
      ]
      assert.deepEqual(await totals(), [3, 2, 1, 0])
      await updateQrCode(db, { organizationId, id }, { origin, status: 'ARCHIVED' })
      assert.deepEqual(await totals(), [3, 1, 1, 1])
      await addUpCodeCounts(db)
      await create({ tags: ['x'], folderId })
      assert.deepEqual(await totals(), [4, 2, 2, 1])
      await deleteQrCode(db, { organizationId, id }, { origin })
      assert.deepEqual(await totals(), [3, 2, 1, 0])
      const tags = await listTags(db, organizationId, { page: 1, limit: 10 })
      assert.deepEqual(tags, { rows: [{ tag: 'x', count: 3 }], total: 1 })
    } finally {
      await db.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
}

test('PostgreSQL adds up the rows of connections and deletes counts of zero', async () => {
  const databaseUrl = await (await testPostgres()).createDatabase()
  const db = await openDatabase({ dataDir: tmpdir(), databaseUrl, role: 'writer', log: silentLog })
  try {
    await migrateDatabase(db)
    const organization = { name: 'Acme', slug: 'acme', created_at_ms: 1, updated_at_ms: 1 }
    await db.kysely
      .insertInto('organizations')
      .values({ id: organizationId, ...organization })
      .execute()
    const row = { organization_id: organizationId, folder_id: '*', type: 'URL', status: 'ACTIVE' } as const
    const rowsOf = (tag: string, codes: readonly number[]) =>
      codes.map((count, index) => ({ ...row, tag, codes: count, writer: index + 1 }))
    const added = Array.from({ length: 100 }, () => 1)
    await db.kysely
      .insertInto('qr_code_tag_counts')
      .values([...rowsOf('x', added), ...rowsOf('gone', [1, -1])])
      .execute()
    await addUpCodeCounts(db)
    const rows = await db.kysely.selectFrom('qr_code_tag_counts').select(['tag', 'codes', 'writer']).execute()
    assert.deepEqual(rows, [{ tag: 'x', codes: 100, writer: 0 }])
  } finally {
    await db.close()
  }
})
