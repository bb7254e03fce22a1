import { OrganizationParams } from '../../schema/common.ts'
import { Installation } from '../../resources/installation.ts'
import { endpoint } from '../endpoint.ts'

export const installation = {
  read: endpoint({
    id: 'readInstallation',
    call: 'organizations.installation',
    method: 'GET',
    path: '/organizations/:orgId/installation',
    role: 'ADMIN',
    scope: 'admin',
    tag: 'Organizations',
    summary:
      'Read the machines and copies of the whole installation, the date of its geography data, and its events.',
    description: 'For the organization of the operator (`./everscan operator`); other organizations get 404.',
    params: OrganizationParams,
    status: 200,
    response: Installation,
    errors: [404],
  }),
}
