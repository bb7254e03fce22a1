import { listIn } from '@everscan/contract/dimensions/answered-lists.ts'
import { listedDimensions } from '@everscan/contract/dimensions/dimensions.ts'
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
export function breakdownsOf(figures: Figures): readonly Breakdown[] {
  const { totalScans } = figures.summary
  const shareOf = (scans: number) => (totalScans === 0 ? 0 : Math.round((1000 * scans) / totalScans) / 10)
  return listedDimensions.map((name) => ({
    by: name,
    title: text.lists[name],
    rows: listIn(figures, name).map(({ value, country, scans, percentage = shareOf(scans) }) => ({
      key: country === undefined ? value : `${country} ${value}`,
      name: valueName(name, value),
      ...(country !== undefined && { note: formatCountry(country) }),
      scans,
      percentage,
      filters: [
        { name, value, isNot: false },
        // Many countries have a Berlin.
        ...(country === undefined ? [] : [{ name: 'country', value: country, isNot: false } as const]),
      ],
    })),
  }))
}
