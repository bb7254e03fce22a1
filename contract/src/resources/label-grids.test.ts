import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelGridProblems, labelGrids, labelPages, type LabelGrid } from './label-grids.ts'

const grid: LabelGrid = {
  page: 'A4',
  columns: 4,
  rows: 6,
  labelWidthMm: 45,
  labelHeightMm: 45,
  marginLeftMm: 9,
  marginTopMm: 11,
  gapXMm: 4,
  gapYMm: 1,
}

test('every named sheet fits its page and is centered on it, as vendors cut them', () => {
  assert.ok(Object.keys(labelGrids).length >= 10)
  for (const [name, one] of Object.entries<LabelGrid>(labelGrids)) {
    assert.deepEqual(labelGridProblems(one), [], name)
    const { widthMm, heightMm } = labelPages[one.page]
    const width = one.columns * one.labelWidthMm + (one.columns - 1) * one.gapXMm
    const height = one.rows * one.labelHeightMm + (one.rows - 1) * one.gapYMm
    assert.ok(Math.abs(widthMm - width - 2 * one.marginLeftMm) < 0.05, `${name} across`)
    assert.ok(Math.abs(heightMm - height - 2 * one.marginTopMm) < 0.05, `${name} down`)
  }
})

test('a problem names the field that does not fit, and the limit', () => {
  const cases: [Partial<LabelGrid>, string][] = [
    [{}, ''],
    // 9 + 4 × 45 + 3 × 7 is exactly the width of the page.
    [{ gapXMm: 7 }, ''],
    [
      { gapXMm: 7.1 },
      'columns: must be at most 3 with this label: the page has 210 mm, less a margin of 9 mm, got 4',
    ],
    [
      { rows: 7 },
      'rows: must be at most 6 with this label: the page has 297 mm, less a margin of 11 mm, got 7',
    ],
    [
      { labelWidthMm: 202, columns: 1 },
      'labelWidthMm: must be at most 201: the page has 210 mm, less a margin of 9 mm, got 202',
    ],
    [
      { page: 'Letter', labelHeightMm: 280, rows: 1 },
      'labelHeightMm: must be at most 268.4: the page has 279.4 mm, less a margin of 11 mm, got 280',
    ],
  ]
  for (const [changes, expected] of cases) {
    const problems = labelGridProblems({ ...grid, ...changes })
    assert.equal(problems.map(({ path, message }) => `${path}: ${message}`).join('\n'), expected)
  }
})
