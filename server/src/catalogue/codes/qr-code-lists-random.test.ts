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
import { createFolder } from './folders.ts'
import { listQrCodes, type ListQrCodes } from './qr-code-lists.ts'
import type { QrCodeRow } from '../rows/qr-code-row.ts'
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
]
const types = ['URL', 'TEXT', 'WIFI'] as const
const statuses = ['ACTIVE', 'ARCHIVED'] as const
const tags = ['x', 'y', 'z', 'common']

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
        const query = randomQuery(folders)
        const expected = listed([...codes.values()], query)
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
    ['a', 'b'].map((name) => createFolder(db, organizationId, { origin: someOrigin, name })),
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

function randomQuery(folders: readonly (string | undefined)[]): ListQrCodes {
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
  ])
  const query = {
    page: 1 + below(3),
    limit: oneOf([1, 5, 20, 100]),
    search: maybe(0.5, () => word),
    type: maybe(0.3, () => oneOf(types)),
    status: maybe(0.3, () => oneOf(statuses)),
    folderId: maybe(0.3, () => oneOf(folders)),
    tag: maybe(0.4, () => [...new Set([oneOf(tags), oneOf(tags)])]),
    sort: maybe(0.7, () => oneOf(['createdAt', 'updatedAt', 'name', 'totalScans'] as const)),
    order: maybe(0.7, () => oneOf(['asc', 'desc'] as const)),
  }
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as ListQrCodes
}

const fold = (text: string) => text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ')

const compare = (a: number | Buffer | string, b: number | Buffer | string): number =>
  Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.compare(b) : a < b ? -1 : a > b ? 1 : 0

/** Returns the expected list, computed in memory without SQL. */
function listed(codes: readonly QrCodeRow[], query: ListQrCodes): { ids: string[]; total: number } {
  const {
    page,
    limit,
    search = '',
    type,
    status,
    folderId,
    tag = [],
    sort = 'createdAt',
    order = 'desc',
  } = query
  const matching = codes.filter(
    (code) =>
      fold(code.name).includes(fold(search)) &&
      (type === undefined || code.type === type) &&
      (status === undefined || code.status === status) &&
      (folderId === undefined || code.folderId === folderId) &&
      tag.every((one) => code.tags.includes(one)),
  )
  const keys = {
    createdAt: (code: QrCodeRow) => code.createdAtMs,
    updatedAt: (code: QrCodeRow) => code.updatedAtMs,
    name: (code: QrCodeRow) => Buffer.from(fold(code.name)),
    totalScans: (code: QrCodeRow) => code.totalScans,
  }
  const sorted = matching.sort((a, b) => compare(keys[sort](a), keys[sort](b)) || compare(a.id, b.id))
  if (order === 'desc') sorted.reverse()
  const start = (page - 1) * limit
  return { ids: sorted.slice(start, start + limit).map(({ id }) => id), total: matching.length }
}
