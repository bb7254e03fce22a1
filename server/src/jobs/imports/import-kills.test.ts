import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { someOrganization, someOrigin } from '../../catalogue/testing/catalogue.ts'
import { saveImportChunk } from '../../catalogue/imports/import-chunks.ts'
import { readImport, readImportErrors, startImport } from '../../catalogue/imports/imports.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { createId } from '../../ids.ts'

const kills = process.env['SOAK'] === '1' ? 200 : 10
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
  const imports = importJobs({
    check: ({ data }) => (data.url.startsWith('https:') ? [] : [{ path: 'data.url', message: 'is wrong' }]),
    draw: () => ({ version: 2, mask: 3 }),
  })
  startJobs({ db, kinds: { import: imports }, log, pollMs: 5, leaseMs: 200 })
  process.stdout.write('up')`

forEachDatabase('an import', (open) => {
  test(`whose worker is killed ${kills} times gives every row exactly one outcome`, async () => {
    const random = seededRandom()
    const db = await open()
    const { source } = db
    const where =
      source.dialect === 'sqlite'
        ? { dataDir: dirname(source.file) }
        : { dataDir: join('/', 'nonexistent'), databaseUrl: source.url }
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
      input: { type: 'URL', dryRun: false, fileName: null, header: names, columns: names, totalRows: rows },
      origin: someOrigin,
      nowMs: Date.now(),
    })
    const processed = async () => (await readImport(db, key))?.progress.processedRows ?? 0
    const unfinished = async () => (await readImport(db, key))?.completedAtMs === null

    let killedMidway = 0
    for (let kill = 0; await unfinished(); kill++) {
      const before = await processed()
      const child = spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(where)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      if (kill < kills) {
        // Waits until the worker has begun, so that the kill meets it at work.
        while ((await processed()) === before && (await unfinished())) await sleep(2)
        await sleep(random() * 30)
      } else while (await unfinished()) await sleep(20)
      if (await unfinished()) killedMidway++
      child.kill('SIGKILL')
      await once(child, 'close')
    }
    assert.ok(killedMidway >= kills / 2, `only ${killedMidway} kills met it at work`)

    const job = await readImport(db, key)
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
})
