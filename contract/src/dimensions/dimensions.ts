/**
 * The dimensions of analytics, in the order of pages and files. Everything that filters, counts or
 * names scans by a dimension reads it here; the scan store has its columns for each
 * (`dimension-columns.ts`), and each language its names (`words`).
 */
export const dimensions = {
  code: { values: 'code', isInMatrix: true },
  country: {
    values: 'country',
    filter: { description: 'ISO 3166-1 country code; XX for unknown.', pattern: '^!?[A-Z]{2}$' },
    list: {
      field: 'country',
      section: 'countries',
      schema: { description: 'ISO 3166-1 country code; XX if unknown.', examples: ['DE'] },
      isInReports: true,
      isInMails: true,
    },
    isInMatrix: true,
    exportColumn: 'country',
  },
  region: {
    values: 'text',
    filter: { description: 'State or region; Unknown for unknown.' },
    list: {
      field: 'region',
      section: 'regions',
      schema: { description: 'State or region; Unknown if unknown.' },
      isOfCountry: true,
    },
    isInMatrix: true,
  },
  city: {
    values: 'text',
    filter: { description: 'City name; Unknown for unknown.' },
    list: {
      field: 'city',
      section: 'cities',
      schema: { description: 'City; Unknown if unknown.' },
      isOfCountry: true,
      hasNoShare: true,
      isInReports: true,
      isInMails: true,
    },
    isInMatrix: true,
    exportColumn: 'city',
  },
  deviceType: {
    values: 'device',
    filter: { description: 'Type of device.' },
    list: { field: 'type', section: 'deviceTypes', schema: {}, isInReports: true, isInMails: true },
    isInMatrix: true,
    exportColumn: 'device_type',
  },
  os: {
    values: 'text',
    filter: { description: 'Operating system.' },
    list: { field: 'os', section: 'os', schema: { examples: ['iOS'] }, isInReports: true },
    isInMatrix: true,
    exportColumn: 'os',
  },
  browser: {
    values: 'text',
    filter: { description: 'Browser.' },
    list: { field: 'browser', section: 'browsers', schema: { examples: ['Safari'] }, isInReports: true },
    isInMatrix: true,
    exportColumn: 'browser',
  },
  referrer: {
    values: 'referrer',
    filter: {
      description: 'Host of the referrer; empty for scans without a referrer.',
      mayBeEmpty: true,
    },
    list: {
      field: 'referrer',
      section: 'referrers',
      schema: { description: 'Host of the referrer; empty for scans without a referrer, which most are.' },
      isInReports: true,
    },
    isInMatrix: true,
  },
  language: {
    values: 'language',
    filter: {
      description: 'Preferred language without its region: `de` includes `de-AT`; Unknown for unknown.',
    },
    list: {
      field: 'language',
      section: 'languages',
      schema: {
        description: 'Preferred language, BCP 47 without a region; Unknown if unknown.',
        examples: ['de'],
      },
      isInReports: true,
      isOnScreenOnly: true,
    },
    isInMatrix: true,
  },
  rule: {
    values: 'rule',
    filter: {
      description: "Identifier of the rule that answered; `none` for the code's own data.",
      pattern: '^!?(none|rul_[0-9a-z]{26})$',
    },
  },
  arm: {
    values: 'arm',
    filter: {
      description: 'Name of the arm of a split; empty for scans without an arm.',
      mayBeEmpty: true,
    },
  },
} as const satisfies Readonly<Record<string, DimensionShape>>

/** A dimension, and where it shows. */
type DimensionShape = {
  /** How its values are named for people. */
  values: 'code' | 'country' | 'device' | 'language' | 'referrer' | 'rule' | 'arm' | 'text'
  /** As a parameter of analytics, lists, exports and views. Absent: it filters nothing. */
  filter?: {
    description: string
    /** Of a value with or without `!` before it. */
    pattern?: string
    mayBeEmpty?: true
  }
  /** As a list of its values with their scans. Absent: none. */
  list?: {
    /** The field of a row that has the value. */
    field: string
    /** Section of figures as CSV. */
    section: string
    schema: { description?: string; examples?: readonly string[] }
    /** Whether rows also have the country, because several countries have such a value. */
    isOfCountry?: true
    /** Rows that had no percentage in the first release. */
    hasNoShare?: true
    isInReports?: true
    /** Not in printed reports, which are one page. */
    isOnScreenOnly?: true
    isInMails?: true
  }
  isInMatrix?: true
  /** Column of the CSV export of scans. */
  exportColumn?: string
}

export type Dimension = keyof typeof dimensions
type DimensionsWith<Property extends keyof DimensionShape> = {
  [Name in Dimension]: (typeof dimensions)[Name] extends Readonly<Record<Property, unknown>> ? Name : never
}[Dimension]
export type FilterDimension = DimensionsWith<'filter'>
export type ListedDimension = DimensionsWith<'list'>
/** The lists among figures, in the order of answers. A listed dimension has one place here. */
export const answeredLists = {
  geography: { countries: 'country', cities: 'city', regions: 'region' },
  devices: { types: 'deviceType', os: 'os', browsers: 'browser' },
  referrers: 'referrer',
  languages: 'language',
} as const satisfies Readonly<Record<string, ListedDimension | Readonly<Record<string, ListedDimension>>>>

/** How the values of filters are named. */
export type ValueKind = (typeof dimensions)[FilterDimension]['values']

const names = Object.keys(dimensions) as Dimension[]
const having = <Property extends keyof DimensionShape>(
  property: Property,
): readonly DimensionsWith<Property>[] =>
  names.filter((name): name is DimensionsWith<Property> => property in dimensions[name])

export const filterDimensions = having('filter')
export const listedDimensions = having('list')
export const matrixDimensions = having('isInMatrix')
export type MatrixDimension = (typeof matrixDimensions)[number]
export const exportedDimensions = having('exportColumn')

/** Returns how a dimension is listed. */
export function listOf(name: ListedDimension): Readonly<NonNullable<DimensionShape['list']>> {
  return dimensions[name].list
}

/** Returns how scans are filtered by a dimension. */
export function filterOf(name: FilterDimension): Readonly<NonNullable<DimensionShape['filter']>> {
  return dimensions[name].filter
}
