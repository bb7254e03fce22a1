// One measurement in a process of its own, whose memory it includes:
// `node limited.ts NAME FOLDER COUNT` prints a line of JSON.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import Sqlite from 'better-sqlite3'
import { median, rounded } from '../figures.ts'
import { fullRows } from './rows.ts'
import { SegmentBlock } from '@everscan/server/analytics/files/segment-block.ts'
import { rowsOfFiles } from '@everscan/server/analytics/files/parquet/file-sql.ts'
import { ScanEngine } from '@everscan/server/analytics/files/parquet/scan-engine.ts'
import {
  rowsPerGroup,
  writeBlock,
  writeMerged,
} from '@everscan/server/analytics/files/parquet/write-segment.ts'
import { VisitIndex } from '@everscan/server/analytics/files/visits/visit-index.ts'
import { VisitKeys } from '@everscan/server/analytics/files/visits/visit-keys.ts'
import { keyBytes, placeBytes } from '@everscan/server/analytics/files/visits/visit-record.ts'
import { VisitRuns } from '@everscan/server/analytics/files/visits/visit-runs.ts'
import type { ScanRow } from '@everscan/server/analytics/insert/scan-row.ts'

const engineMemory = '64MB'
const rounds = 5
const code = { organizationId: 'org_1', qrCodeId: 'qr_1' }

function openEngine(folder: string, limit: string): Promise<ScanEngine> {
  return ScanEngine.open({ folders: [folder], spillTo: join(folder, 'spill'), memory: limit })
}

async function write(folder: string, rows: number): Promise<object> {
  const engine = await openEngine(folder, engineMemory)
  const all = [...fullRows(rows, 1)]
  const path = join(folder, `written-${rows}.parquet`)
  const cpuUs: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage()
    const block = new SegmentBlock(rows)
    for (const { row, isUnique } of all) block.add(row, isUnique)
    await writeBlock(engine.files, block, { path, facts: '{}' })
    if (round > 0) cpuUs.push(spentUs(before) / rows)
  }
  return { rows, cpuUsPerScan: rounded(median(cpuUs)), bytesPerScan: rounded(statSync(path).size / rows) }
}

async function fill(folder: string, rows: number): Promise<object> {
  const engine = await openEngine(folder, '256MB')
  const perFile = 50_000
  for (let file = 0; file < rows / perFile; file++) {
    const block = new SegmentBlock(perFile)
    for (const { row, isUnique } of fullRows(perFile, file + 1)) block.add(row, isUnique)
    await writeBlock(engine.files, block, { path: join(folder, `level1-${file}.parquet`), facts: '{}' })
  }
  return {}
}

/** As a merge that sorts texts as texts. */
const writeAsTexts: typeof writeMerged = (engine, { from, where }, { path }) =>
  engine.run(
    `copy (
       select * from ${rowsOfFiles(from)} where ${where} order by organization_id, qr_code_id, time, writer, sequence)
     to '${path}' (format parquet, compression zstd, row_group_size ${rowsPerGroup})`,
  )

async function merge(folder: string, rows: number, writeTo: typeof writeMerged): Promise<object> {
  const engine = await openEngine(folder, engineMemory)
  const from = readdirSync(folder)
    .filter((name) => name.startsWith('level1-'))
    .map((name) => join(folder, name))
  const to = join(folder, 'merged.parquet')
  const before = process.cpuUsage()
  try {
    await writeTo(engine.files, { from, where: 'true' }, { path: to, facts: '{}' })
    const { size: bytes } = statSync(to)
    const [[found] = []] = await engine.files.rows(`select count(*) from ${rowsOfFiles([to])}`)
    if (Number(found) !== rows) throw new RangeError('a merge lost rows')
    const cpuUsPerScan = rounded(spentUs(before) / rows)
    return { rows, fits: 1, cpuUsPerScan, bytesPerScan: rounded(bytes / rows) }
  } catch (error) {
    if (!String(error).includes('Out of Memory')) throw error
    return { rows, fits: 0 }
  }
}

type Visits = {
  /** Adds visits of a batch, and returns how many are of a new visitor. */
  addAll: (batch: SegmentBlock) => Promise<number> | number
  has: (key: Buffer) => boolean
  writeKey: (key: Buffer, visitors: { visitors: Buffer; at: number }) => void
  end: () => Promise<void> | void
}

const visitsOfBatch = 5_000

/** Three visits of four are of a new visitor. */
async function addVisits(
  folder: string,
  visits: number,
  open: (folder: string) => Promise<Visits> | Visits,
): Promise<object> {
  mkdirSync(folder, { recursive: true })
  const beforeMb = heldMb()
  const index = await open(folder)
  let [added, cpuUs, mostMb] = [0, 0, 0]
  for (let first = 0; first < visits; first += visitsOfBatch) {
    const batch = batchOfVisits(first)
    const before = process.cpuUsage()
    added += await index.addAll(batch)
    cpuUs += spentUs(before)
    mostMb = Math.max(mostMb, heldMb() - beforeMb)
  }
  await index.end()
  const files = readdirSync(folder).map((name) => join(folder, name))
  const bytes = files.reduce((sum, path) => sum + statSync(path).size, 0)
  const key = Buffer.alloc(keyBytes)
  const visitors = Buffer.alloc(16)
  const look = (count: number, step: number): number => {
    const startMs = performance.now()
    for (let at = 0; at < count; at++) {
      writeVisitor(visitors, 0, (at * step) % (2 * visits))
      index.writeKey(key, { visitors, at: 0 })
      index.has(key)
    }
    return rounded(((performance.now() - startMs) * 1000) / count)
  }
  const warmUs = look(20_000, 7919)
  for (const path of files) forget(path)
  return {
    visits,
    added,
    cpuUs: rounded(cpuUs / visits),
    bytesEach: rounded(bytes / added),
    warmUs,
    coldUs: look(2_000, 104_729),
    heldMb: Math.round(mostMb),
  }
}

/** A batch of the product, as ingest reads it. */
function batchOfVisits(first: number): SegmentBlock {
  const [sample] = fullRows(1, 1)
  const block = new SegmentBlock(visitsOfBatch)
  if (sample === undefined) return block
  const row: ScanRow = { ...sample.row, ...code, class: 'human' }
  for (let at = 0; at < visitsOfBatch; at++) {
    const visit = first + at
    block.add({ ...row, sequence: visit + 1 }, false)
    writeVisitor(block.visitor, at * 16, visit % 4 === 3 ? Math.floor(visit * 0.37) : visit)
  }
  return block
}

async function openRuns(folder: string): Promise<Visits> {
  const index = await VisitIndex.open({ folder })
  await index.catchUp({ covered: [], async *read() {} })
  let [runs, keys]: [VisitRuns | undefined, VisitKeys | undefined] = [undefined, undefined]
  return {
    async addAll(batch) {
      const [from, to] = [Number(batch.sequence[0]) - 1, Number(batch.sequence.at(-1))]
      const writer = batch.texts.writer.valueOf(0)
      await index.storeBatch([batch], () => Promise.resolve([{ month: 202603, writer, from, to }]))
      return batch.isUnique.reduce((sum, mark) => sum + mark, 0)
    },
    has: (key) => runs?.get(key) !== undefined,
    writeKey: (key, visitor) => keys?.writeKey(key, keys.codeOf(code.organizationId, code.qrCodeId), visitor),
    async end() {
      await index.flush()
      await index.settle()
      await index.close()
      runs = await VisitRuns.open({ folder })
      keys = new VisitKeys(runs.salt)
    },
  }
}

function openSqlite(folder: string): Visits {
  const db = new Sqlite(join(folder, 'visits.sqlite'))
  db.pragma('journal_mode = wal')
  db.pragma('cache_size = -16000')
  db.exec('create table visits (key blob primary key, place blob not null) without rowid')
  const insert = db.prepare('insert or ignore into visits values (?, ?)')
  const find = db.prepare('select 1 from visits where key = ?')
  const keys = new VisitKeys(Buffer.alloc(16))
  const key = Buffer.alloc(keyBytes)
  const place = Buffer.alloc(placeBytes)
  const writeKey: Visits['writeKey'] = (to, visitor) =>
    keys.writeKey(to, keys.codeOf(code.organizationId, code.qrCodeId), visitor)
  return {
    addAll(batch) {
      let added = 0
      db.exec('begin')
      for (let row = 0; row < batch.rows; row++) {
        writeKey(key, { visitors: batch.visitor, at: row * 16 })
        place.writeUInt32LE(row)
        added += insert.run(key, place).changes
      }
      db.exec('commit')
      return added
    },
    has: (found) => find.get(found) !== undefined,
    writeKey,
    end() {
      db.pragma('wal_checkpoint(truncate)')
    },
  }
}

/** A visitor by number, as a hash. */
function writeVisitor(visitors: Buffer, at: number, number: number): void {
  let [a, b] = [Math.imul(number + 1, 0x9e3779b1), Math.imul(number ^ 0x5bd1e995, 0x85ebca6b)]
  a = Math.imul(a ^ (a >>> 15), 0x2c1b3c6d)
  a = Math.imul(a ^ (a >>> 12), 0x297a2d39)
  b = Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  visitors.writeUInt32LE((a ^ (a >>> 15)) >>> 0, at)
  visitors.writeUInt32LE((b ^ (b >>> 16)) >>> 0, at + 4)
  visitors.writeUInt32LE(number, at + 8)
}

/** The memory of buffers, of which an index is made. */
function heldMb(): number {
  return process.memoryUsage().arrayBuffers / 2 ** 20
}

/** Takes a file out of the system's memory. */
function forget(path: string): void {
  execFileSync('dd', [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none'])
}

function spentUs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function memory(): object {
  const status = readFileSync('/proc/self/status', 'utf8')
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1])
  return { peakMb: Math.round(peakKb / 1024) }
}

const measures: Readonly<Record<string, (folder: string, count: number) => Promise<object> | object>> = {
  write,
  fill,
  merge: (folder, count) => merge(folder, count, writeMerged),
  'merge texts': (folder, count) => merge(folder, count, writeAsTexts),
  'visit runs': (folder, count) => addVisits(join(folder, 'runs'), count, openRuns),
  'visits in sqlite': (folder, count) => addVisits(join(folder, 'sqlite'), count, openSqlite),
}

const [name = '', folder = '', count = ''] = process.argv.slice(2)
console.log(JSON.stringify({ ...(await measures[name]?.(folder, Number(count))), ...memory() }))
process.exit()
