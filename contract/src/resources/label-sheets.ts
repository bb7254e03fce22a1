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

/** A label sheet without a number in the list. All labels must fit the page. */
export const FreeLabelGrid = strictObject(
  {
    page: oneOf(keysOf(labelPages), {
      description: 'A4 (210 × 297 mm) or Letter (215.9 × 279.4 mm), upright.',
    }),
    columns: Along('Columns'),
    rows: Along('Rows'),
    labelWidthMm: Millimetres('Width of a label', limits.labelCodeMmMin, 216),
    labelHeightMm: Millimetres('Height of a label', limits.labelCodeMmMin, 297),
    marginLeftMm: Millimetres('Distance from the left edge of the page to the first label', 0, 200),
    marginTopMm: Millimetres('Distance from the top edge of the page to the first label', 0, 200),
    gapXMm: Millimetres('Gap between two columns, from edge to edge', 0, 100),
    gapYMm: Millimetres('Gap between two rows, from edge to edge', 0, 100),
  },
  {
    description: 'A custom sheet, instead of `sheet`.',
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

/**
 * The body that prints codes on label sheets: the codes, the sheet (`sheet` or `grid`) and the
 * layout.
 */
export const PrintLabelSheet = strictObject(
  {
    ids: BatchIds,
    sheet: Type.Optional(
      oneOf(keysOf(labelGrids), {
        description: 'A common sheet by its number; use `grid` for any other.',
      }),
    ),
    grid: Type.Optional(FreeLabelGrid),
    caption: Type.Optional(
      oneOf(labelCaptions, {
        description:
          'Caption of each code: its name, its short URL, or none. Long text is shrunk, then cut. Only Latin, Greek ' +
          'and Cyrillic letters can be drawn: others are omitted, and a name without any is replaced by the short URL.',
        default: 'name',
      }),
    ),
    captionPosition: Type.Optional(
      oneOf(labelCaptionPositions, {
        description:
          'Position of the caption. Default: right on labels at least 1.5 times as wide as high, otherwise below.',
      }),
    ),
    copies: Type.Optional(
      Type.Integer({
        description: `Labels per code, one after the other; at most ${limits.labelsMax} labels in total.`,
        minimum: 1,
        maximum: limits.labelCopiesMax,
        default: 1,
      }),
    ),
    startAt: Type.Optional(
      Type.Integer({
        description: 'First free label on a partly used sheet, counted along the rows from 1.',
        minimum: 1,
        default: 1,
      }),
    ),
    cutMarks: Type.Optional(
      Type.Boolean({
        description: 'Whether to print hairlines outside the labels that show where to cut.',
        default: false,
      }),
    ),
    codeMm: Type.Optional(
      Type.Number({
        description:
          'Width of the picture with quiet zone and frame, in millimetres. Default: as large as fits.',
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
