import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { ApiError } from '../../errors.ts'
import { someOrganization, someQrCode, someOrigin } from '../testing/catalogue.ts'
import { deleteFolder } from './folder-deletion.ts'
import { countFolders, createFolder, listFolders, readFolder, updateFolder } from './folders.ts'
import { createQrCode, createQrCodes, readQrCode, updateQrCode } from './qr-codes.ts'

forEachDatabase('a folder', (open) => {
  test('of another organization cannot be read, changed or deleted', async () => {
    const db = await open()
    const mine = await someOrganization(db, 'Mine')
    const theirs = await someOrganization(db, 'Theirs')
    const folder = await createFolder(db, theirs.id, { origin: someOrigin, name: 'Secret' })
    const { id: qrCodeId } = await createQrCode(db, theirs.id, someQrCode({ folderId: folder?.id }))
    const key = { organizationId: mine.id, id: folder?.id ?? '' }
    assert.equal(await readFolder(db, key), undefined)
    assert.equal(await updateFolder(db, key, { origin: someOrigin, name: 'Mine now' }), undefined)
    assert.equal(await deleteFolder(db, key, { origin: someOrigin }), undefined)
    assert.deepEqual(await countFolders(db, mine.id, [key.id]), new Map([[key.id, { own: 0, below: 0 }]]))
    assert.equal((await readFolder(db, { ...key, organizationId: theirs.id }))?.name, 'Secret')
    const code = await readQrCode(db, { organizationId: theirs.id, id: qrCodeId })
    assert.equal(code?.folderId, folder?.id)
  })

  test('counts its own codes and those of its subfolders apart', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const make = async (name: string, parentId?: string) =>
      (await createFolder(db, organizationId, { origin: someOrigin, name, parentId }))?.id ?? ''
    const top = await make('Top')
    const [one, other, empty] = [await make('One', top), await make('Other', top), await make('Empty')]
    for (const folderId of [top, one, one, other])
      await createQrCode(db, organizationId, someQrCode({ folderId }))
    assert.deepEqual(
      await countFolders(db, organizationId, [top, one, empty]),
      new Map([
        [top, { own: 1, below: 3 }],
        [one, { own: 2, below: 0 }],
        [empty, { own: 0, below: 0 }],
      ]),
    )
  })

  test('is found by words of its name, in any order, letter case and accents', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    for (const name of ['Café Zürich', 'Bar', '100%'])
      await createFolder(db, organizationId, { origin: someOrigin, name })
    for (const [search, expected] of [
      [' zur CAFE ', ['Café Zürich']],
      ['%', ['100%']],
      ['cafe bar', []],
      [' ', ['100%', 'Bar', 'Café Zürich']],
    ] as const) {
      const { rows, total } = await listFolders(db, organizationId, { page: 1, limit: 10, search })
      assert.deepEqual(
        rows.map(({ name }) => name),
        expected,
      )
      assert.equal(total, expected.length)
    }
  })

  test('with more codes than one transaction removes is deleted, and no other code changes', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const folder = await createFolder(db, organizationId, { origin: someOrigin, name: 'Large' })
    const other = await createFolder(db, organizationId, { origin: someOrigin, name: 'Other' })
    for (let count = 0; count < 2_400; count += 800)
      await createQrCodes(
        db,
        organizationId,
        Array.from({ length: 800 }, () => someQrCode({ folderId: folder?.id, nowMs: 1_000 })),
      )
    const kept = await createQrCode(db, organizationId, someQrCode({ folderId: other?.id }))
    const key = { organizationId, id: folder?.id ?? '' }
    assert.deepEqual(
      await countFolders(db, organizationId, [key.id]),
      new Map([[key.id, { own: 2_400, below: 0 }]]),
    )
    assert.equal((await deleteFolder(db, key, { origin: someOrigin, nowMs: 2_000 }))?.name, 'Large')
    const versions = await db.kysely
      .selectFrom('qr_codes')
      .select((select) => [
        'version',
        'updated_at_ms as updatedAtMs',
        select.fn.countAll<number>().as('count'),
      ])
      .where('folder_id', 'is', null)
      .groupBy(['version', 'updated_at_ms'])
      .execute()
    assert.deepEqual(versions, [{ version: 2, updatedAtMs: 2_000, count: 2_400 }])
    assert.deepEqual(await readQrCode(db, { organizationId, id: kept.id }), kept)
  })

  test('that is deleted while codes move into it: each code ends unfiled, or the move fails with 400', async () => {
    const db = await open()
    const other = await open({ same: db })
    const { id: organizationId } = await someOrganization(db)
    const moving = await createQrCodes(
      db,
      organizationId,
      Array.from({ length: 10 }, () => someQrCode()),
    )
    for (let round = 0; round < 5; round++) {
      const folder = await createFolder(db, organizationId, { origin: someOrigin, name: `Round ${round}` })
      const folderId = folder?.id ?? ''
      const outcomes = await Promise.all([
        ...Array.from({ length: 5 }, () =>
          createQrCodes(db, organizationId, [someQrCode({ folderId }), someQrCode({ folderId })]),
        ),
        ...moving.map(async (code) =>
          code instanceof ApiError
            ? undefined
            : updateQrCode(other, { organizationId, id: code.id }, { origin: someOrigin, folderId }).catch(
                onlyNoFolder,
              ),
        ),
        deleteFolder(other, { organizationId, id: folderId }, { origin: someOrigin }),
      ])
      assert.equal(outcomes.length, 16)
      assert.equal(await readFolder(db, { organizationId, id: folderId }), undefined)
    }
    const filed = await db.kysely
      .selectFrom('qr_codes')
      .select('id')
      .where('folder_id', 'is not', null)
      .execute()
    assert.deepEqual(filed, [])
  })

  test('never nests two levels deep, whatever moves at the same time', async () => {
    const db = await open()
    const other = await open({ same: db })
    const { id: organizationId } = await someOrganization(db)
    const made = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => createFolder(db, organizationId, { origin: someOrigin, name })),
    )
    const ids = made.map((folder) => folder?.id ?? '')
    for (let round = 0; round < 6; round++) {
      const moves = ids.map((id, index) =>
        updateFolder(
          index % 2 === 0 ? db : other,
          { organizationId, id },
          { origin: someOrigin, parentId: ids[(index + 1 + round) % 4] },
        ),
      )
      const creates = ids.map((parentId, index) =>
        createFolder(db, organizationId, { origin: someOrigin, name: `${round} ${index}`, parentId }),
      )
      await Promise.all([...moves, ...creates].map((call) => call.catch(onlyWrongParent)))
      const { rows } = await listFolders(db, organizationId, { page: 1, limit: 1_000 })
      const parentOf = new Map(rows.map(({ id, parentId }) => [id, parentId]))
      for (const { parentId } of rows) assert.equal(parentId === null ? null : parentOf.get(parentId), null)
      for (const id of ids)
        await updateFolder(db, { organizationId, id }, { origin: someOrigin, parentId: null })
    }
  })
})

function onlyNoFolder(error: unknown): undefined {
  assert.match(String(error), /folderId: must be a folder/)
}

function onlyWrongParent(error: unknown): undefined {
  assert.match(String(error), /parentId: must be/)
}
