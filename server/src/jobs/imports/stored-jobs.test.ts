import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClickHouse } from '../../analytics/store/open-clickhouse.ts'
import { saveImportChunk } from '../../catalogue/imports/import-chunks.ts'
import { insertImportJob } from '../../catalogue/imports/imports.ts'
import { someOrganization, someOrigin } from '../../catalogue/testing/catalogue.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { createId } from '../../ids.ts'
import { createScanImporter } from '../../ingest/import-scans.ts'
import { readConfig } from '../../settings/config.ts'
import { jobKindNames } from '../job-kind-names.ts'
import { jobKinds } from '../job-kinds.ts'
import { loadedLater } from '../start-jobs.ts'
import { claimJob } from '../queue.ts'

// These jobs have no hits.
const hits = createScanImporter(openClickHouse({ socketPath: '/nonexistent' }))

const columns = ['shortCode', 'url']
const mapping = {
  shortCode: ['shortCode'],
  destination: ['url'],
  title: [],
  tags: [],
  createdAt: [],
  clicks: [],
}
const file = { dryRun: false, fileName: null, totalRows: 1, origin: someOrigin }

/** Jobs as earlier releases stored them: the first ones had no style. */
const stored = {
  import: { ...file, type: 'URL', header: ['name', 'url'], columns: ['name', 'url'] },
  move: {
    ...file,
    source: 'csv',
    header: columns,
    mapping,
    preview: [],
    look: { style: {}, scannability: { readers: [], minPrintMm: 10, warnings: [] } },
  },
}

const kinds = loadedLater(jobKindNames, async () => jobKinds({ config: readConfig({}), hits }))

forEachDatabase('a job of an earlier release', (open) => {
  for (const [kind, input] of Object.entries(stored))
    test(`of the kind ${kind} runs after an upgrade`, async () => {
      const db = await open()
      const { id: organizationId } = await someOrganization(db)
      const key = { organizationId, id: createId('job') }
      const row = { row: 1, line: 2, cells: ['poster-1', 'https://example.com/'] }
      await saveImportChunk(db, { ...key, chunk: 0, nowMs: 1 }, [row])
      const progress = { processedRows: 0, successCount: 0, errorCount: 0 }
      await insertImportJob(db, key, { kind, input, progress, nowMs: 1 })
      const claim = await claimJob(db, kind, { nowMs: Date.now(), leaseMs: 60_000 })
      assert.ok(claim)
      await kinds[kind]?.step(db, claim)
      const { status } = await db.kysely.selectFrom('jobs').select('status').executeTakeFirstOrThrow()
      assert.equal(status, 'COMPLETED')
      const codes = await db.kysely.selectFrom('qr_codes').select('name').execute()
      assert.deepEqual(codes, [{ name: 'poster-1' }])
    })
})
