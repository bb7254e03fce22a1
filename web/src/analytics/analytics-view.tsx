import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useFigures, type AnalyticsScope, type Figures } from './analytics.ts'
import { askedOf, pointsOf, type Asked } from './asked.ts'
import { filterNames, type AnalyticsSearch, type Filters } from './analytics-search.ts'
import { useLiveScans } from './live-scans.ts'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'
import { AnalyticsControls } from './analytics-controls.tsx'
import { BreakdownCard } from './breakdown-card.tsx'
import { breakdownsOf } from './breakdowns.ts'
import { HoursChart } from './hours-chart.tsx'
import { LiveCard } from './live-card.tsx'
import { MapCard } from './map-card.tsx'
import { ScanList } from './scan-list.tsx'
import { SummaryCards } from './summary-cards.tsx'
import { Failure } from '../ui/surfaces.tsx'
import { TimelineChart } from './timeline-chart.tsx'

const text = analyticsWords

type Props = {
  scope: AnalyticsScope
  /** Creation time of the code or the organization. */
  since: string
  search: AnalyticsSearch
  /**
   * Called with changes to the search parameters. The others stay, but the list of scans returns to
   * its first page.
   */
  onSearch: (changes: AnalyticsSearch) => void
  /** Shown instead of charts until the first scan. Undefined if there was one. */
  empty: ReactNode | undefined
}

/** Shows all figures of one code or of an organization. */
export function AnalyticsView({ scope, since, search, onSearch, empty }: Props) {
  const [openedAtMs] = useState(Date.now)
  const live = useLiveScans(scope)
  // A new scan may belong to a day that began after the page was opened.
  const asked = askedOf(search, since, Math.max(openedAtMs, Date.parse(live.scans[0]?.timestamp ?? '') || 0))
  const { current, before } = useFigures(scope, search, asked)
  const figures = current.data
  const liveCard = <LiveCard scope={scope} scans={live.scans} state={live.state} />
  const isFiltered = filterNames.some((name) => search[name] !== undefined)
  if (
    empty !== undefined &&
    !isFiltered &&
    figures?.summary.totalScans === 0 &&
    figures.summary.botScans === 0
  )
    return (
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-3">
        <div className="rounded-card border border-line bg-surface lg:col-span-2">{empty}</div>
        {liveCard}
      </div>
    )
  return (
    <>
      <AnalyticsControls scope={scope} search={search} asked={asked} onSearch={onSearch} />
      {current.isError && <Failure error={current.error} onRetry={() => void current.refetch()} />}
      {current.isPending && <Skeleton />}
      {figures !== undefined && (
        <div
          aria-busy={current.isPlaceholderData}
          className={`grid grid-cols-1 gap-3 ${current.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <Charts {...{ scope, search, asked, figures, before, onSearch, liveCard }} />
        </div>
      )}
    </>
  )
}

type ChartsProps = Pick<Props, 'scope' | 'search' | 'onSearch'> & {
  asked: Asked
  figures: Figures
  before: Figures | undefined
  liveCard: ReactNode
}

function Charts({ scope, search, asked, figures, before, onSearch, liveCard }: ChartsProps) {
  const { orgId, codeId } = scope
  const toggle = (chosen: Filters) => {
    const isChosen = isFilteredBy(search, chosen)
    const none = Object.fromEntries(Object.keys(chosen).map((name) => [name, undefined]))
    onSearch(isChosen ? none : chosen)
  }
  const nowMs = Date.now()
  const points = pointsOf(figures, { dates: asked.dates, asked, nowMs })
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
          rows={figures.topQrCodes.map(({ qrCodeId, name, type, scans, percentage }) => ({
            key: qrCodeId,
            name,
            note: commonWords.types[type],
            scans,
            percentage,
          }))}
          linkOf={({ key }, children, className) => (
            <Link
              to="/$orgId/codes/$codeId/analytics"
              params={{ orgId, codeId: key }}
              search={{ ...search, page: undefined }}
              className={className}
            >
              {children}
            </Link>
          )}
        />
      )}
      <div className="grid grid-cols-1 gap-3 lg:grid-cols-3">
        <MapCard
          countries={figures.geography.countries}
          onChoose={(country) => toggle({ country: [country] })}
          className="lg:col-span-2"
        />
        {liveCard}
      </div>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {breakdownsOf(figures).map(({ title, rows }) => (
          <BreakdownCard
            key={title}
            title={title}
            rows={rows.map(({ filters, ...row }) => ({
              ...row,
              isChosen: isFilteredBy(search, filters),
              onChoose: () => toggle(filters),
            }))}
          />
        ))}
      </div>
      <HoursChart figures={figures} />
      {codeId !== undefined && <ScanList {...{ orgId, codeId, search, asked, onSearch }} />}
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
