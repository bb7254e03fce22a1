import assert from 'node:assert/strict'
import { test } from 'node:test'
import { someOrganization, someOrigin } from '../../catalogue/testing/catalogue.ts'
import { saveImportChunk } from '../../catalogue/imports/import-chunks.ts'
import { readImport, readImportErrors, startImport } from '../../catalogue/imports/imports.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { createId } from '../../ids.ts'
import { killUntilEnded } from '../testing/killed-jobs.ts'
import { someMove } from '../testing/move-inputs.ts'

const kills = process.env['SOAK'] === '1' ? 200 : 4
const rows = 400 * kills
const rowsPerChunk = 100
/** Returns whether a row is wrong: every tenth is. */
const isWrong = (row: number): boolean => row % 10 === 0

/**
 * A worker whose leases end soon after its death. It starts sooner without the checks of the API.
 */
const program = `
  import { pino } from 'pino'
  import { openDatabase } from '${import.meta.dirname}/../../db/open-database.ts'
  import { importJobs } from '${import.meta.dirname}/import-job.ts'
  import { startJobs } from '${import.meta.dirname}/../start-jobs.ts'
  const log = pino({ level: 'fatal' }, pino.destination(2))
  const { databaseUrl, dataDir } = JSON.parse(process.argv[1])
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  const making = {
    check: ({ data }) => (data.url.startsWith('https:') ? [] : [{ path: 'data.url', message: 'is wrong' }]),
    draw: () => ({ version: 2, mask: 3 }),
    publicHost: 'qr.example.com',
  }
  const imports = importJobs(making)
  const kinds = { import: imports, move: imports }
  startJobs({ db, kinds, log, pollMs: 5, leaseMs: 200 })
  process.stdout.write('up')`

forEachDatabase('an import', (open) => {
  test(`whose worker is killed ${kills} times gives every row exactly one outcome`, async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const key = { organizationId, id: createId('job') }
    for (let chunk = 0; chunk * rowsPerChunk < rows; chunk++) {
      const numbers = Array.from({ length: rowsPerChunk }, (_, index) => chunk * rowsPerChunk + index + 1)
      const cells = (row: number) => [
        `Row ${row}`,
        isWrong(row) ? 'ftp://x' : 'https://example.com/',
        `F${row % 3}`,
      ]
      await saveImportChunk(
        db,
        { ...key, chunk, nowMs: Date.now() },
        numbers.map((row) => ({ row, line: row + 1, cells: cells(row) })),
      )
    }
    const names = ['name', 'url', 'folder']
    await startImport(db, key, {
      preset: 'import',
      input: { type: 'URL', dryRun: false, fileName: null, header: names, columns: names, totalRows: rows },
      origin: someOrigin,
      nowMs: Date.now(),
    })
    const processed = async () => (await readImport(db, key, 'import'))?.progress.processedRows ?? 0
    const unfinished = async () => (await readImport(db, key, 'import'))?.completedAtMs === null

    await killUntilEnded(db, program, { killsMax: kills, processed, unfinished })

    const job = await readImport(db, key, 'import')
    const wrong = rows / 10
    assert.equal(job?.status, 'COMPLETED')
    assert.deepEqual(job.progress, { processedRows: rows, successCount: rows - wrong, errorCount: wrong })
    const all = Array.from({ length: rows }, (_, index) => index + 1)
    const codes = await db.kysely.selectFrom('qr_codes').select('name').execute()
    assert.deepEqual(
      codes.map(({ name }) => Number(name.slice(4))).sort((a, b) => a - b),
      all.filter((row) => !isWrong(row)),
    )
    const errors = await readImportErrors(db, key, { limit: rows })
    assert.deepEqual(
      errors.map(({ row }) => row),
      all.filter(isWrong),
    )
    assert.equal((await db.kysely.selectFrom('folders').select('id').execute()).length, 3)
    assert.deepEqual(await db.kysely.selectFrom('import_chunks').select('chunk').execute(), [])
  })

  test('and a move, too', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const key = { organizationId, id: createId('job') }
    const [movesMax, links] = [4, 1_200]
    for (let chunk = 0; chunk * rowsPerChunk < links; chunk++) {
      const numbers = Array.from({ length: rowsPerChunk }, (_, index) => chunk * rowsPerChunk + index + 1)
      const cells = (row: number) => [`link-${row}-x`, isWrong(row) ? 'ftp://x' : 'https://example.com/', '7']
      await saveImportChunk(
        db,
        { ...key, chunk, nowMs: Date.now() },
        numbers.map((row) => ({ row, line: row + 1, cells: cells(row) })),
      )
    }
    await startImport(db, key, {
      preset: 'move',
      input: someMove(links),
      origin: someOrigin,
      nowMs: Date.now(),
    })
    await killUntilEnded(db, program, {
      killsMax: movesMax,
      processed: async () => (await readImport(db, key, 'move'))?.progress.processedRows ?? 0,
      unfinished: async () => (await readImport(db, key, 'move'))?.completedAtMs === null,
    })
    const move = await readImport(db, key, 'move')
    const wrong = links / 10
    const { sample = [], ...counts } = move?.progress ?? assert.fail('the move is gone')
    assert.equal(new Set(sample.map(({ shortCode }) => shortCode)).size, limits.comparedLinksMax)
    assert.equal(sample.length, limits.comparedLinksMax)
    assert.deepEqual(counts, {
      processedRows: links,
      successCount: links - wrong,
      errorCount: wrong,
    })
    const codes = await db.kysely.selectFrom('qr_codes').select(['name', 'scans_before']).execute()
    assert.equal(codes.length, links - wrong)
    assert.equal(new Set(codes.map(({ name }) => name)).size, links - wrong)
    assert.ok(codes.every(({ scans_before: clicks }) => clicks === 7))
    assert.equal((await readImportErrors(db, key, { limit: links })).length, wrong)
    assert.deepEqual(await db.kysely.selectFrom('import_chunks').select('chunk').execute(), [])
  })
})
