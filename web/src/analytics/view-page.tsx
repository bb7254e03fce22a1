import type { View } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useNavigate, type NavigateOptions } from '@tanstack/react-router'
import { api } from '../session/api.ts'
import { Failure } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'
import { searchOfView } from './view-query.ts'

const route = getRouteApi('/$orgId/views/$viewId')

/** Leads to the figures of a saved view: the address that mails have. */
export function ViewPage() {
  const { orgId, viewId } = route.useParams()
  const view = useQuery({
    queryKey: ['view', orgId, viewId],
    queryFn: async ({ signal }) => api.views.read(orgId, viewId, { signal }),
  })
  if (view.isError) return <Failure error={view.error} onRetry={() => void view.refetch()} />
  if (view.data === undefined) return <p role="status">{commonWords.loading}</p>
  return <Navigate {...placeOf(orgId, view.data)} replace />
}

/** Returns a function that shows the figures of a saved view. */
export function useOpenView(orgId: string): (view: View) => void {
  const navigate = useNavigate()
  return (view) => void navigate(placeOf(orgId, view))
}

function placeOf(orgId: string, { query }: View) {
  const search = searchOfView(query)
  const place: NavigateOptions =
    query.qrCodeId === undefined
      ? { to: '/$orgId/analytics', params: { orgId }, search }
      : { to: '/$orgId/codes/$codeId/analytics', params: { orgId, codeId: query.qrCodeId }, search }
  return place
}
