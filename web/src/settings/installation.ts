import { EverscanError, type Installation } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'

const makingMs = 3_000

/** Copies and history of the whole installation; null in an organization that does not run it. */
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
      state.data?.copies.recent.some((copy) => copy.state === 'MAKING') === true ? makingMs : false,
  })

/** What the service says of a problem begins in lower case, as it stands in lists of parts as well. */
export function problemSentence(problem: string): string {
  return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}${/[.!?]$/.test(problem) ? '' : '.'}`
}
