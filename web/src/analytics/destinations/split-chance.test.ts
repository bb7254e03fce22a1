import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom, testSeed } from '@everscan/contract/testing/random.ts'
import { chanceOf, weightsDuring } from './split-chance.ts'

const arms = (...counts: [weight: number, uniqueScans: number][]) =>
  counts.map(([weight, uniqueScans], at) => ({ name: String(at), weight, uniqueScans }))

test('512 and 488 of equal weights are what chance does; 560 and 440 are not', () => {
  assert.equal(chanceOf(arms([50, 512], [50, 488])), 'fits')
  assert.equal(chanceOf(arms([1, 500], [1, 500])), 'fits')
  // By hand: (60² + 60²) / 500 = 14.4, far above 6.635.
  assert.equal(chanceOf(arms([50, 560], [50, 440])), 'differs')
})

test('the bound is where 1 of 100 splits lies: just below it fits, just above it differs', () => {
  // Equal weights, 1,000 visitors: distance = 4 d² / 1,000, which is 6.635 at d = 40.7.
  assert.equal(chanceOf(arms([1, 540], [1, 460])), 'fits')
  assert.equal(chanceOf(arms([1, 541], [1, 459])), 'differs')
  // Three arms of 1:1:2, 400 visitors: (100 - 80)²/100 + (100 - 120)²/100 + 0 = 8 < 9.21.
  assert.equal(chanceOf(arms([1, 80], [1, 120], [2, 200])), 'fits')
  assert.equal(chanceOf(arms([1, 78], [1, 122], [2, 200])), 'differs')
})

test('compares with the weights, not with equal parts', () => {
  assert.equal(chanceOf(arms([70, 703], [30, 297])), 'fits')
  assert.equal(chanceOf(arms([30, 703], [70, 297])), 'differs')
  assert.equal(chanceOf(arms([1, 100], [1, 0])), 'differs', 'an arm without visitors counts')
})

test('says nothing about few visitors, or about one arm', () => {
  assert.equal(chanceOf(arms([50, 6], [50, 3])), undefined)
  assert.equal(chanceOf(arms([99, 400], [1, 4])), undefined)
  assert.equal(chanceOf(arms([1, 0], [1, 0])), undefined)
  assert.equal(chanceOf(arms([1, 100])), undefined)
})

test('of true splits about 1 in 100 differs, of others nearly all, with 2 to 10 arms', () => {
  const random = randomFrom(testSeed())
  const splits = 1_500
  for (const count of [2, 3, 6, 10]) {
    const weights = Array.from({ length: count }, (_, at) => 1 + at)
    const draw = (drawn: readonly number[]) => {
      const counts = weights.map(() => 0)
      const sum = drawn.reduce((all, weight) => all + weight, 0)
      for (let visitor = 0; visitor < 1_000; visitor++) {
        let place = random() * sum
        const arm = drawn.findIndex((weight) => (place -= weight) < 0)
        counts[arm] = (counts[arm] ?? 0) + 1
      }
      return chanceOf(weights.map((weight, at) => ({ name: '', weight, uniqueScans: counts[at] ?? 0 })))
    }
    let differ = 0
    for (let run = 0; run < splits; run++) if (draw(weights) === 'differs') differ++
    // Seven standard deviations around 15 of 1,500; a bound of another number of arms is far off.
    assert.ok(differ > 0 && differ < 42, `${differ} of ${splits} with ${count} arms`)
    const equal = weights.map(() => 1)
    const found = Array.from({ length: 50 }, () => draw(equal)).filter((chance) => chance === 'differs')
    assert.ok(found.length >= 49, `${found.length} of 50 with ${count} arms`)
  }
})

const day = (date: number) => `2026-03-${String(date).padStart(2, '0')}T00:00:00.000Z`
const version = (number: number, date: number, split?: [string, number][]) => ({
  version: number,
  changedAt: day(date),
  rules:
    split === undefined
      ? []
      : [
          {
            id: 'rul_1',
            name: 'Test',
            enabled: true,
            split: split.map(([name, weight]) => ({ name, weight, data: {} })),
          },
        ],
})
const period = { start: day(10), end: day(20) }
const half: [string, number][] = [
  ['A', 50],
  ['B', 50],
]

test('weights that were the same all the time are known', () => {
  const expected = new Map(half)
  const known = (...versions: ReturnType<typeof version>[]) => weightsDuring(versions, 'rul_1', period)
  assert.deepEqual(known(version(7, 5, half)), expected)
  assert.deepEqual(known(version(8, 12, half), version(7, 5, half)), expected, 'another change of the code')
  assert.deepEqual(known(version(8, 12, half.toReversed()), version(7, 5, half)), new Map(half))
  assert.deepEqual(known(version(8, 12, half), version(7, 5)), expected, 'the rule began in the period')
  assert.deepEqual(known(version(1, 12, half)), expected, 'the code began in the period')
  assert.deepEqual(known(version(8, 15), version(7, 5, half)), expected, 'the rule ended in the period')
})

test('weights that changed in the period, or may have, are not', () => {
  const unknown = (...versions: ReturnType<typeof version>[]) =>
    assert.equal(weightsDuring(versions, 'rul_1', period), undefined)
  const other: [string, number][] = [
    ['A', 60],
    ['B', 40],
  ]
  unknown(version(8, 12, other), version(7, 5, half))
  unknown(version(9, 13, half), version(8, 12, other), version(7, 5, half))
  unknown(version(8, 12, [...half, ['C', 1]]), version(7, 5, half))
  // Version 6 is no longer kept.
  unknown(version(7, 12, half))
  unknown(version(7, 5))
  unknown()
})

test('changes before and after the period do not matter', () => {
  const other: [string, number][] = [
    ['A', 1],
    ['B', 9],
  ]
  const versions = [version(9, 25, other), version(8, 9, half), version(7, 5, other)]
  assert.deepEqual(weightsDuring(versions, 'rul_1', period), new Map(half))
})
