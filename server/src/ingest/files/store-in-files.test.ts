import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pick, randomFrom, testSeed, type Random } from '@everscan/contract/testing/random.ts'
import { ParquetFiles } from '../../analytics/files/parquet/parquet-files.ts'
import { fileWrites } from '../../analytics/files/parquet/file-writes.ts'
import { rowsOfFiles } from '../../analytics/files/parquet/file-sql.ts'
import { ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import { SegmentBlock } from '../../analytics/files/segment-block.ts'
import { countRows, RecordFiles } from '../../analytics/files/records/record-files.ts'
import { ScanFiles } from '../../analytics/files/scan-files.ts'
import { codeKey } from '../../analytics/files/code-counts.ts'
import { SegmentStore } from '../../analytics/files/segment-store.ts'
import { RecordLog } from '../../analytics/insert/record-log.ts'
import type { ScanRow } from '../../analytics/insert/scan-row.ts'
import { randomScans } from '../../analytics/testing/scan-rows.ts'
import { insertCode } from '../../db/testing/codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { countersOf } from '../testing/ingest.ts'
import { segmentCatalogue } from './segment-catalogue.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-store-in-files-'))
const engine = await ScanEngine.open({ folders: [root], spillTo: join(root, 'spill'), memory: '64MB' })
const organizationId = 'org_1'
const codes = ['qr_busy', 'qr_quiet']
const stepsCount = process.env['SOAK'] === '1' ? 2_000 : 60
const seed = testSeed()

after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

onEitherDatabase('a store in files', (open) => {
  test('has every scan once, and its counters, after batches, merges, restarts and lost files', async (t) => {
    const db = await open()
    for (const id of codes) await insertCode(db, organizationId, id)
    const random = randomFrom(seed)
    const recorded: ScanRow[] = []
    const folder = join(root, db.dialect)
    let [deletedBeforeMs, ids] = [0, 0]
    const openStore = async () => {
      const records = new RecordFiles(new RecordLog(join(folder, 'records')))
      t.after(() => records.close())
      const parquet = await ParquetFiles.open({ folder: join(folder, 'scans'), engine: fileWrites(engine) })
      const store = new SegmentStore({
        files: new ScanFiles({ records, parquet }),
        catalogue: segmentCatalogue(db),
        clock: Date.now,
        newId: () => `seg${ids++}`,
        countRows,
        deletedBeforeMs: () => deletedBeforeMs,
      })
      await store.recover()
      return { records, parquet, store }
    }
    let { records, parquet, store } = await openStore()

    async function storeBatch(): Promise<void> {
      const from = store.checkpointOf('a')
      const month = pick(random, [202602, 202603])
      const rows = batchOf(random, { month, from })
      const read = { writer: 'a', from, after: from, to: from + rows.length, end: { segment: 1, offset: 9 } }
      assert.ok(await store.storeBatch(read, store.coverage(), [{ month, rows: blockOf(rows, recorded) }]))
      recorded.push(...rows)
    }

    async function merge(): Promise<void> {
      const { segments } = await segmentCatalogue(db).read()
      const [month, kind] = [pick(random, [202602, 202603]), pick(random, [0, 1])]
      const merged = segments
        .filter(({ stretches, level }) => stretches[0]?.month === month && Math.min(level, 1) === kind)
        .map(({ id }) => id)
      if (merged.length > 1) assert.ok(await store.merge(merged))
    }

    /** Damages the newest file of Parquet: records have its scans. */
    async function damage(): Promise<void> {
      const { segments } = await segmentCatalogue(db).read()
      const file = segments.findLast(({ level }) => level > 0)
      if (file === undefined) return
      const [path = ''] = parquet.pathsOf([file.id])
      const bytes = readFileSync(path)
      bytes[9] = (bytes[9] ?? 0) ^ 1
      writeFileSync(path, bytes)
    }

    for (let step = 0; step < stepsCount; step++) {
      const event = random()
      if (event < 0.6) await storeBatch()
      else if (event < 0.85) await merge()
      else {
        if (random() < 0.3) await damage()
        ;({ records, parquet, store } = await openStore())
      }
    }
    deletedBeforeMs = Date.UTC(2026, 1, 20)
    const deletion = await store.prepareDeletion(deletedBeforeMs)
    assert.ok(await store.finishDeletion(deletion))
    await deletion.close()

    const { segments, lost } = await segmentCatalogue(db).read()
    const context = `SEED=${seed} npm test -- store-in-files`
    assert.deepEqual(lost, [], context)
    const left = recorded.filter(({ timeMs }) => timeMs >= deletedBeforeMs)
    const stored: number[] = []
    for (const { id } of segments)
      if (records.has(id)) stored.push(...[...(await records.read(id)).sequence].map(Number))
      else
        stored.push(
          ...(await engine.files.rows(`select sequence from ${rowsOfFiles(parquet.pathsOf([id]))}`)).map(
            ([number]) => Number(number),
          ),
        )
    assert.deepEqual(
      stored.toSorted((a, b) => a - b),
      left.map(({ sequence }) => Number(sequence)),
      context,
    )
    const counts = countRows(blockOf(left, []))
    assert.deepEqual(
      await countersOf(db),
      Object.fromEntries(
        codes.map((qrCodeId) => {
          const { scans = 0, uniqueScans = 0 } = counts.get(codeKey({ organizationId, qrCodeId })) ?? {}
          return [qrCodeId, [scans, uniqueScans]]
        }),
      ),
      context,
    )
    assert.ok(segments.some(({ level }) => level > 0) && left.length < recorded.length)
  })
})

/** Scans of a month by writer a. */
function batchOf(random: Random, { month, from }: { month: number; from: number }): ScanRow[] {
  const [year, number] = [Math.floor(month / 100), month % 100]
  const range = { fromMs: Date.UTC(year, number - 1), toMs: Date.UTC(year, number) }
  const rows = 1 + Math.floor(random() * 60)
  return randomScans(random, { organizationId, rows, ...range }).map((row, at) => ({
    ...row,
    writer: 'a',
    sequence: from + at + 1,
  }))
}

/** Returns scans with their marks, which those that were recorded before may have already. */
function blockOf(rows: readonly ScanRow[], before: readonly ScanRow[]): SegmentBlock {
  const known = new Set(before.filter(isHuman).map(visitorOf))
  const block = new SegmentBlock(rows.length)
  for (const row of rows) {
    block.add(row, isHuman(row) && !known.has(visitorOf(row)))
    if (isHuman(row)) known.add(visitorOf(row))
  }
  return block
}

function visitorOf({ qrCodeId, visitor }: ScanRow): string {
  return `${qrCodeId} ${visitor}`
}

function isHuman({ class: kind }: ScanRow): boolean {
  return kind === 'human'
}
