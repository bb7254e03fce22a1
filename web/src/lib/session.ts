import { queryOptions } from '@tanstack/react-query'
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
