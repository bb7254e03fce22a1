import { MyOrganizations } from '@everscan/contract/organizations.ts'
import { readOrganization } from '../catalogue/organizations.ts'
import { endpoint } from './endpoint.ts'

export const listMine = endpoint({
  id: 'listMyOrganizations',
  method: 'GET',
  path: '/users/me/organizations',
  role: 'anyKey',
  tag: 'Organizations',
  summary: 'The organizations of the caller.',
  description: 'A key has exactly one; its `id` is the `:orgId` of the other paths.',
  status: 200,
  response: MyOrganizations,
  handle: async ({ db }, { organizationId, role }) => {
    const organization = await readOrganization(db, organizationId)
    if (organization === undefined) return { organizations: [] }
    const { id, name, slug } = organization
    return { organizations: [{ id, name, slug, role }] }
  },
})
