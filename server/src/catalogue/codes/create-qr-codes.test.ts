import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChangeFeed } from '../../db/feeds/changes.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { ApiError } from '../../errors.ts'
import { someOrganization, someQrCode, someOrigin } from '../testing/catalogue.ts'
import { createFolder, ensureFolders } from './folders.ts'
import { listQrCodes } from './qr-code-lists.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { createQrCode, createQrCodes, readQrCode } from './qr-codes.ts'
import { deleteQrCode } from './qr-code-deletion.ts'

forEachDatabase('creating many codes', (open) => {
  test('returns them in the order given, each with its own tags and short code', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const folder = await createFolder(db, organizationId, { origin: someOrigin, name: 'Spring' })
    const inputs = Array.from({ length: 1_000 }, (_, index) =>
      someQrCode({
        name: `Code ${index} 👋 "quoted"`,
        data: { url: `https://example.com/${index}`, note: '\u0000 \ud800 \u2028' },
        tags: [`t${index % 7}`, 'all', ' all '],
        metadata: { index: String(index) },
        folderId: index % 2 === 0 ? folder?.id : null,
        status: index % 3 === 0 ? 'ARCHIVED' : 'ACTIVE',
      }),
    )
    const made = rowsOf(await createQrCodes(db, organizationId, inputs))
    assert.deepEqual(
      made.map(({ name, data, tags, metadata, folderId, status }) => ({
        name,
        data,
        tags,
        metadata,
        folderId,
        status,
      })),
      inputs.map(({ name, data, metadata, folderId = null, status }, index) => ({
        name,
        data,
        tags: [`t${index % 7}`, 'all'],
        metadata,
        folderId,
        status,
      })),
    )
    assert.equal(new Set(made.map(({ shortCode }) => shortCode)).size, 1_000)
    const listed = await listQrCodes(db, organizationId, { page: 1, limit: 1_000, order: 'asc' })
    assert.deepEqual(listed.rows, made)
  })

  test('half of a surrogate pair becomes U+FFFD in a name', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id } = await createQrCode(db, organizationId, someQrCode({ name: 'a\ud800b', tags: ['\udc00'] }))
    const row = await readQrCode(db, { organizationId, id })
    assert.equal(row?.name, 'a\ufffdb')
    assert.deepEqual(row.tags, ['\ufffd'])
  })

  test('creates valid codes even if others fail: 409 and 400, by position', async () => {
    const db = await open()
    const mine = await someOrganization(db, 'Mine')
    const theirs = await someOrganization(db, 'Theirs')
    const foreign = await createFolder(db, theirs.id, { origin: someOrigin, name: 'Secret' })
    const { id } = await createQrCode(db, theirs.id, someQrCode({ shortCode: 'GONE' }))
    await deleteQrCode(db, { organizationId: theirs.id, id }, { origin: someOrigin })
    const outcomes = await createQrCodes(db, mine.id, [
      someQrCode({ shortCode: 'twice' }),
      someQrCode({ shortCode: 'g0ne' }),
      someQrCode(),
      someQrCode({ folderId: foreign?.id }),
      someQrCode({ shortCode: 'TW1CE' }),
      someQrCode({ folderId: 'fld_unknown', shortCode: 'FREE' }),
    ])
    assert.deepEqual(outcomes.map(codeOf), [
      'made',
      'CONFLICT',
      'made',
      'VALIDATION_ERROR',
      'CONFLICT',
      'VALIDATION_ERROR',
    ])
    assert.equal(rowsOf(outcomes)[0]?.shortCode, 'twice')
    const { rows } = await listQrCodes(db, mine.id, { page: 1, limit: 10, order: 'asc' })
    assert.deepEqual(rows, rowsOf(outcomes))
    // A rejected code takes no short code.
    await createQrCode(db, mine.id, someQrCode({ shortCode: 'FREE' }))
  })

  test('creates no code when the surrounding transaction rolls back, and frees the short codes', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const inputs = [someQrCode({ shortCode: 'FIRST' }), someQrCode({ shortCode: 'FIRST' })]
    const atomic = inTransaction(db, async (tx) => {
      const outcomes = await createQrCodes(tx, organizationId, inputs)
      if (outcomes.some((outcome) => outcome instanceof ApiError)) throw new Error('all or none')
    })
    await assert.rejects(atomic, /all or none/)
    assert.equal((await listQrCodes(db, organizationId, { page: 1, limit: 10 })).total, 0)
    await createQrCode(db, organizationId, someQrCode({ shortCode: 'FIRST' }))
  })

  for (const { space, batchesAtOnce } of [
    { space: 600, batchesAtOnce: 1 },
    { space: 9_000, batchesAtOnce: 10 },
  ])
    test(`400 of ${space} short codes, ${batchesAtOnce} batches at once: all differ, each with its own picture`, async () => {
      const db = await open()
      const other = await open({ same: db })
      const { id: organizationId } = await someOrganization(db)
      const random = seededRandom()
      const input = someQrCode({
        createShortCode: () => `S${String(Math.floor(random() * space)).padStart(4, '0')}`,
        picture: (shortCode) => ({ version: 1, mask: Number(shortCode.slice(1)) % 8 }),
      })
      const inputs = Array.from({ length: 40 }, () => input)
      const rows: QrCodeRow[] = []
      for (let done = 0; done < 10; done += batchesAtOnce) {
        const sources = Array.from({ length: batchesAtOnce }, (_, index) => (index % 2 === 0 ? db : other))
        const outcomes = await Promise.all(
          sources.map((source) => createQrCodes(source, organizationId, inputs)),
        )
        rows.push(...rowsOf(outcomes.flat()))
      }
      assert.equal(new Set(rows.map(({ shortCode }) => shortCode)).size, 400)
      for (const { picture, shortCode } of rows)
        assert.equal(picture.mask, Number(shortCode.slice(1)) % 8, shortCode)
    })

  test('makes all of them visible to the next scan', async () => {
    const db = await open()
    const feed = openChangeFeed(await open({ same: db, role: 'reader' }))
    try {
      await feed.catchUp()
      const { id: organizationId } = await someOrganization(db)
      await createQrCodes(db, organizationId, [
        someQrCode({ shortCode: 'ABC-2' }),
        someQrCode({ shortCode: 'abc-l' }),
      ])
      assert.deepEqual([...(await feed.catchUp())].sort(), ['ABC-1', 'ABC-2'])
    } finally {
      await feed.close()
    }
  })

  test('creates the folders of an import once, however many calls name them at the same time', async () => {
    const db = await open()
    const other = await open({ same: db })
    const { id: organizationId } = await someOrganization(db)
    const top = await createFolder(db, organizationId, { origin: someOrigin, name: 'Top' })
    const nested = await createFolder(db, organizationId, {
      origin: someOrigin,
      name: 'Nested',
      parentId: top?.id,
    })
    const ensure = (source: Database, names: string[]) =>
      inTransaction(source, (tx) => ensureFolders(tx, organizationId, { origin: someOrigin, names }))
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        ensure(index % 2 === 0 ? db : other, ['Größe', 'NESTED', 'top', 'B', 'a', 'GRÖSSE']),
      ),
    )
    const [first = new Map<string, string>()] = all
    assert.deepEqual([...first.keys()].toSorted(), ['a', 'b', 'grösse', 'nested', 'top'])
    assert.equal(first.get('top'), top?.id)
    assert.equal(first.get('nested'), nested?.id)
    for (const one of all) assert.deepEqual(Object.fromEntries(one), Object.fromEntries(first))
  })
})

function rowsOf(outcomes: readonly (QrCodeRow | ApiError)[]): QrCodeRow[] {
  return outcomes.filter((outcome): outcome is QrCodeRow => !(outcome instanceof ApiError))
}

function codeOf(outcome: QrCodeRow | ApiError): string {
  return outcome instanceof ApiError ? outcome.code : 'made'
}
