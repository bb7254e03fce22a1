import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { AnalyticsPanel } from './analytics-panel.tsx'
import { noScope, type AnalyticsSearch } from './analytics-search.ts'
import { AnalyticsSkeleton, ControlsSkeleton } from './analytics-skeleton.tsx'
import { ScopeControl } from './scope-control.tsx'
import { CodeHead } from '../codes/code-head.tsx'
import { selectedIds } from '../codes/selected-ids.ts'
import { organizationQuery } from '../session/organizations.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { useTitle } from '../ui/narrow-page.tsx'
import { EmptyState, Failure } from '../ui/surfaces.tsx'
import { analyticsKey } from './analytics.ts'
import { api } from '../session/api.ts'
import { codeQuery } from '../codes/codes.ts'
import { analyticsWords } from '../words/analytics-words.ts'

const text = analyticsWords
const organizationRoute = getRouteApi('/$orgId/analytics')
const codeRoute = getRouteApi('/$orgId/codes/$codeId/analytics')

/** Shows the figures of codes of an organization. */
export function OrganizationAnalyticsPage() {
  useTitle(text.title)
  const { orgId } = organizationRoute.useParams()
  const search = organizationRoute.useSearch()
  const navigate = useNavigate({ from: '/$orgId/analytics' })
  const show = (next: AnalyticsSearch) => void navigate({ search: next, resetScroll: false })
  const change = (changes: AnalyticsSearch) => show({ ...search, page: undefined, ...changes })
  const isGone = search.selection !== undefined && selectedIds(search) === undefined
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-2xl font-semibold">{text.title}</h1>
        <ScopeControl orgId={orgId} search={search} onSearch={change} />
      </div>
      {isGone ? (
        <EmptyState title={text.scope.gone.title} text={text.scope.gone.text}>
          <Link to="/$orgId/codes" params={{ orgId }} className={buttonClass('primary')}>
            {text.scope.gone.codes}
          </Link>
          <Button onClick={() => change(noScope)}>{text.scope.clear}</Button>
        </EmptyState>
      ) : (
        <OrganizationAnalytics key={orgId} orgId={orgId} search={search} onSearch={change} />
      )}
    </>
  )
}

type OrganizationAnalyticsProps = {
  orgId: string
  search: AnalyticsSearch
  onSearch: (changes: AnalyticsSearch) => void
}

function OrganizationAnalytics({ orgId, search, onSearch }: OrganizationAnalyticsProps) {
  const organization = useQuery({ ...organizationQuery(orgId), staleTime: 60_000 })
  const mostScanned = useQuery({
    queryKey: [...analyticsKey({ orgId }), 'most-scanned'],
    queryFn: async ({ signal }) =>
      api.qrCodes.list(orgId, { limit: 1, sort: 'totalScans', order: 'desc' }, { signal }),
  })
  const [code] = mostScanned.data?.data ?? []
  const isEmpty = mostScanned.data !== undefined && (code === undefined || code.totalScans === 0)
  if (organization.isError)
    return <Failure error={organization.error} onRetry={() => void organization.refetch()} />
  // Only the period of all time begins with the organization. Others need not wait for it.
  const since =
    organization.data?.createdAt ?? (search.period === 'all' ? undefined : new Date(0).toISOString())
  if (since === undefined) return <PageSkeleton />
  return (
    <AnalyticsPanel
      scope={{ orgId }}
      since={since}
      search={search}
      onSearch={onSearch}
      empty={isEmpty ? <Empty orgId={orgId} code={code} /> : undefined}
    />
  )
}

function PageSkeleton() {
  return (
    <>
      <ControlsSkeleton />
      <AnalyticsSkeleton />
    </>
  )
}

/** Shows the figures of one code. */
export function CodeAnalyticsPage() {
  const { orgId, codeId } = codeRoute.useParams()
  const search = codeRoute.useSearch()
  const navigate = useNavigate({ from: '/$orgId/codes/$codeId/analytics' })
  const read = useQuery(codeQuery(orgId, codeId))
  const code = read.data?.code
  useTitle(code === undefined ? text.title : text.ofCode(code.name))
  if (read.isError) return <Failure error={read.error} onRetry={() => void read.refetch()} />
  return (
    <>
      {/* Has the height of the head, so the page does not shift. */}
      {code === undefined ? <div className="mb-5 h-29" /> : <CodeHead orgId={orgId} code={code} />}
      {code !== undefined && code.scansBefore > 0 && (
        <p className="mb-4 text-sm text-soft">
          {text.movedHere(text.clicks(code.scansBefore, formatNumber(code.scansBefore)))}
        </p>
      )}
      {code === undefined ? (
        <PageSkeleton />
      ) : (
        <AnalyticsPanel
          key={codeId}
          scope={{ orgId, codeId }}
          code={code}
          since={code.createdAt}
          search={search}
          onSearch={(changes) =>
            void navigate({ search: { ...search, page: undefined, ...changes }, resetScroll: false })
          }
          empty={code.totalScans === 0 ? <Empty orgId={orgId} code={code} /> : undefined}
        />
      )}
    </>
  )
}

type EmptyProps = {
  orgId: string
  /** Code to try. Undefined if there is none. */
  code: { name: string; imageUrl: string } | undefined
}

/** Explains how to make the first scan. */
function Empty({ orgId, code }: EmptyProps) {
  if (code === undefined)
    return (
      <EmptyState title={text.empty.title} text={text.empty.noCodes}>
        <Link to="/$orgId/codes" params={{ orgId }} className={buttonClass()}>
          {text.empty.codes}
        </Link>
      </EmptyState>
    )
  return (
    <EmptyState title={text.empty.title} text={text.empty.text}>
      <div className="grid justify-items-center gap-3">
        <img
          src={`${new URL(code.imageUrl).pathname}?format=svg&disposition=inline`}
          alt={text.empty.picture(code.name)}
          width="220"
          height="220"
          className="size-55 rounded-card border border-line bg-white object-contain p-2"
        />
        <a href={new URL(code.imageUrl).pathname} download className={buttonClass('primary')}>
          {text.empty.download}
        </a>
      </div>
    </EmptyState>
  )
}
