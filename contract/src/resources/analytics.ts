import { Type, type Static } from 'typebox'
import { Count, DateInput, Percentage, Timestamp, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'
import { QrCodeType } from '../code-types/code-types.ts'

export const intervals = ['day', 'week', 'month'] as const
export const deviceTypes = ['mobile', 'desktop', 'tablet'] as const

/** Grouping of the timeline. */
export const Interval = oneOf(intervals, { description: 'Grouping of the timeline.', default: 'day' })
export type Interval = Static<typeof Interval>

export const DeviceType = oneOf(deviceTypes, { description: 'Kind of device.' })
export type DeviceType = Static<typeof DeviceType>

const Values = (description: string, options: { pattern?: string } = {}) =>
  Type.Optional(
    Type.Array(Type.String({ maxLength: 255, ...options }), {
      description: `${description} Repeatable: any of them.`,
      maxItems: limits.analyticsFilterValuesMax,
    }),
  )

/** The period of every analytics endpoint. */
export const periodParameters = {
  startDate: Type.Optional(
    DateInput('Start, ISO 8601; a date alone is its first moment. 30 days with today unless given.'),
  ),
  endDate: Type.Optional(DateInput('End, ISO 8601; a date alone means the whole day. Today unless given.')),
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

/** Filters of every analytics endpoint: all figures are then of the scans that match. */
export const scanFilterParameters = {
  country: Values('ISO 3166-1 code, XX for unknown.', { pattern: patterns.country }),
  city: Values('City name, Unknown for unknown.'),
  deviceType: Type.Optional(
    Type.Array(DeviceType, {
      description: 'Kind of device. Repeatable: any of them.',
      maxItems: deviceTypes.length,
    }),
  ),
  os: Values('Operating system.'),
  browser: Values('Browser.'),
  referrer: Values("Referrer's host; an empty one for scans without."),
}
const ScanFiltersObject = strictObject(scanFilterParameters)
export type ScanFilters = Static<typeof ScanFiltersObject>

/** The query of analytics, of one code or of an organization. */
export const AnalyticsQuery = strictObject({
  ...periodParameters,
  interval: Type.Optional(Interval),
  ...scanFilterParameters,
})
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

/** The query of the CSV export. */
export const AnalyticsExportQuery = strictObject({ ...periodParameters, ...scanFilterParameters })
export type AnalyticsExportQuery = Static<typeof AnalyticsExportQuery>

/** Columns of the CSV export, in this order. */
export const analyticsExportColumns = [
  'timestamp',
  'country',
  'city',
  'device_type',
  'os',
  'browser',
  'is_unique',
] as const

export const AnalyticsPeriod = strictObject({
  start: Timestamp('First moment of the period.'),
  end: Timestamp('Last moment of the period.'),
})

const summaryFields = {
  totalScans: Count('Scans by people.'),
  uniqueScans: Count("Scans that were their visitor's first of that code, ever."),
  avgDailyScans: Type.Number({
    description: 'Scans divided by the calendar days of the period, one decimal.',
    minimum: 0,
  }),
  botScans: Count('Hits by crawlers, link previews and prefetches; in no other figure.'),
}

const Country = Type.String({ description: 'ISO 3166-1 code; XX when unknown.', examples: ['DE'] })
const scans = Count('Scans.')

/** One bucket of the timeline. */
export const TimelineBucket = strictObject({
  date: Type.String({
    description: 'The day, YYYY-MM-DD; of a week its Monday, of a month its first day.',
    examples: ['2026-03-02'],
  }),
  scans,
  uniqueScans: Count('Unique scans.'),
})
export type TimelineBucket = Static<typeof TimelineBucket>

export const analyticsMarkKinds = ['visitor-key', 'visitors-by-64'] as const

/** A day from which on unique scans cannot be compared with those before. */
export const AnalyticsMark = strictObject({
  date: Type.String({
    description: 'The day, YYYY-MM-DD, in the time zone asked for.',
    examples: ['2026-11-23'],
  }),
  kind: oneOf(analyticsMarkKinds, {
    description:
      'visitor-key: visitors are recognized with another key, so each counts as unique once more. visitors-by-64: IPv6 visitors are recognized by their network (/64) and no longer by their address, so those who return may count as unique once more.',
  }),
})
export type AnalyticsMark = Static<typeof AnalyticsMark>

/** The figures that analytics of one code and of an organization share. */
const breakdownFields = {
  timeline: Type.Array(TimelineBucket, {
    description: 'Every bucket of the period, zeros too, oldest first.',
  }),
  geography: strictObject({
    countries: Type.Array(strictObject({ country: Country, scans, percentage: Percentage() })),
    cities: Type.Array(
      strictObject({
        city: Type.String({ description: 'City; Unknown when unknown.' }),
        country: Country,
        scans,
      }),
    ),
  }),
  devices: strictObject({
    types: Type.Array(strictObject({ type: DeviceType, scans, percentage: Percentage() })),
    os: Type.Array(strictObject({ os: Type.String({ examples: ['iOS'] }), scans, percentage: Percentage() })),
    browsers: Type.Array(
      strictObject({ browser: Type.String({ examples: ['Safari'] }), scans, percentage: Percentage() }),
    ),
  }),
  referrers: Type.Array(
    strictObject({
      referrer: Type.String({
        description: "The referrer's host; empty for scans without one, as most are.",
      }),
      scans,
      percentage: Percentage(),
    }),
  ),
  hours: Type.Array(
    strictObject({
      weekday: Type.Integer({ description: 'ISO 8601: 1 is Monday, 7 is Sunday.', minimum: 1, maximum: 7 }),
      hour: Type.Integer({
        description: 'Hour of the day in the time zone asked for.',
        minimum: 0,
        maximum: 23,
      }),
      scans,
    }),
    { description: 'Scans by weekday and hour; hours without a scan are left out.' },
  ),
  marks: Type.Array(AnalyticsMark, {
    description:
      'Days of the period from which on unique scans cannot be compared with those before, oldest first.',
  }),
}

/** Analytics of one code over a period. Lists are sorted by scans, most first. */
export const QrCodeAnalytics = strictObject({
  qrCodeId: Type.String({ description: 'The code.' }),
  period: AnalyticsPeriod,
  summary: strictObject(summaryFields),
  ...breakdownFields,
})
export type QrCodeAnalytics = Static<typeof QrCodeAnalytics>

/** Analytics of all codes of an organization over a period. */
export const OrganizationAnalytics = strictObject({
  organizationId: Type.String({ description: 'The organization.' }),
  period: AnalyticsPeriod,
  summary: strictObject({
    ...summaryFields,
    totalQrCodes: Count('Codes the organization has.'),
    activeQrCodes: Count('Those of them in state ACTIVE.'),
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
    { description: `The ${limits.topQrCodes} codes with most scans.`, maxItems: limits.topQrCodes },
  ),
})
export type OrganizationAnalytics = Static<typeof OrganizationAnalytics>
