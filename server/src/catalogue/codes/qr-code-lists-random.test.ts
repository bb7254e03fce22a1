import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction, type Database } from '../../db/database.ts'
import { addUpCodeCounts, countCodes } from '../../db/lists/qr-code-counts.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { someOrganization, someQrCode, someOrigin } from '../testing/catalogue.ts'
import { updateQrCodes } from './batches.ts'
import { deleteFolder } from './folder-deletion.ts'
import { createFolder, updateFolder } from './folders.ts'
import { listQrCodes, type ListQrCodes } from './qr-code-lists.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
import { nameOrder } from './name-order.ts'
import { createQrCode, updateQrCode } from './qr-codes.ts'
import { listTags } from './tags.ts'
import { deleteQrCode, deleteQrCodes } from './qr-code-deletion.ts'

const rounds = process.env['SOAK'] === '1' ? 40 : 2
const random = seededRandom()
const below = (count: number): number => Math.floor(random() * count)
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T
const maybe = <T>(share: number, make: () => T): T | undefined => (random() < share ? make() : undefined)

const words = [
  'Poster',
  'POSTE',
  'Zürich',
  'zurich',
  '100%',
  'a_b',
  'aXb',
  '"x"',
  "o'c",
  '\\',
  'Straße',
  '東京都庁',
  '👍🏽👍🏽',
  'ab',
  'Café',
  'Äpfel',
  'Table 2',
  'Table 10',
  'Łódź',
]
const types = ['URL', 'TEXT', 'WIFI'] as const
const statuses = ['ACTIVE', 'ARCHIVED'] as const
const tags = ['x', 'y', 'z', 'common']

const addresses = ['example.com/Menü', 'shop.example/a_b', 'example.org/x?y=100%25']
const randomData = () => ({ url: `https://${oneOf(addresses)}` })
const randomName = (): string =>
  Array.from({ length: 1 + below(3) }, () => oneOf(words)).join(oneOf([' ', '', '-']))
const randomTags = (): string[] => [
  ...(maybe(0.6, () => ['common']) ?? []),
  ...(maybe(0.2, () => [oneOf(tags)]) ?? []),
]

forEachDatabase('lists while codes change', (open) => {
  test('every page and total matches the codes, for any query', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const other = await someOrganization(db, 'Other')
    const folders = [undefined, ...(await someFolders(db, organizationId))]
    const [, top = '', nested = ''] = folders
    await updateFolder(db, { organizationId, id: nested }, { origin: someOrigin, parentId: top })
    const parents = new Map([[nested, top]])
    const codes = new Map<string, QrCodeRow>()
    let nowMs = 1_700_000_000_000
    for (let round = 0; round < rounds; round++) {
      for (let i = 0; i < 120; i++) {
        // Some codes share a millisecond, and sometimes the clock steps back.
        nowMs += oneOf([0, 0, 1, 50, -20])
        const fields = {
          name: randomName(),
          type: oneOf(types),
          tags: randomTags(),
          folderId: oneOf(folders),
          data: randomData(),
          nowMs,
        }
        const code = await createQrCode(db, organizationId, someQrCode(fields))
        codes.set(code.id, code)
        if (i % 20 === 0) await createQrCode(db, other.id, someQrCode({ name: randomName() }))
      }
      const randomChanges = () => ({
        name: maybe(0.5, randomName),
        status: maybe(0.5, () => oneOf(statuses)),
        tags: maybe(0.3, randomTags),
        folderId: maybe(0.3, () => oneOf(folders) ?? null),
        data: maybe(0.2, randomData),
      })
      for (const id of [...codes.keys()].filter(() => random() < 0.15)) {
        const changes = randomChanges()
        const code = await updateQrCode(db, { organizationId, id }, { origin: someOrigin, ...changes, nowMs })
        if (code !== undefined) codes.set(id, code)
      }
      for (const id of [...codes.keys()].filter(() => random() < 0.05)) {
        await deleteQrCode(db, { organizationId, id }, { origin: someOrigin })
        codes.delete(id)
      }
      const batch = [...codes.values()].filter(() => random() < 0.1)
      const changes = batch.map((code) => ({ before: code, changes: randomChanges() }))
      const changed = await updateQrCodes(db, organizationId, { changes, origin: someOrigin, nowMs })
      for (const [id, code] of changed) codes.set(id, code)
      const ids = [...codes.keys()].filter(() => random() < 0.05)
      for (const id of await deleteQrCodes(db, organizationId, { ids, origin: someOrigin })) codes.delete(id)
      await replaceFolder(db, organizationId, { folders, codes, nowMs })
      await setScans(db, organizationId, codes)
      if (round % 2 === 1) await addUpCodeCounts(db)
      assert.deepEqual((await listTags(db, organizationId, { page: 1, limit: 10 })).rows, tagsOf(codes))
      for (let i = 0; i < 120; i++) {
        const query = randomQuery(folders, [...codes.values()])
        const expected = listed([...codes.values()], query, parents)
        const { rows, total } = await listQrCodes(db, organizationId, query)
        const title = JSON.stringify(query)
        assert.equal(total, expected.total, title)
        assert.deepEqual(
          rows.map(({ id }) => id),
          expected.ids,
          title,
        )
      }
    }
  })

  test('a total that a rolled-back transaction saw is not cached', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const query = { page: 1, limit: 20, search: 'poster' }
    const undo = new Error('undo')
    const undone = inTransaction(db, async (tx) => {
      await createQrCode(tx, organizationId, someQrCode())
      assert.equal((await listQrCodes(tx, organizationId, query)).total, 1)
      throw undo
    })
    await assert.rejects(undone, undo)
    assert.equal((await listQrCodes(db, organizationId, query)).total, 0)
    await createQrCode(db, organizationId, someQrCode({ name: 'Other' }))
    assert.equal((await listQrCodes(db, organizationId, query)).total, 0)
    await createQrCode(db, organizationId, someQrCode())
    assert.equal((await listQrCodes(db, organizationId, query)).total, 1)
  })

  test('the next total includes a change by another process', async () => {
    const db = await open()
    const another = await open({ same: db })
    const { id: organizationId } = await someOrganization(db)
    const query = { page: 1, limit: 20, tag: ['x'] }
    const { id } = await createQrCode(db, organizationId, someQrCode({ tags: ['x'] }))
    assert.equal((await listQrCodes(db, organizationId, query)).total, 1)
    await updateQrCode(another, { organizationId, id }, { origin: someOrigin, tags: ['y'] })
    assert.equal((await listQrCodes(db, organizationId, query)).total, 0)
  })

  test('adding up leaves counts and revision unchanged, also while codes are created', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const make = () => createQrCode(db, organizationId, someQrCode())
    for (let i = 0; i < 4; i++) await Promise.all([...Array.from({ length: 60 }, make), addUpCodeCounts(db)])
    const before = await countCodes(db, { organizationId })
    await addUpCodeCounts(db)
    assert.deepEqual(await countCodes(db, { organizationId }), before)
    assert.deepEqual({ ...before, revision: 0 }, { all: 240, inFolder: 240, ofKind: 240, revision: 0 })
    const { rows } = await sql<{ count: number }>`select count(*) as "count" from qr_code_counts`.execute(
      db.kysely,
    )
    assert.ok((rows[0]?.count ?? 0) < 240)
  })
})

async function someFolders(db: Database, organizationId: string): Promise<string[]> {
  const folders = await Promise.all(
    ['a', 'b', 'c'].map((name) => createFolder(db, organizationId, { origin: someOrigin, name })),
  )
  return folders.flatMap((folder) => folder?.id ?? [])
}

/** Deletes the last folder and creates another. */
async function replaceFolder(
  db: Database,
  organizationId: string,
  {
    folders,
    codes,
    nowMs,
  }: { folders: (string | undefined)[]; codes: Map<string, QrCodeRow>; nowMs: number },
): Promise<void> {
  const gone = folders.pop() ?? ''
  await deleteFolder(db, { organizationId, id: gone }, { origin: someOrigin, nowMs })
  for (const code of codes.values())
    if (code.folderId === gone)
      codes.set(code.id, {
        ...code,
        folderId: null,
        version: code.version + 1,
        updatedAtMs: Math.max(code.updatedAtMs, nowMs),
      })
  const folder = await createFolder(db, organizationId, { origin: someOrigin, name: gone })
  folders.push(folder?.id)
}

function tagsOf(codes: Map<string, QrCodeRow>): { tag: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const code of codes.values()) for (const tag of code.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || compare(a.tag, b.tag))
}

async function setScans(db: Database, organizationId: string, codes: Map<string, QrCodeRow>): Promise<void> {
  for (const [id, code] of codes) {
    if (random() < 0.8) continue
    const totalScans = below(20)
    await db.kysely
      .updateTable('scan_counters')
      .set({ total_scans: totalScans })
      .where('organization_id', '=', organizationId)
      .where('qr_code_id', '=', id)
      .execute()
    codes.set(id, { ...code, totalScans })
  }
}

function randomQuery(folders: readonly (string | undefined)[], codes: readonly QrCodeRow[]): ListQrCodes {
  const { shortCode } = oneOf(codes)
  const word = oneOf([
    ...words,
    'oste',
    'ZÜRICH',
    'ß',
    'a',
    'nothing',
    'ste',
    '東京都',
    'x" or "y',
    'poster OR ab',
    ' ab  poste ',
    'cafe',
    'lodz',
    '10 tab',
    'e',
  ])
  const anywhere = oneOf([
    word,
    shortCode,
    shortCode.slice(1, 4).toLowerCase(),
    shortCode.replaceAll('0', 'o').replaceAll('1', 'L'),
    shortCode.slice(0, 2),
    'example menu',
    'Common shop',
    'x?y=100%',
    'y',
    `https://qr.example.com/${shortCode}`,
    `QR.example.com/${shortCode}. ab`,
    'example.com/m',
  ])
  const query = {
    page: 1 + below(3),
    limit: oneOf([1, 5, 20, 100]),
    search: maybe(0.4, () => word),
    q: maybe(0.4, () => anywhere),
    publicUrl: 'https://qr.example.com',
    type: maybe(0.3, () => oneOf(types)),
    status: maybe(0.3, () => oneOf(statuses)),
    folderId: maybe(0.4, () => oneOf([...folders, 'none'])),
    subfolders: maybe(0.5, () => true),
    tag: maybe(0.4, () => [...new Set([oneOf(tags), oneOf(tags)])]),
    sort: maybe(0.7, () => oneOf(['createdAt', 'updatedAt', 'name', 'totalScans'] as const)),
    order: maybe(0.7, () => oneOf(['asc', 'desc'] as const)),
  }
  return Object.fromEntries(
    Object.entries(query).filter(([, value]) => value !== undefined),
  ) as unknown as ListQrCodes
}

/** Folds the words of this test, otherwise than the code under test. */
const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll('ł', 'l')
const wordsOf = (text: string) => fold(text).split(/\s+/).filter(Boolean)
const canonical = (text: string) => text.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')

function isAnywhere(code: QrCodeRow, word: string): boolean {
  const url = String(code.data['url'])
  // Other types do not lead there.
  const leads = code.type === 'URL' ? [url, decodeURI(url)] : []
  const texts = [code.name, ...leads, ...code.tags]
  if (texts.some((text) => fold(text).includes(word))) return true
  const address = /^(?:https:\/\/)?qr\.example\.com\/([0-9a-z]+)\.?$/.exec(word)
  if (address !== null) return canonical(address[1] ?? '') === code.shortCode
  return word.length >= 3 && code.shortCode.includes(canonical(word))
}

const compare = (a: number | Buffer | string, b: number | Buffer | string): number =>
  Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.compare(b) : a < b ? -1 : a > b ? 1 : 0

/** Returns the expected list, computed in memory without SQL. */
function listed(
  codes: readonly QrCodeRow[],
  query: ListQrCodes,
  parents: ReadonlyMap<string, string>,
): { ids: string[]; total: number } {
  const {
    page,
    limit,
    search = '',
    q = '',
    subfolders = false,
    type,
    status,
    folderId,
    tag = [],
    sort = 'createdAt',
    order = 'desc',
  } = query
  const isIn = (folder: string | null) =>
    folderId === undefined ||
    folder === (folderId === 'none' ? null : folderId) ||
    (subfolders && folder !== null && parents.get(folder) === folderId)
  const matching = codes.filter(
    (code) =>
      wordsOf(search).every((word) => fold(code.name).includes(word)) &&
      wordsOf(q).every((word) => isAnywhere(code, word)) &&
      (type === undefined || code.type === type) &&
      (status === undefined || code.status === status) &&
      isIn(code.folderId) &&
      tag.every((one) => code.tags.includes(one)),
  )
  const keys = {
    createdAt: (code: QrCodeRow) => code.createdAtMs,
    updatedAt: (code: QrCodeRow) => code.updatedAtMs,
    name: (code: QrCodeRow) => Buffer.from(nameOrder(code.name)),
    totalScans: (code: QrCodeRow) => code.totalScans,
  }
  const sorted = matching.sort((a, b) => compare(keys[sort](a), keys[sort](b)) || compare(a.id, b.id))
  if (order === 'desc') sorted.reverse()
  const start = (page - 1) * limit
  return { ids: sorted.slice(start, start + limit).map(({ id }) => id), total: matching.length }
}
