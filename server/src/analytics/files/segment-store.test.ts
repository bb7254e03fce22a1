import { testSeed } from '@everscan/contract/testing/random.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SegmentStore } from './segment-store.ts'
import { memoryCatalogue, SimulatedFolder } from './testing/simulated-store.ts'
import { countRows, type SimulatedScan } from './testing/simulated-scan.ts'
import { simulateFiles, type Planted } from './testing/files-simulation.ts'

const firstSeed = testSeed()
const seedsCount = process.env['SOAK'] === '1' ? 100_000 : 500
/** The rarest takes some hundreds on average. */
const seedsUntilFound = 20_000

const planted: Record<string, Planted> = {
  'a file that is listed before it is durable': { losesSyncs: true },
  'a file that is adopted before it is durable': {
    awaitsJournals: 'never',
    files: () => ({ sync: async () => {} }),
  },
  'a batch that does not ask what the store has': { ignoresCoverage: true },
  'scans that are claimed though a journal no longer had them': { claimsUnread: true },
  'records that wait for a journal which no longer has their scans': { awaitsJournals: 'always' },
  'a checkpoint that moves without its files': {
    catalogue: (real) => ({
      change: (made, next, counts) => real.change({ ...made, added: [] }, next, counts),
    }),
  },
  'counters that an adoption does not move': {
    catalogue: (real) => ({ recount: (change, next) => real.recount(change, next, new Map()) }),
  },
  'a deletion that forgets a file': {
    files: (real) => ({ combine: (id, stretches, ids) => real.combine(id, stretches, ids.slice(0, 1)) }),
  },
  'a file that is removed while the manifest lists it': {
    files: (real) => ({
      list: async () => {
        const [first, ...others] = await real.list()
        if (first !== undefined) await real.remove(first.id)
        return others
      },
    }),
  },
  'marks that a deletion does not move': {
    files: (real) => ({
      combine: (id, stretches, ids, { fromMs = 0 } = {}) => real.combine(id, stretches, ids, { fromMs }),
    }),
  },
  'scans of visitors that come during a deletion and get no mark': {
    files: (real) => ({
      findMarks: async (search) => Object.assign(await real.findMarks(search), { addFrom: async () => {} }),
    }),
  },
  'marks that an adoption leaves as they are': {
    files: (real) => ({
      findMarks: (search) => real.findMarks(search.deletedBeforeMs === undefined ? { segments: [] } : search),
    }),
  },
  'an index that is not told of marks that moved': { forgetsMoves: true },
  'an index that keeps marks of another state of the store': { forgetsMarks: true },
  'deleted scans that an adoption brings back': { forgetsBound: true },
}

test('files and manifest agree to the scan after every order of kills, merges and older copies', async () => {
  let kills = 0
  for (let seed = firstSeed; seed < firstSeed + seedsCount; seed++) {
    const { problems, trace, kills: ofSeed } = await simulateFiles(seed)
    kills += ofSeed
    assert.deepEqual(problems, [], `SEED=${seed} npm test -- segment-store\n${trace.join('\n')}`)
  }
  console.log(`${seedsCount} orders, ${kills} kills`)
})

test('a deletion keeps its files until it ends, and what comes between makes it begin again', async () => {
  const folder = new SimulatedFolder()
  let [ids, nowMs] = [0, 0]
  const store = new SegmentStore({
    files: folder.asFiles(async () => {}),
    catalogue: memoryCatalogue().asCatalogue(),
    clock: () => nowMs,
    newId: () => `f${ids++}`,
    deletedBeforeMs: () => 5,
    countRows,
  })
  await store.recover()
  for (let sequence = 1; sequence <= 6; sequence++) await storeScan(store, sequence)
  const older = await store.prepareDeletion(5)
  await store.recover()
  assert.equal(await store.finishDeletion(older), false, 'it is of before a recovery')
  await older.close()

  const deletion = await store.prepareDeletion(5)
  for (let pass = 0; pass < 2; pass++) {
    await store.removeFiles()
    nowMs += 2 * 3_600_000
  }
  const { marks } = deletion
  const addFrom = marks.addFrom.bind(marks)
  let isFirst = true
  marks.addFrom = async (segments) => {
    await addFrom(segments)
    if (isFirst) await storeScan(store, 7)
    isFirst = false
  }
  assert.deepEqual(
    [await store.finishDeletion(deletion), await store.finishDeletion(deletion)],
    [false, true],
  )
  await deletion.close()
  assert.deepEqual(
    store.manifest.segments
      .flatMap(({ id }) => folder.rowsOf(id).map(({ sequence }) => sequence))
      .toSorted((a, b) => a - b),
    [5, 6, 7],
  )
})

test('a merge whose file lacks scans is refused, and its file is gone', async () => {
  const folder = new SimulatedFolder()
  const files = folder.asFiles(async () => {})
  let ids = 0
  const store = new SegmentStore({
    files: { ...files, combine: (id, stretches, from) => files.combine(id, stretches, from.slice(1)) },
    catalogue: memoryCatalogue().asCatalogue(),
    clock: () => 0,
    newId: () => `f${ids++}`,
    deletedBeforeMs: () => 0,
    countRows,
  })
  await store.recover()
  for (let sequence = 1; sequence <= 3; sequence++) await storeScan(store, sequence)
  const before = store.manifest
  await assert.rejects(store.merge(before.segments.map(({ id }) => id)), /has 2 of 3 scans/)
  assert.deepEqual(store.manifest, before)
  assert.deepEqual(
    [...folder.files.keys()],
    before.segments.map(({ id }) => id),
  )
})

test('doubts about files that are listed no more change nothing', async () => {
  const folder = new SimulatedFolder()
  let ids = 0
  const store = new SegmentStore({
    files: folder.asFiles(async () => {}),
    catalogue: memoryCatalogue().asCatalogue(),
    clock: () => 0,
    newId: () => `f${ids++}`,
    deletedBeforeMs: () => 0,
    countRows,
  })
  await store.recover()
  for (let sequence = 1; sequence <= 2; sequence++) await storeScan(store, sequence)
  const { segments } = store.manifest
  await store.merge(segments.map(({ id }) => id))
  assert.deepEqual([await store.doubt(segments), store.isRecovered], [[], true])
  const listed = store.manifest.segments
  assert.deepEqual([await store.doubt([...segments, ...listed]), store.isRecovered], [listed, false])
})

/** Stores a batch of one scan. */
async function storeScan(store: SegmentStore<readonly SimulatedScan[]>, sequence: number): Promise<void> {
  const timeMs = sequence
  const scan = { writer: 'a', sequence, timeMs, code: 'org qr', visitor: 'v', isUnique: sequence === 1 }
  const read = { writer: 'a', from: sequence - 1, after: sequence - 1, to: sequence }
  const end = { segment: 0, offset: 0 }
  assert.ok(await store.storeBatch({ ...read, end }, store.coverage(), [{ month: 0, rows: [scan] }]))
}

test('the same seed gives the same order of events', async () => {
  assert.deepEqual(await simulateFiles(firstSeed), await simulateFiles(firstSeed))
})

for (const [name, fault] of Object.entries(planted)) {
  test(`the simulation finds ${name}`, async () => {
    for (let tried = 0; tried < seedsUntilFound; tried++) {
      const { problems } = await simulateFiles(firstSeed + tried, fault)
      if (problems.length === 0) continue
      console.log(`${name}: found by seed ${tried + 1}: ${problems[0]}`)
      return
    }
    assert.fail(`not found in ${seedsUntilFound} seeds from ${firstSeed}`)
  })
}
