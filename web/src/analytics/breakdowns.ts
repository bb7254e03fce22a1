import type { Figures } from './analytics.ts'
import type { Filter, FilterName } from './filters.ts'
import { formatCountry } from '../ui/format.ts'
import { valueName } from './scan-words.ts'
import { analyticsWords } from '../words/analytics-words.ts'

const text = analyticsWords.breakdowns

export type Breakdown = {
  /** The property whose values are counted. */
  by: FilterName
  title: string
  rows: readonly {
    key: string
    name: string
    note?: string | undefined
    scans: number
    percentage: number
    /** Filters that show exactly the scans of this row. The first alone leaves them out. */
    filters: readonly [Filter, ...Filter[]]
  }[]
}

/** Returns all breakdowns of scans, in the order of the page. */
export function breakdownsOf({ summary, geography, devices, referrers }: Figures): readonly Breakdown[] {
  return [
    by(
      'country',
      text.countries,
      geography.countries.map((row) => ({ value: row.country, ...row })),
    ),
    {
      by: 'region',
      title: text.regions,
      rows: geography.regions.map((row) => ({
        key: `${row.country} ${row.region}`,
        name: valueName('region', row.region),
        note: formatCountry(row.country),
        scans: row.scans,
        percentage: row.percentage,
        filters: [{ name: 'region', value: row.region, isNot: false }, country(row)],
      })),
    },
    {
      by: 'city',
      title: text.cities,
      rows: geography.cities.map((row) => ({
        key: `${row.country} ${row.city}`,
        name: valueName('city', row.city),
        note: formatCountry(row.country),
        scans: row.scans,
        percentage: summary.totalScans === 0 ? 0 : Math.round((1000 * row.scans) / summary.totalScans) / 10,
        // Many countries have a Berlin.
        filters: [{ name: 'city', value: row.city, isNot: false }, country(row)],
      })),
    },
    by(
      'deviceType',
      text.deviceTypes,
      devices.types.map((row) => ({ value: row.type, ...row })),
    ),
    by(
      'os',
      text.os,
      devices.os.map((row) => ({ value: row.os, ...row })),
    ),
    by(
      'browser',
      text.browsers,
      devices.browsers.map((row) => ({ value: row.browser, ...row })),
    ),
    by(
      'referrer',
      text.referrers,
      referrers.map((row) => ({ value: row.referrer, ...row })),
    ),
  ]
}

const country = ({ country: value }: { country: string }): Filter => ({
  name: 'country',
  value,
  isNot: false,
})

function by(
  name: FilterName,
  title: string,
  values: readonly { value: string; scans: number; percentage: number }[],
): Breakdown {
  return {
    by: name,
    title,
    rows: values.map(({ value, scans, percentage }) => ({
      key: value,
      name: valueName(name, value),
      scans,
      percentage,
      filters: [{ name, value, isNot: false }],
    })),
  }
}
