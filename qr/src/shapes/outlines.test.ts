import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Matrix } from '../content/matrix.ts'
import { type Outline, traceOutlines } from './outlines.ts'
import { runs } from '../testing/pictures.ts'

/** Any pattern, not only those of QR codes. */
const pattern = fc.integer({ min: 1, max: 14 }).chain((size) =>
  fc
    .array(fc.constantFrom(0, 1), { minLength: size * size, maxLength: size * size })
    .map((modules): Matrix => ({
      size,
      modules: Uint8Array.from(modules),
      version: 1,
      mask: 0,
      errorCorrection: 'M',
    })),
)

/**
 * Counts how often and in which direction the outlines wind around each module: a ray to the left
 * counts the vertical sides.
 */
function windings(outlines: readonly Outline[], size: number): Int8Array {
  const counts = new Int8Array(size * size)
  for (const outline of outlines) {
    for (let at = 2; at < outline.length; at += 4) {
      const x = outline[at] ?? 0
      const from = outline[at + 1] ?? 0
      const to = outline[(at + 3) % outline.length] ?? 0
      const sign = from < to ? -1 : 1
      for (let y = Math.min(from, to); y < Math.max(from, to); y++) {
        for (let right = x; right < size; right++) {
          counts[y * size + right] = (counts[y * size + right] ?? 0) + sign
        }
      }
    }
  }
  return counts
}

test('the outlines enclose every dark module once and no light one, by both fill rules', () => {
  fc.assert(
    fc.property(pattern, (matrix) => {
      const outlines = traceOutlines(matrix)
      assert.deepEqual([...windings(outlines, matrix.size)], [...matrix.modules])
    }),
    runs(300),
  )
})

test('horizontal and vertical sides alternate, and none has length 0', () => {
  fc.assert(
    fc.property(pattern, (matrix) => {
      for (const outline of traceOutlines(matrix)) {
        assert.equal(outline.length % 4, 0)
        for (let at = 0; at < outline.length; at += 2) {
          const next = (at + 2) % outline.length
          const across = (outline[next] ?? 0) - (outline[at] ?? 0)
          const down = (outline[next + 1] ?? 0) - (outline[at + 1] ?? 0)
          assert.equal(at % 4 === 0 ? down : across, 0)
          assert.notEqual(at % 4 === 0 ? across : down, 0)
        }
      }
    }),
    runs(200),
  )
})

const drawn: readonly [name: string, rows: readonly string[], outlines: readonly Outline[]][] = [
  ['nothing', ['..', '..'], []],
  ['one module', ['#.', '..'], [[0, 0, 1, 0, 1, 1, 0, 1]]],
  [
    'two that touch at a corner stay apart',
    ['#.', '.#'],
    [
      [0, 0, 1, 0, 1, 1, 0, 1],
      [1, 1, 2, 1, 2, 2, 1, 2],
    ],
  ],
  [
    'a ring has a hole that runs the other way',
    ['###', '#.#', '###'],
    [
      [0, 0, 3, 0, 3, 3, 0, 3],
      [1, 2, 2, 2, 2, 1, 1, 1],
    ],
  ],
]

for (const [name, rows, outlines] of drawn) {
  test(`outlines: ${name}`, () => {
    const modules = Uint8Array.from(rows.join(''), (cell) => (cell === '#' ? 1 : 0))
    const matrix: Matrix = { size: rows.length, modules, version: 1, mask: 0, errorCorrection: 'M' }
    assert.deepEqual(traceOutlines(matrix), outlines)
  })
}
