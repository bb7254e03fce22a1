import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChangeFeed } from '../../db/feeds/changes.ts'
import { openScanLookup } from '../../db/scans/scan-lookup.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { someOrganization, someOrigin, someQrCode } from '../testing/catalogue.ts'
import { listBin, purgeExpiredQrCodes, purgeQrCodes, restoreQrCodes } from './bin.ts'
import { createFolder } from './folders.ts'
import { deleteFolder } from './folder-deletion.ts'
import { deleteQrCode, deleteQrCodes } from './qr-code-deletion.ts'
import { listQrCodeVersions } from './qr-code-history.ts'
import { listQrCodes } from './qr-code-lists.ts'
import { createQrCode, createQrCodes, readQrCode, updateQrCode } from './qr-codes.ts'
import { listTags } from './tags.ts'

const origin = someOrigin
const page = { page: 1, limit: 100 }

forEachDatabase('the bin', (open) => {
  test('gives a code back as it was: content, folder, tags, history, scans, short code', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const folder = await createFolder(db, organizationId, { origin, name: 'Spring' })
    const { id, shortCode } = await createQrCode(
      db,
      organizationId,
      someQrCode({
        name: 'One',
        tags: ['b', 'a'],
        folderId: folder?.id ?? null,
        metadata: { k: 'v' },
        rules: [{ id: 'rul_1', name: 'Gone', enabled: true, data: {} }],
      }),
    )
    const key = { organizationId, id }
    await updateQrCode(db, key, {
      origin,
      name: 'Two \ud83d\ude00',
      style: { cornerRadius: 3 },
      rules: [],
      nowMs: 2_000,
    })
    await countScans(db, key, { total: 7, unique: 5 })
    const before = await readQrCode(db, key)
    assert.deepEqual(before?.formerRules, { rul_1: 'Gone' })
    const versions = await listQrCodeVersions(db, before, page)
    const front = await open({ same: db, role: 'reader' })
    const [feed, scans] = [openChangeFeed(front), openScanLookup(front)]
    try {
      await feed.catchUp()
      await deleteQrCode(db, key, { origin, nowMs: 3_000, restorableUntilMs: 9_000 })
      assert.deepEqual(await feed.catchUp(), [shortCode])
      assert.equal((await scans.lookup(shortCode))?.status, 'DELETED')
      assert.equal(await readQrCode(db, key), undefined)
      assert.deepEqual(await listQrCodes(db, organizationId, page), { rows: [], total: 0 })
      assert.deepEqual(await listTags(db, organizationId, page), { rows: [], total: 0 })

      const bin = await listBin(db, organizationId, { ...page, nowMs: 8_999 })
      const kept = { deletedAtMs: 3_000, deletedBy: origin.actor, restorableUntilMs: 9_000 }
      assert.deepEqual(bin.rows, [{ code: before, ...kept }])

      const restored = await restoreQrCodes(db, organizationId, { ids: [id], origin, nowMs: 4_000 })
      const expected = { ...before, version: before.version + 1, updatedAtMs: before.updatedAtMs }
      assert.deepEqual(restored.get(id), { ...expected, updatedAtMs: Math.max(4_000, before.updatedAtMs) })
      assert.deepEqual(await readQrCode(db, key), restored.get(id))
      assert.deepEqual(await listQrCodeVersions(db, (await readQrCode(db, key)) ?? before, page), versions)
      assert.deepEqual(await feed.catchUp(), [shortCode])
      assert.equal((await scans.lookup(shortCode))?.status, 'ACTIVE')
      const assigned = await db.kysely.selectFrom('short_codes').select('deleted_at_ms').execute()
      assert.deepEqual(assigned, [{ deleted_at_ms: null }])
      assert.equal((await listQrCodes(db, organizationId, { ...page, folderId: folder?.id ?? '' })).total, 1)
      assert.equal((await listTags(db, organizationId, page)).total, 2)
      assert.deepEqual(await listBin(db, organizationId, { ...page, nowMs: 4_000 }), { rows: [], total: 0 })
      assert.equal((await restoreQrCodes(db, organizationId, { ids: [id], origin })).size, 0, 'once only')
    } finally {
      await feed.close()
      await scans.close()
    }
  })

  test('a code whose folder is gone comes back without a folder', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const folder = await createFolder(db, organizationId, { origin, name: 'Spring' })
    const folderId = folder?.id ?? null
    const { id } = await createQrCode(db, organizationId, someQrCode({ folderId }))
    await deleteQrCode(db, { organizationId, id }, { origin, restorableUntilMs: never })
    await deleteFolder(db, { organizationId, id: folderId ?? '' }, { origin })
    await restoreQrCodes(db, organizationId, { ids: [id], origin })
    assert.equal((await readQrCode(db, { organizationId, id }))?.folderId, null)
  })

  test('keeps codes until their time, each organization its own; short codes are never free again', async () => {
    const db = await open()
    const mine = await someOrganization(db, 'Mine')
    const theirs = await someOrganization(db, 'Theirs')
    const [early, late] = await create(db, mine.id, ['Éarly 10%', 'Late 100'])
    const [other] = await create(db, theirs.id, ['Other'])
    const ids = [early, late, other].map((code) => code?.id ?? '')
    for (const [index, untilMs] of [5_000, 6_000, 6_000].entries())
      await deleteQrCodes(db, index < 2 ? mine.id : theirs.id, {
        ids: ids.slice(index, index + 1),
        origin,
        nowMs: 1_000 + index,
        restorableUntilMs: untilMs,
      })
    const namesAt = async (nowMs: number, search?: string) =>
      (await listBin(db, mine.id, { ...page, search, nowMs })).rows.map(({ code }) => code.name)
    assert.deepEqual(await namesAt(4_999), ['Late 100', 'Éarly 10%'])
    assert.deepEqual(await namesAt(4_999, '0%'), ['Éarly 10%'])
    assert.deepEqual(await namesAt(4_999, ' 10 early '), ['Éarly 10%'])
    assert.deepEqual(await namesAt(4_999, 'LATE'), ['Late 100'])
    assert.deepEqual(await namesAt(5_000), ['Late 100'])
    // Also before the chore removed it.
    assert.equal((await restoreQrCodes(db, mine.id, { ids, origin, nowMs: 5_000 })).size, 1)
    assert.equal((await readQrCode(db, { organizationId: theirs.id, id: ids[2] ?? '' }))?.id, undefined)
    assert.deepEqual(await purgeQrCodes(db, mine.id, { ids, origin, nowMs: 4_000 }), new Set([ids[0]]))
    assert.equal(await purgeExpiredQrCodes(db, 5_999), 0)
    assert.equal(await purgeExpiredQrCodes(db, 6_000), 1)
    assert.deepEqual(await listBin(db, theirs.id, { ...page, nowMs: 0 }), { rows: [], total: 0 })
    const taken = createQrCodes(db, mine.id, [
      someQrCode({ shortCode: early?.shortCode }),
      someQrCode({ shortCode: other?.shortCode }),
    ])
    for (const outcome of await taken) assert.ok(outcome instanceof ApiError && outcome.status === 409)
  })

  test('a thousand codes go there and back in a few statements', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    for (let count = 0; count < 4; count++)
      await createQrCodes(
        db,
        organizationId,
        Array.from({ length: 1_000 }, () => someQrCode({ tags: ['t'] })),
      )
    const { rows } = await listQrCodes(db, organizationId, { page: 1, limit: 1_000 })
    const ids = rows.map(({ id }) => id)
    const startMs = performance.now()
    const deletion = { ids, origin, restorableUntilMs: never }
    assert.equal((await deleteQrCodes(db, organizationId, deletion)).size, 1_000)
    assert.equal((await restoreQrCodes(db, organizationId, { ids, origin })).size, 1_000)
    // Takes less than a second. A plan that scans the organization for each code takes 20 s.
    assert.ok(performance.now() - startMs < 5_000, `${performance.now() - startMs} ms`)
    assert.equal((await listQrCodes(db, organizationId, { ...page, tag: ['t'] })).total, 4_000)
  })
})

/** A time that never comes. */
const never = Number.MAX_SAFE_INTEGER

async function create(db: Database, organizationId: string, names: readonly string[]) {
  const outcomes = await createQrCodes(
    db,
    organizationId,
    names.map((name) => someQrCode({ name })),
  )
  return outcomes.map((outcome) => (outcome instanceof Error ? assert.fail(outcome) : outcome))
}

async function countScans(
  db: Database,
  { organizationId, id }: { organizationId: string; id: string },
  { total, unique }: { total: number; unique: number },
): Promise<void> {
  await db.kysely
    .updateTable('scan_counters')
    .set({ total_scans: total, unique_scans: unique })
    .where('organization_id', '=', organizationId)
    .where('qr_code_id', '=', id)
    .execute()
}
