import { Type, type Static } from 'typebox'
import { OptionalLine, Timestamp, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page, pageParameters } from '../schema/pages.ts'
import { Actor } from './actors.ts'
import { BatchDeleteQuery, BatchIds } from './batches.ts'
import { QrCode } from './qr-codes.ts'

/** A deleted code that can be restored, as it was when it was deleted. */
export const BinnedQrCode = strictObject({
  ...QrCode.properties,
  deletedAt: Timestamp('When the code was deleted.'),
  deletedBy: Actor,
  restorableUntil: Timestamp('Until when the code can be restored.'),
})
export type BinnedQrCode = Static<typeof BinnedQrCode>

/** The deleted codes that can be restored, last deleted first. */
export const BinPage = Page(BinnedQrCode)
export type BinPage = Static<typeof BinPage>

/** The query of the bin. */
export const ListBinQuery = strictObject({
  ...pageParameters,
  search: Type.Optional(
    OptionalLine(
      limits.searchCharsMax,
      'Words of the name, in any order, as parts, ignoring case and accents; % and _ are literal.',
    ),
  ),
})
export type ListBinQuery = Static<typeof ListBinQuery>

/** The query that deletes many codes in the bin, for clients whose DELETE has no body. */
export const PurgeQuery = strictObject({ ids: BatchDeleteQuery.properties.ids })
export type PurgeQuery = Static<typeof PurgeQuery>

/** The body that restores many codes. */
export const RestoreQrCodes = strictObject(
  { ids: BatchIds },
  { examples: [{ ids: ['qr_01jqzv4x8m3c5t7w9y2b4d6f8h'] }] },
)
export type RestoreQrCodes = Static<typeof RestoreQrCodes>
