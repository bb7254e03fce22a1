// A copy has every row that the catalogue had counted, wherever it came from, or says what it
// lacks.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { figuresOfCodes } from '../analytics/copies/code-figures.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { startTestStore } from '../analytics/testing/store.ts'
import type { Database } from '../db/database.ts'
import { updateInstallation } from '../db/installation.ts'
import { saveIntents } from '../db/scans/ingest-checkpoints.ts'
import { readScanDays } from '../db/scans/scan-days.ts'
import { changeScanLosses, readScanLosses } from '../db/scans/scan-losses.ts'
import { onEitherDatabase, silentLog } from '../db/testing/databases.ts'
import { createScanImporter } from '../ingest/import-scans.ts'
import { countersOf } from '../ingest/testing/ingest.ts'
import { settleStray } from '../ingest/clickhouse/stray-intents.ts'
import { ingestCalls } from '../ingest/clickhouse/ingest-calls.ts'
import type { IngestContext } from '../ingest/ingest-context.ts'
import { lackingTexts } from './lacking.ts'
import { entryNames } from './manifest.ts'
import type { Restored } from './restore-copy.ts'
import { copiedClickHouse, restoredClickHouse } from './stores/clickhouse-copies.ts'
import { withRestoredFiles } from './stores/file-copies.ts'
import {
  copyTo,
  copyWithout,
  elsewhere,
  fill,
  manifestOf,
  placeOf,
  restoreFrom,
  sum,
  verify,
} from './testing/copied-scans.ts'
import {
  columnsOfBoth,
  openBatches,
  rowsInClickHouse,
  rowsOf as rowsOfFiles,
} from './testing/file-installation.ts'

const { store: from, remove } = await startTestStore()
const { store: to, remove: removeTo } = await startTestStore()
const folder = mkdtempSync(join(tmpdir(), 'everscan-lacking-'))
after(async () => {
  await Promise.all([remove(), removeTo()])
  rmSync(folder, { recursive: true })
})
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

  test('is restored into files, row by row, and the first start changes nothing', async () => {
    const db = await filled(await open())
    const path = await copied(db)
    const dataDir = mkdtempSync(join(folder, 'in-files-'))
    const databaseUrl = await elsewhere(db)
    const found = await withRestoredFiles({ dataDir }, (store) =>
      restoreFrom(path, { databaseUrl, dataDir, store }),
    )
    assert.deepEqual([found.lacking, found.scans], [[], 100])
    assert.deepEqual(await rowsOfFiles(found.db, { dataDir }, columnsOfBoth), await rowsInClickHouse(from))
    const counters = await countersOf(found.db)
    const figures = (await Array.fromAsync(figuresOfCodes(from))).flat()
    assert.deepEqual(
      counters,
      Object.fromEntries(
        figures.map(({ qrCodeId, hits, uniqueScans }) => [qrCodeId, [hits.human, uniqueScans]]),
      ),
    )
    const batches = await openBatches(found.db, { dataDir })
    const { lost, manifest } = await batches.recover({ signal: new AbortController().signal })
    assert.deepEqual([lost, manifest.segments.length], [[], 2])
    assert.deepEqual(await countersOf(found.db), counters)
    assert.equal(sum(await readScanDays(found.db)), 100)
    await batches.close()
    await found.db.close()
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
    const damaged = await copyWithout(path, (name) => name.startsWith(entryNames.scans) && name.includes('1'))
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

async function filled(db: Database): Promise<Database> {
  for (const table of ['scans', 'first_scans']) await from.command(`truncate table ${table}`)
  await fill(db, createScanImporter(from))
  await updateInstallation(db, { scanStore: 'server:one' })
  return db
}

function copied(db: Database): Promise<string> {
  const place = placeOf(db, folder)
  const store = copiedClickHouse(from, place, silentLog)
  return copyTo(join(folder, `${++copies}.copy`), place, store)
}

async function restored(path: string, databaseUrl: string | undefined): Promise<Restored & { db: Database }> {
  for (const table of ['scans', 'first_scans']) await to.command(`truncate table ${table}`)
  const store = restoredClickHouse(to)
  return restoreFrom(path, { databaseUrl, dataDir: mkdtempSync(join(folder, 'restored-')), store })
}

function rowsOf(store: ClickHouse): Promise<unknown[]> {
  return store.select('select * except batch_id from scans order by writer, sequence')
}
