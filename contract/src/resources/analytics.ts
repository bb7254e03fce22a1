import { mapLists, type RowFields } from '../dimensions/answered-lists.ts'
import {
  dimensions,
  exportedDimensions,
  filterDimensions,
  filterOf,
  listOf,
  matrixDimensions,
  type answeredLists,
  type FilterDimension,
  type ListedDimension,
} from '../dimensions/dimensions.ts'
import {
  Type,
  type Static,
  type TArray,
  type TInteger,
  type TNumber,
  type TObject,
  type TOptional,
  type TSchema,
  type TString,
} from 'typebox'
import {
  Count,
  DateInput,
  IdInput,
  Percentage,
  Timestamp,
  nullable,
  oneOf,
  strictObject,
} from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'
import { QrCodeType } from '../code-types/code-types.ts'
import { deviceTypes, DeviceType } from '../rules/device-names.ts'
import { Tag } from './qr-codes.ts'

export const intervals = ['hour', 'day', 'week', 'month'] as const

/** Grouping of the timeline. */
export const Interval = oneOf(intervals, {
  description: `Grouping of the timeline; \`hour\` for at most ${limits.hourlyDaysMax} days.`,
  default: 'day',
})
export type Interval = Static<typeof Interval>

/** Columns of figures as CSV, in this order. */
export const figuresCsvColumns = ['section', 'key', 'key2', 'scans', 'unique_scans', 'percentage'] as const

/** The period of every analytics endpoint. */
export const periodParameters = {
  startDate: Type.Optional(
    DateInput(
      'Start, ISO 8601; a date alone means the start of that day. Default: 30 days, including today.',
    ),
  ),
  endDate: Type.Optional(DateInput('End, ISO 8601; a date alone means the whole day. Default: today.')),
  timezone: Type.Optional(
    Type.String({
      description: 'IANA time zone in which days begin and end.',
      maxLength: 64,
      pattern: patterns.timezone,
      default: 'UTC',
      examples: ['Europe/Berlin'],
    }),
  ),
}

const repeatable =
  'Repeatable; matches any of the values. `!` before a value excludes it; `\\!` stands for a value that begins with `!`.'

const DeviceTypeFilter = oneOf([...deviceTypes, '!mobile', '!desktop', '!tablet'] as const)

type ValuesOf<Name extends FilterDimension> = (typeof dimensions)[Name]['values']
type FilterSchemas = {
  [Name in FilterDimension]: TOptional<
    TArray<ValuesOf<Name> extends 'device' ? typeof DeviceTypeFilter : TString>
  >
}

function filterSchema(name: FilterDimension) {
  const { description, pattern } = filterOf(name)
  const isDevice = dimensions[name].values === 'device'
  const value = isDevice
    ? DeviceTypeFilter
    : Type.String({ maxLength: 255, ...(pattern !== undefined && { pattern }) })
  return Type.Optional(
    Type.Array<typeof DeviceTypeFilter | TString>(value, {
      description: `${description} ${repeatable}`,
      maxItems: isDevice ? 2 * deviceTypes.length : limits.analyticsFilterValuesMax,
    }),
  )
}

/** Filters of every analytics endpoint. All figures then count only the matching scans. */
export const scanFilterParameters = Object.fromEntries(
  filterDimensions.map((name) => [name, filterSchema(name)]),
) as FilterSchemas

/** The part of a query that filters scans. */
export const ScanFilters = strictObject(scanFilterParameters)
export type ScanFilters = Static<typeof ScanFilters>

/**
 * The codes whose scans the figures of an organization count: those that match every given
 * parameter. Without any of them, the figures include scans of deleted codes.
 */
export const selectionParameters = {
  folderId: Type.Optional(
    IdInput('Only codes in this folder or in a folder below it; "none": only codes without a folder.'),
  ),
  tag: Type.Optional(
    Type.Array(Tag, {
      description: 'Only codes that have every one of these tags; repeatable.',
      maxItems: limits.tagsMax,
    }),
  ),
  type: Type.Optional(QrCodeType),
  ids: Type.Optional(
    Type.Array(Type.String({ maxLength: limits.batchIdsCharsMax }), {
      description: `Only these codes: identifiers, comma-separated or repeated, at most ${limits.selectedIdsMax}. An unknown identifier selects nothing.`,
      maxItems: limits.selectedIdsMax,
    }),
  ),
}
/** The part of a query that selects codes. */
export const SelectionQuery = strictObject(selectionParameters)
export type SelectionQuery = Static<typeof SelectionQuery>

export const analyticsFormats = ['json', 'csv'] as const

const analyticsFields = {
  ...periodParameters,
  interval: Type.Optional(Interval),
  matrix: Type.Optional(
    Type.String({
      description: `Adds \`matrix\`: scans by two different dimensions, of ${matrixDimensions.join(', ')}.`,
      maxLength: 40,
      pattern: patterns.matrix,
      examples: ['code,city'],
    }),
  ),
  format: Type.Optional(
    oneOf(analyticsFormats, {
      description: `json, or csv with the columns ${figuresCsvColumns.join(', ')}.`,
      default: 'json',
    }),
  ),
  ...scanFilterParameters,
}

/** The query of the analytics of a code. */
export const AnalyticsQuery = strictObject(analyticsFields)
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

/** The query of the analytics of an organization. */
export const OrganizationAnalyticsQuery = strictObject({ ...analyticsFields, ...selectionParameters })
export type OrganizationAnalyticsQuery = Static<typeof OrganizationAnalyticsQuery>

/** The query of the CSV export of a code. */
export const AnalyticsExportQuery = strictObject({ ...periodParameters, ...scanFilterParameters })
export type AnalyticsExportQuery = Static<typeof AnalyticsExportQuery>

/** The query of the CSV export of an organization. */
export const OrganizationExportQuery = strictObject({
  ...periodParameters,
  ...scanFilterParameters,
  ...selectionParameters,
})
export type OrganizationExportQuery = Static<typeof OrganizationExportQuery>

/** Columns of the CSV export, in this order. */
export const analyticsExportColumns = [
  'timestamp',
  ...exportedDimensions.map((name) => dimensions[name].exportColumn),
  'is_unique',
] as const

/** Columns of the CSV export of an organization, in this order. */
export const organizationExportColumns = [
  'qr_code_id',
  'short_code',
  'name',
  ...analyticsExportColumns,
] as const

export const AnalyticsPeriod = strictObject({
  start: Timestamp('Start of the period, inclusive.'),
  end: Timestamp('End of the period, inclusive.'),
})

const summaryFields = {
  totalScans: Count('Scans by humans.'),
  uniqueScans: Count("Scans that were the visitor's first of that code, ever."),
  avgDailyScans: Type.Number({
    description: 'Scans divided by the calendar days of the period, with one decimal.',
    minimum: 0,
  }),
  botScans: Count('Hits by crawlers, link previews and prefetches. No other figure includes them.'),
  closedHits: Count(
    'Times that people found a code closed, or were asked for its password. No other figure includes them.',
  ),
}

const scans = Count('Scans.')

/** One bucket of the timeline. */
export const TimelineBucket = strictObject({
  date: Type.String({
    description:
      'The first day of the bucket, YYYY-MM-DD: for a week its Monday, for a month its first day, for an hour its day.',
    examples: ['2026-03-02'],
  }),
  start: Type.Optional(
    Timestamp(
      'With `interval=hour`: the first moment of the bucket. An hour that clocks show twice is two buckets.',
    ),
  ),
  scans,
  uniqueScans: Count('Unique scans.'),
})
export type TimelineBucket = Static<typeof TimelineBucket>

export const analyticsMarkKinds = ['visitor-key', 'visitors-by-64'] as const

/** A day that splits a period: unique scans before and after it cannot be compared. */
export const AnalyticsMark = strictObject({
  date: Type.String({
    description: 'The day, YYYY-MM-DD, in the requested time zone.',
    examples: ['2026-11-23'],
  }),
  kind: oneOf(analyticsMarkKinds, {
    description:
      'visitor-key: a new key identifies visitors, so each visitor counts as unique once more. visitors-by-64: IPv6 visitors are identified by their network (/64) instead of their address, so returning visitors may count as unique once more.',
  }),
})
export type AnalyticsMark = Static<typeof AnalyticsMark>

/** Scans by two dimensions. The cells and `other` add up to `summary.totalScans`. */
export const AnalyticsMatrix = strictObject({
  rows: Type.Array(Type.String(), {
    description: `The ${limits.matrixSideMax} values of the first dimension with the most scans, most first. Codes are identifiers.`,
    maxItems: limits.matrixSideMax,
  }),
  columns: Type.Array(Type.String(), {
    description: `The ${limits.matrixSideMax} values of the second dimension with the most scans, most first.`,
    maxItems: limits.matrixSideMax,
  }),
  scans: Type.Array(Type.Array(scans), { description: 'Scans by row and column.' }),
  other: Count('Scans that are in none of the cells.'),
  qrCodes: Type.Optional(
    Type.Array(
      strictObject({
        qrCodeId: Type.String(),
        name: Type.String(),
        shortCode: Type.String(),
        type: QrCodeType,
      }),
      { description: 'With the dimension code: the codes among the values, without deleted ones.' },
    ),
  ),
})
export type AnalyticsMatrix = Static<typeof AnalyticsMatrix>

type RowSchema<Name extends ListedDimension> =
  RowFields<
    Name,
    ValuesOf<Name> extends 'device' ? typeof DeviceType : TString,
    TString,
    TInteger,
    TNumber
  > extends infer Fields
    ? TObject<{ [Field in keyof Fields]: Fields[Field] extends TSchema ? Fields[Field] : never }>
    : never
type Layout = typeof answeredLists
type ListSchemas = {
  [Key in keyof Layout]: Layout[Key] extends ListedDimension
    ? TArray<RowSchema<Layout[Key]>>
    : TObject<{
        [Part in keyof Layout[Key]]: Layout[Key][Part] extends ListedDimension
          ? TArray<RowSchema<Layout[Key][Part]>>
          : never
      }>
}

const Country = Type.String(dimensions.country.list.schema)

function listSchema(name: ListedDimension) {
  const { field, schema, isOfCountry, hasNoShare } = listOf(name)
  return Type.Array(
    strictObject({
      [field]: dimensions[name].values === 'device' ? DeviceType : Type.String(schema),
      ...(isOfCountry === true && { country: Country }),
      scans,
      ...(hasNoShare !== true && { percentage: Percentage() }),
    }),
  )
}

const schemas: unknown = mapLists(listSchema, (lists) => strictObject(lists))
/** The lists of figures: scans by the values of each dimension. */
const listSchemas = schemas as ListSchemas

/** The breakdowns in the analytics of both a code and an organization. */
const breakdownFields = {
  timeline: Type.Array(TimelineBucket, {
    description: 'Every bucket of the period, including empty ones, oldest first.',
  }),
  ...listSchemas,
  hours: Type.Array(
    strictObject({
      weekday: Type.Integer({ description: 'ISO 8601: 1 is Monday, 7 is Sunday.', minimum: 1, maximum: 7 }),
      hour: Type.Integer({
        description: 'Hour of the day in the requested time zone.',
        minimum: 0,
        maximum: 23,
      }),
      scans,
    }),
    { description: 'Scans by weekday and hour. Hours without scans are omitted.' },
  ),
  matrix: Type.Optional(AnalyticsMatrix),
  marks: Type.Array(AnalyticsMark, {
    description:
      'Days in the period that split it: unique scans before and after such a day cannot be compared. Oldest first.',
  }),
}

/**
 * Scans by what answered them: a rule, an arm of its split, or the code's own data. The scans, and
 * the unique scans, add up to those of the summary.
 */
export const AnalyticsDestination = strictObject({
  ruleId: nullable(Type.String({ description: "Identifier of the rule; null: the code's own data." })),
  name: nullable(
    Type.String({
      description:
        "Name of the rule, or its last name if the code no longer has it. Null: the code's own data, or a rule that is not known.",
      examples: ['Lunch'],
    }),
  ),
  arm: nullable(Type.String({ description: 'Name of the arm; null without a split.', examples: ['A'] })),
  scans,
  uniqueScans: Count('Unique scans.'),
  percentage: Percentage(),
})
export type AnalyticsDestination = Static<typeof AnalyticsDestination>

/** Analytics of one code over a period. Lists are sorted by scans, highest first. */
export const QrCodeAnalytics = strictObject({
  qrCodeId: Type.String({ description: 'Identifier of the code.' }),
  period: AnalyticsPeriod,
  summary: strictObject(summaryFields),
  ...breakdownFields,
  destinations: Type.Array(AnalyticsDestination, {
    description:
      'Scans by the rule and arm that answered them, or the own data of the code. Figures of rules that are gone keep their last name.',
  }),
})
export type QrCodeAnalytics = Static<typeof QrCodeAnalytics>

/** Analytics of all codes of an organization, or of a selection of them, over a period. */
export const OrganizationAnalytics = strictObject({
  organizationId: Type.String({ description: 'Identifier of the organization.' }),
  period: AnalyticsPeriod,
  summary: strictObject({
    ...summaryFields,
    totalQrCodes: Count('Codes of the selection, by default of the organization.'),
    activeQrCodes: Count('Those of them with status ACTIVE.'),
  }),
  ...breakdownFields,
  topQrCodes: Type.Array(
    strictObject({
      qrCodeId: Type.String(),
      name: Type.String(),
      shortCode: Type.String(),
      type: QrCodeType,
      scans,
      uniqueScans: Count('Unique scans.'),
      percentage: Percentage(),
    }),
    { description: `The ${limits.topQrCodes} codes with the most scans.`, maxItems: limits.topQrCodes },
  ),
})
export type OrganizationAnalytics = Static<typeof OrganizationAnalytics>
