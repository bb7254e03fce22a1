import type { Organization } from '@everscan/client/create-client.ts'
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './api.ts'

/** Who is signed in; rejects with UNAUTHORIZED when nobody is. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => api.me.read(),
  staleTime: 60_000,
})

/** The organizations of who is signed in. */
export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: async () => api.organizations.listMine(),
  staleTime: 60_000,
})

/** An organization of who is signed in, with their role there; pages below `/$orgId` have one. */
export function useOrganization(orgId: string): Organization {
  const { data } = useSuspenseQuery(organizationsQuery)
  const found = data.find(({ id }) => id === orgId)
  if (found === undefined) throw new Error(`no organization ${orgId}`)
  return found
}

/** What people can do by themselves here, and how long scans are kept. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: async () => api.auth.options(),
  staleTime: Infinity,
})
