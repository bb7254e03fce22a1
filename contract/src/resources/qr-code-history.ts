import { Type, type Static } from 'typebox'
import { Actor } from './actors.ts'
import { Count, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'
import { OpenData } from '../code-types/open-data.ts'
import { StoredAccess } from '../access/access.ts'
import { PassQuery, Rules } from '../rules/rules.ts'
import { QrCodeStatus } from './qr-codes.ts'
import { Style } from './styles.ts'

/** Fields whose changes create a new version; changes of folder, tags and metadata do not. */
export const historyFields = ['name', 'data', 'rules', 'passQuery', 'access', 'style', 'status'] as const
export type HistoryField = (typeof historyFields)[number]

/**
 * One version of a code: its content from then on, the changed fields and the actor. Version
 * numbers have no gaps; beyond `limits.historyVersionsMax` versions the oldest are deleted.
 */
export const QrCodeVersion = strictObject({
  version: Type.Integer({ description: 'Version number; 1 is the creation.', minimum: 1 }),
  changedAt: Timestamp('When this version was created.'),
  changedBy: Actor,
  changed: Type.Array(oneOf(historyFields), {
    description: 'The fields that changed; empty for version 1, the creation.',
  }),
  name: Type.String({ description: 'Display name.' }),
  data: OpenData,
  rules: Rules,
  passQuery: PassQuery,
  access: nullable(StoredAccess),
  style: Style,
  status: QrCodeStatus,
})
export type QrCodeVersion = Static<typeof QrCodeVersion>

/** Answers of a code with a limit that its count learned of later. */
export const LimitExcess = strictObject({
  at: Timestamp('When the count learned of the first of them.'),
  answers: Count('Answers to people that were given without the count.'),
  beyondLimit: Count('Those of them that were beyond the limit.'),
  reason: oneOf(['catalogueAway', 'catalogueRestored'], {
    description:
      'catalogueAway: the catalogue, which counts, did not answer in time, and `whenUnknown` of the code is `open`. catalogueRestored: an older copy of the catalogue was restored, and only the scan store knew them.',
  }),
})
export type LimitExcess = Static<typeof LimitExcess>

/** The history of a code, newest version first. */
export const QrCodeHistory = strictObject({
  ...Page(QrCodeVersion).properties,
  limitExcesses: Type.Array(LimitExcess, {
    description: `The answers that were given without the count of \`access.scanLimit\`, newest first, on every page of the list. The newest ${limits.limitExcessesMax} entries are kept.`,
  }),
})
export type QrCodeHistory = Static<typeof QrCodeHistory>

/** The body that rolls a code back: it creates a new version with the content of an earlier one. */
export const RollbackQrCode = strictObject({
  version: Type.Integer({
    description: 'Version whose content to restore.',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
  }),
})
export type RollbackQrCode = Static<typeof RollbackQrCode>
