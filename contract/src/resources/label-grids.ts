import { problem } from '../problems/local-problem.ts'
import type { FieldProblem } from '../problems/problem.ts'

/** Page sizes in millimetres, upright. */
export const labelPages = {
  A4: { widthMm: 210, heightMm: 297 },
  Letter: { widthMm: 215.9, heightMm: 279.4 },
} as const

export type LabelPage = keyof typeof labelPages

/** The layout of labels on a sheet: margins to the first label, gaps from edge to edge. */
export type LabelGrid = {
  page: LabelPage
  columns: number
  rows: number
  labelWidthMm: number
  labelHeightMm: number
  marginLeftMm: number
  marginTopMm: number
  gapXMm: number
  gapYMm: number
}

type Measures = readonly [
  columns: number,
  rows: number,
  labelWidth: number,
  labelHeight: number,
  marginLeft: number,
  marginTop: number,
  gapX: number,
]

/** A grid without gaps between rows, as all sheets below are. */
function gridIn(page: LabelPage, unitMm: number, measures: Measures): LabelGrid {
  const [columns, rows, ...lengths] = measures
  const [labelWidthMm, labelHeightMm, marginLeftMm, marginTopMm, gapXMm] = lengths.map(
    // A hundredth of a millimetre is a tenth of the error of a printer's feed.
    (length) => Math.round(length * unitMm * 1000) / 1000,
  ) as [number, number, number, number, number]
  return {
    page,
    columns,
    rows,
    labelWidthMm,
    labelHeightMm,
    marginLeftMm,
    marginTopMm,
    gapXMm,
    gapYMm: 0,
  }
}

const mm = 1
const inch = 25.4

/**
 * Common label sheets by the vendor's number. Sources, compared with each other: LibreOffice's
 * `labels.xml` (A4) and gLabels' `avery-us-templates.xml` (Letter), both made from the vendor's
 * templates; for 5160 the vendor's own PDF template, which has an eighth of an inch between
 * columns; for L7159 and L7160 also the vendor's label sizes. All sheets are centered on the page,
 * so each row adds up to the page width: a test asserts this.
 */
export const labelGrids = {
  'avery-l7159': gridIn('A4', mm, [3, 8, 63.5, 33.9, 7.21, 12.9, 2.54]),
  'avery-l7160': gridIn('A4', mm, [3, 7, 63.5, 38.1, 7.21, 15.15, 2.54]),
  'avery-l7161': gridIn('A4', mm, [3, 6, 63.5, 46.56, 7.21, 8.82, 2.54]),
  'avery-l7162': gridIn('A4', mm, [2, 8, 99.06, 33.87, 4.67, 13.02, 2.54]),
  'avery-l7163': gridIn('A4', mm, [2, 7, 99.06, 38.1, 4.67, 15.15, 2.54]),
  'avery-l7164': gridIn('A4', mm, [3, 4, 63.5, 71.97, 7.21, 4.57, 2.54]),
  'avery-l7165': gridIn('A4', mm, [2, 4, 99.06, 67.73, 4.67, 13.04, 2.54]),
  'avery-l7173': gridIn('A4', mm, [2, 5, 99.06, 57, 4.67, 6, 2.54]),
  'avery-l7651': gridIn('A4', mm, [5, 13, 38.1, 21.17, 4.67, 10.9, 2.54]),
  'avery-5160': gridIn('Letter', inch, [3, 10, 2.625, 1, 0.1875, 0.5, 0.125]),
  'avery-5161': gridIn('Letter', inch, [2, 10, 4, 1, 0.15625, 0.5, 0.1875]),
  'avery-5162': gridIn('Letter', inch, [2, 7, 4, 4 / 3, 0.15625, 5 / 6, 0.1875]),
  'avery-5163': gridIn('Letter', inch, [2, 5, 4, 2, 0.15625, 0.5, 0.1875]),
  'avery-5164': gridIn('Letter', inch, [2, 3, 4, 10 / 3, 0.15625, 0.5, 0.1875]),
} as const satisfies Record<string, LabelGrid>

export type LabelSheetName = keyof typeof labelGrids

/** Sums of decimal millimetres have a smaller error than this. */
const toleranceMm = 0.01

/** Returns the fields of a grid that do not fit its page, with their limits. */
export function labelGridProblems(grid: LabelGrid): FieldProblem[] {
  const page = labelPages[grid.page]
  return [
    ...axisProblems('columns', 'labelWidthMm', {
      count: grid.columns,
      labelMm: grid.labelWidthMm,
      marginMm: grid.marginLeftMm,
      gapMm: grid.gapXMm,
      pageMm: page.widthMm,
    }),
    ...axisProblems('rows', 'labelHeightMm', {
      count: grid.rows,
      labelMm: grid.labelHeightMm,
      marginMm: grid.marginTopMm,
      gapMm: grid.gapYMm,
      pageMm: page.heightMm,
    }),
  ]
}

type Axis = { count: number; labelMm: number; marginMm: number; gapMm: number; pageMm: number }

function axisProblems(
  countField: string,
  labelField: string,
  { count, labelMm, marginMm, gapMm, pageMm }: Axis,
): FieldProblem[] {
  const room = pageMm - marginMm + toleranceMm
  if (count * labelMm + (count - 1) * gapMm <= room) return []
  const fits = Math.floor((room + gapMm) / (labelMm + gapMm))
  const page = { pageMm, marginMm }
  if (fits >= 1)
    return [{ path: countField, ...problem('labelsBeyondPage', { max: fits, ...page, got: count }) }]
  const max = decimal(pageMm - marginMm)
  return [{ path: labelField, ...problem('labelBeyondPage', { max, ...page, got: labelMm }) }]
}

const decimal = (lengthMm: number) => Math.max(0, Math.floor(lengthMm * 100 + 1e-6) / 100)
