import { createRandom, seed } from '../../journal/testing/journal.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  coverageOf,
  findOverlap,
  isCovered,
  joinStretches,
  withoutStretches,
  type Stretch,
} from './stretches.ts'

const random = createRandom(seed)
const rounds = 2000
const sequenceMax = 30

function someStretches(): Stretch[] {
  return Array.from({ length: random.int(6) }, () => {
    const from = random.int(sequenceMax)
    const writer = random.chance(0.5) ? 'a' : 'b'
    return { month: random.chance(0.5) ? 202603 : 202604, writer, from, to: from + random.int(8) }
  })
}

/** Returns each scan that stretches contain, as often as they do. */
function scansOf(stretches: readonly Stretch[]): string[] {
  return stretches.flatMap(({ month, writer, from, to }) =>
    Array.from({ length: to - from }, (_, index) => `${month} ${writer} ${from + index + 1}`),
  )
}

const sorted = (scans: Iterable<string>): string[] => [...scans].toSorted()

test('stretches are sets of scans', () => {
  for (let round = 0; round < rounds; round++) {
    const [some, others] = [someStretches(), someStretches()]
    const [scans, otherScans] = [new Set(scansOf(some)), new Set(scansOf(others))]
    assert.deepEqual(sorted(scansOf(joinStretches(some))), sorted(scans))
    const left = scans.difference(otherScans)
    assert.deepEqual(sorted(scansOf(withoutStretches(some, others))), sorted(left))
    assert.equal(isCovered(some, others), left.size === 0)
    assert.equal(findOverlap(some) === undefined, scansOf(some).length === scans.size)
    const has = coverageOf(some)
    for (const month of [202603, 202604])
      for (const writer of ['a', 'b'])
        for (let sequence = 0; sequence <= sequenceMax + 8; sequence++)
          assert.equal(has({ month, writer, sequence }), scans.has(`${month} ${writer} ${sequence}`))
  }
})

test('joined stretches are as few as possible, and none is empty', () => {
  for (let round = 0; round < rounds; round++) {
    const joined = joinStretches(someStretches())
    for (const [index, { month, writer, from, to }] of joined.entries()) {
      assert.ok(from < to)
      const touching = joined.filter(
        (other, at) =>
          at !== index &&
          other.month === month &&
          other.writer === writer &&
          other.from <= to &&
          from <= other.to,
      )
      assert.deepEqual(touching, [])
    }
  }
})
