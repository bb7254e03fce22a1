import { OrganizationParams } from '../../schema/common.ts'
import { Connection } from '../../resources/connections.ts'
import { endpoint } from '../endpoint.ts'

export const connections = {
  read: endpoint({
    id: 'readConnection',
    call: 'organizations.connection',
    method: 'GET',
    path: '/organizations/:orgId/connection',
    role: 'ADMIN',
    scope: 'admin',
    tag: 'Organizations',
    summary: 'Read how the caller reaches the service: through which proxies and with which headers.',
    description:
      'For admins who set up proxies: if the address is not that of the caller, the countries, cities and unique scans are wrong. Nothing of the request is stored; of scans only the share of the most frequent network is.',
    params: OrganizationParams,
    status: 200,
    response: Connection,
  }),
}
