import { Type, type Static, type TSchema } from 'typebox'
import { Count, Deleted, IdInput, Line, OptionalLine, strictObject } from '../schema/common.ts'
import { downloadParameters } from './downloads.ts'
import { limits } from '../schema/limits.ts'
import { QrCode, Tags, updateQrCodeFields } from './qr-codes.ts'

// `maxItems` is far over the limit, so that the server can count ids that occur twice once, and say BATCH_TOO_LARGE.
const batchOf = <S extends TSchema>(item: S, description: string) =>
  Type.Array(item, {
    description: `${description}, 1 to ${limits.batchMax}.`,
    minItems: 1,
    maxItems: limits.batchEntriesMax,
  })

/** The codes of a batch; ids that occur twice count once. More than `limits.batchMax` is BATCH_TOO_LARGE. */
export const BatchIds = batchOf(IdInput('Identifier of a code.'), 'Identifiers of codes')

/** The query of every batch call. */
export const BatchQuery = strictObject({
  atomic: Type.Optional(
    Type.Boolean({ description: 'All or none: with one error nothing is done (422).', default: false }),
  ),
})
export type BatchQuery = Static<typeof BatchQuery>

/** The body that changes many codes: everything that PUT takes, and tags to add and remove. */
export const BatchUpdate = strictObject(
  {
    ids: BatchIds,
    updates: strictObject(
      { ...updateQrCodeFields, addTags: Type.Optional(Tags), removeTags: Type.Optional(Tags) },
      { minProperties: 1 },
    ),
  },
  { examples: [{ ids: ['qr_01jqzv4x8m3c5t7w9y2b4d6f8h'], updates: { addTags: ['spring'] } }] },
)
export type BatchUpdate = Static<typeof BatchUpdate>

/** Put behind the name of a clone, unless the call says otherwise. */
export const cloneNameSuffix = ' (copy)'

/** The body that clones many codes: content, style, folder, tags and metadata; scans and short codes are new. */
export const BatchClone = strictObject(
  {
    ids: BatchIds,
    nameSuffix: Type.Optional(
      OptionalLine(
        limits.nameSuffixCharsMax,
        `Put behind each name, which is cut to make room; "${cloneNameSuffix}" unless this or overrides.name is given.`,
      ),
    ),
    overrides: Type.Optional(
      strictObject(updateQrCodeFields, {
        description:
          'Fields in which the clones differ, as in an update. Without a status, clones are ACTIVE.',
      }),
    ),
  },
  { examples: [{ ids: ['qr_01jqzv4x8m3c5t7w9y2b4d6f8h'], nameSuffix: ' (2)', overrides: { tags: [] } }] },
)
export type BatchClone = Static<typeof BatchClone>

/** The body that deletes many codes. */
export const BatchDelete = strictObject(
  { ids: BatchIds },
  { examples: [{ ids: ['qr_01jqzv4x8m3c5t7w9y2b4d6f8h'] }] },
)
export type BatchDelete = Static<typeof BatchDelete>

/** The query that deletes many codes, for clients that cannot send a body with DELETE. */
export const BatchDeleteQuery = strictObject({
  ids: Type.Optional(
    Line(limits.batchIdsCharsMax, 'Identifiers separated by commas, in place of a body.', {
      examples: ['qr_a,qr_b'],
    }),
  ),
  ...BatchQuery.properties,
})
export type BatchDeleteQuery = Static<typeof BatchDeleteQuery>

/** The body that creates many codes. Each is checked by itself, so that good ones succeed. */
export const BatchCreate = strictObject(
  {
    qrCodes: batchOf(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'A body of create (CreateQrCode).',
      }),
      'The codes to create',
    ),
  },
  {
    examples: [
      { qrCodes: [{ type: 'URL', name: 'Spring poster', data: { url: 'https://example.com/spring' } }] },
    ],
  },
)
export type BatchCreate = Static<typeof BatchCreate>

/** One item of a batch that failed: by `id`, or by `index` where there is no id yet. */
export const BatchError = strictObject({
  id: Type.Optional(Type.String({ description: 'The code.' })),
  index: Type.Optional(Type.Integer({ description: 'Place in `qrCodes`, from 0.', minimum: 0 })),
  error: Type.String({ description: 'What is wrong, as a sentence.' }),
  code: Type.String({ description: 'The machine name of what is wrong.', examples: ['NOT_FOUND'] }),
})
export type BatchError = Static<typeof BatchError>

function batchResult<S extends TSchema>(item: S) {
  return strictObject({
    requested: Count('Items asked for; ids that occur twice count once.'),
    successCount: Count('Items done.'),
    errorCount: Count('Items that failed.'),
    errors: Type.Array(BatchError),
    data: Type.Array(item),
  })
}

/** The answer to a batch that creates, changes or clones: the codes as they are now. */
export const BatchResult = batchResult(QrCode)
export type BatchResult = Static<typeof BatchResult>

/** The answer to a batch that deletes. */
export const BatchDeleteResult = batchResult(Deleted)
export type BatchDeleteResult = Static<typeof BatchDeleteResult>

/** The body that downloads the pictures of many codes as a zip. */
export const BatchDownload = strictObject(
  { ids: BatchIds, ...downloadParameters },
  { examples: [{ ids: ['qr_01jqzv4x8m3c5t7w9y2b4d6f8h'], format: 'pdf', sizeMm: 40 }] },
)
export type BatchDownload = Static<typeof BatchDownload>
