import { ChevronRight } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { BreakdownList, type BreakdownRow } from './breakdown-list.tsx'
import { valueName } from './scan-words.ts'
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

/** The country and the region that the map is zoomed to. */
export type MapPlace = { country?: string | undefined; region?: string | undefined }

type Props = {
  countries: readonly CountryScans[]
  place: MapPlace
  /** Ranked places of the country that the map shows. */
  regions: readonly BreakdownRow[]
  cities: readonly BreakdownRow[]
  /** Undefined for readers who cannot filter. */
  onChoose: ((country: string) => void) | undefined
  /** Goes back to the world, or to the country without its region. */
  onBack: ((to: 'world' | 'country') => void) | undefined
  className?: string
}

/** Shows where scans came from: countries on a map, then the regions and cities of one. */
export function MapCard(props: Props) {
  const { countries, place, regions, cities, onChoose, onBack, className = '' } = props
  const { country } = place
  const rows = (country === undefined ? [] : regions).map(({ name, scans, percentage }) => ({
    name,
    scans,
    percentage,
  }))
  const tabled =
    country === undefined
      ? countries.map((one) => ({ ...one, name: formatCountry(one.country) ?? text.unknown }))
      : rows
  return (
    <ChartCard
      title={text.map.title}
      className={className}
      table={
        <NumberTable
          caption={text.map.title}
          columns={[
            country === undefined ? text.map.country : text.map.regions,
            text.summary.totalScans,
            text.share,
          ]}
          rows={tabled.map(({ name, scans, percentage }) => [
            name,
            formatNumber(scans),
            formatPercent(percentage),
          ])}
        />
      }
    >
      {country !== undefined && <Path place={place} onBack={onBack} />}
      {/* Has the height of the map with the line below it. */}
      <Suspense
        fallback={
          <div className="mb-19 sm:mb-13 aspect-[1200/590] animate-pulse rounded-control bg-raised" />
        }
      >
        <WorldMap countries={countries} zoomedTo={country} onChoose={onChoose} />
      </Suspense>
      {country !== undefined && (
        <div className="mt-4 grid grid-cols-1 gap-5 sm:grid-cols-2">
          <section className="min-w-0">
            <h3 className="mb-2 text-sm font-medium text-soft">{text.map.regions}</h3>
            <BreakdownList title={text.map.regions} rows={regions} />
          </section>
          <section className="min-w-0">
            <h3 className="mb-2 text-sm font-medium text-soft">{text.map.cities}</h3>
            <BreakdownList title={text.map.cities} rows={cities} />
          </section>
        </div>
      )}
    </ChartCard>
  )
}

/** Leads back: World › Germany › Bavaria. */
function Path({ place: { country = '', region }, onBack }: Pick<Props, 'place' | 'onBack'>) {
  const steps = [
    { name: text.map.world, to: 'world' as const },
    { name: valueName('country', country), to: 'country' as const },
    ...(region === undefined ? [] : [{ name: valueName('region', region), to: undefined }]),
  ]
  return (
    <nav aria-label={text.map.path} className="mb-2">
      <ol className="flex flex-wrap items-center gap-1 text-sm">
        {steps.map(({ name, to }, at) => (
          <li key={name} className="flex items-center gap-1">
            {at > 0 && <ChevronRight size={14} aria-hidden className="text-soft" />}
            {at === steps.length - 1 || to === undefined || onBack === undefined ? (
              <span aria-current={at === steps.length - 1 ? 'location' : undefined} className="px-1 py-2">
                {name}
              </span>
            ) : (
              <button
                type="button"
                onClick={() => onBack(to)}
                className="min-h-10 cursor-pointer rounded-control px-1 text-brand underline underline-offset-2"
              >
                {name}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
