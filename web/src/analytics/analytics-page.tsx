import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { AnalyticsPanel } from './analytics-panel.tsx'
import { CodeHead } from '../codes/code-head.tsx'
import { buttonClass } from '../ui/button.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { EmptyState, Failure } from '../ui/surfaces.tsx'
import { analyticsKey } from './analytics.ts'
import { api } from '../session/api.ts'
import { codeQuery } from '../codes/codes.ts'
import { analyticsWords } from '../words/analytics-words.ts'

const text = analyticsWords
const organizationRoute = getRouteApi('/$orgId/analytics')
const codeRoute = getRouteApi('/$orgId/codes/$codeId/analytics')

/** Shows the figures of all codes of an organization. */
export function OrganizationAnalyticsPage() {
  useTitle(text.title)
  const { orgId } = organizationRoute.useParams()
  const search = organizationRoute.useSearch()
  const navigate = useNavigate({ from: '/$orgId/analytics' })
  const organization = useQuery({
    queryKey: ['organization', orgId],
    queryFn: async ({ signal }) => api.organizations.read(orgId, { signal }),
    staleTime: 60_000,
  })
  const mostScanned = useQuery({
    queryKey: [...analyticsKey({ orgId }), 'most-scanned'],
    queryFn: async ({ signal }) =>
      api.qrCodes.list(orgId, { limit: 1, sort: 'totalScans', order: 'desc' }, { signal }),
  })
  const [code] = mostScanned.data?.data ?? []
  const isEmpty = mostScanned.data !== undefined && (code === undefined || code.totalScans === 0)
  return (
    <>
      <h1 className="mb-4 text-2xl font-semibold">{text.title}</h1>
      {organization.isError && (
        <Failure error={organization.error} onRetry={() => void organization.refetch()} />
      )}
      {organization.data !== undefined && !mostScanned.isPending && (
        <AnalyticsPanel
          key={orgId}
          scope={{ orgId }}
          since={organization.data.createdAt}
          search={search}
          onSearch={(changes) =>
            void navigate({ search: { ...search, page: undefined, ...changes }, resetScroll: false })
          }
          empty={isEmpty ? <Empty orgId={orgId} code={code} /> : undefined}
        />
      )}
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
      {code !== undefined && (
        <AnalyticsPanel
          key={codeId}
          scope={{ orgId, codeId }}
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
      <img
        src={`${new URL(code.imageUrl).pathname}?format=svg&disposition=inline`}
        alt={text.empty.picture(code.name)}
        width="220"
        height="220"
        className="size-55 rounded-card border border-line bg-white object-contain p-2"
      />
    </EmptyState>
  )
}
