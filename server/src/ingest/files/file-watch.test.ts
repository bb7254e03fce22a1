import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { ScanSegment } from '../../analytics/files/manifest.ts'
import { parquetPath } from '../../analytics/files/parquet/parquet-files.ts'
import { ScanEngine } from '../../analytics/files/parquet/scan-engine.ts'
import type { Database } from '../../db/database.ts'
import { readScanDays } from '../../db/scans/scan-days.ts'
import { readScanLosses } from '../../db/scans/scan-losses.ts'
import { insertCode } from '../../db/testing/codes.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import type { Found } from '../ingest-context.ts'
import { countersOf, openTestJournal, record, someScan } from '../testing/ingest.ts'
import { FileWatch } from './file-watch.ts'
import { readListed } from './segment-catalogue.ts'
import { startWorker } from './testing/file-worker.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-file-watch-'))
const engine = await ScanEngine.open({ folders: [root], spillTo: join(root, 'spill'), memory: '64MB' })
after(() => {
  engine.close()
  rmSync(root, { recursive: true })
})

const dayMs = 86_400_000
const { signal } = new AbortController()

type Running = Awaited<ReturnType<typeof runningOn>>

/** Runs a worker with a merged file and a record. `later` moves its clock. */
async function runningOn(db: Database, options: { requireOwn?: () => Promise<void> } = {}) {
  const folder = mkdtempSync(join(root, 'data-'))
  const journalRoot = join(folder, 'journal')
  await insertCode(db, 'org_1', 'qr_1')
  const journal = openTestJournal(journalRoot, 'front-0')
  let nowMs = Date.now()
  const found: Found[] = []
  const given = { engine, db, clock: () => nowMs, found, ...options }
  const worker = await startWorker({ journalRoot, folder }, given)
  const scans = Array.from({ length: 60 }, (_, visitor) =>
    someScan({ qrCodeId: 'qr_1', visitor: visitor % 25 }),
  )
  await record(journal, scans)
  await worker.ingestAll(journal)
  const ids = (await readListed(db)).segments.map(({ id }) => id)
  await worker.batches.merge(ids.slice(0, 2))
  const { segments } = await readListed(db)
  const [merged, waiting] = [1, 0].map((level) => segments.find((one) => one.level === level))
  assert.ok(merged !== undefined && waiting !== undefined)
  const records = join(journalRoot, 'scans')
  const [rows = ''] = readdirSync(records)
  return {
    worker,
    journal,
    journalRoot,
    found,
    merged,
    waiting,
    path: parquetPath(join(folder, 'segments'), merged),
    recordFile: join(records, rows),
    later: (ms: number) => void (nowMs += ms),
    watch: async (how: 'look' | 'readNext') =>
      (await worker.batches.watchFiles(how, signal)).map(({ id }) => id),
    end: async () => {
      await journal.close()
      await worker.batches.close()
    },
  }
}

function flipByte(path: string, at: (bytes: number) => number): void {
  const bytes = readFileSync(path)
  const place = at(bytes.length)
  bytes[place] = bytes[place]! ^ 1
  writeFileSync(path, bytes)
}

type Damage = {
  damage: (of: Running) => void
  wrong: (of: Running) => ScanSegment[]
  how: 'look' | 'readNext'
}

const damages: Record<string, Damage> = {
  'a file that is gone': {
    damage: ({ path }) => rmSync(path),
    wrong: ({ merged }) => [merged],
    how: 'look',
  },
  'a truncated file': {
    damage: ({ path }) => truncateSync(path, 300),
    wrong: ({ merged }) => [merged],
    how: 'look',
  },
  'a damaged byte in the middle of a file': {
    damage: ({ path }) => flipByte(path, (bytes) => bytes >> 1),
    wrong: ({ merged }) => [merged],
    how: 'readNext',
  },
  'records that are gone': {
    damage: ({ recordFile }) => rmSync(recordFile),
    wrong: ({ waiting }) => [waiting],
    how: 'look',
  },
  'a torn record': {
    damage: ({ recordFile }) => truncateSync(recordFile, readFileSync(recordFile).length - 1),
    wrong: ({ waiting }) => [waiting],
    how: 'look',
  },
  'a damaged record': {
    damage: ({ recordFile }) => flipByte(recordFile, (bytes) => bytes - 2),
    wrong: ({ waiting }) => [waiting],
    how: 'readNext',
  },
}

forEachDatabase('a running worker', (open) => {
  for (const [name, { damage, wrong, how }] of Object.entries(damages))
    test(`finds ${name}, and has all scans again`, async () => {
      const db = await open()
      const running = await runningOn(db)
      const { worker, journal, watch, later } = running
      const before = [await countersOf(db), await readScanDays(db)]
      damage(running)
      const expected = wrong(running).map(({ id }) => id)
      if (how === 'readNext') {
        assert.deepEqual(await watch('look'), [], 'only reading it whole shows it')
        later(6 * dayMs - 1)
        assert.deepEqual(await watch('readNext'), [], 'it is not due')
        later(1)
      }
      assert.deepEqual(await watch(how), expected)
      assert.equal(await worker.batches.canStore(), false)
      await worker.ingestAll(journal)
      assert.equal(await worker.batches.canStore(), true)
      const listed = new Set((await readListed(db)).segments.map(({ id }) => id))
      assert.ok(!expected.some((id) => listed.has(id)))
      assert.deepEqual([await countersOf(db), await readScanDays(db)], before)
      assert.deepEqual(await readScanLosses(db), [])
      later(7 * dayMs)
      for (const again of ['look', 'readNext'] as const) assert.deepEqual(await watch(again), [])
      await running.end()
    })

  test('tells scans as lost that neither records nor journals have', async () => {
    const db = await open()
    const running = await runningOn(db)
    const { worker, journal, found } = running
    await journal.close()
    rmSync(running.path)
    rmSync(running.recordFile)
    rmSync(join(running.journalRoot, 'front-0'), { recursive: true })
    assert.equal((await running.watch('look')).length, 2)
    await worker.compare()
    assert.deepEqual(await countersOf(db), { qr_1: [0, 0] })
    assert.deepEqual(
      found.map(({ lost }) => lost.map(({ hits }) => hits)),
      [[60]],
    )
    await worker.batches.close()
  })

  test('takes nothing as lost while the disk of its files is away', async () => {
    const db = await open()
    const away = { is: false }
    const requireOwn = async () => {
      if (away.is) throw new Error('not mounted')
    }
    const running = await runningOn(db, { requireOwn })
    const before = [await countersOf(db), (await readListed(db)).segments]
    const bytes = readFileSync(running.path)
    rmSync(running.path)
    away.is = true
    assert.equal((await running.watch('look')).length, 1)
    await assert.rejects(running.worker.compare(), /not mounted/)
    assert.deepEqual([await countersOf(db), (await readListed(db)).segments], before)
    writeFileSync(running.path, bytes)
    away.is = false
    await running.worker.compare()
    assert.deepEqual([await countersOf(db), (await readListed(db)).segments], before)
    await running.end()
  })

  test('does not read a file again in a round, and notes when all were read', async () => {
    const running = await runningOn(await open())
    const { batches } = running.worker
    const startedMs = batches.listed?.readAtMs ?? 0
    running.later(6 * dayMs)
    assert.equal(batches.listed?.readAtMs, startedMs)
    assert.deepEqual(await running.watch('readNext'), [])
    assert.equal(batches.listed?.readAtMs, startedMs + 6 * dayMs)
    flipByte(running.path, (bytes) => bytes >> 1)
    running.later(6 * dayMs - 1)
    assert.deepEqual(await running.watch('readNext'), [])
    await running.end()
  })
})

test('a round goes on where the last call ended, with one file at a time', async () => {
  const segments = ['a', 'b', 'c'].map((id): ScanSegment => {
    return { id, level: 1, rows: 1, bytes: 9, checksum: 1, fromMs: 1, toMs: 1, stretches: [] }
  })
  let nowMs = 0
  const calls: string[] = []
  let stopping = new AbortController()
  const watch = new FileWatch({
    folder: root,
    clock: () => nowMs,
    stateOf: async ({ id }, isWhole) => {
      calls.push(`${id} ${isWhole}`)
      stopping.abort()
      return id === 'b' ? 'damaged' : 'good'
    },
  })
  nowMs = 6 * dayMs
  const found: string[][] = []
  for (let call = 0; call < 3; call++) {
    stopping = new AbortController()
    found.push((await watch.readNext(segments, stopping.signal)).map(({ id }) => id))
    nowMs += 60_000
  }
  assert.deepEqual(calls, ['a true', 'b true', 'c true'])
  assert.deepEqual(found, [[], ['b'], []])
  assert.equal(watch.readAtMs, 6 * dayMs)
  const manifest = { revision: 'r', marks: '', segments, checkpoints: new Map(), lost: [], deleted: [] }
  const trusted = async () => (await watch.trusted(manifest, true)).map(({ id }) => id)
  assert.deepEqual(await trusted(), ['a', 'c'])

  nowMs = 12 * dayMs
  stopping = new AbortController()
  await watch.readNext(segments, stopping.signal)
  assert.deepEqual(calls.slice(3), ['a true'], 'the next round reads all again')
})

/** Runs services one after the other that read one file a minute, and stop in order. */
function restartingWatch(segments: readonly ScanSegment[]) {
  const folder = mkdtempSync(join(root, 'restarts-'))
  const manifest = { revision: 'r', marks: '', segments, checkpoints: new Map(), lost: [], deleted: [] }
  const startedMs = Date.UTC(2026, 2, 1)
  let nowMs = startedMs
  return {
    later: (ms: number) => void (nowMs += ms),
    /** Returns which files a start reads, and then the service. */
    run: async (minutes: number) => {
      let stopping = new AbortController()
      const calls: string[] = []
      const watch = new FileWatch({
        folder,
        clock: () => nowMs,
        stateOf: async ({ id }) => {
          calls.push(id)
          stopping.abort()
          return 'good'
        },
      })
      const trusted = new Set((await watch.trusted(manifest, false)).map(({ id }) => id))
      for (let minute = 0; minute < minutes; minute++) {
        stopping = new AbortController()
        await watch.readNext(segments, stopping.signal)
      }
      await watch.close(manifest)
      const atStart = segments.map(({ id }) => id).filter((id) => !trusted.has(id))
      return { atStart, later: calls, readMs: watch.readAtMs - startedMs }
    },
  }
}

const threeFiles = ['a', 'b', 'c'].map((id): ScanSegment => {
  return { id, level: 1, rows: 1, bytes: 9, checksum: 1, fromMs: 1, toMs: 1, stretches: [] }
})

test('a round goes on after a restart', async () => {
  const { run, later } = restartingWatch(threeFiles)
  assert.deepEqual(await run(1), { atStart: ['a', 'b', 'c'], later: [], readMs: 0 })
  later(6 * dayMs)
  assert.deepEqual(await run(1), { atStart: [], later: ['a'], readMs: 0 })
  later(dayMs / 4)
  assert.deepEqual(await run(1), { atStart: [], later: ['b'], readMs: 0 })
  later(dayMs / 4)
  assert.deepEqual(await run(2), { atStart: [], later: ['c'], readMs: 6 * dayMs })
})

test('a start after a week reads only files that the round had not come to', async () => {
  const { run, later } = restartingWatch(threeFiles)
  await run(1)
  later(6 * dayMs)
  assert.deepEqual((await run(2)).later, ['a', 'b'])
  later(dayMs)
  assert.deepEqual(await run(1), { atStart: ['c'], later: [], readMs: 6 * dayMs })
  later(5 * dayMs)
  assert.deepEqual((await run(1)).later, ['a'], 'the next round begins six days after that one')
  later(7 * dayMs)
  assert.deepEqual((await run(1)).atStart, ['a', 'b', 'c'], 'the round itself is too old')
})
