import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pick, randomFrom, testSeed, type Random } from '@everscan/contract/testing/random.ts'
import { RecordLog } from '../../insert/record-log.ts'
import type { ScanRow } from '../../insert/scan-row.ts'
import { closedOwnerOf } from '../../store/closed-owner.ts'
import { nobody as noVisitor } from '../../store/first-scans.ts'
import { codeOfKey } from '../code-counts.ts'
import type { ScanSegment } from '../manifest.ts'
import { RecordFiles } from '../records/record-files.ts'
import { ScanFiles } from '../scan-files.ts'
import { SegmentBlock } from '../segment-block.ts'
import { nobody, SimulatedMarks, type SimulatedFile } from '../testing/simulated-marks.ts'
import type { SimulatedScan } from '../testing/simulated-scan.ts'
import type { MovedVisit } from '../visits/visit-index.ts'
import { plainRow } from '../visits/testing/visit-world.ts'
import { ParquetFiles } from './parquet-files.ts'
import { rowsOfFiles } from './file-sql.ts'
import { fileWrites } from './file-writes.ts'
import { ScanEngine } from './scan-engine.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-mark-table-'))
const engine = await ScanEngine.open({ folders: [root], spillTo: join(root, 'spill'), memory: '64MB' })
const seed = testSeed()
const roundsCount = process.env['SOAK'] === '1' ? 200 : 4
const context = `SEED=${seed} npm test -- mark-table`
const month = 197001
const rowsMax = 100

after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

test('marks move in files and records as plain loops move them', async () => {
  const random = randomFrom(seed)
  const counts = { moved: 0, taken: 0 }
  for (let round = 0; round < roundsCount; round++) {
    const folder = join(root, String(round))
    const records = new RecordFiles(new RecordLog(join(folder, 'records')))
    const parquet = await ParquetFiles.open({ folder: join(folder, 'scans'), engine: fileWrites(engine) })
    const files = new ScanFiles({ records, parquet, visitorsAtOnce: pick(random, [10, 1_000]) })
    const deletedBeforeMs = round % 2 === 0 ? 40 : undefined
    const drawn = drawFiles(random, { first: 0, count: 6 })
    // Before a deletion each visitor has one mark.
    const first = new SimulatedMarks(drawn, undefined)
    const known =
      deletedBeforeMs === undefined
        ? drawn
        : drawn.map(({ id, rows }) => ({ id, rows: first.markedIn(id, rows) }))
    const since = drawFiles(random, { first: 6, count: 2 }).map(({ id, rows }) => ({
      id,
      rows: rows.map((scan) => ({ ...scan, isUnique: false })),
    }))
    const segments = await writeFiles(files, random, known)
    const segmentsSince = await writeFiles(files, random, since)

    const bound = deletedBeforeMs === undefined ? {} : { deletedBeforeMs }
    const found = await files.findMarks({ segments, ...bound })
    const expected = new SimulatedMarks(known, deletedBeforeMs)
    assert.deepEqual([...found.ids].toSorted(), [...expected.ids].toSorted(), context)
    assert.deepEqual(await textsOf(found.visits(), counts), await textsOf(expected.visits()), context)

    await found.addFrom(segmentsSince)
    expected.addAll(since)
    assert.deepEqual([...found.ids].toSorted(), [...expected.ids].toSorted(), context)
    assert.deepEqual(await textsOf(found.visits(), counts), await textsOf(expected.visits()), context)
    for (const [at, { id, rows }] of [...known, ...since].entries()) {
      const { stretches, level } = [...segments, ...segmentsSince][at]!
      const combined = await files.combine(`${id}_marked`, stretches, [id], { marks: found })
      assert.equal(combined.level, Math.max(level, 1))
      const marked = expected.markedIn(id, rows).map(({ sequence, isUnique }) => `${sequence} ${isUnique}`)
      const stored = await engine.files.rows(
        `select sequence, is_unique from ${rowsOfFiles(parquet.pathsOf([`${id}_marked`]))}`,
      )
      assert.deepEqual(stored.map((values) => values.join(' ')).toSorted(), marked.toSorted(), context)
    }
    await found.close()
    await records.close()
  }
  const tables = await engine.files.rows(
    `select table_name from duckdb_tables() where table_name like 'marks%'`,
  )
  assert.deepEqual(tables, [], 'tables are left')
  assert.ok(counts.moved > 0 && counts.taken > 0)
})

/** Returns files of scans by two writers, with marks as of no sane store. */
function drawFiles(
  random: Random,
  { first, count }: { first: number; count: number },
): (SimulatedFile & { rows: SimulatedScan[] })[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `f${first + at}`,
    rows: Array.from({ length: 1 + Math.floor(random() * 40) }, (__, row): SimulatedScan => {
      const visitor = random() < 0.15 ? nobody : String(Math.floor(random() * 25))
      return {
        writer: pick(random, ['a', 'b']),
        sequence: (first + at) * rowsMax + row + 1,
        timeMs: Math.floor(random() * 100),
        code: `${pick(random, ['org_1', 'org_2'])} ${pick(random, ['qr_1', 'qr_2'])}`,
        visitor,
        isUnique: visitor !== nobody && random() < 0.2,
      }
    }),
  }))
}

/** Writes some of them as records, and others as files of Parquet. */
async function writeFiles(
  files: ScanFiles,
  random: Random,
  drawn: readonly SimulatedFile[],
): Promise<ScanSegment[]> {
  const segments: ScanSegment[] = []
  for (const { id, rows } of drawn) {
    const [from, to] = [Number(id.slice(1)) * rowsMax, (Number(id.slice(1)) + 1) * rowsMax]
    const stretches = ['a', 'b'].map((writer) => ({ month, writer, from, to }))
    const isRecord = random() < 0.5
    const segment = await files.write(isRecord ? id : `${id}_record`, stretches, blockOf(rows))
    segments.push(isRecord ? segment : await files.combine(id, stretches, [segment.id]))
  }
  return segments
}

function blockOf(rows: readonly SimulatedScan[]): SegmentBlock {
  const block = new SegmentBlock(rows.length)
  for (const scan of rows) block.add(rowOf(scan), scan.isUnique)
  return block
}

/** Scans of nobody are those of three kinds that are never unique. */
function rowOf({ writer, sequence, timeMs, code, visitor }: SimulatedScan): ScanRow {
  const row = {
    ...plainRow,
    ...codeOfKey(code),
    writer,
    sequence,
    timeMs,
    visitor: visitor.padStart(32, '0'),
  }
  if (visitor !== nobody) return row
  const known = { ...row, visitor: '1'.padStart(32, '0') }
  if (sequence % 3 === 0) return { ...row, visitor: noVisitor }
  if (sequence % 3 === 1) return { ...known, class: 'bot' }
  return { ...known, organizationId: closedOwnerOf(known.organizationId) }
}

async function textsOf(
  visits: AsyncIterable<readonly MovedVisit[]>,
  counts = { moved: 0, taken: 0 },
): Promise<string[]> {
  const all = await Array.fromAsync(visits)
  return all
    .flat()
    .map((visit) => {
      const { organizationId, qrCodeId, visitor } = visit
      const of = `${organizationId} ${qrCodeId} ${String(visitor).padStart(32, '0')}`
      if (visit.writer === undefined) counts.taken++
      else counts.moved++
      return visit.writer === undefined ? of : `${of}: ${visit.writer} ${visit.sequence}`
    })
    .toSorted()
}
