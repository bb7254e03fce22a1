import { OrganizationParams } from '@everscan/contract/schema/common.ts'
import {
  AddressCheck,
  AddressCheckParams,
  PublicAddress,
  UpdatePublicAddress,
  type AddressProblem,
} from '@everscan/contract/resources/connections.ts'
import {
  createAddressCheck,
  readAddressCheck,
  readLocalOnly,
  readReachedAt,
  saveLocalOnly,
  type AddressCheckRow,
} from '../../catalogue/installation/public-addresses.ts'
import { isPrivateHost } from '../../public-hosts.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import type { ApiContext } from '../http/api-context.ts'
import { endpoint } from '../http/endpoint.ts'
import { notFound } from '../../request-errors.ts'
import { reachedPath } from './reached-page.ts'

const path = '/organizations/:orgId/public-address'
const common = { tag: 'Organizations', params: OrganizationParams } as const

export const read = endpoint({
  ...common,
  id: 'readPublicAddress',
  method: 'GET',
  path,
  role: 'VIEWER',
  scope: 'anyScope',
  summary: 'Read the address that printed codes contain, and whether phones reach it.',
  status: 200,
  response: PublicAddress,
  handle: async (context, _caller, { params }) => addressOf(context, params.orgId),
})

export const put = endpoint({
  ...common,
  id: 'updatePublicAddress',
  method: 'PUT',
  path,
  role: 'ADMIN',
  scope: 'admin',
  summary: 'Say whether the codes of the organization are only for phones in its own network.',
  description: 'The address itself is the setting `PUBLIC_URL` of the service.',
  body: UpdatePublicAddress,
  status: 200,
  response: PublicAddress,
  handle: async (context, { origin }, { params: { orgId }, body: { localOnly } }) => {
    await saveLocalOnly(context.db, orgId, { localOnly, origin, nowMs: context.clock() })
    return addressOf(context, orgId)
  },
})

export const check = endpoint({
  ...common,
  id: 'createAddressCheck',
  method: 'POST',
  path: `${path}/checks`,
  role: 'EDITOR',
  scope: 'codes:write',
  summary: 'Start a check with a phone: it opens an address, and the check tells that it arrived.',
  status: 201,
  response: AddressCheck,
  handle: async ({ db, config, clock }, _caller, { params }) =>
    checkRecord(await createAddressCheck(db, params.orgId, clock()), config.publicUrl),
})

export const readCheck = endpoint({
  ...common,
  id: 'readAddressCheck',
  method: 'GET',
  path: `${path}/checks/:id`,
  role: 'VIEWER',
  scope: 'codes:read',
  summary: 'Read whether a phone opened the address of a check.',
  params: AddressCheckParams,
  status: 200,
  response: AddressCheck,
  handle: async ({ db, config, clock }, _caller, { params: { orgId, id } }) => {
    const row = await readAddressCheck(db, { organizationId: orgId, id }, clock())
    if (row === undefined) throw notFound()
    return checkRecord(row, config.publicUrl)
  },
})

async function addressOf({ db, config }: ApiContext, organizationId: string): Promise<PublicAddress> {
  const { publicUrl: url } = config
  const reachedAtMs = await readReachedAt(db, url)
  const localOnly = await readLocalOnly(db, organizationId)
  const problem = problemOf(url, reachedAtMs)
  return {
    url,
    ready: problem === null || localOnly,
    problem,
    reachedAt: reachedAtMs === undefined ? null : timestamp(reachedAtMs),
    localOnly,
  }
}

function problemOf(url: string, reachedAtMs: number | undefined): AddressProblem | null {
  const { protocol, hostname } = new URL(url)
  if (isPrivateHost(hostname)) return 'PRIVATE'
  if (protocol !== 'https:') return 'INSECURE'
  return reachedAtMs === undefined ? 'NOT_REACHED' : null
}

function checkRecord({ id, seenAtMs, fromOutside }: AddressCheckRow, publicUrl: string): AddressCheck {
  return {
    id,
    url: `${publicUrl}${reachedPath(id)}`,
    seenAt: seenAtMs === null ? null : timestamp(seenAtMs),
    fromOutside,
  }
}
