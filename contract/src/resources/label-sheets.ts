import { Type, type Static } from 'typebox'
import { BatchIds } from './batches.ts'
import { oneOf, strictObject } from '../schema/common.ts'
import { labelGrids, labelPages } from './label-grids.ts'
import { limits } from '../schema/limits.ts'
import { keysOf } from '../schema/records.ts'

export const labelCaptions = ['none', 'name', 'shortUrl'] as const
export type LabelCaption = (typeof labelCaptions)[number]

export const labelCaptionPositions = ['below', 'right'] as const
export type LabelCaptionPosition = (typeof labelCaptionPositions)[number]

const Millimetres = (description: string, minimum: number, maximum: number) =>
  Type.Number({ description: `${description}, in millimetres.`, minimum, maximum })

const Along = (what: string) => Type.Integer({ description: `${what} of a sheet.`, minimum: 1, maximum: 50 })

/** A sheet of labels that has no name here. Everything must fit the page. */
export const FreeLabelGrid = strictObject(
  {
    page: oneOf(keysOf(labelPages), {
      description: 'A4 (210 × 297 mm) or Letter (215.9 × 279.4 mm), upright.',
    }),
    columns: Along('Columns'),
    rows: Along('Rows'),
    labelWidthMm: Millimetres('Width of a label', limits.labelCodeMmMin, 216),
    labelHeightMm: Millimetres('Height of a label', limits.labelCodeMmMin, 297),
    marginLeftMm: Millimetres('From the left edge of the page to the first label', 0, 200),
    marginTopMm: Millimetres('From the top edge of the page to the first label', 0, 200),
    gapXMm: Millimetres('Between two columns, from edge to edge', 0, 100),
    gapYMm: Millimetres('Between two rows, from edge to edge', 0, 100),
  },
  {
    description: 'A sheet of your own, in place of `sheet`.',
    examples: [
      {
        page: 'A4',
        columns: 4,
        rows: 6,
        labelWidthMm: 45,
        labelHeightMm: 45,
        marginLeftMm: 9,
        marginTopMm: 11,
        gapXMm: 4,
        gapYMm: 1,
      },
    ],
  },
)
export type FreeLabelGrid = Static<typeof FreeLabelGrid>

/** The body that prints codes on sheets of labels: which codes, on which sheet (`sheet` or `grid`), and how. */
export const PrintLabelSheet = strictObject(
  {
    ids: BatchIds,
    sheet: Type.Optional(
      oneOf(keysOf(labelGrids), {
        description: 'A common sheet by its number; `grid` in its place for any other.',
      }),
    ),
    grid: Type.Optional(FreeLabelGrid),
    caption: Type.Optional(
      oneOf(labelCaptions, {
        description:
          'What stands beside a code: its name, its short URL, or nothing. Too long a text is shrunk, then cut. Only Latin, Greek ' +
          'and Cyrillic letters can be drawn: others are left out, and a name without any gives way to the short URL.',
        default: 'name',
      }),
    ),
    captionPosition: Type.Optional(
      oneOf(labelCaptionPositions, {
        description:
          'Where it stands; without this right on labels that are at least 1.5 times as wide as high.',
      }),
    ),
    copies: Type.Optional(
      Type.Integer({
        description: `Labels of each code, one after the other; at most ${limits.labelsMax} labels in all.`,
        minimum: 1,
        maximum: limits.labelCopiesMax,
        default: 1,
      }),
    ),
    startAt: Type.Optional(
      Type.Integer({
        description: 'The first free label of a sheet that was begun, counted along the rows from 1.',
        minimum: 1,
        default: 1,
      }),
    ),
    cutMarks: Type.Optional(
      Type.Boolean({
        description: 'Whether hairlines outside the labels show where to cut.',
        default: false,
      }),
    ),
    codeMm: Type.Optional(
      Type.Number({
        description:
          'Width of the picture with quiet zone and frame, in millimetres; as large as fits unless given.',
        minimum: limits.labelCodeMmMin,
        maximum: 297,
      }),
    ),
  },
  {
    examples: [
      {
        ids: ['qr_01jqzv4x8m3c5t7w9y2b4d6f8h'],
        sheet: 'avery-l7160',
        caption: 'name',
        copies: 3,
        startAt: 4,
      },
    ],
  },
)
export type PrintLabelSheet = Static<typeof PrintLabelSheet>
