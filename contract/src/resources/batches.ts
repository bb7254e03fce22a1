import { Type, type Static, type TSchema } from 'typebox'
import { Count, IdInput, Line, OptionalLine, strictObject } from '../schema/common.ts'
import { downloadParameters } from './downloads.ts'
import { limits } from '../schema/limits.ts'
import { namedProblem } from '../schema/named-problems.ts'
import { Bin, DeletedQrCode, QrCode, ResetLimit, Tags, updateQrCodeFields } from './qr-codes.ts'

// `maxItems` is far above the limit, so that the server can count repeated ids once and return
// BATCH_TOO_LARGE.
const batchOf = <S extends TSchema>(item: S, description: string) =>
  Type.Array(item, {
    description: `${description}, 1 to ${limits.batchMax}.`,
    minItems: 1,
    maxItems: limits.batchEntriesMax,
  })

/**
 * The codes of a batch; repeated ids count once. More than `limits.batchMax` is BATCH_TOO_LARGE.
 */
export const BatchIds = batchOf(IdInput('Identifier of a code.'), 'Identifiers of codes')

/** The query of every batch endpoint. */
export const BatchQuery = strictObject({
  atomic: Type.Optional(
    Type.Boolean({
      description: 'All or nothing: if one item fails, none is processed (422).',
      default: false,
    }),
  ),
})
export type BatchQuery = Static<typeof BatchQuery>

/** The changes to a code in a batch: every field of PUT, plus tags to add and remove. */
export const BatchUpdates = strictObject(
  {
    ...updateQrCodeFields,
    resetLimit: ResetLimit,
    addTags: Type.Optional(Tags),
    removeTags: Type.Optional(Tags),
  },
  { minProperties: 1 },
)
export type BatchUpdates = Static<typeof BatchUpdates>

/**
 * One code and its own changes. `updates` is validated for each code separately, so that valid
 * changes succeed.
 */
export const BatchChange = strictObject({
  id: IdInput('Identifier of the code.'),
  updates: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'The changes to this code, with the fields of `updates` beside `ids`.',
    minProperties: 1,
  }),
  ifMatch: Type.Optional(
    Line(
      limits.ifMatchCharsMax,
      'The ETag of the code as you read it. If it has changed since, this code fails with PRECONDITION_FAILED.',
      { examples: ['"qr_01jqzv4x8m3c5t7w9y2b4d6f8h.3.137.90.1h2k9x"'] },
    ),
  ),
})
export type BatchChange = Static<typeof BatchChange>

/**
 * The body that updates many codes: `ids` with the same `updates` for each, or `changes` with the
 * updates of each. The server requires exactly one of the two forms.
 */
export const BatchUpdate = strictObject(
  {
    ids: Type.Optional(BatchIds),
    updates: Type.Optional(BatchUpdates),
    changes: Type.Optional(
      batchOf(
        BatchChange,
        'Instead of `ids` and `updates`: codes, each with its own changes. No code may occur twice',
      ),
    ),
  },
  {
    examples: [
      { ids: ['qr_01jqzv4x8m3c5t7w9y2b4d6f8h'], updates: { addTags: ['spring'] } },
      {
        changes: [
          {
            id: 'qr_01jqzv4x8m3c5t7w9y2b4d6f8h',
            updates: { data: { url: 'https://example.com/summer' } },
          },
        ],
      },
    ],
  },
)
export type BatchUpdate = Static<typeof BatchUpdate>

/** The query of a batch update. */
export const BatchUpdateQuery = strictObject({
  ...BatchQuery.properties,
  etags: Type.Optional(
    Type.Boolean({ description: 'Whether the response has the ETags of `data`.', default: false }),
  ),
})
export type BatchUpdateQuery = Static<typeof BatchUpdateQuery>

/** The query that reads many codes. */
export const BatchReadQuery = strictObject({
  ids: Type.Optional(
    Line(
      limits.batchIdsCharsMax,
      `Comma-separated identifiers. With shortCodes, at most ${limits.batchReadMax} codes in all.`,
      { examples: ['qr_a,qr_b'] },
    ),
  ),
  shortCodes: Type.Optional(
    Line(
      limits.batchIdsCharsMax,
      'Comma-separated short codes, in any letter case unless they are exact; those on a domain after its host name and a slash.',
      {
        examples: ['7K3QX9A,MENU-1,go.example.com/MENU'],
      },
    ),
  ),
})
export type BatchReadQuery = Static<typeof BatchReadQuery>

/** The suffix of a clone's name by default. */
export const cloneNameSuffix = ' (copy)'

/**
 * The body that clones many codes: content, style, folder, tags and metadata are copied; scans and
 * short codes are new.
 */
export const BatchClone = strictObject(
  {
    ids: BatchIds,
    nameSuffix: Type.Optional(
      OptionalLine(
        limits.nameSuffixCharsMax,
        `Appended to each name, which is cut if it becomes too long. Default: "${cloneNameSuffix}", or nothing if overrides.name is given.`,
      ),
    ),
    overrides: Type.Optional(
      strictObject(updateQrCodeFields, {
        description:
          'Fields in which the clones differ, as in an update. Clones are ACTIVE unless it has a status.',
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
  bin: Bin,
  ids: Type.Optional(
    Line(limits.batchIdsCharsMax, 'Comma-separated identifiers, instead of a body.', {
      examples: ['qr_a,qr_b'],
    }),
  ),
  ...BatchQuery.properties,
})
export type BatchDeleteQuery = Static<typeof BatchDeleteQuery>

/**
 * The body that creates many codes. Each code is validated separately, so that valid ones succeed.
 */
export const BatchCreate = strictObject(
  {
    qrCodes: batchOf(
      Type.Unsafe<Record<string, unknown>>({
        description: 'A create body (CreateQrCode). An entry that is none fails alone.',
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

/**
 * One failed item of a batch, identified by `id`, by `index` if it has no id yet, or by the
 * `shortCode` that was asked for.
 */
export const BatchError = strictObject({
  id: Type.Optional(Type.String({ description: 'Identifier of the code.' })),
  shortCode: Type.Optional(Type.String({ description: 'The short code, in a call that reads.' })),
  index: Type.Optional(Type.Integer({ description: 'Index in `qrCodes`, from 0.', minimum: 0 })),
  error: Type.String({ description: 'What is wrong, in a sentence.' }),
  code: Type.String({ description: 'The error code.', examples: ['NOT_FOUND'] }),
  ...namedProblem,
})
export type BatchError = Static<typeof BatchError>

function batchResult<S extends TSchema>(item: S) {
  return strictObject(batchResultFields(item))
}

function batchResultFields<S extends TSchema>(item: S) {
  return {
    requested: Count('Number of requested items; repeated ids count once.'),
    successCount: Count('Number of items processed.'),
    errorCount: Count('Number of items that failed.'),
    errors: Type.Array(BatchError),
    data: Type.Array(item),
  }
}

const Etags = Type.Array(Type.String(), {
  description: 'The ETag of each code in `data`, in the same order.',
})

/** The response to a batch that creates, updates or clones codes, with the resulting codes. */
export const BatchResult = batchResult(QrCode)
export type BatchResult = Static<typeof BatchResult>

/** The response to a batch update, with `etags` if the query asks for them. */
export const BatchUpdateResult = strictObject({
  ...batchResultFields(QrCode),
  etags: Type.Optional(Etags),
})
export type BatchUpdateResult = Static<typeof BatchUpdateResult>

/** The response to a batch that reads codes. */
export const BatchReadResult = strictObject({ ...batchResultFields(QrCode), etags: Etags })
export type BatchReadResult = Static<typeof BatchReadResult>

/** The response to a batch that deletes codes. */
export const BatchDeleteResult = batchResult(DeletedQrCode)
export type BatchDeleteResult = Static<typeof BatchDeleteResult>

/** The body that downloads the pictures of many codes as a zip file. */
export const BatchDownload = strictObject(
  { ids: BatchIds, ...downloadParameters },
  { examples: [{ ids: ['qr_01jqzv4x8m3c5t7w9y2b4d6f8h'], format: 'pdf', sizeMm: 40 }] },
)
export type BatchDownload = Static<typeof BatchDownload>
