import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import type { ScanSegment } from './manifest.ts'
import { isMergeUrgent, planMerge } from './plan-merge.ts'

const seed = testSeed()
/** The rows of batches: quiet days, a busy service, imports, and everything at once. */
const batches: Record<string, (random: () => number) => number> = {
  'a few rows': () => 4,
  'some hundred rows': (random) => 1 + Math.floor(random() * 400),
  'full batches': () => 50_000,
  'any sizes': (random) => Math.ceil(50_000 ** random()),
}

for (const [name, rowsOf] of Object.entries(batches))
  test(`with batches of ${name}, a row is written at most five times, and files stay few`, () => {
    const random = randomFrom(seed)
    const written = new Map<string, number>()
    let segments: readonly ScanSegment[] = []
    let [total, ids] = [0, 0]
    let most = { written: 0, records: 0, growing: 0 }
    const add = (segment: Omit<ScanSegment, 'id'>, times: number): ScanSegment => {
      const id = `f${ids++}`
      written.set(id, times)
      return { id, ...segment }
    }
    for (let batch = 0; batch < 30_000 && total < 3_000_000; batch++) {
      const month = random() < 0.8 ? 202602 : 202603
      const rows = rowsOf(random)
      total += rows
      segments = [...segments, add(segmentOf(month, { level: 0, rows }), 1)]
      for (let plan = planMerge(segments); plan !== undefined; plan = planMerge(segments)) {
        const merged = segments.filter(({ id }) => plan?.includes(id))
        const [first] = merged
        assert.ok(first !== undefined && merged.length === plan.length)
        assert.ok(merged.every(({ level }) => level === first.level) && isOneMonth(merged))
        const sum = merged.reduce((rowsSoFar, one) => rowsSoFar + one.rows, 0)
        assert.ok(sum <= 1_000_000)
        const times = 1 + Math.max(...merged.map(({ id }) => written.get(id) ?? 0))
        const file = segmentOf(first.stretches[0]!.month, { level: first.level + 1, rows: sum })
        segments = [...segments.filter(({ id }) => !plan?.includes(id)), add(file, times)]
        most = { ...most, written: Math.max(most.written, times) }
      }
      const records = segments.filter(({ level }) => level === 0).length
      const growing = segments.filter(({ level, rows: ofFile }) => level > 0 && ofFile < 250_000).length
      most = {
        ...most,
        records: Math.max(most.records, records),
        growing: Math.max(most.growing, growing),
      }
    }
    assert.ok(most.written <= 5 && most.written > 1, `written ${most.written} times`)
    assert.ok(most.records < 2 * 300, `${most.records} records`)
    assert.ok(most.growing < 2 * 4 * 12, `${most.growing} files`)
    assert.equal(
      segments.reduce((sum, { rows }) => sum + rows, 0),
      total,
    )
  })

function segmentOf(month: number, { level, rows }: Pick<ScanSegment, 'level' | 'rows'>) {
  const stretches = [{ month, writer: 'a', from: 0, to: 1 }]
  return { level, rows, bytes: 0, checksum: 0, fromMs: 0, toMs: 0, stretches }
}

function isOneMonth(segments: readonly ScanSegment[]): boolean {
  return new Set(segments.flatMap(({ stretches }) => stretches.map(({ month }) => month))).size === 1
}

test('few scans in records start no engine, but many do, and files do', () => {
  const stretches = [{ month: 202602, writer: 'w', from: 0, to: 1 }]
  const segmentsOf = (count: number, of: Pick<ScanSegment, 'level' | 'rows'>): ScanSegment[] =>
    Array.from({ length: count }, (_, at) => ({
      ...of,
      id: `${of.level}-${at}`,
      bytes: 0,
      checksum: 0,
      fromMs: 0,
      toMs: 0,
      stretches,
    }))
  const few = segmentsOf(300, { level: 0, rows: 16 })
  for (const [segments, isUrgent] of [
    [few, false],
    [segmentsOf(300, { level: 0, rows: 17 }), true],
    [segmentsOf(12, { level: 1, rows: 10 }), true],
    [segmentsOf(11, { level: 1, rows: 10 }), false],
    [[], false],
  ] as const)
    assert.equal(isMergeUrgent(segments), isUrgent)
  assert.ok(planMerge(few))
})
