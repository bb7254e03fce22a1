// The time in which nothing redirects while a catalogue of the first release with a million codes
// is upgraded on SQLite. `npm run soak -- million-codes` prints it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import Sqlite from 'better-sqlite3'
import { sqliteFile } from '../../src/db/dialects/sqlite.ts'
import { readFixture, unpackDirectory } from '../support/data-fixtures.ts'
import { scanOnce } from '../support/load.ts'
import { startService, until } from '../support/service.ts'

const codes = 1_000_000
const redirectMsMax = 60_000

const root = mkdtempSync(join(tmpdir(), 'everscan-million-codes-'))
after(() => rmSync(root, { recursive: true, force: true }))

/** Adds codes like those that the first release made, with everything its triggers would keep. */
function addCodes(file: string): void {
  const catalogue = new Sqlite(file)
  catalogue.pragma('cache_size = -400000')
  const triggers = catalogue
    .prepare<[], { name: string; sql: string }>(
      `select name, sql from sqlite_schema where type = 'trigger' and tbl_name in ('qr_codes', 'scan_counters')`,
    )
    .all()
  const source = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${codes}),
    made as (
      select n, printf('qr_%026d', n) as id, printf('B%07d', n) as code, 1790000000000 + n as at_ms,
        (select organization_id from qr_codes limit 1) as organization_id,
        (select scannability from qr_codes where scannability is not null limit 1) as scannability
      from numbers
    )`
  catalogue.transaction(() => {
    for (const { name } of triggers) catalogue.exec(`drop trigger ${name}`)
    catalogue.exec(`create temp table made as ${source} select * from made`)
    catalogue.exec(`insert into short_codes select code, code, organization_id, id, at_ms, null from made`)
    catalogue.exec(`insert into qr_codes (organization_id, id, canonical_code, type, name, name_search, data,
        style, metadata, status, picture_version, picture_mask, version, created_at_ms, updated_at_ms, number,
        scannability)
      select organization_id, id, code, 'URL', 'Table ' || n, 'table ' || n,
        json_object('url', 'https://example.com/menu/' || n), '{}', '{}', 'ACTIVE', 2, 5, 1, at_ms, at_ms,
        at_ms << 20, scannability
      from made`)
    catalogue.exec(
      `insert into qr_code_names (rowid, name_search) select at_ms << 20, 'table ' || n from made`,
    )
    catalogue.exec(`insert into scan_counters select organization_id, id, n % 100, n % 50, null, 0 from made`)
    catalogue.exec('delete from qr_code_counts')
    catalogue.exec(`insert into qr_code_counts
      select organization_id, type, status, coalesce(folder_id, ''), count(*), count(*)
      from qr_codes group by organization_id, type, status, folder_id`)
    for (const { sql } of triggers) catalogue.exec(sql)
  })()
  catalogue.close()
}

test(`a catalogue of the first release with ${codes.toLocaleString('en')} codes is upgraded: the port answers at once`, async (t) => {
  const fixture = readFixture('data-0.1.0')
  const dataDir = join(root, 'data')
  unpackDirectory('data-0.1.0', dataDir)
  addCodes(sqliteFile(dataDir))
  const settings = { DATA_DIR: dataDir, SECRET: fixture.secret, PUBLIC_URL: 'https://qr.example.com' }
  const service = await startService(settings, { wait: false })
  t.after(() => service.remove())
  const fromMs = performance.now()
  let openMs: number | undefined
  const wrong = new Set<unknown>()
  const details = new Set<string>()
  const redirects = async (): Promise<boolean> => {
    const status = await scanOnce({ port: service.port, code: 'B0999999' }).catch((error: unknown) =>
      String(error),
    )
    if (typeof status === 'number') openMs ??= performance.now() - fromMs
    if (openMs !== undefined && status !== 503 && status !== 302) wrong.add(status)
    const { parts } = await service.readiness().catch(() => ({ parts: undefined }))
    details.add(parts?.['catalogueUpgrade']?.detail ?? '')
    return status === 302
  }
  const redirectMs = await until('codes redirect', redirects, redirectMsMax)
  await service.waitUntilReady()
  t.diagnostic(
    `the port answers after ${Math.round(openMs ?? NaN)} ms, codes redirect after ${Math.round(redirectMs)} ms, ` +
      `ready after ${Math.round(performance.now() - fromMs)} ms; said: ${[...details].filter(Boolean).join('; ')}`,
  )
  t.diagnostic(
    service
      .output()
      .match(/.*"tookMs".*/g)
      ?.join('\n') ?? 'no migration took a second',
  )
  assert.deepEqual([...wrong], [])
})
