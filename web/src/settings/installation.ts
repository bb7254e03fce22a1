import { EverscanError, type Installation } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'

/** While something goes on whose state the page shows. */
const underWayMs = 3_000

/**
 * Returns the query of the copies and history of the whole installation. Null in an organization
 * that does not run it.
 */
export const installationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['installation', orgId],
    queryFn: async ({ signal }): Promise<Installation | null> => {
      try {
        return await api.organizations.installation(orgId, { signal })
      } catch (error) {
        if (error instanceof EverscanError && error.status === 404) return null
        throw error
      }
    },
    staleTime: 60_000,
    refetchInterval: ({ state }) =>
      state.data?.copies.recent.some((copy) => copy.state === 'MAKING') === true ||
      (state.data?.upgrade ?? null) !== null
        ? underWayMs
        : false,
  })
