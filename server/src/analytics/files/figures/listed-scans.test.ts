import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { randomScans } from '../../testing/scan-rows.ts'
import { quoted, rowsOfFiles } from '../parquet/file-sql.ts'
import { fileWrites } from '../parquet/file-writes.ts'
import { addRecentRows, createRecentRows } from '../parquet/recent-rows.ts'
import { ScanEngine } from '../parquet/scan-engine.ts'
import { SegmentBlock } from '../segment-block.ts'
import { allTimes, relationOf } from './listed-scans.ts'

const folder = mkdtempSync(join(tmpdir(), 'everscan-listed-'))
const engine = await ScanEngine.open({ folders: [folder], spillTo: join(folder, 'spill'), memory: '64MB' })
after(() => {
  engine.close()
  rmSync(folder, { recursive: true })
})

test('scans of files with fewer columns, of files of today and of no file are read together', async () => {
  const [fromMs, toMs] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)]
  const rows = randomScans(randomFrom(testSeed()), { organizationId: 'org_1', rows: 900, fromMs, toMs })
  const block = new SegmentBlock(rows.length)
  for (const row of rows) block.add(row)
  const [today, earlier] = [join(folder, 'today.parquet'), join(folder, 'earlier.parquet')]
  await fileWrites(engine).writeBlock(block, { path: today, facts: '{}' })
  await engine.change(
    `copy (select * exclude (language, is_unique) from ${rowsOfFiles([today])})
     to ${quoted(earlier)} (format parquet)`,
  )
  const recent = await createRecentRows(engine)
  await addRecentRows(engine, recent, block)
  const listed = { files: [today, earlier].map((path) => ({ path, fromMs, toMs })), recent }
  const counts = await engine.read((select) =>
    select(
      `select count(*) as scans, count(language) as languages, count(is_unique) as marks,
         count(distinct qr_code_id) as codes, count(time) as times
       from ${relationOf(listed, allTimes)}`,
    ),
  )
  const codes = new Set(rows.map(({ qrCodeId }) => qrCodeId)).size
  assert.deepEqual(counts, [{ scans: 2700, languages: 1800, marks: 1800, codes, times: 2700 }])
})
