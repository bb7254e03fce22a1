import { Type, type Static } from 'typebox'
import {
  Count,
  Deleted,
  Id,
  IdInput,
  Line,
  OptionalLine,
  RecordParams,
  Timestamp,
  nullable,
  oneOf,
  newObject,
  strictObject,
} from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page, pageParameters } from '../schema/pages.ts'
import { patterns } from '../schema/patterns.ts'
import { keysOf } from '../schema/records.ts'
import { QrCodeType, type QrCodeData, type QrCodeDataByType } from '../code-types/code-types.ts'
import { OpenData } from '../code-types/open-data.ts'
import { Access, AccessInput, QrCodeState, UpdateAccess, qrCodeStates } from '../access/access.ts'
import { PassQuery, Rules, RulesInput, type RuleInputOf, type RuleOf } from '../rules/rules.ts'
import { ShortCode } from './short-codes.ts'
import { Scannability, Style, UpdateStyle } from './styles.ts'

export const qrCodeStatuses = ['ACTIVE', 'ARCHIVED'] as const

/** Whether a code works (`ACTIVE`) or returns 410 until it is reactivated (`ARCHIVED`). */
export const QrCodeStatus = oneOf(qrCodeStatuses, {
  description: 'ACTIVE, or ARCHIVED: scans get a 410 page.',
})
export type QrCodeStatus = Static<typeof QrCodeStatus>

export const Tag = Line(limits.tagCharsMax, `A tag, 1 to ${limits.tagCharsMax} characters.`)
export const Tags = Type.Array(Tag, {
  description: `Tags, at most ${limits.tagsMax}; repeated tags count once.`,
  maxItems: limits.tagsMax,
  examples: [['spring', 'print']],
})

const metadataOptions = {
  type: 'object',
  maxProperties: limits.metadataKeysMax,
  propertyNames: { type: 'string', pattern: patterns.metadataKey },
} as const
const MetadataValue = OptionalLine(limits.metadataValueCharsMax, 'A text of your own.')

/** Keys and values for the client's own use; the service only stores them. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  ...metadataOptions,
  additionalProperties: MetadataValue,
  description: `Keys and texts for your own use, at most ${limits.metadataKeysMax}.`,
  examples: [{ campaign: 'spring-2026' }],
})
export type Metadata = Static<typeof Metadata>

/** Changes to metadata: merged by key; null removes a key. */
export const UpdateMetadata = Type.Unsafe<Record<string, string | null>>({
  ...metadataOptions,
  additionalProperties: nullable(MetadataValue),
  description: 'Changes, merged by key; null removes a key.',
  examples: [{ campaign: null }],
})
export type UpdateMetadata = Static<typeof UpdateMetadata>

/** A QR code. */
export const QrCode = strictObject({
  id: Id('qr'),
  type: QrCodeType,
  name: Type.String({ description: 'Display name.' }),
  shortUrl: Type.String({
    description: 'Public short URL of the code, which the picture encodes.',
    examples: ['https://qr.example.com/7K3M9QX'],
  }),
  shortCode: Type.String({ description: 'The code part of the short URL.', examples: ['7K3M9QX'] }),
  domainId: nullable(
    Type.String({
      description: 'The domain of the short URL; null: it is below PUBLIC_URL.',
      examples: ['dom_01jqzv4x8m3c5t7w9y2b4d6f8h'],
    }),
  ),
  imageUrl: Type.String({ description: 'URL of the picture; downloading it requires an API key.' }),
  data: OpenData,
  rules: Rules,
  passQuery: PassQuery,
  access: nullable(Access),
  style: Style,
  status: QrCodeStatus,
  state: QrCodeState,
  folderId: nullable(Type.String({ description: 'Identifier of the folder, or null.' })),
  tags: Type.Array(Type.String(), { description: 'Tags of the code.' }),
  metadata: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Keys and texts for your own use.',
  }),
  scansBefore: Count(
    'Clicks that another product counted before the code moved here, in no figure of this service; 0 if it did not move.',
  ),
  totalScans: Count('Scans by humans so far; 0 on creation.'),
  uniqueScans: Count("Scans so far that were the visitor's first of this code."),
  scannability: Scannability,
  createdAt: Timestamp('When the code was created.'),
  updatedAt: Timestamp('When the code was last changed; scans are not changes.'),
  waiting: Type.Optional(
    Type.Literal(true, {
      description:
        'Only of a code that waits: it came with an archive or a move for a host name that the organization has not proved. It answers nothing, has no picture, and becomes a code at the proof. It can be read, changed and deleted by itself.',
    }),
  ),
  lost: Type.Optional(
    Type.Literal(true, {
      description:
        'Only beside `waiting`: the domain is proved, and the short code belongs to another code there, or has another form than the domain takes. It becomes a code if an update gives it another `shortCode`.',
    }),
  ),
})
export type QrCode = Static<typeof QrCode>

/** A QR code whose type is known: `QrCodeOf<'WIFI'>['data'].ssid` is a string. */
export type QrCodeOf<T extends QrCodeType> = Omit<QrCode, 'type' | 'data' | 'rules'> & {
  type: T
  data: QrCodeDataByType[T]
  rules: RuleOf<T>[]
}

/**
 * A QR code whose `type` determines `data`: after `code.type === 'WIFI'`, `code.data.ssid` is a
 * string.
 */
export type TypedQrCode = { [T in QrCodeType]: QrCodeOf<T> }[QrCodeType]

const Name = Line(limits.nameCharsMax, `Display name, 1 to ${limits.nameCharsMax} characters.`)

/** Refers to a saved style of the organization. */
export const StyleId = nullable(
  IdInput('A saved style of the organization, into which `style` is merged; null: no saved style.'),
)

/**
 * The body that creates a code. Without a styleId the code has the organization's default style, if
 * there is one.
 */
export const CreateQrCode = newObject(
  {
    type: QrCodeType,
    name: Name,
    data: OpenData,
    rules: Type.Optional(RulesInput),
    passQuery: Type.Optional(PassQuery),
    access: Type.Optional(nullable(AccessInput)),
    styleId: Type.Optional(StyleId),
    style: Type.Optional(Style),
    folderId: Type.Optional(nullable(IdInput('Folder of the code.'))),
    tags: Type.Optional(Tags),
    metadata: Type.Optional(Metadata),
    shortCode: Type.Optional(ShortCode),
    domainId: Type.Optional(
      nullable(
        IdInput(
          'A proved domain of the organization, on which the short URL is; null: PUBLIC_URL. It cannot change later. Default: the default domain of the organization, or else PUBLIC_URL.',
        ),
      ),
    ),
  },
  { examples: [{ type: 'URL', name: 'Spring poster', data: { url: 'https://example.com/spring' } }] },
)
export type CreateQrCode = Static<typeof CreateQrCode>

/** The body that creates a code of a known type, with that type's content. */
export type CreateQrCodeOf<T extends QrCodeType> = Omit<CreateQrCode, 'type' | 'data' | 'rules'> & {
  type: T
  data: QrCodeDataByType[T]
  rules?: RuleInputOf<T>[]
}

/** A field that exists only to state that it cannot change; every value is rejected. */
const Fixed = Type.Optional(Type.Unsafe<never>({ not: {}, description: 'Cannot change.' }))

/** The fields of changes; `type`, `id`, `shortCode` and `domainId` cannot change. */
export const updateQrCodeFields = {
  id: Fixed,
  type: Fixed,
  shortCode: Fixed,
  domainId: Fixed,
  name: Type.Optional(Name),
  data: Type.Optional(OpenData),
  rules: Type.Optional(RulesInput),
  passQuery: Type.Optional(PassQuery),
  access: Type.Optional(nullable(AccessInput)),
  styleId: Type.Optional(StyleId),
  style: Type.Optional(UpdateStyle),
  folderId: Type.Optional(nullable(IdInput('Folder to move the code to; null removes it from its folder.'))),
  tags: Type.Optional(Tags),
  metadata: Type.Optional(UpdateMetadata),
  status: Type.Optional(QrCodeStatus),
}

const repeated = 'As in the record: accepted if it is the same.'
const ignored = 'As in the record: accepted and ignored.'

/** Fields that an update may only repeat, so that a record can be sent back as it was read. */
const fixedFields = {
  id: Type.Optional(Type.String({ description: repeated, maxLength: 200 })),
  type: Type.Optional(QrCodeType),
  shortCode: Type.Optional(
    Type.String({ description: `${repeated} A code that waits takes another one.`, maxLength: 600 }),
  ),
  domainId: Type.Optional(nullable(Type.String({ description: repeated, maxLength: 200 }))),
  createdAt: Type.Optional(Timestamp(repeated)),
}

/** Fields that the service computes, which change between reading a record and sending it back. */
const computedFields = {
  shortUrl: Type.Optional(Type.String({ description: ignored, maxLength: limits.urlCharsMax })),
  imageUrl: Type.Optional(Type.String({ description: ignored, maxLength: limits.urlCharsMax })),
  scansBefore: Type.Optional(Count(ignored)),
  totalScans: Type.Optional(Count(ignored)),
  uniqueScans: Type.Optional(Count(ignored)),
  state: Type.Optional(oneOf(qrCodeStates, { description: ignored })),
  waiting: Type.Optional(Type.Boolean({ description: ignored })),
  lost: Type.Optional(Type.Boolean({ description: ignored })),
  scannability: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: ignored,
    }),
  ),
  updatedAt: Type.Optional(Timestamp(ignored)),
}
export const computedFieldNames = keysOf(computedFields)

/** Starts the count of a limit again, in an update. */
export const ResetLimit = Type.Optional(
  Type.Boolean({
    description: 'Whether the answers that count for `access.scanLimit` are counted from 0 again.',
  }),
)

/**
 * The body that updates a code: partial. `data` and `rules` are replaced as a whole; `style`,
 * `metadata` and `access` merge by key, null removes a key.
 */
export const UpdateQrCode = strictObject(
  {
    ...updateQrCodeFields,
    access: Type.Optional(nullable(UpdateAccess)),
    resetLimit: ResetLimit,
    ...fixedFields,
    ...computedFields,
  },
  { examples: [{ data: { url: 'https://example.com/summer' } }] },
)
export type UpdateQrCode = Static<typeof UpdateQrCode>

/** The changes of an update, without what it only repeats. */
export type QrCodeUpdates = Omit<UpdateQrCode, keyof typeof fixedFields | (typeof computedFieldNames)[number]>

/** The body that updates a code, with `data` typed as the content of any type. */
export type TypedUpdateQrCode = Omit<UpdateQrCode, 'data'> & { data?: QrCodeData }

export const qrCodeSorts = ['createdAt', 'updatedAt', 'name', 'totalScans'] as const
export const orders = ['asc', 'desc'] as const

/** The query of the list of codes. */
export const ListQrCodesQuery = strictObject({
  ...pageParameters,
  type: Type.Optional(QrCodeType),
  folderId: Type.Optional(
    IdInput('Only codes in this folder; "none": only codes without a folder. See also `subfolders`.'),
  ),
  subfolders: Type.Optional(
    Type.Boolean({
      description: 'With `folderId`: also codes in the folders below it.',
      default: false,
    }),
  ),
  search: Type.Optional(
    OptionalLine(
      limits.searchCharsMax,
      'Words of the name: finds codes whose name contains all of them, in any order, as parts, ignoring case and accents; % and _ are literal.',
    ),
  ),
  q: Type.Optional(
    OptionalLine(
      limits.searchCharsMax,
      'Words as in `search`, each anywhere in the name, the short code, a tag, or where the code leads. Short codes are found by three or more of their characters, with O as 0, I and L as 1, and by their short URL. ' +
        'Where a code leads: its addresses; the name of a Wi-Fi network; the name, company, e-mail address and phone number of a contact; the recipient of a mail, message or call; the title of a menu or page; the first 100 characters of a text. Passwords and messages are never searched.',
    ),
  ),
  domainId: Type.Optional(IdInput('Only codes on this domain; "none": only codes below PUBLIC_URL.')),
  waiting: Type.Optional(
    Type.Boolean({
      description:
        'true: the codes that wait for the proof of their domain, which no other list has. Only `domainId`, `page` and `limit` go with it.',
      default: false,
    }),
  ),
  status: Type.Optional(
    oneOf(qrCodeStatuses, { description: 'Only codes with this status. Default: both.' }),
  ),
  state: Type.Optional(oneOf(qrCodeStates, { description: 'Only codes in this state now. Default: all.' })),
  tag: Type.Optional(
    Type.Array(Tag, {
      description: 'Only codes that have every one of these tags; repeatable.',
      maxItems: limits.tagsMax,
    }),
  ),
  sort: Type.Optional(
    oneOf(qrCodeSorts, {
      description:
        'Field to sort by. Names are sorted as people do: ignoring case and accents, numbers by value.',
      default: 'createdAt',
    }),
  ),
  order: Type.Optional(oneOf(orders, { description: 'Ascending or descending.', default: 'desc' })),
})
export type ListQrCodesQuery = Static<typeof ListQrCodesQuery>

export const QrCodePage = Page(QrCode)
export type QrCodePage = Static<typeof QrCodePage>

export const QrCodeParams = RecordParams
export type QrCodeParams = Static<typeof QrCodeParams>

/** Whether a deleted code lies in the bin for a time. */
export const Bin = Type.Optional(
  Type.Boolean({
    description: `Move the code to the bin, from where it can be restored for ${limits.binDays} days. Until then it is deleted for every other call.`,
    default: false,
  }),
)

/** The query of the deletion of a code. */
export const DeleteQrCodeQuery = strictObject({ bin: Bin })
export type DeleteQrCodeQuery = Static<typeof DeleteQrCodeQuery>

/** The response to the deletion of a code. */
export const DeletedQrCode = strictObject({
  ...Deleted.properties,
  restorableUntil: Type.Optional(Timestamp('With `bin=true`: until when the code can be restored.')),
})
export type DeletedQrCode = Static<typeof DeletedQrCode>

/** Merges `changes` into metadata by key; null removes a key. */
export function mergeMetadata(metadata: Metadata, changes: UpdateMetadata): Metadata {
  return Object.fromEntries(
    Object.entries({ ...metadata, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  )
}
