import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openScanStore } from '../analytics/store/open-scan-store.ts'
import { watchWorker } from './watch.ts'
import { readConfig } from '../config.ts'
import { onSqlite, silentLog } from '../db/testing/databases.ts'
import { openGeography } from '../ingest/geography/geography.ts'
import { emptyStats } from '../ingest/ingest-stats.ts'
import { openJournal } from '../journal/journal.ts'
import { prepareIds } from '../journal/raw-scan.ts'
import { createMetrics, metricsText } from '../processes/metrics.ts'

onSqlite('the watch of the worker', (open) => {
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
      store: openScanStore({ socketPath: join(dataDir, 'none') }),
      storeCheck: { brokenParts: [], correctedScans: 0 },
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

    stats.failing = { dir: 'front-0', problem: 'the scan store does not answer', sinceMs: 1 }
    assert.deepEqual(await part('ingest'), {
      name: 'ingest',
      ok: false,
      detail: 'the scan store does not answer',
    })
    await geography.reload({ cityV4: '/there/is/no/such/file' })
    const broken = await part('geography')
    assert.equal(broken?.ok, false)
    assert.match(broken.detail ?? '', /no such file/)
  })
})
