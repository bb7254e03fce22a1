import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ListedScans, Rollup } from '@everscan/server/analytics/files/figures/listed-scans.ts'
import { fileReads, fileScans, type FileScans } from '@everscan/server/analytics/files/file-scans.ts'
import { rowsOfFiles } from '@everscan/server/analytics/files/parquet/file-sql.ts'
import { addRecentRows, createRecentRows } from '@everscan/server/analytics/files/parquet/recent-rows.ts'
import { ScanEngine } from '@everscan/server/analytics/files/parquet/scan-engine.ts'
import { writeMerged } from '@everscan/server/analytics/files/parquet/write-segment.ts'
import { rolledScansMin, writeRollupSql } from '@everscan/server/analytics/files/rollups/rollup-sql.ts'
import { SegmentBlock } from '@everscan/server/analytics/files/segment-block.ts'
import { insertBatch } from '@everscan/server/analytics/insert/insert.ts'
import { ScanBlock } from '@everscan/server/analytics/insert/scan-block.ts'
import type { ClickHouse } from '@everscan/server/analytics/store/clickhouse.ts'
import { organizationId, withStore } from './analytics.ts'
import { median, rounded } from './figures.ts'
import { fillScans, settleScans } from './fill-scans.ts'
import { startUnmerged } from './scan-files/growth.ts'
import { questions, scansOf } from './scan-files/questions.ts'
import { fullRows } from './scan-files/rows.ts'

const sizes = {
  quick: { scans: 300_000, merged: 200_000, visits: 500_000, records: 300 },
  full: { scans: 6_000_000, merged: 1_000_000, visits: 10_000_000, records: 10_000 },
}
const rounds = 5
const unmergedRecords = 300
const unmergedRows = 1_000
const scansPerSecond = 1_000

/**
 * Measures scans in Parquet files, which DuckDB writes and reads, beside the same scans in chDB.
 * Figures, lists, a table and an export of a year: `ratio` is the time from files divided by the
 * store's, `unmergedRatio` if 300 records of 1,000 scans of them are in no file yet, so readers
 * have them in memory, and `busyRatio` while both get 1,000 scans a second. Then, each in a process
 * of its own in which the engine has 64 MB: batches of scans with all columns, written; files of
 * 50,000, merged; first visits in sorted files and in SQLite. Last, a start with 10,000 records.
 */
export async function benchScanFiles({ quick }: { quick: boolean }): Promise<object> {
  const { scans, merged, visits, records } = sizes[quick ? 'quick' : 'full']
  const folder = mkdtempSync(join(tmpdir(), 'everscan-bench-'))
  const measure = (name: string, count: number): object => {
    const args = [join(import.meta.dirname, 'scan-files', 'limited.ts'), name, folder, String(count)]
    const line = execFileSync(process.execPath, args, { encoding: 'utf8' })
    console.log(`${name.padEnd(16)} ${line.trim()}`)
    return JSON.parse(line) as object
  }
  try {
    const read = await withStore(async (store) => {
      await fillScans(store, organizationId, { to: scans })
      await settleScans(store)
      const spillTo = join(folder, 'spill')
      const engine = await ScanEngine.open({ folders: [folder], spillTo, memory: '256MB', threads: 2 })
      const files = await filesOf(store, engine, folder)
      const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
      const answers = await compare(store, engine, files)
      return { ...answers, bytesPerScan: rounded(bytes / scans) }
    })
    const written = { small: measure('write', 5_000), large: measure('write', 50_000) }
    measure('fill', merged)
    const merge = { numbered: measure('merge', merged), texts: measure('merge texts', merged) }
    const firstVisits = { runs: measure('visit runs', visits), sqlite: measure('visits in sqlite', visits) }
    const unmerged = await startUnmerged(records)
    console.log(`${'unmerged'.padEnd(16)} ${JSON.stringify(unmerged)}`)
    return { scans, rounds, read, written, merge, firstVisits, unmerged }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes the scans of the store as a merged file a month. Three scans in four are unique. */
async function filesOf(store: ClickHouse, engine: ScanEngine, folder: string): Promise<string[]> {
  const files: string[] = []
  for (let month = 1; month <= 12; month++) {
    const [raw, typed] = [join(folder, 'raw.parquet'), join(folder, 'typed.parquet')]
    const parts = await store.bytes(
      `select
         organization_id, qr_code_id, short_code, domain, rule, arm, writer, class::String as class, bot_reason,
         country, city, region, device_type, os, browser, referrer, language, time, sequence,
         visitor::String as visitor, latitude, longitude
       from scans
       where toMonth(time) = {month:UInt8}
       format Parquet
       settings output_format_parquet_string_as_string = 1, output_format_parquet_compression_method = 'zstd'`,
      { month },
      { deadlineMs: 600_000 },
    )
    writeFileSync(raw, Buffer.concat(parts))
    // The types of the product's files: a query would else convert the time of each scan.
    await engine.files.run(
      `copy (
         select
           * replace (visitor::uuid as visitor, make_timestamp_ms(epoch_ms(time))::timestamp_ms as time),
           class = 'human' and sequence % 4 <> 3 as is_unique
         from '${raw}')
       to '${typed}' (format parquet)`,
    )
    const file = join(folder, `${month}.parquet`)
    await writeAs(engine, typed, file)
    files.push(file)
  }
  return files
}

/** Writes a file again as the product does: `filesOf` thus has what its queries can rely on. */
async function writeAs(engine: ScanEngine, from: string, path: string): Promise<void> {
  await writeMerged(engine.files, { from: [from], where: 'true' }, { path, facts: '{}' })
}

type Kind = 'store' | 'files' | 'unmerged'
type Times = ReadonlyMap<string, Record<Kind, number[]>>

async function compare(store: ClickHouse, engine: ScanEngine, files: readonly string[]): Promise<object> {
  const recent = await createRecentRows(engine)
  const subjects = {
    store: scansOf(store),
    files: await scansIn(engine, files),
    unmerged: await unmergedIn(engine, files, recent),
  }
  const quiet = await ask(subjects)
  const adding = new AbortController()
  const added = addScans(store, { engine, recent }, adding.signal)
  const busy = await ask(subjects)
  adding.abort()
  await added
  const figures = [...quiet].map(([name, times]) => {
    const timesBusy = busy.get(name)
    const figure = {
      storeMs: rounded(median(times.store)),
      filesMs: rounded(median(times.files)),
      ratio: ratio(times.files, times.store),
      unmergedRatio: ratio(times.unmerged, times.store),
      busyRatio: ratio(timesBusy?.unmerged ?? [], timesBusy?.store ?? []),
    }
    console.log(`${name.padEnd(16)} ${JSON.stringify(figure)}`)
    return [name, figure]
  })
  return Object.fromEntries(figures) as object
}

/** Asks the stores by turns. */
async function ask(subjects: Readonly<Record<Kind, FileScans>>): Promise<Times> {
  const all = new Map<string, Record<Kind, number[]>>()
  for (const question of questions) {
    const times: Record<Kind, number[]> = { store: [], files: [], unmerged: [] }
    for (let round = -1; round < rounds; round++) {
      const answers = new Set<number>()
      for (const kind of ['store', 'files', 'unmerged'] as const) {
        const { ms, answer } = await timed(() => question.ask(subjects[kind]))
        answers.add(answer)
        if (round >= 0) times[kind].push(ms)
      }
      if (answers.size > 1) throw new RangeError(`${question.name}: ${[...answers].join(', ')}`)
    }
    all.set(question.name, times)
  }
  return all
}

/** Adds scans of a later year to both stores, each second those of one, until the signal. */
async function addScans(
  store: ClickHouse,
  { engine, recent }: { engine: ScanEngine; recent: string },
  signal: AbortSignal,
): Promise<void> {
  for (let second = 1; !signal.aborted; second++) {
    const endMs = performance.now() + 1_000
    const [block, inFiles] = [new ScanBlock(`bat_busy_${second}`), new SegmentBlock(scansPerSecond)]
    for (const { row, isUnique } of fullRows(scansPerSecond, second)) {
      block.add(row)
      inFiles.add(row, isUnique)
    }
    await Promise.all([insertBatch(store, block), addRecentRows(engine, recent, inFiles)])
    await sleep(Math.max(0, endMs - performance.now()), undefined, { signal }).catch(() => {})
  }
}

async function scansIn(engine: ScanEngine, paths: readonly string[], recent?: string): Promise<FileScans> {
  const files: ListedScans['files'][number][] = []
  for (const path of paths) {
    const [[fromMs, toMs, rows] = []] = await engine.files.rows(
      `select epoch_ms(min(time)), epoch_ms(max(time)), count(*) from ${rowsOfFiles([path])}`,
    )
    const rollup = Number(rows) < rolledScansMin ? undefined : await rollUp(engine, path)
    files.push({ path, fromMs: Number(fromMs), toMs: Number(toMs), rollup })
  }
  return fileScans(fileReads({ engine, readListed: async () => ({ files, recent }) }))
}

/** Counts the scans of a file, which are all of one organization. */
async function rollUp(engine: ScanEngine, path: string): Promise<Rollup> {
  const rollup = `${path}.rollup`
  await engine.files.run(writeRollupSql(path, rollup))
  return { path: rollup, owners: [organizationId] }
}

/** The same scans, of which some of the last month are in records, with fewer each if quick. */
async function unmergedIn(engine: ScanEngine, files: readonly string[], recent: string): Promise<FileScans> {
  const last = files.at(-1) ?? ''
  const [numbered, part, rest] = ['numbered', 'part', 'rest'].map((name) =>
    last.replace('.parquet', `-${name}.parquet`),
  ) as [string, string, string]
  await engine.files.run(
    `copy (select *, row_number() over (order by time desc) as number from '${last}')
     to '${numbered}' (format parquet)`,
  )
  const [[rows] = []] = await engine.files.rows(`select count(*) from ${rowsOfFiles([last])}`)
  const each = Math.min(unmergedRows, Math.floor(Number(rows) / (unmergedRecords + 1)))
  const rowsWhere = (where: string): string => `select * exclude (number) from '${numbered}' where ${where}`
  await engine.files.run(
    `copy (${rowsWhere(`number > ${unmergedRecords * each}`)}) to '${part}' (format parquet)`,
  )
  await writeAs(engine, part, rest)
  for (let record = unmergedRecords; record > 0; record--)
    await engine.change(
      `insert into ${recent} by name
       ${rowsWhere(`number > ${(record - 1) * each} and number <= ${record * each}`)}`,
    )
  return await scansIn(engine, [...files.slice(0, -1), rest], recent)
}

function ratio(times: readonly number[], of: readonly number[]): number {
  return rounded(median(times.map((ms, round) => ms / (of[round] ?? Number.NaN))))
}

async function timed(work: () => Promise<number>): Promise<{ ms: number; answer: number }> {
  const fromMs = performance.now()
  const answer = await work()
  return { ms: performance.now() - fromMs, answer }
}
