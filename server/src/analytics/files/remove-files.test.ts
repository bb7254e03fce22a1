import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SegmentStore } from './segment-store.ts'
import { countRows, type SimulatedScan } from './testing/simulated-scan.ts'
import { memoryCatalogue, SimulatedFolder } from './testing/simulated-store.ts'

const hourMs = 3_600_000

test('a file that others replaced is read whole once at most until it is removed', async () => {
  const folder = new SimulatedFolder()
  const files = folder.asFiles(async () => {})
  const readWhole: string[] = []
  let [nowMs, ids] = [0, 0]
  const store = new SegmentStore<readonly SimulatedScan[]>({
    files: {
      ...files,
      list: async (trusted) => {
        const found = await files.list()
        readWhole.push(...found.flatMap(({ id }) => (trusted?.has(id) === true ? [] : [id])))
        return found
      },
    },
    catalogue: memoryCatalogue().asCatalogue(),
    clock: () => nowMs,
    newId: () => `f${ids++}`,
    deletedBeforeMs: () => 0,
    countRows,
  })
  await store.recover()
  for (const sequence of [1, 2]) {
    const from = store.checkpointOf('a')
    const read = { writer: 'a', from, after: from, to: sequence, end: { segment: 0, offset: 0 } }
    const scan = { writer: 'a', sequence, timeMs: 5, code: 'org_1 qr_1', visitor: 'v', isUnique: false }
    assert.ok(await store.storeBatch(read, store.coverage(), [{ month: 0, rows: [scan] }]))
  }
  const replaced = store.manifest.segments.map(({ id }) => id)
  assert.ok(await store.merge(replaced))
  await files.write('foreign', [{ month: 0, writer: 'a', from: 0, to: 1 }], [])
  for (let time = 0; time < 2; time++) {
    await store.removeFiles()
    assert.deepEqual(readWhole, ['foreign'])
    assert.equal(folder.files.size, 4)
  }
  nowMs += hourMs
  await store.removeFiles()
  assert.deepEqual(
    [...folder.files.keys()],
    store.manifest.segments.map(({ id }) => id),
  )
})
