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
  strictObject,
} from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page, pageParameters } from '../schema/pages.ts'
import { patterns } from '../schema/patterns.ts'
import { QrCodeType, type QrCodeData, type QrCodeDataByType } from '../code-types/code-types.ts'
import { ShortCode } from './short-codes.ts'
import { Scannability, Style, UpdateStyle } from './styles.ts'

export const qrCodeStatuses = ['ACTIVE', 'ARCHIVED'] as const

/** Whether a code works (`ACTIVE`) or answers 410 until it is taken back (`ARCHIVED`). */
export const QrCodeStatus = oneOf(qrCodeStatuses, {
  description: 'ACTIVE, or ARCHIVED: scans get a 410 page.',
})
export type QrCodeStatus = Static<typeof QrCodeStatus>

/** Content whose shape goes by the type of the code; `codeTypes` has the schemas, `qrCodeDataProblems` checks it. */
export const OpenData = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Content; its shape goes by the type (schemas UrlData, VcardData, WifiData and so on).',
  examples: [{ url: 'https://example.com/spring' }],
})

/** `x-trim`: white space at the ends is taken away before the rest is checked (server/src/api/http/validation.ts). */
export const Tag = Line(limits.tagCharsMax, `A tag, trimmed, 1 to ${limits.tagCharsMax} characters.`, {
  'x-trim': true,
})
export const Tags = Type.Array(Tag, {
  description: `Tags, at most ${limits.tagsMax}; one that occurs twice counts once.`,
  maxItems: limits.tagsMax,
  examples: [['spring', 'print']],
})

const metadataOptions = {
  type: 'object',
  maxProperties: limits.metadataKeysMax,
  propertyNames: { type: 'string', pattern: patterns.metadataKey },
} as const
const MetadataValue = OptionalLine(limits.metadataValueCharsMax, 'A value of your own.')

/** Keys and values of the client's own; we only keep them. */
export const Metadata = Type.Unsafe<Record<string, string>>({
  ...metadataOptions,
  additionalProperties: MetadataValue,
  description: `Keys and texts of your own, at most ${limits.metadataKeysMax}.`,
  examples: [{ campaign: 'spring-2026' }],
})
export type Metadata = Static<typeof Metadata>

/** A change of metadata: merged by key, null takes a key away. */
export const UpdateMetadata = Type.Unsafe<Record<string, string | null>>({
  ...metadataOptions,
  additionalProperties: nullable(MetadataValue),
  description: 'Changes, merged by key; null takes a key away.',
  examples: [{ campaign: null }],
})
export type UpdateMetadata = Static<typeof UpdateMetadata>

/** A QR code. */
export const QrCode = strictObject({
  id: Id('qr'),
  type: QrCodeType,
  name: Type.String({ description: 'Display name.' }),
  shortUrl: Type.String({
    description: 'Public short URL of the code, which its picture encodes.',
    examples: ['https://qr.example.com/7K3M9QX'],
  }),
  shortCode: Type.String({ description: 'The code part of the short URL.', examples: ['7K3M9QX'] }),
  imageUrl: Type.String({ description: 'Where the picture can be downloaded, with a key.' }),
  data: OpenData,
  style: Style,
  status: QrCodeStatus,
  folderId: nullable(Type.String({ description: 'The folder it is in, or null.' })),
  tags: Type.Array(Type.String(), { description: 'Its tags.' }),
  metadata: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Keys and texts of your own.',
  }),
  totalScans: Count('Scans by people so far; 0 on creation.'),
  uniqueScans: Count("Visitors' first scans of this code so far."),
  scannability: Scannability,
  createdAt: Timestamp('When it was created.'),
  updatedAt: Timestamp('When it was last changed; scans do not count as changes.'),
})
export type QrCode = Static<typeof QrCode>

/** A QR code of a known type: `QrCodeOf<'WIFI'>['data'].ssid` is a string. */
export type QrCodeOf<T extends QrCodeType> = Omit<QrCode, 'type' | 'data'> & {
  type: T
  data: QrCodeDataByType[T]
}

/** A QR code whose `data` is known by its `type`: after `code.type === 'WIFI'`, `code.data.ssid` is a string. */
export type TypedQrCode = { [T in QrCodeType]: QrCodeOf<T> }[QrCodeType]

const Name = Line(limits.nameCharsMax, `Display name, 1 to ${limits.nameCharsMax} characters.`)

/** Names a style that the organization keeps. */
export const StyleId = nullable(
  IdInput('A style of the organization, over which `style` is merged; null is none at all.'),
)

/** The body that creates a code. Without a styleId it has the organization's default style, if there is one. */
export const CreateQrCode = strictObject(
  {
    type: QrCodeType,
    name: Name,
    data: OpenData,
    styleId: Type.Optional(StyleId),
    style: Type.Optional(Style),
    folderId: Type.Optional(nullable(IdInput('Folder to put it in.'))),
    tags: Type.Optional(Tags),
    metadata: Type.Optional(Metadata),
    shortCode: Type.Optional(ShortCode),
  },
  { examples: [{ type: 'URL', name: 'Spring poster', data: { url: 'https://example.com/spring' } }] },
)
export type CreateQrCode = Static<typeof CreateQrCode>

/** The body that creates a code of a known type, with the content of that type. */
export type CreateQrCodeOf<T extends QrCodeType> = Omit<CreateQrCode, 'type' | 'data'> & {
  type: T
  data: QrCodeDataByType[T]
}

/** A field that is there to say why it isn't taken; every value is refused. */
const Fixed = Type.Optional(Type.Unsafe<never>({ not: {}, description: 'Cannot change.' }))

/** The fields that PUT and PATCH take; `type`, `id` and `shortCode` cannot change. */
export const updateQrCodeFields = {
  id: Fixed,
  type: Fixed,
  shortCode: Fixed,
  name: Type.Optional(Name),
  data: Type.Optional(OpenData),
  styleId: Type.Optional(StyleId),
  style: Type.Optional(UpdateStyle),
  folderId: Type.Optional(nullable(IdInput('Folder to move it to; null takes it out of its folder.'))),
  tags: Type.Optional(Tags),
  metadata: Type.Optional(UpdateMetadata),
  status: Type.Optional(QrCodeStatus),
}

/** The body that changes a code: partial. `data` replaces whole; `style` and `metadata` merge by key, null removes one. */
export const UpdateQrCode = strictObject(updateQrCodeFields, {
  examples: [{ data: { url: 'https://example.com/summer' } }],
})
export type UpdateQrCode = Static<typeof UpdateQrCode>

/** The body that changes a code, with `data` of any type's shape. */
export type TypedUpdateQrCode = Omit<UpdateQrCode, 'data'> & { data?: QrCodeData }

export const qrCodeSorts = ['createdAt', 'updatedAt', 'name', 'totalScans'] as const
export const orders = ['asc', 'desc'] as const

/** The query of the list of codes. */
export const ListQrCodesQuery = strictObject({
  ...pageParameters,
  type: Type.Optional(QrCodeType),
  folderId: Type.Optional(IdInput('Codes of this folder only.')),
  search: Type.Optional(
    OptionalLine(limits.searchCharsMax, 'Any part of the name, in any letter case; % and _ mean themselves.'),
  ),
  status: Type.Optional(
    oneOf(qrCodeStatuses, { description: 'Codes in this state only; both unless given.' }),
  ),
  tag: Type.Optional(
    Type.Array(Tag, {
      description: 'Codes that have every one of these tags; repeatable.',
      maxItems: limits.tagsMax,
    }),
  ),
  sort: Type.Optional(oneOf(qrCodeSorts, { description: 'What to sort by.', default: 'createdAt' })),
  order: Type.Optional(oneOf(orders, { description: 'Ascending or descending.', default: 'desc' })),
})
export type ListQrCodesQuery = Static<typeof ListQrCodesQuery>

export const QrCodePage = Page(QrCode)
export type QrCodePage = Static<typeof QrCodePage>

export const QrCodeParams = RecordParams
export type QrCodeParams = Static<typeof QrCodeParams>

/** The answer to the deletion of a code. */
export const DeletedQrCode = Deleted
export type DeletedQrCode = Static<typeof DeletedQrCode>

/** Metadata after a change: `changes` merged by key, null takes a key away. */
export function mergeMetadata(metadata: Metadata, changes: UpdateMetadata): Metadata {
  return Object.fromEntries(
    Object.entries({ ...metadata, ...changes }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    ),
  )
}
