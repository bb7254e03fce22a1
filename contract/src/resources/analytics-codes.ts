import { Type, type Static } from 'typebox'
import { Count, Percentage, nullable, oneOf, strictObject } from '../schema/common.ts'
import { Page, pageParameters } from '../schema/pages.ts'
import { QrCodeType } from '../code-types/code-types.ts'
import { periodParameters, scanFilterParameters } from './analytics.ts'
import { selectionParameters } from './analytics.ts'
import { QrCodeStatus, orders } from './qr-codes.ts'

export const codeFiguresSorts = ['scans', 'uniqueScans', 'change', 'name'] as const
export type CodeFiguresSort = (typeof codeFiguresSorts)[number]

/** The query of the table of codes with their figures. */
export const CodeFiguresQuery = strictObject({
  ...pageParameters,
  sort: Type.Optional(
    oneOf(codeFiguresSorts, {
      description:
        'Figure to sort by. Equal values are ordered by identifier; codes without a change come last.',
      default: 'scans',
    }),
  ),
  order: Type.Optional(oneOf(orders, { description: 'Ascending or descending.', default: 'desc' })),
  ...periodParameters,
  ...scanFilterParameters,
  ...selectionParameters,
})
export type CodeFiguresQuery = Static<typeof CodeFiguresQuery>

/** A code and its figures over a period. */
export const CodeFigures = strictObject({
  qrCodeId: Type.String({ description: 'Identifier of the code.' }),
  name: Type.String(),
  shortCode: Type.String(),
  type: QrCodeType,
  status: QrCodeStatus,
  folderId: nullable(Type.String({ description: 'Folder; null if the code is in none.' })),
  scans: Count('Scans.'),
  uniqueScans: Count('Unique scans.'),
  percentage: Percentage(),
  previousScans: Count(
    'Scans in the period before: the same times, as many days earlier as the period has. Of a period that has not ended, only its past part is compared.',
  ),
  change: nullable(
    Type.Number({
      description:
        'Change from `previousScans` to `scans` in percent, with one decimal; null if there were none before.',
    }),
  ),
})
export type CodeFigures = Static<typeof CodeFigures>

export const CodeFiguresPage = Page(CodeFigures)
export type CodeFiguresPage = Static<typeof CodeFiguresPage>
