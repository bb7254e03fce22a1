// A copy has every row that the catalogue had counted, wherever it came from, or says what it
// lacks.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { startTestStore } from '../analytics/testing/store.ts'
import { createQrCode } from '../catalogue/codes/qr-codes.ts'
import { someOrganization, someQrCode } from '../catalogue/testing/catalogue.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { ensureInstallation, updateInstallation } from '../db/installation.ts'
import { openDatabase } from '../db/open-database.ts'
import { saveIntents } from '../db/scans/ingest-checkpoints.ts'
import { readScanDays } from '../db/scans/scan-days.ts'
import { changeScanLosses, readScanLosses } from '../db/scans/scan-losses.ts'
import { onEitherDatabase, newPostgresDatabase, silentLog } from '../db/testing/databases.ts'
import { createId } from '../ids.ts'
import { createScanImporter } from '../ingest/import-scans.ts'
import { settleStray } from '../ingest/clickhouse/stray-intents.ts'
import { ingestCalls } from '../ingest/clickhouse/ingest-calls.ts'
import type { IngestContext } from '../ingest/ingest-context.ts'
import { lineOfVisit } from '../ingest/visit-lines.ts'
import { readCopyEntries } from './copy-file-reader.ts'
import { createCopyFile } from './copy-file-writer.ts'
import { lackingTexts } from './lacking.ts'
import { makeCopy } from './make-copy.ts'
import { entryNames, type CopyManifest } from './manifest.ts'
import { readMeta } from './read-meta.ts'
import { newStoreId, restoreCopy, type Restored } from './restore-copy.ts'
import { verifyCopy } from './verify-copy.ts'

const { store: from, remove } = await startTestStore()
const { store: to, remove: removeTo } = await startTestStore()
const folder = mkdtempSync(join(tmpdir(), 'everscan-lacking-'))
after(async () => {
  await Promise.all([remove(), removeTo()])
  rmSync(folder, { recursive: true })
})
const nowMs = Date.UTC(2026, 2, 20)
const dayMs = 86_400_000
let copies = 0

onEitherDatabase('a copy', (open) => {
  test('has the hits of an archive and of a move, restored on the other catalogue row by row', async () => {
    const db = await filled(await open())
    const path = await copied(db)
    const manifest = await manifestOf(path)
    assert.deepEqual([manifest.scans, manifest.lacking], [100, []])
    const before = await rowsOf(from)
    const { lacking } = await restored(path, await elsewhere(db))
    assert.deepEqual(lacking, [])
    assert.equal(before.length, 100)
    assert.deepEqual(await rowsOf(to), before)
    const verified = await verify(path)
    assert.deepEqual([verified.differences, verified.lacks], [[], []])
  })

  test('has rows that count although no checkpoint covers them: the journal of their batch is gone', async () => {
    const db = await filled(await open())
    const [writer, batchId] = ['f'.repeat(32), 'bat_stray']
    const at = { segment: 1, offset: 0, sequence: 0 }
    const intent = { batchId, writer, from: at, to: { ...at, sequence: 60 }, partition: '202603', rows: 60 }
    await saveIntents(db, [intent])
    await from.command(
      `insert into scans select * replace ('${writer}' as writer, '${batchId}' as batch_id) from (select * from scans limit 60)`,
    )
    const open60 = await manifestOf(await copied(db))
    assert.equal(open60.scans, 100, 'a batch that is open comes with its journal')
    const context = {
      calls: ingestCalls,
      db,
      store: from,
      isAlone: true,
      clock: Date.now,
      log: silentLog,
    } as IngestContext
    await settleStray(context, new Set())
    const manifest = await manifestOf(await copied(db))
    assert.deepEqual([manifest.scans, manifest.lacking], [160, []])
  })

  const losses: Readonly<Record<string, string>> = {
    'a part': 'alter table scans drop partition 202602',
    'a day': `alter table scans delete where toDate(time) = '2026-03-03' settings mutations_sync = 1`,
    'the rows of a code': `alter table scans delete where qr_code_id = (select min(qr_code_id) from scans) settings mutations_sync = 1`,
    'one row': `alter table scans delete where sequence = 7 and writer = (select min(writer) from scans) settings mutations_sync = 1`,
    everything: 'truncate table scans',
  }
  for (const [what, statement] of Object.entries(losses))
    test(`says that it lacks ${what} of the store, and so does what is restored from it`, async () => {
      const db = await filled(await open())
      await from.command(statement)
      const has = (await rowsOf(from)).length
      assert.ok(has < 100)
      const path = await copied(db)
      const manifest = await manifestOf(path)
      assert.equal(sum(manifest.lacking), 100 - has)
      assert.equal(manifest.held?.hits, has)
      const [text = ''] = lackingTexts(manifest)
      assert.match(text, /^\d+ hits? (of|from) 2026-0[23]-\d\d.* of the writer job_/)
      const { lacking, db: there } = await restored(path, await elsewhere(db))
      assert.deepEqual(lacking, manifest.lacking)
      assert.equal(sum(await readScanLosses(there)), 100 - has)
      assert.equal(sum(await readScanDays(there)), has)
      await there.close()
    })

  test('that lost rows after it was made is told by its verification and by what is restored', async () => {
    const db = await filled(await open())
    const path = await copied(db)
    const damaged = await without(path, (name) => name.startsWith(entryNames.scans) && name.includes('1'))
    const verified = await verify(damaged)
    assert.ok(verified.differences.length > 0)
    assert.match(verified.lacks.join(), /hits from .* of the writer job_/)
    const { lacking, db: there } = await restored(damaged, await elsewhere(db))
    assert.ok(sum(lacking) > 0)
    await there.close()
  })

  test('lacks what was lost before, until that is accepted', async () => {
    const db = await filled(await open())
    await changeScanLosses(db, [{ writer: 'w', day: 20_000, hits: 5 }])
    const manifest = await manifestOf(await copied(db))
    assert.deepEqual(lackingTexts(manifest), ['5 hits of 2024-10-04 of the writer w'])
    await changeScanLosses(db, [{ writer: 'w', day: 20_000, hits: -9 }])
    assert.deepEqual((await manifestOf(await copied(db))).lacking, [])
  })
})

/** The other kind of catalogue. */
async function elsewhere(db: Database): Promise<string | undefined> {
  return db.dialect === 'sqlite' ? newPostgresDatabase() : undefined
}

/** Fills a catalogue and the store: 60 hits of an archive and 40 visits of a move. */
async function filled(db: Database): Promise<Database> {
  for (const table of ['scans', 'first_scans']) await from.command(`truncate table ${table}`)
  await ensureInstallation(db)
  await updateInstallation(db, { scanStore: 'embedded:one', scansCountedAtMs: nowMs })
  const { id: organizationId } = await someOrganization(db)
  const { id: qrCodeId, shortCode } = await createQrCode(db, organizationId, someQrCode())
  const { id: second } = await createQrCode(db, organizationId, someQrCode())
  const hits = Array.from({ length: 60 }, (_, index) =>
    lineOf(index % 2 ? qrCodeId : second, shortCode, index),
  )
  const visits = Array.from({ length: 40 }, (_, index) => {
    const timeMs = Date.UTC(2026, 2, 1 + (index % 5), 1, 0, index)
    return lineOfVisit({ qrCodeId, shortCode, timeMs, country: 'DE' }).line
  })
  await importHits(db, organizationId, { lines: hits.filter((_, index) => index % 3 === 0), at: 1 })
  await importHits(db, organizationId, { lines: hits.filter((_, index) => index % 3 !== 0), at: 1 })
  await importHits(db, organizationId, { lines: visits, at: 1 })
  return db
}

async function importHits(
  db: Database,
  organizationId: string,
  { lines, at }: { lines: readonly unknown[][]; at: number },
): Promise<void> {
  const writer = createId('job')
  let firstSequence = at
  // The lines of an archive come by month.
  for (const month of Map.groupBy(lines, ([, , timeMs]) => new Date(Number(timeMs)).getUTCMonth()).values()) {
    const batch = { organizationId, writer, firstSequence, lines: month }
    const isStored = await createScanImporter(from).store(db, batch, (count) =>
      inTransaction(db, async (tx) => assert.ok(await count(tx))),
    )
    assert.ok(isStored)
    firstSequence += month.length
  }
}

function lineOf(qrCodeId: string, shortCode: string, index: number): unknown[] {
  const visitor = (index % 7).toString(16).padStart(32, '0')
  const place = ['DE', 'Berlin', '', 52.5, 13.4]
  const device = ['mobile', 'iOS', 'Safari', '', 'de']
  const timeMs = Date.UTC(2026, 1, 26) + (index % 9) * dayMs + index
  return [qrCodeId, shortCode, timeMs, visitor, 'human', '', ...place, ...device, '', '', false, false]
}

function placeOf(db: Database) {
  const { source } = db
  return source.dialect === 'sqlite'
    ? { databaseUrl: undefined, dataDir: dirname(source.file) }
    : { databaseUrl: source.url, dataDir: folder }
}

async function copied(db: Database): Promise<string> {
  const config = { ...placeOf(db), publicUrl: 'https://qr.example.com' }
  const path = join(folder, `${++copies}.copy`)
  const others = { missing: [], silent: [] }
  const source = { config, store: from, secret: undefined, visitorKey: undefined, log: silentLog }
  await makeCopy(source, { path, passphrase: undefined, release: '0.1.0', nowMs, others })
  return path
}

async function manifestOf(path: string): Promise<CopyManifest> {
  const entries = readCopyEntries(path)
  for (;;) {
    const { done, value } = await entries.next()
    if (done === true) return value as unknown as CopyManifest
  }
}

async function restored(path: string, databaseUrl: string | undefined): Promise<Restored & { db: Database }> {
  for (const table of ['scans', 'first_scans']) await to.command(`truncate table ${table}`)
  const dataDir = mkdtempSync(join(folder, 'restored-'))
  const target = { dataDir, databaseUrl, store: to, storeKind: 'embedded', log: silentLog } as const
  const found = await restoreCopy(target, {
    path,
    passphrase: undefined,
    meta: await readMeta(path, undefined),
    visitorKeyFingerprint: null,
    storeId: newStoreId('embedded'),
    nowMs,
    signal: new AbortController().signal,
  })
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log: silentLog })
  return { ...found, db }
}

function verify(path: string) {
  return verifyCopy({
    path,
    passphrase: undefined,
    scratch: folder,
    environment: process.env,
    log: silentLog,
    nowMs,
    signal: new AbortController().signal,
  })
}

/** Writes a copy again without some of its entries, as a whole file with the same manifest. */
async function without(path: string, isLeftOut: (name: string) => boolean): Promise<string> {
  const file = await createCopyFile(`${path}.less`, { madeAtMs: nowMs, release: '0.1.0' })
  for await (const { name, bytes } of readCopyEntries(path)) if (!isLeftOut(name)) await file.add(name, bytes)
  await file.finish(await manifestOf(path))
  return `${path}.less`
}

function rowsOf(store: ClickHouse): Promise<unknown[]> {
  return store.select('select * except batch_id from scans order by writer, sequence')
}

function sum(rows: readonly { hits: number }[]): number {
  return rows.reduce((all, { hits }) => all + hits, 0)
}
