import type { CreateView, UpdateView, View } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../session/api.ts'

/** Query of all saved views of an organization: it has few. */
export const viewsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['views', orgId],
    queryFn: async ({ signal }) => {
      const { data } = await api.views.list(orgId, { limit: 100 }, { signal })
      return data
    },
  })

export async function createView(orgId: string, body: CreateView): Promise<View> {
  const view = await api.views.create(orgId, body)
  showView(orgId, view)
  return view
}

export async function updateView(orgId: string, id: string, body: UpdateView): Promise<View> {
  const view = await api.views.update(orgId, id, body)
  showView(orgId, view)
  return view
}

export async function sendViewMail(orgId: string, id: string): Promise<View> {
  return api.views.sendMail(orgId, id)
}

export async function deleteView(orgId: string, id: string): Promise<void> {
  await api.views.delete(orgId, id)
  queries.setQueryData(viewsQuery(orgId).queryKey, (views) => views?.filter((view) => view.id !== id))
}

/** Shows a view as it is now in every list, before they are read again. */
function showView(orgId: string, view: View): void {
  queries.setQueryData(viewsQuery(orgId).queryKey, (views = []) =>
    views.some(({ id }) => id === view.id)
      ? views.map((one) => (one.id === view.id ? view : one))
      : [view, ...views],
  )
  void queries.invalidateQueries({ queryKey: viewsQuery(orgId).queryKey })
}
