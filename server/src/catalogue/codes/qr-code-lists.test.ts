import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '../../db/database.ts'
import { commitBatch, saveIntents } from '../../db/scans/ingest-checkpoints.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { someOrganization, someQrCode, someOrigin } from '../testing/catalogue.ts'
import { createFolder } from './folders.ts'
import { listQrCodes, type ListQrCodes } from './qr-code-lists.ts'
import { createQrCode, updateQrCode, type NewQrCode } from './qr-codes.ts'

/**
 * Creates an organization with these codes, one second apart. Returns their ids and a function that
 * lists names by query.
 */
async function codes(db: Database, list: readonly (Partial<NewQrCode> & { name: string })[]) {
  const { id: organizationId } = await someOrganization(db)
  const ids = new Map<string, string>()
  for (const [index, fields] of list.entries()) {
    const { id } = await createQrCode(db, organizationId, {
      ...someQrCode(fields),
      nowMs: 1000 * (index + 1),
    })
    ids.set(fields.name, id)
  }
  const names = async (query: Partial<ListQrCodes> = {}) => {
    const { rows, total } = await listQrCodes(db, organizationId, { page: 1, limit: 20, ...query })
    if (query.limit === undefined) assert.equal(total, rows.length)
    return rows.map((row) => row.name)
  }
  return { organizationId, ids, names }
}

forEachDatabase('the list of QR codes', (open) => {
  test('is newest first, in pages, with the total; a page beyond the end is empty', async () => {
    const db = await open()
    const { organizationId, names } = await codes(
      db,
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => ({ name })),
    )
    await createQrCode(db, (await someOrganization(db, 'Other')).id, someQrCode({ name: 'not mine' }))
    assert.deepEqual(await names(), ['g', 'f', 'e', 'd', 'c', 'b', 'a'])
    assert.deepEqual(await names({ page: 2, limit: 3 }), ['d', 'c', 'b'])
    assert.deepEqual(await names({ page: 3, limit: 3 }), ['a'])
    assert.deepEqual(await listQrCodes(db, organizationId, { page: 9, limit: 3 }), { rows: [], total: 7 })
  })

  test('returns complete records: tags in their order, counters, content', async () => {
    const db = await open()
    const { organizationId } = await codes(db, [{ name: 'a', tags: ['z', 'y'] }, { name: 'b' }])
    const { rows } = await listQrCodes(db, organizationId, { page: 1, limit: 20 })
    assert.deepEqual(
      rows.map(({ name, tags, data, totalScans }) => ({ name, tags, data, totalScans })),
      [
        { name: 'b', tags: [], data: { url: 'https://example.com/' }, totalScans: 0 },
        { name: 'a', tags: ['z', 'y'], data: { url: 'https://example.com/' }, totalScans: 0 },
      ],
    )
  })

  test('search finds all its words as parts of the name, in any order, letter case, accents and script, and treats no character as special', async () => {
    const db = await open()
    const names = [
      'Ärzte-Straße ΣΟΦΟΣ',
      'ПЛАКАТ 100%',
      'snake_case',
      'snakeXcase',
      'back\\slash',
      "o'clock",
      'İstanbul',
    ]
    const { names: listed } = await codes(
      db,
      names.map((name) => ({ name })),
    )
    for (const [search, expected] of [
      ['ärzte', ['Ärzte-Straße ΣΟΦΟΣ']],
      ['STRASSE', ['Ärzte-Straße ΣΟΦΟΣ']],
      ['straße', ['Ärzte-Straße ΣΟΦΟΣ']],
      ['σοφος', ['Ärzte-Straße ΣΟΦΟΣ']],
      ['ΣΟΦΟσ', ['Ärzte-Straße ΣΟΦΟΣ']],
      ['A\u0308RZ', ['Ärzte-Straße ΣΟΦΟΣ']],
      ['arzte', ['Ärzte-Straße ΣΟΦΟΣ']],
      ['  σοφος arzt ', ['Ärzte-Straße ΣΟΦΟΣ']],
      ['arzte plakat', []],
      ['лакат', ['ПЛАКАТ 100%']],
      ['%', ['ПЛАКАТ 100%']],
      ['e_c', ['snake_case']],
      ['K\\S', ['back\\slash']],
      ["O'C", ["o'clock"]],
      ['STAN', ['İstanbul']],
      ['', names.toReversed()],
      ['nothing has this', []],
    ] as const)
      assert.deepEqual(await listed({ search }), expected, `search "${search}"`)
  })

  test('q finds each word in the name, a tag, where the code leads, or the short code', async () => {
    const db = await open()
    const { organizationId, names: listed } = await codes(db, [
      { name: 'Poster', tags: ['Frühling'], data: { url: 'https://example.com/caf%C3%A9?a=1' } },
      { name: 'Wi-Fi', type: 'WIFI', data: { ssid: 'Gäste', password: 'poster-2026' } },
      { name: 'Call', type: 'PHONE', data: { phone: '+49 30 123-45' } },
    ])
    const own = { name: 'Own', shortCode: 'SOLO-10', data: { url: 'https://example.org/' } }
    await createQrCode(db, organizationId, someQrCode(own))
    const publicUrl = 'https://qr.example.com'
    for (const [q, expected] of [
      ['fruhl post', ['Poster']],
      ['EXAMPLE café', ['Poster']],
      ['gaste', ['Wi-Fi']],
      ['2026', []],
      ['+493012345', ['Call']],
      ['30 123', ['Call']],
      ['soio-l0', ['Own']],
      ['S0L', ['Own']],
      ['s0', []],
      ['https://qr.example.com/solo-1O?x', ['Own']],
      ['HTTP://QR.EXAMPLE.COM/SOLO-10 own', ['Own']],
      ['https://qr.example.com/solo-1', []],
      ['https://other.example.com/solo-10', []],
      ['example.org', ['Own']],
      [' ', ['Own', 'Call', 'Wi-Fi', 'Poster']],
    ] as const)
      assert.deepEqual(await listed({ q, publicUrl }), expected, `q "${q}"`)
    assert.deepEqual(await listed({ q: 'example', search: 'own' }), ['Own'])
  })

  test('filters by type, folder, status and all of the tags together', async () => {
    const db = await open()
    const { organizationId, ids, names } = await codes(db, [
      { name: 'a', tags: ['x'] },
      { name: 'b', tags: ['x', 'y'] },
      { name: 'c', tags: ['y', 'x', 'z'], type: 'TEXT' },
      { name: 'd', tags: ['X'] },
    ])
    const folder = await createFolder(db, organizationId, { origin: someOrigin, name: 'Spring' })
    const folderId = folder?.id ?? ''
    for (const name of ['a', 'c'])
      await updateQrCode(db, { organizationId, id: ids.get(name) ?? '' }, { origin: someOrigin, folderId })
    await updateQrCode(
      db,
      { organizationId, id: ids.get('b') ?? '' },
      { origin: someOrigin, status: 'ARCHIVED' },
    )
    assert.deepEqual(await names({ type: 'TEXT' }), ['c'])
    assert.deepEqual(await names({ folderId }), ['c', 'a'])
    assert.deepEqual(await names({ folderId: 'fld_none' }), [])
    assert.deepEqual(await names({ folderId: 'none' }), ['d', 'b'])
    assert.deepEqual(await names({ folderId: 'none', tag: ['x'] }), ['b'])
    const below = await createFolder(db, organizationId, {
      origin: someOrigin,
      name: 'May',
      parentId: folderId,
    })
    await createQrCode(db, organizationId, someQrCode({ name: 'e', folderId: below?.id }))
    assert.deepEqual(await names({ folderId }), ['c', 'a'])
    assert.deepEqual(await names({ folderId, subfolders: true }), ['e', 'c', 'a'])
    assert.deepEqual(await names({ folderId, subfolders: true, sort: 'totalScans' }), ['e', 'c', 'a'])
    assert.deepEqual(await names({ folderId: 'fld_none', subfolders: true }), [])
    assert.deepEqual(await names({ status: 'ARCHIVED' }), ['b'])
    assert.deepEqual(await names({ status: 'ACTIVE' }), ['e', 'd', 'c', 'a'])
    assert.deepEqual(await names({ tag: ['x'] }), ['c', 'b', 'a'])
    assert.deepEqual(await names({ tag: ['x', 'y'] }), ['c', 'b'])
    assert.deepEqual(await names({ tag: ['x', 'y', 'none'] }), [])
    assert.deepEqual(await names({ tag: ['x'], folderId, type: 'URL', status: 'ACTIVE', search: 'A' }), ['a'])
  })

  test('sorts by each field in both directions, equal values by creation, with equal results on both databases', async () => {
    const db = await open()
    const { organizationId, ids, names } = await codes(
      db,
      ['b', 'É', 'A', 'a', 'Z', 'ж', '_'].map((name) => ({ name })),
    )
    assert.deepEqual(await names({ sort: 'name', order: 'asc' }), ['_', 'A', 'a', 'b', 'É', 'Z', 'ж'])
    assert.deepEqual(await names({ sort: 'name' }), ['ж', 'Z', 'É', 'b', 'a', 'A', '_'])
    assert.deepEqual(await names({ order: 'asc' }), ['b', 'É', 'A', 'a', 'Z', 'ж', '_'])
    await updateQrCode(db, { organizationId, id: ids.get('A') ?? '' }, { origin: someOrigin, tags: ['new'] })
    assert.equal((await names({ sort: 'updatedAt' }))[0], 'A')

    const start = { segment: 0, offset: 0, sequence: 0 }
    const intent = { batchId: 'b', writer: 'w', from: start, to: start, partition: '202603', rows: 1 }
    await saveIntents(db, [intent])
    const counters = [
      { organizationId, qrCodeId: ids.get('ж') ?? '', scans: 9, uniqueScans: 4 },
      { organizationId, qrCodeId: ids.get('É') ?? '', scans: 10, uniqueScans: 5 },
    ]
    await commitBatch(db, { writer: 'w', batchId: 'b', counters })
    assert.deepEqual(await names({ sort: 'totalScans' }), ['É', 'ж', '_', 'Z', 'a', 'A', 'b'])
    assert.deepEqual((await names({ sort: 'totalScans', order: 'asc' })).slice(-2), ['ж', 'É'])
  })
})
