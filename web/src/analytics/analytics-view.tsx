import type { MatrixDimension } from '@everscan/contract/dimensions/dimensions.ts'
import type { ReactNode } from 'react'
import type { Figures } from './analytics.ts'
import { AnalyticsSkeleton } from './analytics-skeleton.tsx'
import { pointsOf, type Asked } from './asked.ts'
import { hasScope, noScope, type AnalyticsSearch } from './analytics-search.ts'
import { BreakdownCard } from './breakdown-card.tsx'
import type { BreakdownRow } from './breakdown-list.tsx'
import { breakdownsOf, type Breakdown } from './breakdowns.ts'
import {
  filtersIn,
  hasFilters,
  isFilteredBy,
  noFilters,
  withFilters,
  withoutFilters,
  type FilterName,
} from './filters.ts'
import { HoursChart } from './hours-chart.tsx'
import { MapCard } from './map-card.tsx'
import { MatrixCard } from './matrix-card.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { TimelineChart } from './timeline/timeline-chart.tsx'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'
import { Button } from '../ui/button.tsx'
import { Card, Failure } from '../ui/surfaces.tsx'

const text = analyticsWords

export type AnalyticsViewProps = {
  /** Filters that are shown as chosen. */
  search: AnalyticsSearch
  /** The view that `figures` answer. */
  asked: Asked
  /** Undefined until they are read. */
  figures: Figures | undefined
  /** Figures of the days before. Undefined if nothing is compared, or until they are read. */
  before: Figures | undefined
  /** Dimensions of the matrix in `figures`, if it has one. */
  dimensions: readonly [MatrixDimension, MatrixDimension] | undefined
  /** Time of the reader: nothing after it is drawn. */
  nowMs: number
  /** Whether `figures` are those of an earlier request. */
  isStale: boolean
  /** Why `figures` could not be read. */
  failure: unknown
  onRetry: () => void
  /**
   * Called with changes to the search parameters. The others stay. Undefined for readers who cannot
   * change the view.
   */
  onSearch: ((changes: AnalyticsSearch) => void) | undefined
  /** Renders a link to the analytics of a code. Without it, codes are only named. */
  linkOfCode?: (qrCodeId: string, children: ReactNode, className: string) => ReactNode
  /**
   * Cards that read more than `figures`: the table of all codes, in place of the most scanned ones,
   * scans by rule, the last scans as they arrive, and the list of scans.
   */
  codes?: ReactNode
  destinations?: ReactNode
  live?: ReactNode
  scans?: ReactNode
}

/** Shows figures, whatever they were read from. Reads nothing itself. */
export function AnalyticsView({ figures, failure, isStale, onRetry, ...rest }: AnalyticsViewProps) {
  return (
    <>
      {failure !== undefined && <Failure error={failure} onRetry={onRetry} />}
      {figures === undefined && failure === undefined && <AnalyticsSkeleton />}
      {figures !== undefined && (
        <div aria-busy={isStale} className={`grid grid-cols-1 gap-3 ${isStale ? 'opacity-60' : ''}`}>
          <Charts figures={figures} {...rest} />
        </div>
      )}
    </>
  )
}

type ChartsProps = Omit<AnalyticsViewProps, 'figures' | 'failure' | 'isStale' | 'onRetry'> & {
  figures: Figures
}

function Charts(props: ChartsProps) {
  const { search, asked, figures, before, nowMs, onSearch, linkOfCode, dimensions } = props
  return (
    <>
      <SummaryCards summary={figures.summary} comparedWith={asked.before} before={before?.summary} />
      {figures.summary.totalScans === 0 && (
        <Nothing
          search={search}
          hasCodes={!hasScope(search) || figures.summary.totalQrCodes !== 0}
          onSearch={onSearch}
        />
      )}
      <TimelineChart
        points={pointsOf(figures, { asked, nowMs })}
        before={before && pointsOf(before, { asked, nowMs })}
        comparedWith={asked.before}
        interval={asked.interval}
        marks={[...(before?.marks ?? []), ...figures.marks]}
      />
      {props.codes ?? (figures.topQrCodes && <TopCodes codes={figures.topQrCodes} linkOfCode={linkOfCode} />)}
      {props.destinations}
      {figures.matrix !== undefined && dimensions !== undefined && (
        <MatrixCard
          dimensions={dimensions}
          matrix={figures.matrix}
          hasCodes={figures.topQrCodes !== undefined}
          {...{ search, onSearch, linkOfCode }}
        />
      )}
      <Places {...props} />
      {props.scans}
    </>
  )
}

type TopCodesProps = {
  codes: NonNullable<Figures['topQrCodes']>
  linkOfCode: AnalyticsViewProps['linkOfCode']
}

function TopCodes({ codes, linkOfCode }: TopCodesProps) {
  return (
    <BreakdownCard
      title={text.breakdowns.topQrCodes}
      rows={codes.map(({ qrCodeId, name, type, scans, percentage }) => ({
        key: qrCodeId,
        name,
        note: commonWords.types[type],
        scans,
        percentage,
      }))}
      {...(linkOfCode !== undefined && {
        linkOf: ({ key }, children, className) => linkOfCode(key, children, className),
      })}
    />
  )
}

/** Shows the map with live scans, and scans by each property and hour. */
function Places({ search, figures, onSearch, live }: ChartsProps) {
  const hasLive = live !== undefined && live !== false
  const place = { country: onlyWanted(search, 'country'), region: onlyWanted(search, 'region') }
  const breakdowns = breakdownsOf(figures).map((breakdown) => ({
    ...breakdown,
    rows: rowsOf(breakdown, search, onSearch),
  }))
  const rowsBy = (name: FilterName) => breakdowns.find(({ by }) => by === name)?.rows ?? []
  // A zoomed map shows them itself.
  const isOnMap = (name: FilterName) => place.country !== undefined && (name === 'region' || name === 'city')
  const cards = breakdowns.filter(({ by }) => !isOnMap(by))
  return (
    <>
      <div
        className={`grid grid-cols-1 gap-3 ${place.country === undefined ? '' : 'items-start'} ${hasLive ? 'lg:grid-cols-3' : ''}`}
      >
        <MapCard
          countries={figures.geography.countries}
          place={place}
          regions={withoutNotes(rowsBy('region'))}
          cities={withoutNotes(rowsBy('city'))}
          onChoose={onSearch && ((country) => onSearch(toggled(search, wanted('country', country))))}
          onBack={
            onSearch &&
            ((to) => {
              const left = filtersIn(search).filter(({ name, isNot }) => !isNot && isPlace(name))
              onSearch(
                withoutFilters(
                  search,
                  left.filter(({ name }) => to === 'world' || name !== 'country'),
                ),
              )
            })
          }
          className={hasLive ? 'lg:col-span-2' : ''}
        />
        {live}
      </div>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {/* The last card, and the hours after it, fill what is left of a row. */}
        {cards.map(({ title, rows }, at) => (
          <BreakdownCard
            key={title}
            title={title}
            rows={rows}
            className={at === cards.length - 1 && cards.length % 3 === 2 ? 'lg:col-span-2' : ''}
          />
        ))}
        <HoursChart
          figures={figures}
          className={`sm:col-span-2 ${cards.length % 3 === 1 ? '' : 'lg:col-span-3'}`}
        />
      </div>
    </>
  )
}

function rowsOf(
  { rows }: Breakdown,
  search: AnalyticsSearch,
  onSearch: AnalyticsViewProps['onSearch'],
): readonly BreakdownRow[] {
  return rows.map(({ filters, ...row }) => ({
    ...row,
    isChosen: isFilteredBy(search, filters),
    ...(onSearch !== undefined && {
      onChoose: () => onSearch(toggled(search, filters)),
      onExclude: () => onSearch(withFilters(search, [{ ...filters[0], isNot: true }])),
    }),
  }))
}

/** Returns the changes that add filters, or remove them if all are chosen. */
function toggled(search: AnalyticsSearch, filters: Breakdown['rows'][number]['filters']): AnalyticsSearch {
  return isFilteredBy(search, filters) ? withoutFilters(search, filters) : withFilters(search, filters)
}

/** Of one country, its name beside each place says nothing. */
const withoutNotes = (rows: readonly BreakdownRow[]) => rows.map((row) => ({ ...row, note: undefined }))

const wanted = (name: FilterName, value: string) => [{ name, value, isNot: false }] as const

const isPlace = (name: FilterName) => name === 'country' || name === 'region' || name === 'city'

/** Returns the value of a filter if exactly one is wanted. */
function onlyWanted(search: AnalyticsSearch, by: FilterName): string | undefined {
  const values = filtersIn(search).filter(({ name, isNot }) => name === by && !isNot)
  return values.length === 1 ? values[0]?.value : undefined
}

type NothingProps = Pick<AnalyticsViewProps, 'search' | 'onSearch'> & {
  /** Whether the scope has any codes. */
  hasCodes: boolean
}

/** Says what to do if there is nothing to see. */
function Nothing({ search, hasCodes, onSearch }: NothingProps) {
  const isFiltered = hasFilters(search)
  const { nothing, scope } = text
  return (
    <Card>
      <h2 className="font-semibold">{hasCodes ? nothing.title : scope.noCodes.title}</h2>
      <p className="mt-1 text-soft">
        {!hasCodes ? scope.noCodes.text : isFiltered ? nothing.filtered : nothing.text}
      </p>
      {onSearch !== undefined && (
        <div className="mt-3 flex flex-wrap gap-2">
          {!hasCodes && <Button onClick={() => onSearch(noScope)}>{scope.clear}</Button>}
          {isFiltered && <Button onClick={() => onSearch(noFilters)}>{text.filters.clear}</Button>}
          {hasCodes && search.period !== 'all' && (
            <Button
              onClick={() => onSearch({ period: 'all', from: undefined, to: undefined, interval: undefined })}
            >
              {nothing.all}
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}
