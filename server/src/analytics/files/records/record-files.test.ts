import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { RecordLog } from '../../insert/record-log.ts'
import type { ScanRow } from '../../insert/scan-row.ts'
import { randomScans } from '../../testing/scan-rows.ts'
import { SegmentBlock, texts } from '../segment-block.ts'
import { sumOf } from '../code-counts.ts'
import { countRows, RecordFiles } from './record-files.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-records-'))
const opened: RecordFiles[] = []
after(async () => {
  for (const records of opened) await records.close()
  rmSync(root, { recursive: true })
})
let folders = 0
const newFolder = (): string => join(root, String(folders++))

function openRecords(folder: string): RecordFiles {
  const records = new RecordFiles(new RecordLog(folder))
  opened.push(records)
  return records
}

const month = 202603
const hourMs = 3_600_000
const [fromMs, toMs] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 3, 1)]
const random = randomFrom(testSeed())
const isUnique = ({ sequence }: ScanRow): boolean => Number(sequence) % 3 === 0

/** Scans of writer a with the sequences behind `from`. */
function scansOf(from: number, count: number): ScanRow[] {
  return randomScans(random, { organizationId: 'org_1', rows: count, fromMs, toMs }).map((row, at) => ({
    ...row,
    writer: 'a',
    sequence: from + at + 1,
  }))
}

function blockOf(rows: readonly ScanRow[]): SegmentBlock {
  const block = new SegmentBlock(rows.length)
  for (const row of rows) block.add(row, isUnique(row))
  return block
}

const stretch = (from: number, to: number) => ({ month, writer: 'a', from, to })

/** Returns the rows of a block, in its order. */
function rowsOf(block: SegmentBlock): unknown[][] {
  return Array.from({ length: block.rows }, (_, row) => [
    ...texts.map((name) => block.texts[name].valueOf(row)),
    block.timeMs[row],
    block.sequence[row],
    block.visitor.toString('hex', row * 16, row * 16 + 16),
    block.latitude[row],
    block.longitude[row],
    block.isUnique[row],
  ])
}

test('a record gives back the block that it was written from', async () => {
  const records = openRecords(newFolder())
  const rows = scansOf(0, 3_000)
  const segment = await records.write('r1', [stretch(0, 3_000)], blockOf(rows))
  const times = rows.map(({ timeMs }) => timeMs)
  assert.deepEqual(
    [segment.level, segment.rows, segment.fromMs, segment.toMs],
    [0, 3_000, Math.min(...times), Math.max(...times)],
  )
  const read = await records.read('r1')
  assert.deepEqual(rowsOf(read), rowsOf(blockOf(rows)))
  assert.deepEqual([...read.order()], [...blockOf(rows).order()])
  assert.throws(() => SegmentBlock.fromBytes(Buffer.concat(read.toBytes()).subarray(0, -1)))
})

test('another process finds the records as they were written, but no torn one', async () => {
  const folder = newFolder()
  const written = openRecords(folder)
  const one = await written.write('r1', [stretch(0, 50)], blockOf(scansOf(0, 50)))
  const two = await written.write('r2', [stretch(50, 90)], blockOf(scansOf(50, 40)))
  const path = join(folder, '00000001.rows')
  appendFileSync(path, readFileSync(path).subarray(0, one.bytes - 1))
  const found = openRecords(folder)
  const facts = { hasPurged: false, isGood: true }
  assert.deepEqual(await found.list(), [
    { ...one, ...facts },
    { ...two, ...facts },
  ])
  assert.deepEqual(await found.countOf('r2'), await written.countOf('r2'))
  truncateSync(path, one.bytes + two.bytes - 1)
  assert.deepEqual(
    (await openRecords(folder).list()).map(({ id }) => id),
    ['r1'],
  )
})

test('a trusted record is not read, and a damaged one is not good', async () => {
  const folder = newFolder()
  const segment = await openRecords(folder).write('r1', [stretch(0, 500)], blockOf(scansOf(0, 500)))
  const path = join(folder, '00000001.rows')
  const bytes = readFileSync(path)
  bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1
  writeFileSync(path, bytes)
  const records = openRecords(folder)
  const isGood = async (trusted?: Map<string, typeof segment>) => (await records.list(trusted))[0]?.isGood
  assert.deepEqual([await isGood(), await isGood(new Map([['r1', segment]]))], [false, true])
  await assert.rejects(records.read('r1'), /damaged/)
})

test('records go file by file, once none of a file must stay', async () => {
  const folder = newFolder()
  let nowMs = Date.now()
  const records = new RecordFiles(new RecordLog(folder, () => nowMs))
  opened.push(records)
  const ids = ['r1', 'r2', 'r3', 'r4'] as const
  for (const [at, id] of ids.entries()) {
    await records.write(id, [stretch(at * 10, at * 10 + 10)], blockOf(scansOf(at * 10, 10)))
    // Two of them are in the first file, and one in each of the others.
    if (at > 0) nowMs += 2 * hourMs
  }
  const left = async () => (await records.list()).map(({ id }) => id)
  const trimmed = async (superfluous: readonly string[], olderThanMs = hourMs) => {
    for (const id of superfluous) records.remove(id)
    await records.trim(olderThanMs)
    return await left()
  }
  assert.deepEqual(await trimmed(['r1']), ids, 'another one of its file must stay')
  assert.deepEqual(await trimmed(['r2']), ids, 'the first one may be needed since')
  assert.deepEqual(await trimmed(['r1', 'r2'], 100 * hourMs), ids, 'they are too young')
  assert.deepEqual(await trimmed(['r1', 'r2']), ['r3', 'r4'])
  const [listed] = await Promise.all([
    left(),
    records.write('r5', [stretch(90, 91)], blockOf(scansOf(90, 1))),
  ])
  assert.deepEqual([listed.includes('r3'), records.has('r5'), records.has('r1')], [true, true, false])
})

test('records combine to the scans in their stretches, without those that were deleted', async () => {
  const records = openRecords(newFolder())
  const rows = scansOf(0, 900)
  for (const [id, from, to] of [
    ['r1', 0, 300],
    ['r2', 300, 600],
    ['r3', 600, 900],
  ] as const)
    await records.write(id, [stretch(from, to)], blockOf(rows.slice(from, to)))
  const deletedBeforeMs = fromMs + (toMs - fromMs) / 3
  const combined = await records.combined(
    [stretch(0, 350), stretch(400, 900)],
    ['r1', 'r2', 'r3'],
    deletedBeforeMs,
  )
  const left = rows.filter(
    ({ sequence, timeMs }) => (sequence <= 350 || sequence > 400) && timeMs >= deletedBeforeMs,
  )
  assert.deepEqual(rowsOf(combined), rowsOf(blockOf(left)))
  assert.deepEqual(countRows(combined), countsOf(left))
  assert.ok(left.length > 100 && left.length < 800)
})

function countsOf(rows: readonly ScanRow[]) {
  return sumOf(
    rows
      .filter((row) => row.class === 'human')
      .map((row) => {
        const count = { scans: 1, uniqueScans: isUnique(row) ? 1 : 0 }
        return new Map([[`${row.organizationId} ${row.qrCodeId}`, count]])
      }),
  )
}
