import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { insertBatch } from '../analytics/insert/insert.ts'
import type { ScanRow } from '../analytics/insert/scan-row.ts'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import type { ClickHouse } from '../analytics/store/clickhouse.ts'
import { blockOf, randomScans } from '../analytics/testing/scan-rows.ts'
import { startTestStore } from '../analytics/testing/store.ts'
import { storeCalls } from '../analytics/testing/store-calls.ts'
import { restoreQrCodes } from '../catalogue/codes/bin.ts'
import { deleteQrCode } from '../catalogue/codes/qr-code-deletion.ts'
import { createQrCode, readQrCode } from '../catalogue/codes/qr-codes.ts'
import { someOrganization, someOrigin as origin, someQrCode } from '../catalogue/testing/catalogue.ts'
import type { Database } from '../db/database.ts'
import { readRestoredCodes } from '../db/scans/scan-counters.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { recountRestored } from './recount-restored.ts'

const { store, remove } = await startTestStore()
after(remove)
const random = randomFrom(testSeed())
const restorableUntilMs = Number.MAX_SAFE_INTEGER

forEachDatabase('a restored code', (open) => {
  test('has the scans that were ingested while it was in the bin', async () => {
    const db = await open()
    const { key, humans, visitors } = await someScannedCode(db)
    await deleteQrCode(db, key, { origin, restorableUntilMs })
    await restoreQrCodes(db, key.organizationId, { ids: [key.id], origin })
    assert.equal((await readQrCode(db, key))?.totalScans, 0, 'its counters as they were')

    const away = {
      ...storeCalls(store),
      select: async () => Promise.reject(new ScanStoreUnavailable(new Error('away'))),
    }
    await assert.rejects(recountRestored(db, away), ScanStoreUnavailable)
    assert.equal((await readRestoredCodes(db, 10)).length, 1, 'the next call continues')
    await recountRestored(db, store)
    const counted = await readQrCode(db, key)
    assert.deepEqual([counted?.totalScans, counted?.uniqueScans], [humans, visitors])
    assert.deepEqual(await readRestoredCodes(db, 10), [])
  })

  test('stays due if it is deleted and restored again during the count', async () => {
    const db = await open()
    const { key } = await someScannedCode(db)
    const again = async (nowMs: number) => {
      await deleteQrCode(db, key, { origin, restorableUntilMs })
      await restoreQrCodes(db, key.organizationId, { ids: [key.id], origin, nowMs })
    }
    await again(1_000)
    let calls = 0
    const slow: ClickHouse = {
      ...storeCalls(store),
      select: async (...call) => {
        if (calls++ === 0) await again(2_000)
        return store.select(...call)
      },
    }
    await recountRestored(db, slow)
    assert.deepEqual(
      (await readRestoredCodes(db, 10)).map(({ restoredAtMs }) => restoredAtMs),
      [2_000],
    )
  })
})

/** Creates a code whose scans are in the store and not yet in its counters. */
async function someScannedCode(db: Database) {
  const { id: organizationId } = await someOrganization(db)
  const { id } = await createQrCode(db, organizationId, someQrCode())
  const fromMs = Date.UTC(2026, 2, 1)
  const rows = randomScans(random, { organizationId, rows: 200, fromMs, toMs: fromMs + 86_400_000 }).map(
    (row): ScanRow => ({ ...row, qrCodeId: id }),
  )
  await insertBatch(store, blockOf(`bat_${id}`, rows))
  const human = rows.filter((row) => row.class === 'human')
  const visitors = new Set(human.map(({ visitor }) => visitor)).size
  return { key: { organizationId, id }, humans: human.length, visitors }
}
