import {
  PublicAddress,
  UpdatePublicAddress,
  AddressCheck,
  AddressCheckParams,
} from '../../resources/connections.ts'
import { OrganizationParams } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'

const path = '/organizations/:orgId/public-address'
const common = { tag: 'Organizations', params: OrganizationParams } as const

export const publicAddress = {
  read: endpoint({
    ...common,
    id: 'readPublicAddress',
    call: 'organizations.publicAddress',
    method: 'GET',
    path,
    role: 'VIEWER',
    scope: 'anyScope',
    summary: 'Read the address that printed codes contain, and whether phones reach it.',
    status: 200,
    response: PublicAddress,
  }),

  update: endpoint({
    ...common,
    id: 'updatePublicAddress',
    call: 'organizations.updatePublicAddress',
    method: 'PUT',
    path,
    role: 'ADMIN',
    scope: 'admin',
    summary: 'Say whether the codes of the organization are only for phones in its own network.',
    description: 'The address itself is the setting `PUBLIC_URL` of the service.',
    body: UpdatePublicAddress,
    status: 200,
    response: PublicAddress,
  }),

  check: endpoint({
    ...common,
    id: 'createAddressCheck',
    call: 'organizations.checkAddress',
    method: 'POST',
    path: `${path}/checks`,
    role: 'EDITOR',
    scope: 'codes:write',
    summary: 'Start a check with a phone: it opens an address, and the check tells that it arrived.',
    status: 201,
    response: AddressCheck,
  }),

  readCheck: endpoint({
    ...common,
    id: 'readAddressCheck',
    call: 'organizations.addressCheck',
    method: 'GET',
    path: `${path}/checks/:id`,
    role: 'VIEWER',
    scope: 'codes:read',
    summary: 'Read whether a phone opened the address of a check.',
    params: AddressCheckParams,
    status: 200,
    response: AddressCheck,
  }),
}
