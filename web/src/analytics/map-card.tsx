import { lazy, Suspense } from 'react'
import { formatCountry, formatNumber, formatPercent } from '../ui/format.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { ChartCard, NumberTable } from './chart-card.tsx'
import type { CountryScans } from './world-map.tsx'
import { loadPart } from '../session/reachability.ts'

const text = analyticsWords

/** The map, loaded after the page because the shapes of the countries are its largest part. */
const WorldMap = lazy(async () =>
  loadPart(async () => import('./world-map.tsx')).then((module) => ({ default: module.WorldMap })),
)

type Props = {
  countries: readonly CountryScans[]
  /** Undefined for readers who cannot filter. */
  onChoose: ((country: string) => void) | undefined
  className?: string
}

export function MapCard({ countries, onChoose, className = '' }: Props) {
  const rows = countries.map(({ country, scans, percentage }) => [
    formatCountry(country) ?? text.unknown,
    formatNumber(scans),
    formatPercent(percentage),
  ])
  return (
    <ChartCard
      title={text.map.title}
      className={className}
      table={
        <NumberTable
          caption={text.map.title}
          columns={[text.map.country, text.summary.totalScans, text.share]}
          rows={rows}
        />
      }
    >
      {/* Has the height of the map with the line below it. */}
      <Suspense
        fallback={
          <div className="mb-19 sm:mb-13 aspect-[1200/590] animate-pulse rounded-control bg-raised" />
        }
      >
        <WorldMap countries={countries} onChoose={onChoose} />
      </Suspense>
    </ChartCard>
  )
}
