import { Type, type Static } from 'typebox'
import { Actor } from './actors.ts'
import { Timestamp, oneOf, strictObject } from '../schema/common.ts'
import { Page } from '../schema/pages.ts'
import { OpenData, QrCodeStatus } from './qr-codes.ts'
import { Style } from './styles.ts'

/** What makes a new version when it changes; folder, tags and metadata do not. */
export const historyFields = ['name', 'data', 'style', 'status'] as const
export type HistoryField = (typeof historyFields)[number]

/**
 * One version of a code: what it was from then on, what had changed, and who changed it. Versions count without
 * gaps; of more than `limits.historyVersionsMax` the oldest are forgotten.
 */
export const QrCodeVersion = strictObject({
  version: Type.Integer({ description: 'From 1, the creation.', minimum: 1 }),
  changedAt: Timestamp('When it became so.'),
  changedBy: Actor,
  changed: Type.Array(oneOf(historyFields), {
    description: 'Which of the fields changed; none for version 1, the creation.',
  }),
  name: Type.String({ description: 'Display name.' }),
  data: OpenData,
  style: Style,
  status: QrCodeStatus,
})
export type QrCodeVersion = Static<typeof QrCodeVersion>

/** The history of a code, newest version first. */
export const QrCodeHistory = Page(QrCodeVersion)
export type QrCodeHistory = Static<typeof QrCodeHistory>

/** The body that takes a code back to a version: a new version with the old content. */
export const RollbackQrCode = strictObject({
  version: Type.Integer({
    description: 'The version to go back to.',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
})
export type RollbackQrCode = Static<typeof RollbackQrCode>
