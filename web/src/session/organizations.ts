import type { Organization, OrganizationDetails } from '@everscan/client/create-client.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from './api.ts'
import { organizationsQuery } from './session.ts'

/** An organization with its settings. */
export const organizationQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['organization', orgId],
    queryFn: async ({ signal }) => api.organizations.read(orgId, { signal }),
  })

/** Shows an organization as it is now, in the head of the page too. */
export function showOrganization(organization: OrganizationDetails): void {
  queries.setQueryData(organizationQuery(organization.id).queryKey, organization)
  const { id, name, slug, role } = organization
  queries.setQueryData(organizationsQuery.queryKey, (all: Organization[] | undefined) =>
    all?.map((one) => (one.id === id ? { id, name, slug, role } : one)),
  )
}

/** Shows one more in the menu: pages of it are there from now on. */
export function addOrganization(organization: Organization): void {
  queries.setQueryData(organizationsQuery.queryKey, (all: Organization[] = []) => [...all, organization])
}

/** Takes one out of the menu. */
export function dropOrganization(orgId: string): void {
  queries.setQueryData(organizationsQuery.queryKey, (all: Organization[] = []) =>
    all.filter(({ id }) => id !== orgId),
  )
}
