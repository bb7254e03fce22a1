import type { Figures } from './analytics.ts'
import type { FilterName, Filters } from './analytics-search.ts'
import { formatCountry } from '../ui/format.ts'
import { valueName } from './scan-words.ts'
import { analyticsWords } from '../words/analytics-words.ts'

const text = analyticsWords.breakdowns

export type Breakdown = {
  title: string
  rows: readonly {
    key: string
    name: string
    note?: string | undefined
    scans: number
    percentage: number
    /** Filters that show exactly the scans of this row. */
    filters: Filters
  }[]
}

/** Returns all breakdowns of scans, in the order of the page. */
export function breakdownsOf({ summary, geography, devices, referrers }: Figures): readonly Breakdown[] {
  return [
    by(
      text.countries,
      'country',
      geography.countries.map(({ country, ...counted }) => ({ value: country, ...counted })),
    ),
    {
      title: text.cities,
      rows: geography.cities.map(({ city, country, scans }) => ({
        key: `${country} ${city}`,
        name: valueName('city', city),
        note: formatCountry(country),
        scans,
        percentage: summary.totalScans === 0 ? 0 : Math.round((1000 * scans) / summary.totalScans) / 10,
        // Many countries have a Berlin.
        filters: { city: [city], country: [country] },
      })),
    },
    by(
      text.deviceTypes,
      'deviceType',
      devices.types.map(({ type, ...counted }) => ({ value: type, ...counted })),
    ),
    by(
      text.os,
      'os',
      devices.os.map(({ os, ...counted }) => ({ value: os, ...counted })),
    ),
    by(
      text.browsers,
      'browser',
      devices.browsers.map(({ browser, ...counted }) => ({ value: browser, ...counted })),
    ),
    by(
      text.referrers,
      'referrer',
      referrers.map(({ referrer, ...counted }) => ({ value: referrer, ...counted })),
    ),
  ]
}

function by(
  title: string,
  name: FilterName,
  values: readonly { value: string; scans: number; percentage: number }[],
): Breakdown {
  return {
    title,
    rows: values.map(({ value, ...counted }) => ({
      key: value,
      name: valueName(name, value),
      filters: { [name]: [value] },
      ...counted,
    })),
  }
}
