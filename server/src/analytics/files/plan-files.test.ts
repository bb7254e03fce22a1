import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { planFiles } from './plan-files.ts'
import { SequenceSet } from './sequence-set.ts'
import { coverageOf, findOverlap } from './stretches.ts'

const seed = testSeed()
const random = randomFrom(seed)
const months = [202601, 202602]
const writers = ['a', 'b', '😀', '\uffff']
/** Around the end of a chunk of a set. */
const [leastFirst, mostFirst, most] = [3_900, 4_100, 4_400]
const universe = Array.from({ length: most - leastFirst + 4 }, (_, at) => leastFirst - 2 + at)

/** Creates scans of writers in two months. */
function createScans(): Map<number, Map<string, Set<number>>> {
  const scans = new Map(
    months.map((month) => [month, new Map(writers.map((writer) => [writer, new Set<number>()]))]),
  )
  for (const writer of writers) {
    const first = leastFirst + Math.floor(random() * (mostFirst - leastFirst))
    const end = first + 1 + Math.floor(random() * (most - mostFirst))
    for (let sequence = first; sequence < end; sequence++) {
      if (random() < 0.05) continue
      const month = months[random() < 0.5 ? 0 : 1] ?? 0
      scans.get(month)?.get(writer)?.add(sequence)
    }
  }
  return scans
}

const setOf = (sequences: Iterable<number>): SequenceSet => {
  const set = new SequenceSet()
  for (const sequence of sequences) set.add(sequence)
  return set
}

test('files of a month have its scans once, in few stretches, and no gap behind a checkpoint', () => {
  for (let run = 0; run < 50; run++) {
    const scans = createScans()
    const all = new Map(
      writers.map((writer) => [
        writer,
        setOf(months.flatMap((month) => [...(scans.get(month)?.get(writer) ?? [])])),
      ]),
    )
    // The last one is an import, which has none.
    const checkpoints = new Map(
      writers
        .slice(0, -1)
        .map((writer) => [writer, leastFirst + Math.floor(random() * (most - leastFirst))] as const),
    )
    const rowsMax = 5 + Math.floor(random() * 500)
    const context = `SEED=${seed} npm test -- plan-files, run ${run}`
    for (const month of months) {
      const ofMonth = scans.get(month) ?? new Map<string, Set<number>>()
      const files = planFiles(month, new Map([...ofMonth].map(([writer, set]) => [writer, setOf(set)])), {
        all,
        checkpoints,
        rowsMax,
      })
      const stretches = files.flatMap((file) => file.stretches)
      assert.equal(findOverlap(stretches), undefined, context)
      // The order in which the engine finds the scans of a file between its ends.
      assert.deepEqual(
        stretches,
        stretches.toSorted(
          (a, b) => Buffer.compare(Buffer.from(a.writer), Buffer.from(b.writer)) || a.from - b.from,
        ),
        context,
      )
      const rows = [...ofMonth.values()].reduce((sum, { size }) => sum + size, 0)
      assert.equal(files.length, Math.ceil(rows / Math.ceil(rows / Math.ceil(rows / rowsMax))), context)
      const covers = files.map((file) => coverageOf(file.stretches))
      for (const writer of writers)
        for (const sequence of universe) {
          const isThere = ofMonth.get(writer)?.has(sequence) === true
          const holding = covers.filter((has) => has({ month, writer, sequence })).length
          if (isThere) assert.equal(holding, 1, context)
          else if (holding > 0 && all.get(writer)?.has(sequence) !== true)
            assert.ok(sequence <= (checkpoints.get(writer) ?? Infinity), context)
        }
      for (const [at, { rows: count }] of files.entries()) {
        const own = writers.flatMap((writer) =>
          [...(ofMonth.get(writer) ?? [])].filter((sequence) => covers[at]?.({ month, writer, sequence })),
        )
        assert.ok(own.length === count && count <= rowsMax, context)
      }
      const splits = writers.reduce((sum, writer) => {
        const gaps = universe.filter(
          (sequence) =>
            sequence > (checkpoints.get(writer) ?? Infinity) && all.get(writer)?.has(sequence) !== true,
        )
        const own = [...(ofMonth.get(writer) ?? [])].toSorted((a, b) => a - b)
        return (
          sum +
          own.filter((sequence, index) => {
            const last = own[index - 1]
            return last === undefined || gaps.some((gap) => last < gap && gap < sequence)
          }).length
        )
      }, 0)
      assert.ok(stretches.length <= splits + files.length, context)
    }
  }
})

test('a set has the sequences that were added, in order, up to the largest one', () => {
  const numbers = Array.from({ length: 2_000 }, () =>
    random() < 0.5 ? Math.floor(random() * 9_000) : Math.floor(random() * Number.MAX_SAFE_INTEGER),
  )
  numbers.push(0, 31, 32, 4_095, 4_096, Number.MAX_SAFE_INTEGER)
  const set = new SequenceSet()
  const model = new Set<number>()
  for (const number of numbers) {
    assert.equal(set.add(number), !model.has(number))
    model.add(number)
  }
  const found: number[] = []
  set.forEach((number) => found.push(number))
  assert.deepEqual(
    found,
    [...model].toSorted((a, b) => a - b),
  )
  assert.equal(set.size, model.size)
  for (const number of numbers)
    assert.deepEqual([set.has(number), set.has(number + 1)], [true, model.has(number + 1)])
})
