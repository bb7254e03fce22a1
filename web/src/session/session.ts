import type { Organization } from '@everscan/client/create-client.ts'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api, queries } from './api.ts'

/** Query of the signed-in user. Rejects with UNAUTHORIZED if there is none. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => api.me.read(),
  staleTime: 60_000,
})

export const refreshMe = async () => queries.invalidateQueries({ queryKey: meQuery.queryKey })

/** Query of the organizations of the signed-in user. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async () => api.organizations.listMine(),
  staleTime: 60_000,
})

/**
 * Returns an organization of the signed-in user, with their role in it. Pages below `/$orgId` have
 * one.
 */
export function useOrganization(orgId: string): Organization {
  const { data } = useSuspenseQuery(organizationsQuery)
  const found = data.find(({ id }) => id === orgId)
  if (found === undefined) throw new Error(`no organization ${orgId}`)
  return found
}

/** Query of what people can do by themselves here, and of how long scans are kept. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async () => api.auth.options(),
  staleTime: Infinity,
})
