import type { Domain } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from './api.ts'

/** Returns the query of all domains of an organization, newest first: at most 100. */
export const domainsQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['domains', orgId],
    queryFn: async ({ signal }) => Array.fromAsync(api.domains.iterate(orgId, { signal })),
  })

/** Returns the query of the number of active codes on a domain. */
export const codesOnDomainQuery = (orgId: string, domainId: string) =>
  queryOptions({
    queryKey: ['codes', orgId, 'on-domain', domainId],
    queryFn: async ({ signal }) => {
      const query = { domainId, status: 'ACTIVE', limit: 1 } as const
      const { pagination } = await api.qrCodes.list(orgId, query, { signal })
      return pagination.total
    },
  })

/** Returns the query of what a domain answers, and of codes that wait for its proof or are lost. */
export const answersOfDomainQuery = (orgId: string, domainId: string) =>
  queryOptions({
    queryKey: ['codes', orgId, 'answers-of-domain', domainId],
    queryFn: async ({ signal }) => {
      const active = { domainId, status: 'ACTIVE', limit: 1 } as const
      const [own, waiting, { formerCodes = 0, formerEndsAt = null }] = await Promise.all([
        api.qrCodes.list(orgId, active, { signal }),
        api.qrCodes.list(orgId, { domainId, waiting: true, limit: 20 }, { signal }),
        api.domains.read(orgId, domainId, { signal }),
      ])
      return { codes: own.pagination.total, formerCodes, formerEndsAt, waiting }
    },
  })

/** Returns the query of a page of codes that former owners have on a domain. */
export const formerCodesQuery = (orgId: string, domainId: string, page: number) =>
  queryOptions({
    queryKey: ['former-codes', orgId, domainId, page],
    queryFn: async ({ signal }) => api.domains.formerCodes(orgId, domainId, { page, limit: 20 }, { signal }),
  })

/** Reads again what changes with a notice. */
export async function refreshFormerCodes(orgId: string): Promise<void> {
  await Promise.all(
    [
      ['former-codes', orgId],
      ['codes', orgId, 'answers-of-domain'],
    ].map(async (queryKey) => queries.invalidateQueries({ queryKey })),
  )
}

/** Reads the domains again: a change of one may change another, such as the default. */
export async function refreshDomains(orgId: string): Promise<void> {
  await queries.invalidateQueries({ queryKey: domainsQuery(orgId).queryKey })
}

/** Whether new codes can be on a domain. */
export const isProved = ({ status }: Pick<Domain, 'status'>) => status !== 'PENDING'
