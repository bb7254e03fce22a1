import type { TypedQrCode } from '@everscan/client/create-client.ts'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useFigures, useFiguresBefore, type AnalyticsScope, type AnsweredView } from './analytics.ts'
import { askedOf, type Asked } from './asked.ts'
import { hasScope, noScope, type AnalyticsSearch } from './analytics-search.ts'
import { CodesCard, useCodeFigures } from './codes-card.tsx'
import { hasRules, useRuleNames, withRuleNames } from './destinations/rule-names.ts'
import { chosenFilters, hasFilters } from './filters.ts'
import { defaultPeriod } from './periods.ts'
import { useScopeParts } from './scope-control.tsx'
import { useLiveScans } from './live-scans.ts'
import { AnalyticsControls } from './analytics-controls.tsx'
import { AnalyticsView } from './analytics-view.tsx'
import { LiveCard } from './live-card.tsx'
import { ScanList } from './scan-list.tsx'
import { analyticsWords } from '../words/analytics-words.ts'
import { commonWords } from '../words/common-words.ts'
import { loadPart } from '../session/reachability.ts'
import { useOrganization } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { formatDays } from '../ui/format.ts'
import { PrintedReport } from '../views/printed-report.tsx'
import { scopeWords } from '../views/report-data.ts'

const text = analyticsWords
/** Few codes have rules. */
const DestinationsCard = lazy(async () =>
  loadPart(async () => import('./destinations/destinations-card.tsx')).then((module) => ({
    default: module.DestinationsCard,
  })),
)
/** Leaves room for the period in the name of a view. */
const codeNameCharsMax = 150

type Props = {
  scope: AnalyticsScope
  /** The code; undefined for an organization. */
  code?: Pick<TypedQrCode, 'name' | 'rules'>
  /** Creation time of the code or the organization. */
  since: string
  search: AnalyticsSearch
  /**
   * Called with changes to the search parameters. The others stay, but lists return to their first
   * page.
   */
  onSearch: (changes: AnalyticsSearch) => void
  /** Shown instead of charts until the first scan. Undefined if there was one. */
  empty: ReactNode | undefined
}

/** Reads the figures of one code or of an organization, and shows them below their controls. */
export function AnalyticsPanel(props: Props) {
  const { scope, code, search, onSearch, empty } = props
  const live = useLiveScans(scope)
  const read = usePanelFigures(props, Date.parse(live.scans[0]?.timestamp ?? '') || 0)
  const { asked, before, figures, ruleNames } = read
  const viewName = viewNameOf({ search, asked, codeName: code?.name })
  const isNarrowed = hasFilters(search) || hasScope(search)
  const liveCard = <LiveCard {...{ scope, ruleNames, isNarrowed }} scans={live.scans} state={live.state} />
  if (
    empty !== undefined &&
    !isNarrowed &&
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
      <AnalyticsControls {...{ scope, search, asked, ruleNames, viewName, onSearch }} />
      <PanelReport {...{ scope, search, read, viewName }} />
      {before.isError && asked.before !== undefined && (
        <p role="alert" className="mb-3 flex flex-wrap items-center gap-2 text-sm text-danger">
          {text.compareFailed}
          <Button onClick={() => void before.refetch()}>{commonWords.tryAgain}</Button>
        </p>
      )}
      <PanelView {...{ scope, search, read, onSearch }} live={liveCard} />
    </>
  )
}

type Read = ReturnType<typeof usePanelFigures>

/** Reads the figures of the view, then those of its codes, then those of the days before. */
function usePanelFigures({ scope, code, since, search }: Props, lastScanAtMs: number) {
  const [openedAtMs] = useState(Date.now)
  // A new scan may belong to a day that began after the page was opened.
  const asked = askedOf(search, since, Math.max(openedAtMs, lastScanAtMs))
  const { orgId, codeId } = scope
  // One after the other, in the order of their use: the scan store answers one query at a time.
  const current = useFigures(scope, search, asked)
  const isRead = current.isSuccess && !current.isPlaceholderData
  const codes = useCodeFigures({ orgId, search, asked }, isRead && codeId === undefined)
  const isTableRead = codeId !== undefined || (!codes.isFetching && !codes.isPending)
  const before = useFiguresBefore(scope, { search, asked }, isRead && isTableRead)
  const { figures, ...shown }: Partial<AnsweredView> = current.data ?? {}
  const rules = code?.rules ?? []
  const ruleNames = useRuleNames(rules, figures?.destinations)
  return { asked, current, codes, before, figures, shown, rules, ruleNames }
}

type ReportProps = Pick<Props, 'scope' | 'search'> & { read: Read; viewName: string }

/** Shows the figures on paper. */
function PanelReport({ scope: { orgId }, search, read, viewName }: ReportProps) {
  const { name: organization } = useOrganization(orgId)
  const scopeParts = useScopeParts(orgId, search)
  const { asked, current, figures, ruleNames } = read
  if (figures === undefined) return null
  return (
    <PrintedReport
      report={() => ({
        title: viewName,
        organization: { name: organization, logo: null },
        asOf: new Date(current.dataUpdatedAt).toISOString(),
        days: asked.dates,
        timezone: asked.timezone,
        interval: asked.interval,
        scope: [
          ...scopeParts.map(({ name }) => name),
          ...scopeWords({ filters: withRuleNames(chosenFilters(search), ruleNames) }),
        ],
        figures,
      })}
    />
  )
}

type ViewProps = Pick<Props, 'scope' | 'search' | 'onSearch'> & { read: Read; live: ReactNode }

function PanelView({ scope: { orgId, codeId }, search, read, onSearch, live }: ViewProps) {
  const { asked, current, codes, before, figures, shown, rules, ruleNames } = read
  const linkOfCode = (qrCodeId: string, children: ReactNode, className: string) => (
    <Link
      to="/$orgId/codes/$codeId/analytics"
      params={{ orgId, codeId: qrCodeId }}
      search={{ ...search, ...noScope, page: undefined }}
      className={className}
    >
      {children}
    </Link>
  )
  return (
    <AnalyticsView
      search={search}
      asked={current.isPlaceholderData ? (shown.asked ?? asked) : asked}
      figures={figures}
      before={asked.before === undefined ? undefined : before.data}
      dimensions={shown.dimensions}
      nowMs={Date.now()}
      isStale={current.isPlaceholderData}
      failure={current.isError ? current.error : undefined}
      onRetry={() => void current.refetch()}
      onSearch={onSearch}
      linkOfCode={linkOfCode}
      codes={
        codeId === undefined && (
          <CodesCard
            {...{ orgId, search, asked, codes, onSearch, linkOfCode }}
            codesExpected={figures?.summary.totalQrCodes ?? 0}
          />
        )
      }
      destinations={
        codeId !== undefined &&
        figures?.destinations !== undefined &&
        hasRules({ rules, destinations: figures.destinations, search }) && (
          <Suspense fallback={<div className="h-80 animate-pulse rounded-card bg-raised" />}>
            <DestinationsCard
              {...{ orgId, codeId, rules, search, onSearch }}
              destinations={figures.destinations}
              period={figures.period}
            />
          </Suspense>
        )
      }
      live={live}
      scans={codeId !== undefined && <ScanList {...{ orgId, codeId, search, asked, ruleNames, onSearch }} />}
    />
  )
}

/** Proposes a name for a view of what is shown. */
function viewNameOf({
  search,
  asked,
  codeName,
}: {
  search: AnalyticsSearch
  asked: Asked
  codeName: string | undefined
}): string {
  const { period = defaultPeriod } = search
  const periodName = period === 'own' ? formatDays(asked.dates) : text.periods[period]
  if (codeName !== undefined) return text.viewNames.code(codeName.slice(0, codeNameCharsMax), periodName)
  return hasScope(search) ? text.viewNames.some(periodName) : text.viewNames.all(periodName)
}
