import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { readDetachedParts } from '../../analytics/store/part-health.ts'
import { insertBatch } from '../../analytics/insert/insert.ts'
import { blockOf, randomScans } from '../../analytics/testing/scan-rows.ts'
import { randomFrom } from '@everscan/contract/testing/random.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { createStoreCheck } from './store-check.ts'
import { watchWorker } from '../watch.ts'
import { listAuditLog } from '../../catalogue/ledger/audit-log.ts'
import { readConfig } from '../../settings/config.ts'
import { readInstallationNotes } from '../../db/installation.ts'
import { onEitherDatabase, silentLog } from '../../db/testing/databases.ts'
import { countersOf, storedOf } from '../../ingest/testing/ingest.ts'
import { insertCode } from '../../db/testing/codes.ts'
import { createMetrics, metricsText } from '../../processes/metrics.ts'

const { store, remove } = await startTestStore()
const dataDir = mkdtempSync(join(tmpdir(), 'everscan-check-'))
after(async () => {
  await remove()
  rmSync(dataDir, { recursive: true })
})
const { signal } = new AbortController()
const minuteMs = 60_000
const [fromMs, toMs] = [Date.UTC(2026, 2, 2), Date.UTC(2026, 2, 3)]
const scans = randomScans(randomFrom(1), { organizationId: 'org_1', rows: 300, fromMs, toMs })
await insertBatch(store, blockOf('bat_1', scans))

onEitherDatabase('the daily check of the scan store', (open) => {
  test('corrects and reports wrong counters and first scans, ten minutes after the start and once a day', async () => {
    const db = await open()
    for (const id of ['qr_busy', 'qr_quiet', 'qr_never']) await insertCode(db, 'org_1', id)
    const { codes } = await storedOf(store, 'org_1')
    const exact = { ...codes, qr_never: [0, 0] }
    const total = (codes['qr_busy']?.[0] ?? 0) + (codes['qr_quiet']?.[0] ?? 0)
    await store.command(`delete from first_scans where qr_code_id = 'qr_busy'`)
    let nowMs = 0
    let isCompared = false
    const check = createStoreCheck({
      store,
      signal,
      log: silentLog,
      elapsedMs: () => nowMs,
      isCompared: () => isCompared,
    })
    const run = () => check.run(db, 1000)
    await run()
    isCompared = true
    nowMs = 9 * minuteMs
    await run()
    assert.deepEqual(await countersOf(db), { qr_busy: [0, 0], qr_quiet: [0, 0], qr_never: [0, 0] })
    nowMs = 11 * minuteMs
    isCompared = false
    await run()
    assert.equal(check.correctedScans, 0)
    isCompared = true
    await run()
    assert.deepEqual(await countersOf(db), exact)
    assert.equal(check.correctedScans, total)
    assert.deepEqual(check.brokenParts, [])

    await db.kysely
      .updateTable('scan_counters')
      .set({ total_scans: 500 })
      .where('qr_code_id', '=', 'qr_quiet')
      .execute()
    await db.kysely
      .updateTable('scan_counters')
      .set({ total_scans: 2 })
      .where('qr_code_id', '=', 'qr_never')
      .execute()
    nowMs += 23 * 60 * minuteMs
    await run()
    assert.equal(check.correctedScans, total)
    nowMs += 2 * 60 * minuteMs
    await run()
    assert.deepEqual(await countersOf(db), exact)
    const tooMany = 502 - (codes['qr_quiet']?.[0] ?? 0)
    assert.equal(check.correctedScans, total + tooMany)
    nowMs += 25 * 60 * minuteMs
    await run()
    const notes = await readInstallationNotes(db)
    assert.deepEqual(notes.map(({ kind, detail }) => [kind, detail['scans']]).toReversed(), [
      ['counters-corrected', total],
      ['counters-corrected', tooMany],
    ])
    const { rows } = await listAuditLog(db, 'org_1', { page: 1, limit: 10, action: 'scans.recount' })
    assert.deepEqual(new Set(rows.map(({ target }) => target.name)), new Set([`+${total}`, `-${tooMany}`]))
  })

  test('the part scanParts of the service is down while a part of the store is detached', async () => {
    const db = await open()
    const metrics = createMetrics('worker-0')
    const detachedParts = () => readDetachedParts(store)
    const watched = () =>
      watchWorker(readConfig({ DATA_DIR: dataDir }), {
        db,
        store: { folder: dataDir, check: { brokenParts: [], correctedScans: 0 }, detachedParts },
        log: silentLog,
        metrics: createMetrics('worker-1'),
        ingest: () => undefined,
        scheduledCopies: () => undefined,
      })
    const part = async (watch = watched()) => {
      // Reading may take longer than a report waits.
      for (let tries = 0; tries < 100; tries++) await watch.parts()
      return (await watch.parts()).find(({ name }) => name === 'scanParts')
    }
    assert.deepEqual(await part(), { name: 'scanParts', ok: true })
    await store.command(`alter table scans detach partition 202603`)
    const check = { brokenParts: [{ table: 'scans', part: 'x', why: 'y' }], correctedScans: 7 }
    const config = readConfig({ DATA_DIR: dataDir })
    const watch = watchWorker(config, {
      db,
      store: { folder: dataDir, check, detachedParts },
      log: silentLog,
      metrics,
      ingest: () => undefined,
      scheduledCopies: () => undefined,
    })
    const degraded = await part(watch)
    assert.equal(degraded?.ok, false)
    assert.match(
      degraded.detail ?? '',
      /^1 parts of the scan store are detached and 1 cannot be read, such as 202603_\w+ of scans/,
    )
    const text = await metricsText([await metrics.collect()])
    assert.match(text, /^everscan_scan_store_troubled_parts\{state="detached",process="worker-0"\} 1$/m)
    assert.match(text, /^everscan_scan_store_troubled_parts\{state="broken",process="worker-0"\} 1$/m)
    assert.match(text, /^everscan_counters_corrected_scans_total\{process="worker-0"\} 7$/m)
    await store.command(`alter table scans attach partition 202603`)
    assert.deepEqual(await part(), { name: 'scanParts', ok: true })
  })
})
