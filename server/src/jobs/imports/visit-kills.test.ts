import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MovedVisit } from '@everscan/contract/moves/moved-visits.ts'
import { startTestStore } from '../../analytics/testing/store.ts'
import { firstVisitChunk, saveImportChunk } from '../../catalogue/imports/import-chunks.ts'
import { readImport, startImport } from '../../catalogue/imports/imports.ts'
import { someOrganization, someOrigin } from '../../catalogue/testing/catalogue.ts'
import { allIntents } from '../../db/scans/ingest-checkpoints.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { createId } from '../../ids.ts'
import { killUntilEnded } from '../testing/killed-jobs.ts'
import { someMove } from '../testing/move-inputs.ts'

const { engine, store, remove } = await startTestStore()
after(remove)

const kills = process.env['SOAK'] === '1' ? 60 : 3
const links = 50
const chunks = 4 * kills
const visitsPerChunk = 300
const clicks = 1_000_000

/** A worker whose leases end soon after its death. */
const program = `
  import { pino } from 'pino'
  import { openClickHouse } from '${import.meta.dirname}/../../analytics/store/open-clickhouse.ts'
  import { openDatabase } from '${import.meta.dirname}/../../db/open-database.ts'
  import { createScanImporter } from '${import.meta.dirname}/../../ingest/import-scans.ts'
  import { lineOfVisit } from '${import.meta.dirname}/../../ingest/visit-lines.ts'
  import { importJobs } from '${import.meta.dirname}/import-job.ts'
  import { startJobs } from '${import.meta.dirname}/../start-jobs.ts'
  const log = pino({ level: 'fatal' }, pino.destination(2))
  const { databaseUrl, dataDir, socketPath } = JSON.parse(process.argv[1])
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  const hits = createScanImporter(openClickHouse({ socketPath }))
  const move = importJobs({
    check: () => [],
    draw: () => ({ version: 2, mask: 3 }),
    publicHost: 'qr.example.com',
    visits: { hits, lineOf: lineOfVisit },
  })
  startJobs({ db, kinds: { move }, log, pollMs: 5, leaseMs: 200 })
  process.stdout.write('up')`

/** Visit number `index` of a chunk. Every seventh is a bot, every fifth of no link of the move. */
function visitOf(chunk: number, index: number): MovedVisit {
  return {
    code: index % 5 === 0 ? 'elsewhere' : `link-${(chunk + index) % links}-x`,
    timeMs: Date.UTC(2024, chunk % 24, 1 + (index % 28)),
    ...(index % 7 === 0 && { isBot: true as const }),
  }
}

forEachDatabase('visits', (open) => {
  test(`of a move whose worker is killed ${kills} times come once, and leave the clicks before once`, async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const key = { organizationId, id: createId('job') }
    const nowMs = Date.now()
    const rows = Array.from({ length: links }, (_, index) => ({
      row: index + 1,
      line: index + 2,
      cells: [`link-${index}-x`, 'https://example.com/', String(clicks)],
    }))
    await saveImportChunk(db, { ...key, chunk: 0, nowMs }, rows)
    for (let chunk = 0; chunk < chunks; chunk++) {
      const visits = Array.from({ length: visitsPerChunk }, (_, index) => visitOf(chunk, index))
      await saveImportChunk(db, { ...key, chunk: firstVisitChunk + chunk, nowMs }, { visits })
    }
    const total = chunks * visitsPerChunk
    await startImport(db, key, {
      preset: 'move',
      input: { ...someMove(links), visits: { fileName: null, total, skipped: 0, problems: [] } },
      origin: someOrigin,
      nowMs,
    })
    await killUntilEnded(db, program, {
      killsMax: kills,
      processed: async () => (await readImport(db, key, 'move'))?.progress.visits?.processed ?? 0,
      unfinished: async () => (await readImport(db, key, 'move'))?.completedAtMs === null,
      more: { socketPath: engine.socketPath },
    })

    const all = Array.from({ length: chunks }, (_, chunk) =>
      Array.from({ length: visitsPerChunk }, (__, index) => visitOf(chunk, index)),
    ).flat()
    const taken = all.filter(({ code }) => code !== 'elsewhere')
    const scans = taken.filter(({ isBot }) => isBot !== true)
    const move = await readImport(db, key, 'move')
    assert.equal(move?.status, 'COMPLETED')
    assert.deepEqual(move.progress.visits, {
      processed: total,
      scans: scans.length,
      bots: taken.length - scans.length,
      skipped: total - taken.length,
    })
    const stored = await store.select<{ hits: number; scans: number; first: number; last: number }>(
      `select count() as hits, countIf(class = 'human') as scans, min(sequence) as first, max(sequence) as last
       from scans where organization_id = {organizationId:String}`,
      { organizationId },
    )
    const expected = { hits: taken.length, scans: scans.length, first: 1, last: taken.length }
    assert.deepEqual(stored, [expected])
    const codes = await db.kysely
      .selectFrom('qr_codes as q')
      .innerJoin('scan_counters as c', (join) => join.onRef('c.qr_code_id', '=', 'q.id'))
      .select(['q.name', 'q.scans_before as before', 'c.total_scans as scans', 'c.unique_scans as uniques'])
      .execute()
    assert.equal(codes.length, links)
    for (const { name, ...code } of codes) {
      const count = (some: readonly MovedVisit[]) => some.filter((visit) => visit.code === name).length
      assert.deepEqual(code, { before: clicks - count(taken), scans: count(scans), uniques: 0 }, name)
    }
    assert.deepEqual(await allIntents(db), [])
    for (const table of ['import_chunks', 'moved_codes'] as const)
      assert.deepEqual(await db.kysely.selectFrom(table).select('job_id').execute(), [], table)
  })
})
