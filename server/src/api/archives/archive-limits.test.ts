import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import { archivedScanColumns } from '../../analytics/store/archived-scan-columns.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { noSource } from '../../catalogue/accounts/account-log.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import type { Database } from '../../db/database.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { createId } from '../../ids.ts'
import { openTestApi, publicUrl, somePerson, type TestApi } from '../testing/api.ts'
import { importDirectly } from '../testing/archives.ts'
import { archiveOf, codeLine, hitOf, jsonl } from '../testing/strangers-archives.ts'
import { readArchiveApart } from '../../product/imports/archives/read-apart.ts'

const { scanStore, remove } = await startTestStore()
after(remove)

onEitherDatabase('the reading of an archive', (open) => {
  for (const [limit, files] of [
    ['archiveLinesMax', async () => ({ 'views.jsonl': '{}\n'.repeat(limits.archiveLinesMax + 1) })],
    ['archiveFoldersMax', async () => ({ 'folders.jsonl': '{}\n'.repeat(limits.archiveFoldersMax + 1) })],
    ['archiveStylesMax', async () => ({ 'styles.jsonl': '{}\n'.repeat(limits.archiveStylesMax + 1) })],
    ['archiveRefusalsMax', async () => ({ 'views.jsonl': '{}\n'.repeat(limits.archiveRefusalsMax + 1) })],
    // Each line names the columns, as only the first one may.
    [
      'archiveRefusalsMax',
      async () => ({
        'scans/2026-02.jsonl': jsonl([...archivedScanColumns]).repeat(limits.archiveRefusalsMax + 2),
      }),
    ],
    ['archiveTagsMax', async (api: TestApi) => ({ 'qr-codes.jsonl': await codesWithTags(api) })],
  ] as const)
    test(`ends with the name of the limit ${limit}, and writes nothing`, async () => {
      const db = await open()
      const api = await openTestApi(db, { store: scanStore })
      const archive = await archiveOf({ files: await files(api) })
      const { userId } = await somePerson(db, 'Eve')
      await assert.rejects(
        importDirectly(db, archive, { owner: { id: userId, name: 'Eve' } }, { leaveOut: true }),
        {
          status: 400,
          message: new RegExp(`at most ${limits[limit]} .*\\(${limit}\\)`),
        },
      )
      assert.deepEqual(await traces(db), { chunks: 0, organizations: 2 })
    })

  test('ends with the limit archiveSecondsMax, or when its client leaves, and leaves nothing', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const line = await codeLine(api)
    // Hits are the lines without a limit: these take longer than any test.
    const hits = jsonl(hitOf(line.id, 'human', false)).repeat(200_000)
    const files = { 'qr-codes.jsonl': jsonl({ ...line, shortCode: 'SLOW' }), 'scans/2026-02.jsonl': hits }
    const asked = await requestOf(db, 'Eve', await archiveOf({ files }))
    const never = new AbortController().signal
    await assert.rejects(readArchiveApart(db, asked, { holder: 'Eve', signal: never, secondsMax: 0.5 }), {
      status: 400,
      message: /archiveSecondsMax/,
    })
    const leaving = new AbortController()
    const read = readArchiveApart(db, asked, { holder: 'Eve', signal: leaving.signal })
    // Lines are on their way into the catalogue.
    const waiting = untilChunks(db).then(() => leaving.abort())
    await assert.rejects(read, { name: 'ClientGone' })
    await waiting
    assert.deepEqual(await traces(db), { chunks: 0, organizations: 2 })
    const gone = new AbortController()
    gone.abort()
    await assert.rejects(readArchiveApart(db, asked, { holder: 'Eve', signal: gone.signal }), {
      name: 'ClientGone',
    })
  })

  test('ends with the limit archiveHeapMegabytesMax, and leaves nothing but the turn to the next', async () => {
    const db = await open()
    const api = await openTestApi(db, { store: scanStore })
    const line = jsonl({ ...(await codeLine(api)), shortCode: 'HEAP' })
    // One line within its limit of bytes, of which each third is an object.
    const objects = `[${'{},'.repeat(limits.archiveLineBytesMax / 3 - 10)}{}]\n`
    const large = await requestOf(db, 'Eve', await archiveOf({ files: { 'qr-codes.jsonl': line + objects } }))
    const small = await requestOf(db, 'Ada', await archiveOf({ files: { 'qr-codes.jsonl': line } }))
    const waiting = { holder: 'Eve', signal: new AbortController().signal, heapMegabytesMax: 64 }
    for (let reader = 0; reader <= limits.archiveReadersMax; reader++)
      await assert.rejects(readArchiveApart(db, large, waiting), {
        status: 400,
        message: /archiveHeapMegabytesMax/,
      })
    assert.deepEqual(await traces(db), { chunks: 0, organizations: 2 })
    // The same heap is enough for an archive as people have them.
    const read = await readArchiveApart(db, small, waiting)
    assert.deepEqual([read.total.qrCodes, read.leftOutCount], [1, 0])
  })
})

async function codesWithTags(api: TestApi): Promise<string> {
  const line = await codeLine(api)
  const codes = Math.floor(limits.archiveTagsMax / limits.tagsMax) + 1
  return jsonl(
    ...Array.from({ length: codes }, (_, at) => ({
      ...line,
      id: createId('qr'),
      shortCode: `TAGS${at}`,
      tags: Array.from({ length: limits.tagsMax }, (__, tag) => `t${at}-${tag}`),
    })),
  )
}

/** An archive on the disk, sent by an account that makes a new organization of it. */
async function requestOf(
  db: Database,
  name: string,
  archive: Buffer,
): Promise<Parameters<typeof readArchiveApart>[1]> {
  const folder = mkdtempSync(join(tmpdir(), 'everscan-strangers-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'archive.zip')
  writeFileSync(path, archive)
  const { userId: id } = await somePerson(db, name)
  return {
    path,
    fileName: null,
    target: { owner: { id, name } },
    dryRun: false,
    leaveOut: true,
    publicUrl,
    webhookAllowPrivate: false,
    privateDomains: false,
    origin: someOrigin,
    source: noSource,
    nowMs: Date.now(),
  }
}

async function traces({ kysely }: Database): Promise<{ chunks: number; organizations: number }> {
  const chunks = await kysely.selectFrom('import_chunks').select('chunk').execute()
  const organizations = await kysely.selectFrom('organizations').select('id').execute()
  return { chunks: chunks.length, organizations: organizations.length }
}

async function untilChunks(db: Database): Promise<void> {
  while ((await traces(db)).chunks === 0) await new Promise(setImmediate)
}
