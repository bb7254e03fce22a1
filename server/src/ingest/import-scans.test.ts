import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ScanStoreUnavailable } from '../analytics/scan-store.ts'
import { storeCalls } from '../analytics/testing/store-calls.ts'
import { startTestStore } from '../analytics/testing/store.ts'
import { createQrCode, readQrCode } from '../catalogue/codes/qr-codes.ts'
import { noCounts, startArchiveImport } from '../catalogue/imports/archive-imports.ts'
import { createOrganization } from '../catalogue/organizations/organizations.ts'
import { someOrigin, someQrCode } from '../catalogue/testing/catalogue.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { openIntents } from '../db/scans/ingest-checkpoints.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { createId } from '../ids.ts'
import { createScanImporter } from './import-scans.ts'
import type { ArchivedHits, ScanImporter } from './imported-hits.ts'
import { ingestCalls } from './clickhouse/ingest-calls.ts'
import type { IngestContext } from './ingest-context.ts'
import { settleStray } from './clickhouse/stray-intents.ts'

const { store, remove } = await startTestStore()
after(remove)
const rows = 60
const visitors = 7

forEachDatabase('hits of an archive', (open) => {
  for (const step of ['saveIntents', 'insertBatch', 'countBatch', 'commitBatch'] as const)
    for (const moment of ['before', 'after'] as const)
      test(`are stored and counted once if the worker dies ${moment} ${step}`, async () => {
        const { db, key, hits } = await someHits(await open())
        const dying = createScanImporter(store, {
          calls: {
            ...ingestCalls,
            [step]: async (...words: never[]) => {
              const call = ingestCalls[step] as (...given: never[]) => Promise<unknown>
              if (moment === 'after') await call(...words)
              throw new Error('killed')
            },
            // A dead worker settles nothing.
            settleBatch: async () => Promise.reject(new Error('killed')),
          },
        })
        await assert.rejects(storeHits(dying, db, hits), /killed/)
        const next = createScanImporter(store)
        assert.equal(await storeHits(next, db, hits), true)
        assert.equal(await next.countUniques(db), true)
        const [stored] = await store.select<{ hits: number; first: number; last: number }>(
          'select count() as hits, min(sequence) as first, max(sequence) as last from scans where writer = {writer:String}',
          { writer: hits.writer },
        )
        assert.deepEqual(stored, { hits: rows, first: 11, last: 10 + rows })
        const code = await readQrCode(db, key)
        assert.deepEqual([code?.totalScans, code?.uniqueScans], [rows, visitors])
        assert.deepEqual(await openIntents(db, hits.writer), [])
      })

  test('wait for a store that is away; a comparison leaves the intent to the import', async () => {
    const { db, key, hits } = await someHits(await open())
    const away = {
      ...storeCalls(store),
      select: async () => Promise.reject(new ScanStoreUnavailable(new Error('away'))),
      insert: async () => Promise.reject(new ScanStoreUnavailable(new Error('away'))),
    }
    assert.equal(await storeHits(createScanImporter(away), db, hits), false)
    assert.equal((await openIntents(db, hits.writer)).length, 1)
    // No step of it that a journal would need is asked for.
    const context = { calls: ingestCalls, db, store, isAlone: true, clock: Date.now } as IngestContext
    await settleStray(context, new Set())
    assert.equal((await openIntents(db, hits.writer)).length, 1)
    assert.equal(await storeHits(createScanImporter(store), db, hits), true)
    assert.equal((await readQrCode(db, key))?.totalScans, rows)
  })
})

function storeHits(importer: ScanImporter, db: Database, hits: ArchivedHits): Promise<boolean> {
  return importer.store(db, hits, async (count) =>
    inTransaction(db, async (tx) => {
      assert.equal(await count(tx), true)
    }),
  )
}

/** Hits of a code, of an import that has begun. */
async function someHits(db: Database) {
  const { id: organizationId } = await createOrganization(db, { name: 'Mine' })
  const writer = createId('job')
  const input = {
    fileName: null,
    organizationName: 'Mine',
    publicUrl: 'https://qr.example.com',
    exportedAtMs: 0,
    samePictures: true,
    total: noCounts,
    leftOut: [],
    leftOutCount: 0,
    origin: someOrigin,
  }
  await startArchiveImport(db, { organizationId, id: writer }, { input, codes: [], nowMs: Date.now() })
  const { id, shortCode } = await createQrCode(db, organizationId, someQrCode())
  const lines = Array.from({ length: rows }, (_, index) => lineOf(id, shortCode, index))
  const hits = { organizationId, writer, firstSequence: 11, lines }
  return { db, key: { organizationId, id }, hits }
}

function lineOf(qrCodeId: string, shortCode: string, index: number): unknown[] {
  const visitor = (index % visitors).toString(16).padStart(32, '0')
  const place = ['DE', 'Berlin', '', 52.5, 13.4]
  const device = ['mobile', 'iOS', 'Safari', '', 'de']
  const timeMs = Date.UTC(2026, 1, 1 + (index % 20), 0, 0, 0, index)
  return [qrCodeId, shortCode, timeMs, visitor, 'human', '', ...place, ...device, '', '', false, false]
}
