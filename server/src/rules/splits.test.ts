import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { derivedKey } from '../secret-box.ts'
import { createSplits } from './splits.ts'

const visitors = 100_000
const arm = (name: string, weight: number) => ({ name, weight })

test('arms get their shares of the visitors', () => {
  const random = seededRandom()
  const createSplit = createSplits(String(random()))
  const cases = [
    [70, 30],
    [1, 9_999],
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [5, 4, 3, 2, 1],
  ]
  for (const weights of cases) {
    const arms = weights.map((weight, at) => arm(`Arm ${at}`, weight))
    const split = createSplit('rul_1', arms)
    const counts = weights.map(() => 0)
    for (let one = 0; one < visitors; one++) {
      const found = split(`visitor ${random()}`)
      counts[found] = (counts[found] ?? 0) + 1
    }
    const total = weights.reduce((sum, weight) => sum + weight, 0)
    const chiSquared = weights.reduce((sum, weight, at) => {
      const expected = (visitors * weight) / total
      return sum + ((counts[at] ?? 0) - expected) ** 2 / expected
    }, 0)
    // Chance exceeds the bound once in 10^9 for 9 degrees of freedom, and less often for fewer.
    assert.ok(chiSquared < 62, `${weights.join(':')} gave ${counts.join(':')}, χ² ${chiSquared}`)
  }
})

test('a change of one weight moves exactly the visitors that its share changes by, to or from it', () => {
  const random = seededRandom()
  const createSplit = createSplits(String(random()))
  const before = createSplit('rul_1', [arm('A', 30), arm('B', 30), arm('C', 40)])
  const after = createSplit('rul_1', [arm('A', 30), arm('B', 30), arm('C', 60)])
  let moved = 0
  for (let one = 0; one < visitors; one++) {
    const key = `visitor ${random()}`
    if (before(key) === after(key)) continue
    moved++
    assert.equal(after(key), 2, 'a visitor moved, but not to the heavier arm')
  }
  // Its share grows from 40 % to 50 %. 0.6 % are six standard deviations.
  assert.ok(Math.abs(moved / visitors - 0.1) < 0.006, `${moved} of ${visitors} moved`)
})

test('95 % of the visitors keep their arm when 5 % of the weight moves', () => {
  const random = seededRandom()
  const createSplit = createSplits(String(random()))
  const before = createSplit('rul_1', [arm('A', 70), arm('B', 30)])
  const after = createSplit('rul_1', [arm('A', 65), arm('B', 35)])
  let kept = 0
  for (let one = 0; one < visitors; one++) {
    const key = `visitor ${random()}`
    if (before(key) === after(key)) kept++
    else assert.equal(after(key), 1)
  }
  assert.ok(Math.abs(kept / visitors - 0.95) < 0.005, `${kept} of ${visitors} kept their arm`)
})

test('a visitor keeps the arm whatever the order and scale of the weights', () => {
  const createSplit = createSplits('a key')
  const one = createSplit('rul_1', [arm('A', 7), arm('B', 3)])
  const other = createSplit('rul_1', [arm('B', 30), arm('A', 70)])
  for (let at = 0; at < 1_000; at++) assert.equal(one(`v${at}`), 1 - other(`v${at}`))
})

test('another rule and another SECRET divide the visitors independently', () => {
  const arms = [arm('A', 1), arm('B', 1)]
  const split = createSplits(derivedKey('s'.repeat(32), 'splits'))('rul_1', arms)
  const others = [
    createSplits(derivedKey('s'.repeat(32), 'splits'))('rul_2', arms),
    createSplits(derivedKey('t'.repeat(32), 'splits'))('rul_1', arms),
  ]
  for (const other of others) {
    let same = 0
    for (let at = 0; at < 10_000; at++) if (split(`v${at}`) === other(`v${at}`)) same++
    assert.ok(same > 4_700 && same < 5_300, `${same} of 10,000 had the same arm`)
  }
})
