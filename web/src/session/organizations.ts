import type { Organization, OrganizationDetails } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from './api.ts'
import { organizationsQuery } from './session.ts'

/** Returns the query of an organization with its settings. */
export const organizationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['organization', orgId],
    queryFn: async ({ signal }) => api.organizations.read(orgId, { signal }),
  })

/** Shows an organization as it is now, in the head of the page too. */
export function showOrganization(organization: OrganizationDetails): void {
  queries.setQueryData(organizationQuery(organization.id).queryKey, organization)
  const { id, name, slug, role, twoFactorRequired, demo } = organization
  queries.setQueryData(organizationsQuery.queryKey, (all: Organization[] | undefined) =>
    all?.map((one) =>
      one.id === id
        ? { id, name, slug, role, ...(twoFactorRequired && { twoFactorRequired }), ...(demo && { demo }) }
        : one,
    ),
  )
}

/** Adds an organization to the menu. Its pages exist from now on. */
export function addOrganization(organization: Organization): void {
  queries.setQueryData(organizationsQuery.queryKey, (all: Organization[] = []) => [...all, organization])
}

/** Removes an organization from the menu. */
export function dropOrganization(orgId: string): void {
  queries.setQueryData(organizationsQuery.queryKey, (all: Organization[] = []) =>
    all.filter(({ id }) => id !== orgId),
  )
}
