import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { someOrganization, someOrigin } from '../catalogue/testing/catalogue.ts'
import { saveImportChunk } from '../catalogue/imports/import-chunks.ts'
import { readImport, startImport } from '../catalogue/imports/imports.ts'
import type { Database } from '../db/database.ts'
import { CatalogueUnavailable } from '../db/errors.ts'
import { onSqlite, silentLog } from '../db/testing/databases.ts'
import { createId } from '../ids.ts'
import { deleteStrayRows, importJobs } from './imports/import-job.ts'
import { startJobs, type JobKind } from './start-jobs.ts'

const imports = importJobs({ check: () => [], draw: () => ({ version: 2, mask: 3 }), publicHost: '' })

async function someImport(db: Database) {
  const { id: organizationId } = await someOrganization(db)
  const key = { organizationId, id: createId('job') }
  const cells = ['A', 'https://example.com/']
  await saveImportChunk(db, { ...key, chunk: 0, nowMs: 1 }, [{ row: 1, line: 2, cells }])
  const names = ['name', 'url']
  const input = {
    type: 'URL',
    dryRun: false,
    fileName: null,
    header: names,
    columns: names,
    totalRows: 1,
  } as const
  await startImport(db, key, { preset: 'import', input, origin: someOrigin, nowMs: Date.now() })
  return key
}

async function runUntilEnd(db: Database, kind: JobKind, fastForwardMs = 0) {
  const key = await someImport(db)
  let nowMs = Date.now()
  // Time runs fast, so that the test does not wait for the next try.
  const clock = () => (nowMs += fastForwardMs)
  const jobs = startJobs({ db, kinds: { import: kind }, log: silentLog, pollMs: 1, clock })
  for (;;) {
    const job = await readImport(db, key, 'import')
    if (job?.completedAtMs !== null) {
      await jobs.stop()
      return { job, stats: jobs.stats }
    }
    await sleep(1)
  }
}

onSqlite('a worker', (open) => {
  test('tries a job again that failed', async () => {
    let tries = 0
    const flaky: JobKind = {
      ...imports,
      step: async (db, claim) => {
        if (++tries < 4) throw new Error('not now')
        await imports.step(db, claim)
      },
    }
    const { job, stats } = await runUntilEnd(await open(), flaky, 10_000)
    assert.equal(job?.status, 'COMPLETED')
    assert.equal(stats.failures, 3)
  })

  test('gives a job up that always fails, and says so in the job', async () => {
    const broken: JobKind = {
      ...imports,
      step: async () => {
        throw new Error('never')
      },
    }
    const { job, stats } = await runUntilEnd(await open(), broken, 100_000)
    assert.equal(job?.status, 'FAILED')
    assert.match(job?.progress.failureReason ?? '', /could not be imported/)
    assert.deepEqual(job?.progress.failure, { problem: 'rowsNotImported', values: {} })
    assert.equal(stats.failures, 8)
  })

  test('forgets rows of uploads that never became a job, and only those', async () => {
    const db = await open()
    const key = await someImport(db)
    const stray = { organizationId: key.organizationId, id: createId('job') }
    const young = { ...stray, id: createId('job') }
    await saveImportChunk(db, { ...stray, chunk: 0, nowMs: 1 }, [])
    await saveImportChunk(db, { ...young, chunk: 0, nowMs: Date.now() }, [])
    await deleteStrayRows.run(db, Date.now())
    const left = await db.kysely.selectFrom('import_chunks').select('job_id').orderBy('job_id').execute()
    assert.deepEqual(
      left.map((row) => row.job_id),
      [key.id, young.id],
    )
  })

  test('goes on when the catalogue is back', async () => {
    let tries = 0
    const outage: JobKind = {
      ...imports,
      step: async (db, claim) => {
        if (++tries < 3) throw new CatalogueUnavailable(new Error('down'))
        await imports.step(db, claim)
      },
    }
    const { job } = await runUntilEnd(await open(), outage, 10_000)
    assert.equal(job?.status, 'COMPLETED')
  })
})
