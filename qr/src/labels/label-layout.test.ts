import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelGrids, type LabelGrid, labelPages } from '@everscan/contract/resources/label-grids.ts'
import { labelCaptionPositions } from '@everscan/contract/resources/label-sheets.ts'
import * as fc from 'fast-check'
import {
  captionPositionFor,
  captionRoom,
  codeMmMax,
  cutMarks,
  labelCorners,
  placeOnLabel,
} from './label-layout.ts'
import type { Box } from '../shapes/shapes.ts'
import { runs } from '../testing/pictures.ts'

const grids = Object.values<LabelGrid>(labelGrids)

const anyGrid: fc.Arbitrary<LabelGrid> = fc.record({
  page: fc.constantFrom('A4', 'Letter'),
  columns: fc.integer({ min: 1, max: 4 }),
  rows: fc.integer({ min: 1, max: 6 }),
  labelWidthMm: fc.double({ min: 20, max: 45, noNaN: true }),
  labelHeightMm: fc.double({ min: 20, max: 40, noNaN: true }),
  marginLeftMm: fc.double({ min: 0, max: 15, noNaN: true }),
  marginTopMm: fc.double({ min: 0, max: 15, noNaN: true }),
  gapXMm: fc.double({ min: 0, max: 4, noNaN: true }),
  gapYMm: fc.double({ min: 0, max: 4, noNaN: true }),
})

/** Whether one box lies in another, up to rounding errors. */
const isInside = (inner: Box, outer: Box) =>
  inner.x >= outer.x - 1e-6 &&
  inner.y >= outer.y - 1e-6 &&
  inner.x + inner.width <= outer.x + outer.width + 1e-6 &&
  inner.y + inner.height <= outer.y + outer.height + 1e-6

const overlap = (a: Box, b: Box) =>
  a.x + a.width > b.x + 1e-6 &&
  b.x + b.width > a.x + 1e-6 &&
  a.y + a.height > b.y + 1e-6 &&
  b.y + b.height > a.y + 1e-6

test('every label of a named sheet lies on the page and overlaps no other label', () => {
  for (const grid of grids) {
    const { widthMm, heightMm } = labelPages[grid.page]
    const page = { x: 0, y: 0, width: widthMm, height: heightMm }
    const labels = labelCorners(grid).map((corner) => ({
      ...corner,
      width: grid.labelWidthMm,
      height: grid.labelHeightMm,
    }))
    assert.equal(labels.length, grid.columns * grid.rows)
    for (const [at, label] of labels.entries()) {
      assert.ok(isInside(label, page))
      for (const other of labels.slice(at + 1)) assert.ok(!overlap(label, other))
    }
  }
})

test('picture and caption lie inside the label, a millimetre from its edge, and do not overlap', () => {
  const anyLook = fc.record({
    grid: fc.oneof(anyGrid, fc.constantFrom(...grids)),
    position: fc.constantFrom(...labelCaptionPositions),
    captionLines: fc.integer({ min: 0, max: 2 }),
    ratio: fc.double({ min: 0.7, max: 1, noNaN: true }),
    share: fc.option(fc.double({ min: 0.3, max: 1, noNaN: true }), { nil: undefined }),
  })
  fc.assert(
    fc.property(anyLook, ({ grid, share, ratio, ...look }) => {
      const most = codeMmMax(grid, look, ratio)
      const codeMm = share && share * most
      const { code, caption } = placeOnLabel(grid, { ...look, codeMm }, ratio)
      const safe = { x: 1, y: 1, width: grid.labelWidthMm - 2, height: grid.labelHeightMm - 2 }
      assert.ok(Math.abs(code.width - (codeMm ?? most)) < 1e-6)
      assert.ok(Math.abs(code.width / code.height - ratio) < 1e-6)
      assert.ok(isInside(code, safe))
      if (look.captionLines === 0) return
      assert.ok(isInside(caption, safe))
      assert.ok(!overlap(code, caption))
      assert.ok(captionRoom(grid, { ...look, codeMm }).widthMm <= caption.width + 1e-6)
    }),
    runs(500),
  )
})

test('on labels much wider than high the caption is to the right of the code', () => {
  assert.equal(captionPositionFor(labelGrids['avery-l7160']), 'right')
  assert.equal(captionPositionFor(labelGrids['avery-5160']), 'right')
  assert.equal(captionPositionFor(labelGrids['avery-l7164']), 'below')
})

test('cut marks extend every edge, lie on the page, and never touch a label', () => {
  fc.assert(
    fc.property(fc.oneof(anyGrid, fc.constantFrom(...grids)), (grid) => {
      const { widthMm, heightMm } = labelPages[grid.page]
      const labels = labelCorners(grid)
      for (const [x1, y1, x2, y2] of cutMarks(grid)) {
        assert.ok(x1 === x2 || y1 === y2)
        for (const x of [x1, x2]) assert.ok(x >= 0 && x <= widthMm)
        for (const y of [y1, y2]) assert.ok(y >= 0 && y <= heightMm)
        const mark = { x: x1, y: y1, width: Math.max(x2 - x1, 1e-3), height: Math.max(y2 - y1, 1e-3) }
        for (const corner of labels) {
          const label = { ...corner, width: grid.labelWidthMm, height: grid.labelHeightMm }
          assert.ok(!overlap(mark, label))
        }
      }
    }),
    runs(200),
  )
  // Six edges above and below, eight on the left and on the right: rows without a gap share an
  // edge.
  assert.equal(cutMarks(labelGrids['avery-l7160']).length, 2 * 6 + 2 * 8)
  const bare = { ...labelGrids['avery-l7160'], marginLeftMm: 0, marginTopMm: 0 }
  assert.equal(cutMarks(bare).length, 6 + 8)
})
