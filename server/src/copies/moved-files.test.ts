// A move brings every scan in files to ClickHouse once, whatever an interrupted one brought there.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { figuresOfCodes } from '../analytics/copies/code-figures.ts'
import { moveScans, type MovedScans } from '../analytics/copies/moved-scans.ts'
import { startTestStore } from '../analytics/testing/store.ts'
import type { Database } from '../db/database.ts'
import { onEitherDatabase, silentLog } from '../db/testing/databases.ts'
import { createFileImporter } from '../ingest/files/file-importer.ts'
import { scanFilePlaces } from '../settings/scan-file-places.ts'
import type { Config } from '../settings/settings.ts'
import { compareFigures } from './compare-figures.ts'
import { withMovedScans } from './stores/moved-stores.ts'
import { fill, type CopyPlace } from './testing/copied-scans.ts'
import { columnsOfBoth, filled, openBatches, rowsInClickHouse, rowsOf } from './testing/file-installation.ts'

const { store: to, remove } = await startTestStore()
const folder = mkdtempSync(join(tmpdir(), 'everscan-moved-files-'))
after(async () => {
  await remove()
  rmSync(folder, { recursive: true })
})
const { signal } = new AbortController()

onEitherDatabase('scans in files, moved to ClickHouse', (open) => {
  beforeEach(async () => {
    for (const table of ['scans', 'first_scans']) await to.command(`truncate table ${table}`)
  })

  async function started(): Promise<{ db: Database; place: CopyPlace }> {
    const db = await open()
    const place = await filled(db, folder)
    return { db, place }
  }

  test('are there row by row, with the figures of every code, and again nothing is inserted', async () => {
    const { db, place } = await started()
    assert.deepEqual(await moved(place), { rows: 100, differing: [], differences: [], codes: 2 })
    assert.deepEqual(await rowsInClickHouse(to), await rowsOf(db, place, columnsOfBoth))
    const { last } = await blocksSoFar()
    assert.deepEqual(await moved(place), { rows: 100, differing: [], differences: [], codes: 2 })
    assert.equal((await blocksSoFar()).last, last)
  })

  test('that were stored after an earlier move follow', async () => {
    const { db, place } = await started()
    await moved(place)
    const { first } = await blocksSoFar()
    const batches = await openBatches(db, place)
    await batches.recover({ signal })
    await fill(
      db,
      createFileImporter(() => batches),
    )
    await batches.close()
    assert.deepEqual(await moved(place), { rows: 200, differing: [], differences: [], codes: 4 })
    assert.deepEqual(await rowsInClickHouse(to), await rowsOf(db, place, columnsOfBoth))
    assert.equal((await blocksSoFar()).first, first, 'what was there has stayed')
  })

  const leftovers: Readonly<Record<string, string>> = {
    'has some of them': `alter table scans delete where cityHash64(writer, sequence) % 3 = 0 settings mutations_sync = 1`,
    'lacks a month': `alter table scans drop partition 202602`,
    'has a row more': `insert into scans select * replace (sequence + 1000 as sequence) from scans limit 1`,
    'has a row of a month that files have not': `insert into scans select * replace (time + interval 1 year as time) from scans limit 1`,
    'has a row with another value': `alter table scans update city = 'Bonn' where sequence = 2 settings mutations_sync = 1`,
    'has a row twice': `insert into scans select * from scans limit 1`,
  }
  for (const [what, statement] of Object.entries(leftovers))
    test(`are there once although the new store ${what}`, async () => {
      const { db, place } = await started()
      await moved(place)
      await to.command(statement)
      const { rows, differing } = await moved(place)
      assert.deepEqual([rows, differing], [100, []])
      assert.deepEqual(await rowsInClickHouse(to), await rowsOf(db, place, columnsOfBoth))
    })

  test('are not moved if a file of them is missing', async () => {
    const { place } = await started()
    const month = join(scanFilePlaces(place).segments, '202602')
    for (const name of readdirSync(month)) rmSync(join(month, name))
    await assert.rejects(moved(place), /missing or damaged, with \d+ hits/)
  })
})

async function moved({
  dataDir,
  databaseUrl,
}: CopyPlace): Promise<MovedScans & { differences: readonly string[]; codes: number }> {
  const config = { dataDir, environment: process.env } as Config
  const source = { dataDir, databaseUrl, log: silentLog }
  return await withMovedScans({ config, source }, async (from) => {
    const found = await moveScans(from.scans, to, { storeId: 'server:1', signal })
    const { differences, codes } = await compareFigures(from.figures(), figuresOfCodes(to), { signal })
    return { ...found, differences, codes }
  })
}

/** Returns the numbers of the first and the last insert whose rows the new store has. */
async function blocksSoFar(): Promise<{ first: number; last: number }> {
  const [row] = await to.select<{ first: number; last: number }>(
    `select toUInt32(min(min_block_number)) as first, toUInt32(max(max_block_number)) as last
     from system.parts
     where database = currentDatabase() and table = 'scans' and active`,
  )
  return row ?? { first: 0, last: 0 }
}
