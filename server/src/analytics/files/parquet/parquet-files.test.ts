import assert from 'node:assert/strict'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { pick, randomFrom, testSeed, type Random } from '@everscan/contract/testing/random.ts'
import type { ScanRow } from '../../insert/scan-row.ts'
import { randomScans } from '../../testing/scan-rows.ts'
import type { ScanSegment } from '../manifest.ts'
import { codeKey, codeOfKey } from '../code-counts.ts'
import type { Stretch } from '../stretches.ts'
import { monthOf, type SimulatedScan } from '../testing/simulated-scan.ts'
import { SimulatedFolder } from '../testing/simulated-store.ts'
import { fileName } from './look-at-files.ts'
import { ParquetFiles, parquetPath } from './parquet-files.ts'
import { fileWrites } from './file-writes.ts'
import { quoted, rowsOfFiles } from './file-sql.ts'
import { ScanEngine } from './scan-engine.ts'
import { SegmentBlock, texts } from '../segment-block.ts'
import { columnName } from './file-sql.ts'
import { rowsPerGroup } from './write-segment.ts'

// Characters that mean something in SQL and in patterns of paths.
const root = mkdtempSync(join(tmpdir(), "everscan o'scan [s]*-"))
const engine = await ScanEngine.open({
  folders: [root],
  spillTo: join(root, 'spill'),
  memory: '64MB',
})
after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

let folders = 0
const newFolder = (): string => join(root, String(folders++))
const openFiles = (folder: string): Promise<ParquetFiles> =>
  ParquetFiles.open({ folder, engine: fileWrites(engine) })

const seed = testSeed()
const stepsCount = process.env['SOAK'] === '1' ? 2_000 : 100
/** All files are read for a comparison. */
const stepsBetween = 20

test('every column of a scan is read as it was written', async () => {
  const rows = randomScans(randomFrom(seed), {
    organizationId: "org_o'1",
    rows: 5_000,
    fromMs: Date.UTC(2026, 2, 1),
    toMs: Date.UTC(2026, 3, 1),
  }).map((row, at) => ({
    ...row,
    ...(at % 5 === 0 && { city: pick(randomFrom(at), ['a\0b', 'a\u0001b', '\0', '\0\u0002\0']) }),
    visitor: `${at % 2 === 0 ? 'f' : '0'}${row.visitor.slice(1)}`,
  }))
  const files = await openFiles(newFolder())
  const { id, rows: count, fromMs, toMs } = await files.write('f1', [stretchOf(202603, 0, 9)], blockOf(rows))
  const times = rows.map(({ timeMs }) => timeMs)
  assert.deepEqual([count, fromMs, toMs], [rows.length, Math.min(...times), Math.max(...times)])
  const names = texts.map(columnName)
  const stored = await engine.files.rows(
    `select ${names.map((name) => `${name}::varchar`).join(', ')}, epoch_ms(time), sequence,
       replace(visitor::varchar, '-', ''), latitude, longitude, is_unique
     from ${rowsOfFiles(files.pathsOf([id]))}`,
  )
  const written = rows.map((row) => [
    ...texts.map((name) => row[name]),
    BigInt(row.timeMs),
    BigInt(row.sequence),
    row.visitor,
    row.latitude === null ? null : Math.fround(row.latitude),
    row.longitude === null ? null : Math.fround(row.longitude),
    isUnique(row),
  ])
  assert.deepEqual(stored.map(textOf).sort(), written.map(textOf).sort())
})

test('groups of rows of written and of merged files tell which codes they have', async () => {
  const files = await openFiles(newFolder())
  const [sample] = randomScans(randomFrom(seed), { organizationId: 'org_1', rows: 1, fromMs: 0, toMs: 1 })
  const count = rowsPerGroup + 10
  for (const [at, id] of ['f1', 'f2'].entries()) {
    const block = new SegmentBlock(count)
    for (let row = 0; row < count; row++) {
      const sequence = at * count + row + 1
      block.add({ ...sample!, qrCodeId: numberedCode(row), writer: 'a', sequence, timeMs: row }, false)
    }
    await files.write(id, [stretchOf(0, at * count, (at + 1) * count)], block)
  }
  await files.combine('f3', [stretchOf(0, 0, 2 * count)], ['f1', 'f2'])
  for (const path of files.pathsOf(['f1', 'f3'])) {
    const ranges = await engine.files.rows(
      `select stats_min_value, stats_max_value
       from parquet_metadata(${quoted(path)})
       where path_in_schema = 'qr_code_id'
       order by row_group_id`,
    )
    assert.ok(ranges.length > 1)
    const ends = ranges.flat().map(String)
    assert.deepEqual(ends, ends.toSorted())
    assert.deepEqual([ends[0], ends.at(-1)], [numberedCode(0), numberedCode(count - 1)])
  }
})

test('files hold what a folder in memory holds, after any order of calls, damage and restarts', async () => {
  const random = randomFrom(seed)
  const folder = newFolder()
  const model = new SimulatedFolder()
  const modelFiles = model.asFiles(async () => {})
  let files = await openFiles(folder)
  const sequences = { a: 0, b: 0 }
  let ids = 0
  let fromMs = 0
  for (let step = 0; step < stepsCount; step++) {
    const good = [...model.files.values()].filter(({ isGood }) => isGood).map(({ segment }) => segment)
    const event = random()
    if (event < 0.4 || good.length < 3) {
      const writer = pick(random, ['a', 'b'] as const)
      const month = pick(random, [0, 1])
      const from = sequences[writer]
      const scans = randomBatch(random, { writer, month, from })
      sequences[writer] = from + scans.length
      const stretches = [{ month, writer, from, to: from + scans.length }]
      const id = `f${ids++}`
      await modelFiles.write(id, stretches, scans)
      await files.write(id, stretches, blockOf(scans.map(rowOf)))
    } else if (event < 0.6) {
      const { month = 0 } = pick(random, good).stretches[0] ?? {}
      const from = good.filter(({ stretches }) => stretches[0]?.month === month && random() < 0.6)
      // Some of the scans only, as of a file of which others are listed already.
      const stretches = from.flatMap((segment) => segment.stretches).filter(() => random() < 0.9)
      const id = `f${ids++}`
      const fromIds = from.map((segment) => segment.id)
      if (stretches.length > 0) {
        await modelFiles.combine(id, stretches, fromIds, { fromMs })
        await files.combine(id, stretches, fromIds, { fromMs })
        // If they stayed, files of files would double with each call.
        for (const replaced of fromIds) {
          await modelFiles.remove(replaced)
          await files.remove(replaced)
        }
      }
    } else if (event < 0.75) {
      const { id } = pick(random, good)
      await modelFiles.remove(id)
      await files.remove(id)
    } else if (event < 0.8) {
      fromMs += Math.floor(random() * 2)
    } else if (event < 0.85) {
      const { id } = pick(random, good)
      damage(files.pathsOf([id])[0] ?? '', random)
      const file = model.files.get(id)
      if (file !== undefined) file.isGood = false
    } else if (event < 0.95) {
      for (const name of ['f0.tmp', 'notes.txt']) writeFileSync(join(folder, name), 'x')
      files = await openFiles(folder)
      assert.deepEqual(
        [existsSync(join(folder, 'f0.tmp')), existsSync(join(folder, 'notes.txt'))],
        [false, true],
      )
      await files.list()
    }
    if (step % stepsBetween === stepsBetween - 1)
      await compare(files, model, `SEED=${seed} npm test -- parquet-files, step ${step}`)
  }
})

test('a trusted file is looked at by its size and its ends, any other one is read', async () => {
  const folder = newFolder()
  const files = await openFiles(folder)
  const scans = randomBatch(randomFrom(seed), { writer: 'a', month: 0, from: 0 })
  const segment = await files.write('f1', [stretchOf(0, 0, scans.length)], blockOf(scans.map(rowOf)))
  const [path = ''] = files.pathsOf(['f1'])
  const trusted = new Map([['f1', segment]])
  const isGood = async (of?: Map<string, ScanSegment>) => (await files.list(of))[0]?.isGood
  assert.deepEqual([await isGood(trusted), await isGood()], [true, true])
  damage(path, randomFrom(seed))
  assert.deepEqual([await isGood(trusted), await isGood()], [true, false])
  truncateSync(path, segment.bytes - 1)
  assert.equal(await isGood(trusted), false)
})

test('a file of somebody else under such a name is not good, and stays', async () => {
  const folder = newFolder()
  const files = await openFiles(folder)
  const foreign = join(folder, 'foreign.parquet')
  await engine.files.run(`copy (select 1 as a) to ${quoted(foreign)} (format parquet)`)
  const contents = [
    readFileSync(foreign),
    Buffer.from('PAR1'),
    Buffer.from('no parquet at all'),
    Buffer.alloc(0),
  ]
  for (const [at, bytes] of contents.entries())
    writeFileSync(join(folder, `x${at}-${crc32(bytes).toString(16).padStart(8, '0')}.parquet`), bytes)
  const found = await files.list()
  assert.deepEqual(
    found.map(({ id, isGood }) => [id, isGood]),
    contents.map((_, at) => [`x${at}`, false]),
  )
})

test('a file that is not good is read once, and again when it has changed', async () => {
  const folder = newFolder()
  const writes = fileWrites(engine)
  let reads = 0
  const counting = { ...writes, rows: (sql: string) => (reads++, writes.rows(sql)) }
  const files = await ParquetFiles.open({ folder, engine: counting })
  // It has the right name, but no facts.
  const unnamed = join(folder, 'unnamed.parquet')
  await engine.files.run(`copy (select 1 as number) to ${quoted(unnamed)} (format parquet)`)
  const bytes = readFileSync(unnamed)
  const path = join(folder, fileName({ id: 'other', checksum: crc32(bytes) }))
  renameSync(unnamed, path)
  const isRead = async (): Promise<boolean> => {
    const before = reads
    assert.deepEqual(
      (await files.list()).map(({ isGood }) => isGood),
      [false],
    )
    return reads > before
  }
  assert.deepEqual([await isRead(), await isRead()], [true, false])
  utimesSync(path, 1, 1)
  assert.deepEqual([await isRead(), await isRead()], [true, false])
  rmSync(path)

  const { checksum } = await files.write('f1', [stretchOf(0, 0, 9)], blockOf([]))
  const good = parquetPath(folder, { id: 'f1', checksum, stretches: [stretchOf(0, 0, 9)] })
  const written = readFileSync(good)
  const isGood = async () => (await files.list())[0]?.isGood
  damage(good, randomFrom(seed))
  assert.equal(await isGood(), false)
  writeFileSync(good, written)
  assert.equal(await isGood(), true)
})

test('a file that is written while the folder is listed stays known', async () => {
  const files = await openFiles(newFolder())
  const scans = randomBatch(randomFrom(seed), { writer: 'a', month: 0, from: 0 })
  const write = (id: string) => files.write(id, [stretchOf(0, 0, scans.length)], blockOf(scans.map(rowOf)))
  await write('f1')
  const [listed] = await Promise.all([files.list(), write('f2')])
  assert.ok(listed.some(({ id }) => id === 'f1'))
  assert.equal(files.pathsOf(['f1', 'f2']).length, 2)
})

test('no statement gets the engine out of its folders', async () => {
  for (const statement of [
    "select * from read_text('/etc/passwd')",
    "copy (select 1) to '/tmp/everscan-out.parquet'",
    "attach '/tmp/everscan-out.db'",
    'install httpfs',
    'set enable_external_access = true',
    'set lock_configuration = false',
  ])
    await assert.rejects(engine.files.run(statement), /Permission|Cannot|disabled|locked/i, statement)
})

async function compare(files: ParquetFiles, model: SimulatedFolder, context: string): Promise<void> {
  const expected = [...model.files.values()].toSorted((a, b) => (a.segment.id < b.segment.id ? -1 : 1))
  const found = (await files.list()).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  assert.deepEqual(
    found.map(({ id, isGood }) => [id, isGood]),
    expected.map(({ segment, isGood }) => [segment.id, isGood]),
    context,
  )
  for (const [at, { segment, isGood }] of expected.entries()) {
    if (!isGood) continue
    const { rows, fromMs, toMs, stretches } = found[at] ?? segment
    assert.deepEqual(
      { rows, stretches, fromMs, toMs },
      { ...pickFacts(segment), ...pickRange(segment) },
      context,
    )
    assert.deepEqual(
      sorted(await files.countOf(segment.id)),
      sorted(await countOf(model, segment.id)),
      context,
    )
  }
}

function countOf(model: SimulatedFolder, id: string) {
  return model.asFiles(async () => {}).countOf(id)
}

const pickFacts = ({ rows, stretches }: ScanSegment) => ({ rows, stretches })
const pickRange = ({ fromMs, toMs }: Pick<ScanSegment, 'fromMs' | 'toMs'>) => ({ fromMs, toMs })
const sorted = (counts: Iterable<readonly [string, unknown]>): unknown[] =>
  [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))

function numberedCode(at: number): string {
  return `qr_${String(at).padStart(6, '0')}`
}

function stretchOf(month: number, from: number, to: number): Stretch {
  return { month, writer: 'a', from, to }
}

function randomBatch(
  random: Random,
  { writer, month, from }: { writer: string; month: number; from: number },
): SimulatedScan[] {
  return Array.from({ length: 1 + Math.floor(random() * 40) }, (_, at) => ({
    writer,
    sequence: from + at + 1,
    timeMs: month * 10 + Math.floor(random() * 10),
    code: codeKey({ organizationId: 'org_1', qrCodeId: `qr_${Math.floor(random() * 3)}` }),
    visitor: '',
    isUnique: (from + at + 1) % 2 === 1,
  }))
}

function rowOf(scan: SimulatedScan): ScanRow {
  assert.ok(monthOf(scan) < 2)
  const [row] = randomScans(randomFrom(scan.sequence), {
    organizationId: 'org_1',
    rows: 1,
    fromMs: 0,
    toMs: 1,
  })
  const { writer, sequence, timeMs, code } = scan
  return { ...row!, class: 'human', ...codeOfKey(code), writer, sequence, timeMs }
}

function isUnique({ sequence }: ScanRow): boolean {
  return Number(sequence) % 2 === 1
}

function blockOf(rows: readonly ScanRow[]): SegmentBlock {
  const block = new SegmentBlock(rows.length)
  for (const row of rows) block.add(row, isUnique(row))
  return block
}

/** Changes one byte between the ends. */
function damage(path: string, random: Random): void {
  const bytes = readFileSync(path)
  const at = 4 + Math.floor(random() * (bytes.length - 8))
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

function textOf(values: readonly unknown[]): string {
  return values.map(String).join('|')
}
