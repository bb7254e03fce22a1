import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { isSearchIndexed } from '../../db/lists/search-index.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { someOrganization, someOrigin, someQrCode } from '../testing/catalogue.ts'
import { deleteFolder } from './folder-deletion.ts'
import { createFolder } from './folders.ts'
import { listQrCodes, type ListQrCodes } from './qr-code-lists.ts'
import { createQrCode, updateQrCode } from './qr-codes.ts'
import { indexQrCodes } from './search-index.ts'

/** Writes as a release without search columns does. */
async function renameAsBefore(db: Database, id: string, name: string): Promise<void> {
  await sql`update qr_codes
    set name = ${name}, name_search = ${name.toLowerCase()}, version = version + 1
    where id = ${id}`.execute(db.kysely)
}

const work = async (db: Database) => indexQrCodes(db, { timeMs: 5_000, codesMax: 3 })

/** Makes all codes those of a catalogue from before the search columns. */
async function forgetSearch(db: Database): Promise<void> {
  await sql`update qr_codes
    set name_folded = '', content_folded = '', name_order = '', search_version = 0`.execute(db.kysely)
}

forEachDatabase('the index of searches', (open) => {
  test('codes of an earlier release are found and sorted before and after they are indexed', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const names = async (query: Partial<ListQrCodes>) =>
      (await listQrCodes(db, organizationId, { page: 1, limit: 100, order: 'asc', ...query })).rows.map(
        ({ name }) => name,
      )
    const codes = []
    for (const name of ['Table 10', 'Zebra', 'Äpfel', 'Table 2'])
      codes.push(await createQrCode(db, organizationId, someQrCode({ name, tags: ['spring'] })))
    await forgetSearch(db)
    const [ten] = codes
    assert.ok(ten)
    assert.equal(await isSearchIndexed(db, organizationId), false)
    assert.deepEqual(await names({ search: '10 tab' }), ['Table 10'])
    assert.deepEqual(await names({ search: 'äpf' }), ['Äpfel'])
    assert.deepEqual(await names({ q: ten.shortCode.toLowerCase() }), ['Table 10'])
    assert.deepEqual(await names({ sort: 'name' }), ['Table 10', 'Table 2', 'Zebra', 'Äpfel'])

    while ((await indexQrCodes(db, { timeMs: 0, codesMax: 3 })) > 0);
    assert.equal(await isSearchIndexed(db, organizationId), true)
    assert.deepEqual(await names({ search: 'APF' }), ['Äpfel'])
    assert.deepEqual(await names({ q: 'spring 10' }), ['Table 10'])
    assert.deepEqual(await names({ q: ten.shortCode.toLowerCase() }), ['Table 10'])
    assert.deepEqual(await names({ sort: 'name' }), ['Äpfel', 'Table 2', 'Table 10', 'Zebra'])
  })

  test('a change by an earlier release counts at once: by its new name only', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const total = async (query: Partial<ListQrCodes>) =>
      (await listQrCodes(db, organizationId, { page: 1, limit: 100, ...query })).total
    const { id } = await createQrCode(db, organizationId, someQrCode({ name: 'Poster' }))
    assert.equal(await total({ search: 'poster' }), 1)
    await renameAsBefore(db, id, 'Flyer')
    for (const field of ['search', 'q']) {
      assert.equal(await total({ [field]: 'poster' }), 0)
      assert.equal(await total({ [field]: 'flyer' }), 1)
    }
    await indexQrCodes(db, { timeMs: 1_000 })
    for (const field of ['search', 'q']) {
      assert.equal(await total({ [field]: 'poster' }), 0)
      assert.equal(await total({ [field]: 'flyer' }), 1)
    }
    await updateQrCode(db, { organizationId, id }, { origin: someOrigin, name: 'Banner' })
    assert.equal(await total({ search: 'flyer' }), 0)
    assert.equal(await total({ search: 'banner' }), 1)
  })

  test('every change keeps the index up to date, the deletion of a folder too', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const folder = await createFolder(db, organizationId, { origin: someOrigin, name: 'F' })
    assert.ok(folder)
    const { id } = await createQrCode(db, organizationId, someQrCode({ folderId: folder.id }))
    await updateQrCode(db, { organizationId, id }, { origin: someOrigin, tags: ['x'] })
    assert.equal(await isSearchIndexed(db, organizationId), true)
    await deleteFolder(db, { organizationId, id: folder.id }, { origin: someOrigin })
    assert.equal(await isSearchIndexed(db, organizationId), true)
    // A code that was not indexed is not taken for one.
    await forgetSearch(db)
    const next = await createFolder(db, organizationId, { origin: someOrigin, name: 'G' })
    await sql`update qr_codes set folder_id = ${next?.id ?? ''}`.execute(db.kysely)
    await deleteFolder(db, { organizationId, id: next?.id ?? '' }, { origin: someOrigin })
    assert.equal(await isSearchIndexed(db, organizationId), false)
  })

  test('two workers index at the same time', async () => {
    const db = await open()
    const another = await open({ same: db })
    const { id: organizationId } = await someOrganization(db)
    for (let i = 0; i < 40; i++) await createQrCode(db, organizationId, someQrCode({ name: `Code ${i}` }))
    await forgetSearch(db)
    await Promise.all([work(db), work(another)])
    await work(db)
    assert.equal(await isSearchIndexed(db, organizationId), true)
    const { total } = await listQrCodes(db, organizationId, { page: 1, limit: 1, q: 'code' })
    assert.equal(total, 40)
  })
})
