import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { problem } from '@everscan/contract/problems/problem.ts'
import { watchWorker } from './watch.ts'
import { readConfig } from '../settings/config.ts'
import { onSqlite, silentLog } from '../db/testing/databases.ts'
import { ensureInstallation, isCountingRestored, setRestoredAt } from '../db/installation.ts'
import { saveCheckpoint } from '../db/scans/ingest-checkpoints.ts'
import { changeScanLosses, forgetScanLosses } from '../db/scans/scan-losses.ts'
import { openGeography } from '../visitors/geography/geography.ts'
import { emptyStats } from '../ingest/ingest-stats.ts'
import { openJournal } from '../journal/journal.ts'
import { journalStart, readFrames, readWriters } from '../journal/reader.ts'
import { prepareIds } from '../journal/raw-scan.ts'
import { createMetrics, metricsText } from '../processes/metrics.ts'

const noStore = { check: { brokenParts: [], correctedScans: 0 }, detachedParts: async () => [] }

onSqlite('the watch of the worker', (open) => {
  test('after a restore, ingest is down until its scans are counted: the stores are compared, and no old frame waits', async (t) => {
    const db = await open()
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-watch-'))
    const rootDir = join(dataDir, 'journal')
    const dir = join(rootDir, 'front-0')
    const journal = openJournal({ dir, rootDir, sync: 'never', bytesMax: 1 << 30 })
    t.after(async () => {
      await journal.close()
      rmSync(dataDir, { recursive: true })
    })
    const ids = { organizationId: 'org_1', qrCodeId: 'qr_1', shortCode: 'QR1', domain: '', rule: '', arm: '' }
    const scan = { ids: prepareIds(ids), visitor: 'v'.repeat(16), network: '', userAgent: '' }
    const rest = { referrerHost: '', language: '', app: '', hints: 0, timeMs: Date.now() - 5_000 }
    await new Promise((resolve) => journal.append({ ...scan, ...rest }, { acknowledge: resolve }))
    await ensureInstallation(db)
    await setRestoredAt(db, Date.now())
    const geography = await openGeography({ log: silentLog })
    const ingest = { stats: emptyStats(), geography, isChecked: false, stop: async () => {} }
    const watch = watchWorker(readConfig({ DATA_DIR: dataDir }), {
      db,
      store: { ...noStore, folder: dataDir },
      log: silentLog,
      metrics: createMetrics('worker-0'),
      ingest: () => ingest,
      scheduledCopies: () => undefined,
    })
    const part = async () => (await watch.parts()).find(({ name }) => name === 'ingest')
    assert.match((await part())?.detail ?? '', /^counts the scans of the restored copy: /)
    ingest.isChecked = true
    assert.equal((await part())?.ok, false, 'its frames wait')
    const [{ writer } = { writer: '' }] = readWriters(dir)
    const { position } = await readFrames(dir, journalStart)
    await saveCheckpoint(db, writer, position)
    assert.deepEqual(await part(), { name: 'ingest', ok: true })
    assert.equal(await isCountingRestored(db), false)
  })

  test('lost scans are a part that is down until the loss is accepted', async () => {
    const db = await open()
    await changeScanLosses(db, [{ writer: 'w', day: 20_513, hits: 4 }])
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-watch-'))
    const watched = () =>
      watchWorker(readConfig({ DATA_DIR: dataDir }), {
        db,
        store: { ...noStore, folder: dataDir },
        log: silentLog,
        metrics: createMetrics('worker-0'),
        ingest: () => undefined,
        scheduledCopies: () => undefined,
      })
    const part = async () => (await watched().parts()).find(({ name }) => name === 'lostScans')
    assert.match((await part())?.detail ?? '', /^4 hits of 2026-03-01 were counted, .*adopt losses/)
    await forgetScanLosses(db)
    assert.deepEqual(await part(), { name: 'lostScans', ok: true })
    rmSync(dataDir, { recursive: true })
  })

  test('ingest is down if it fails or is more than a minute behind; geography is down if it cannot be read', async (t) => {
    const db = await open()
    const dataDir = mkdtempSync(join(tmpdir(), 'everscan-watch-'))
    const rootDir = join(dataDir, 'journal')
    const journal = openJournal({ dir: join(rootDir, 'front-0'), rootDir, sync: 'never', bytesMax: 1 << 30 })
    t.after(async () => {
      await journal.close()
      rmSync(dataDir, { recursive: true })
    })
    const geography = await openGeography({ log: silentLog })
    const stats = emptyStats()
    const ingest = { stats, geography, isChecked: true, stop: async () => {} }
    const metrics = createMetrics('worker-0')
    const config = readConfig({ DATA_DIR: dataDir })
    const watch = watchWorker(config, {
      db,
      store: { ...noStore, folder: dataDir },
      log: silentLog,
      metrics,
      ingest: () => ingest,
      scheduledCopies: () => undefined,
    })
    const part = async (name: string) => (await watch.parts()).find((one) => one.name === name)

    for (const name of ['ingest', 'disk']) assert.deepEqual(await part(name), { name, ok: true }, name)
    const geographyPart = await part('geography')
    assert.equal(geographyPart?.ok, true)
    assert.match(geographyPart.detail ?? '', /^the data is of 20\d\d-\d\d-\d\d, [\d,]+ days? old$/)

    const scan = {
      ids: prepareIds({
        organizationId: 'org_1',
        qrCodeId: 'qr_1',
        shortCode: 'QR1',
        domain: '',
        rule: '',
        arm: '',
      }),
      visitor: 'v'.repeat(16),
      network: '',
      userAgent: '',
      referrerHost: '',
      language: '',
      app: '',
      hints: 0,
    }
    const record = (timeMs: number): Promise<boolean> =>
      new Promise((resolve) => journal.append({ ...scan, timeMs }, { acknowledge: resolve }))
    assert.equal(await record(Date.now() - 90_000), true)
    const behind = await part('ingest')
    assert.equal(behind?.ok, false)
    assert.match(behind.detail ?? '', /^is 9\d s behind \(\d+ bytes\)$/)
    const text = await metricsText([await metrics.collect()])
    assert.match(text, /^everscan_ingest_lag_seconds\{process="worker-0"\} 9\d\./m)
    assert.match(text, /^everscan_ingest_lag_bytes\{process="worker-0"\} [1-9]\d+$/m)

    stats.failing = { dir: 'front-0', told: problem('ingestStoreSilent'), sinceMs: 1 }
    assert.deepEqual(await part('ingest'), {
      name: 'ingest',
      ok: false,
      detail: 'the scan store does not answer',
      problem: 'ingestStoreSilent',
      values: {},
    })
    await geography.reload({ cityV4: '/there/is/no/such/file' })
    const broken = await part('geography')
    assert.equal(broken?.ok, false)
    assert.deepEqual([broken.problem, broken.values?.['code']], ['geographyKept', 'ENOENT'])
  })
})
