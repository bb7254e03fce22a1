import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createFolder } from '../codes/folders.ts'
import { createQrCode, updateQrCode } from '../codes/qr-codes.ts'
import { createSavedStyle } from '../codes/saved-styles.ts'
import { createApiKey } from '../organizations/api-keys.ts'
import { createOrganization } from '../organizations/organizations.ts'
import { systemOrigin as origin } from '../rows/change-origins.ts'
import { saveMember } from '../accounts/users.ts'
import { shapeAfter } from '../../db/dump/catalogue-shape.ts'
import { migrations } from '../../db/migrations/migrate.ts'
import type { Database } from '../../db/database.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { bootstrap } from './bootstrap.ts'
import { deleteDemo } from './delete-demo.ts'
import { findDemo, listOperators, removingDemo, saveDemo } from './demo-organizations.ts'

const nowMs = Date.UTC(2026, 10, 24)
const tables = shapeAfter(
  migrations.map(({ name }) => name),
  'the catalogue',
).tables.filter(({ columns }) => columns.some(({ name }) => name === 'organization_id'))

/** Returns the number of an organization's rows in each table that has some. */
async function rowsOf(db: Database, organizationId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number | string }>`
      select count(*) as count from ${sql.table(name)}
      where organization_id = ${organizationId}`.execute(db.kysely)
    const count = Number(rows[0]?.count)
    if (count > 0) counts[name] = count
  }
  return counts
}

/** Fills an organization with codes in nested folders, and with what people make beside them. */
async function fill(db: Database, id: string, userId: string): Promise<string[]> {
  await saveMember(db, id, { userId, role: 'ADMIN' })
  await createApiKey(db, id, { name: 'Key', role: 'ADMIN', userId, origin })
  await createSavedStyle(db, id, { name: 'Look', style: {}, isDefault: true, origin, nowMs })
  const outer = await createFolder(db, id, { name: 'Outer', origin })
  const inner = await createFolder(db, id, { name: 'Inner', parentId: outer?.id, origin })
  const shortCodes: string[] = []
  for (let index = 0; index < 7; index++) {
    const data = { url: 'https://example.com' }
    const picture = { version: 1, mask: 0 }
    const folderId = [outer?.id, inner?.id, null][index % 3]
    const draft = {
      type: 'URL',
      name: `Code ${index}`,
      data,
      tags: ['a'],
      folderId,
      picture,
      origin,
    } as const
    const row = await createQrCode(db, id, draft)
    await updateQrCode(db, row, { name: `Renamed ${index}`, origin })
    shortCodes.push(row.shortCode)
  }
  const job = {
    organization_id: id,
    id: `job_${id}`,
    kind: 'import',
    status: 'PENDING',
    input: '{}',
  } as const
  const times = { run_at_ms: 0, created_at_ms: 0, updated_at_ms: 0 }
  await db.kysely
    .insertInto('jobs')
    .values({
      ...job,
      ...times,
      progress: '{}',
      attempts: 0,
      lease_number: 0,
      lease_until_ms: null,
      completed_at_ms: null,
    })
    .execute()
  const error = { line: 1, column_name: null, code: 'X', message: 'x', cells: '[]' }
  const errors = Array.from({ length: 2_100 }, (_, index) => ({
    organization_id: id,
    job_id: job.id,
    row_number: index + 1,
    ...error,
  }))
  await db.kysely.insertInto('import_row_errors').values(errors).execute()
  return shortCodes
}

forEachDatabase('deleting the demo', (open) => {
  test('leaves nothing but its short codes, and touches no other organization', async () => {
    const db = await open()
    const { organizationId, userId } = (await bootstrap(db, bootstrapped)) ?? {
      organizationId: '',
      userId: '',
    }
    const { id } = await createOrganization(db, { name: 'Demo' })
    await fill(db, organizationId, userId)
    const shortCodes = await fill(db, id, userId)
    await saveDemo(db, id, { plan: '{}' })
    const others = await rowsOf(db, organizationId)
    assert.ok(Object.keys(await rowsOf(db, id)).length >= 12)
    const progress: number[] = []
    const onProgress = (codes: number): void => void progress.push(codes)
    assert.deepEqual(await deleteDemo(db, { origin, onProgress }), { id, name: 'Demo', codes: 7 })
    assert.deepEqual(progress, [1, 2, 3, 4, 5, 6, 7])
    assert.deepEqual(await rowsOf(db, id), { short_codes: 7 })
    assert.deepEqual(await rowsOf(db, organizationId), others)
    assert.equal(await findDemo(db), undefined)
    const taken = await db.kysely
      .selectFrom('short_codes')
      .selectAll()
      .where('organization_id', '=', id)
      .execute()
    for (const row of taken) assert.ok(row.deleted_at_ms !== null)
    const picture = { version: 1, mask: 0 }
    for (const shortCode of shortCodes) {
      const draft = {
        type: 'URL',
        name: 'Again',
        data: { url: 'https://example.com' },
        picture,
        origin,
      } as const
      await assert.rejects(createQrCode(db, organizationId, { ...draft, shortCode }), { status: 409 })
    }
    const changed = await db.kysely.selectFrom('changes').select('canonical_code').execute()
    for (const shortCode of shortCodes)
      assert.ok(
        changed.some((row) => row.canonical_code === shortCode),
        'fronts forget the codes',
      )
    assert.equal(await deleteDemo(db, { origin }), undefined)
  })

  test('after an interruption the next call deletes the rest; until then nobody acts in it', async () => {
    const db = await open()
    const { userId } = (await bootstrap(db, bootstrapped)) ?? { userId: '' }
    const { id } = await createOrganization(db, { name: 'Demo' })
    await fill(db, id, userId)
    await saveDemo(db, id, { plan: '{}' })
    const stopping = new AbortController()
    const onProgress = (codes: number): void => (codes === 3 ? stopping.abort() : undefined)
    await assert.rejects(deleteDemo(db, { origin, onProgress, signal: stopping.signal }), /interrupted/)
    const left = await rowsOf(db, id)
    assert.equal(left['qr_codes'], 4)
    assert.deepEqual([left['members'], left['api_keys']], [undefined, undefined])
    assert.equal((await findDemo(db))?.plan, removingDemo)
    assert.deepEqual(await deleteDemo(db, { origin }), { id, name: 'Demo', codes: 4 })
    assert.deepEqual(await rowsOf(db, id), { short_codes: 7 })
  })

  test('an organization that is no demo is never deleted', async () => {
    const db = await open()
    const made = await bootstrap(db, bootstrapped)
    assert.equal(await deleteDemo(db, { origin }), undefined)
    assert.ok((await rowsOf(db, made?.organizationId ?? ''))['members'] === 1)
  })

  test("the operators are the ADMINs of the operator's organization, or else the oldest account", async () => {
    const db = await open()
    assert.deepEqual(await listOperators(db), [])
    const made = await bootstrap(db, bootstrapped)
    const admin = { id: made?.userId, email: bootstrapped.email }
    assert.deepEqual(await listOperators(db), [admin])
    await saveMember(db, made?.organizationId ?? '', { userId: made?.userId ?? '', role: 'VIEWER' })
    assert.deepEqual(await listOperators(db), [admin])
  })
})

const bootstrapped = {
  organizationName: 'Own',
  email: 'first@example.com',
  password: 'correct horse 4711 battery',
}
