import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { archiveScans } from '../figures/scan-archive.ts'
import { exportScans, exportScansOfCodes } from '../figures/scan-export.ts'
import { archiveScans as archiveOfFiles } from '../files/figures/archives.ts'
import {
  exportScans as exportOfFiles,
  exportScansOfCodes as exportOfCodesInFiles,
} from '../files/figures/exports.ts'
import type { ListedScans, Rollup } from '../files/figures/listed-scans.ts'
import { fileReads, fileScans, type FileScans } from '../files/file-scans.ts'
import { pathList } from '../files/parquet/file-sql.ts'
import { addRecentRows, createRecentRows } from '../files/parquet/recent-rows.ts'
import { ScanEngine } from '../files/parquet/scan-engine.ts'
import { writeBlock } from '../files/parquet/write-segment.ts'
import { writeRollupSql } from '../files/rollups/rollup-sql.ts'
import { SegmentBlock } from '../files/segment-block.ts'
import { insertBatch } from '../insert/insert.ts'
import type { ScanRow } from '../insert/scan-row.ts'
import type { ArchiveScope, ExportedCodes, ScopeOfCode } from '../scan-store.ts'
import { firstScans } from './reference-analytics.ts'
import { blockOf } from './scan-rows.ts'
import { startTestStore, type TestStore } from './store.ts'

type Chunks = AsyncGenerator<Buffer, void, undefined>

/** A store of one kind, and its long reads in pieces of any size. */
export type EachStore = {
  readonly scanStore: FileScans
  insert: (rows: readonly ScanRow[]) => Promise<void>
  exportScans: (scope: ScopeOfCode, scansPerPiece?: number) => Chunks
  exportScansOfCodes: (
    scope: Omit<ScopeOfCode, 'qrCodeId'>,
    codes: ExportedCodes,
    sizes: { chunk: number; scansPerPiece: number },
  ) => Chunks
  archiveScans: (scope: ArchiveScope & { month: string }, scansPerPiece?: number) => Chunks
  remove: () => Promise<void>
}

/**
 * Runs the same tests on a store of each kind, an empty one for each call. `server` is there only
 * on a server: for what has no other implementation.
 */
export function onEachStore(tests: (store: EachStore, server: (() => TestStore) | undefined) => void): void {
  describe('on a server', () => {
    let started: TestStore | undefined
    const opened = lateStore(async () => openedServer((started = await startTestStore())))
    tests(opened, () => started as TestStore)
  })
  describe('in files', () => tests(lateStore(openEach.files), undefined))
}

/** Returns a store that is opened before the tests of this `describe`, and removed after them. */
function lateStore(open: () => Promise<EachStore>): EachStore {
  let opened: EachStore | undefined
  const store = () => opened as EachStore
  before(async () => {
    opened = await open()
  })
  after(() => opened?.remove())
  return {
    get scanStore() {
      return store().scanStore
    },
    insert: (rows) => store().insert(rows),
    exportScans: (...args) => store().exportScans(...args),
    exportScansOfCodes: (...args) => store().exportScansOfCodes(...args),
    archiveScans: (...args) => store().archiveScans(...args),
    remove: () => store().remove(),
  }
}

let batches = 0

function openedServer({ store, scanStore, remove }: TestStore): EachStore {
  return {
    scanStore,
    // Batches of one month each, newest first, as several ingesters would insert them.
    insert: async (rows) => {
      for (const part of partsOf(rows).toReversed())
        await insertBatch(store, blockOf(`bat_each_${++batches}`, part))
    },
    exportScans: (...args) => exportScans(store, ...args),
    exportScansOfCodes: (...args) => exportScansOfCodes(store, ...args),
    archiveScans: (...args) => archiveScans(store, ...args),
    remove,
  }
}

/** Opens a store of each kind. */
export const openEach = {
  server: async (): Promise<EachStore> => openedServer(await startTestStore()),
  files: openFiles,
}

/** Opens a store whose scans are in files of a folder, and every seventh one in no file yet. */
async function openFiles(): Promise<EachStore> {
  const folder = mkdtempSync(join(tmpdir(), "everscan scans' [f]*-"))
  const spillTo = join(folder, 'spill')
  const engine = await ScanEngine.open({ folders: [folder], spillTo, memory: '128MB', threads: 2 })
  const all: ScanRow[] = []
  let listed: Promise<ListedScans> = Promise.resolve({ files: [], recent: undefined })
  let isComplete = true
  const readListed = () => {
    if (!isComplete) listed = listed.then(() => writeAll(engine, folder, all))
    isComplete = true
    return listed
  }
  const reads = fileReads({ engine, readListed })
  const { ask } = reads
  return {
    scanStore: fileScans(reads),
    insert: async (rows) => {
      all.push(...rows)
      isComplete = false
    },
    exportScans: (...args) => exportOfFiles(ask, ...args),
    exportScansOfCodes: (...args) => exportOfCodesInFiles(ask, ...args),
    archiveScans: (...args) => archiveOfFiles(ask, ...args),
    remove: async () => {
      engine.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

let written = 0
const rolledScansMin = 10

/** Writes all scans anew: which one is a visitor's first may have changed. */
async function writeAll(engine: ScanEngine, folder: string, all: readonly ScanRow[]): Promise<ListedScans> {
  const byOrganization = Map.groupBy(all, ({ organizationId }) => organizationId)
  const firsts = new Set([...byOrganization.values()].flatMap((rows) => [...firstScans(rows)]))
  const blockWith = (rows: readonly ScanRow[]) => {
    const block = new SegmentBlock(rows.length)
    for (const row of rows) block.add(row, firsts.has(row))
    return block
  }
  const files: ListedScans['files'][number][] = []
  for (const rows of partsOf(all.filter((_, at) => at % 7 !== 0))) {
    const path = join(folder, `${++written}.parquet`)
    await writeBlock(engine.files, blockWith(rows), { path, facts: '{}' })
    const times = rows.map(({ timeMs }) => timeMs)
    const rollup = files.length % 3 === 2 ? undefined : await rollUp(engine, path)
    files.push({ path, fromMs: Math.min(...times), toMs: Math.max(...times), rollup })
  }
  const recent = await createRecentRows(engine)
  for (const rows of partsOf(all.filter((_, at) => at % 7 === 0)))
    await addRecentRows(engine, recent, blockWith(rows))
  return { files, recent }
}

/** Most organizations of a file are in its rollup. */
async function rollUp({ files }: ScanEngine, path: string): Promise<Rollup> {
  const to = `${path}.rollup`
  await files.run(writeRollupSql(path, to, rolledScansMin))
  const owners = await files.rows(`select distinct organization_id from read_parquet(${pathList([to])})`)
  return { path: to, owners: owners.map(([owner]) => String(owner)) }
}

/** Divides rows by month, and each month into two parts. */
function partsOf(rows: readonly ScanRow[]): ScanRow[][] {
  return [...Map.groupBy(rows, ({ timeMs }) => new Date(timeMs).toISOString().slice(0, 7)).values()]
    .flatMap((month) => [month.slice(0, month.length / 3), month.slice(month.length / 3)])
    .filter((part) => part.length > 0)
}
