import type { ReactNode } from 'react'
import type { Figures } from './analytics.ts'
import { pointsOf, type Asked } from './asked.ts'
import { filterNames, type AnalyticsSearch, type Filters } from './analytics-search.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'
import { BreakdownCard } from './breakdown-card.tsx'
import { breakdownsOf } from './breakdowns.ts'
import { HoursChart } from './hours-chart.tsx'
import { MapCard } from './map-card.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { Failure } from '../ui/surfaces.tsx'
import { TimelineChart } from './timeline-chart.tsx'

const text = analyticsWords

export type AnalyticsViewProps = {
  /** Filters that are shown as chosen. */
  search: AnalyticsSearch
  asked: Asked
  /** Undefined until they are read. */
  figures: Figures | undefined
  /** Figures of the days before. Undefined if nothing is compared, or until they are read. */
  before: Figures | undefined
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
  /** Cards that read more than `figures`: the last scans as they arrive, and the list of scans. */
  live?: ReactNode
  scans?: ReactNode
}

/** Shows figures, whatever they were read from. Reads nothing itself. */
export function AnalyticsView({ figures, failure, isStale, onRetry, ...rest }: AnalyticsViewProps) {
  return (
    <>
      {failure !== undefined && <Failure error={failure} onRetry={onRetry} />}
      {figures === undefined && failure === undefined && <Skeleton />}
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

function Charts({ search, asked, figures, before, nowMs, onSearch, linkOfCode, live, scans }: ChartsProps) {
  const toggle = (chosen: Filters) => {
    const isChosen = isFilteredBy(search, chosen)
    const none = Object.fromEntries(Object.keys(chosen).map((name) => [name, undefined]))
    onSearch?.(isChosen ? none : chosen)
  }
  const points = pointsOf(figures, { dates: asked.dates, asked, nowMs })
  const hasLive = live !== undefined && live !== false
  return (
    <>
      <SummaryCards
        summary={figures.summary}
        isCompared={asked.before !== undefined}
        before={before?.summary}
      />
      <TimelineChart
        points={points}
        before={
          before === undefined
            ? undefined
            : pointsOf(before, { dates: asked.before ?? asked.dates, asked, nowMs })
        }
        interval={asked.interval}
        marks={[...(before?.marks ?? []), ...figures.marks]}
      />
      {figures.topQrCodes !== undefined && (
        <BreakdownCard
          title={text.breakdowns.topQrCodes}
          rows={figures.topQrCodes.map(({ qrCodeId, name, type, scans: counted, percentage }) => ({
            key: qrCodeId,
            name,
            note: commonWords.types[type],
            scans: counted,
            percentage,
          }))}
          {...(linkOfCode !== undefined && {
            linkOf: ({ key }, children, className) => linkOfCode(key, children, className),
          })}
        />
      )}
      <div className={`grid grid-cols-1 gap-3 ${hasLive ? 'lg:grid-cols-3' : ''}`}>
        <MapCard
          countries={figures.geography.countries}
          onChoose={onSearch === undefined ? undefined : (country) => toggle({ country: [country] })}
          className={hasLive ? 'lg:col-span-2' : ''}
        />
        {live}
      </div>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {breakdownsOf(figures).map(({ title, rows }) => (
          <BreakdownCard
            key={title}
            title={title}
            rows={rows.map(({ filters, ...row }) => ({
              ...row,
              isChosen: isFilteredBy(search, filters),
              ...(onSearch !== undefined && { onChoose: () => toggle(filters) }),
            }))}
          />
        ))}
      </div>
      <HoursChart figures={figures} />
      {scans}
    </>
  )
}

function isFilteredBy(search: AnalyticsSearch, filters: Filters): boolean {
  return filterNames.every(
    (name) => filters[name] === undefined || filters[name].every((value) => search[name]?.includes(value)),
  )
}

/** Reserves the height of the charts, so the page does not shift. */
function Skeleton() {
  const block = 'animate-pulse rounded-card border border-line bg-surface'
  return (
    <div role="status" aria-label={commonWords.loading} className="grid gap-3">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {Array.from({ length: 4 }, (_, at) => (
          <div key={at} className={`${block} h-44 lg:h-38`} />
        ))}
      </div>
      <div className={`${block} h-[23rem]`} />
      <div className={`${block} h-[24rem]`} />
    </div>
  )
}
