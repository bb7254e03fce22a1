import { publicAddress } from '@everscan/contract/endpoints/organizations/public-address.ts'
import type { AddressCheck, PublicAddress } from '@everscan/contract/resources/connections.ts'
import { type AddressProblem } from '@everscan/contract/resources/connections.ts'
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
import { handler } from '../http/handler.ts'
import { notFound } from '../../request-errors.ts'
import { reachedPath } from './reached-page.ts'

export const read = handler(publicAddress.read, {
  handle: async (context, _caller, { params }) => addressOf(context, params.orgId),
})

export const update = handler(publicAddress.update, {
  handle: async (context, { origin }, { params: { orgId }, body: { localOnly } }) => {
    await saveLocalOnly(context.db, orgId, { localOnly, origin, nowMs: context.clock() })
    return addressOf(context, orgId)
  },
})

export const check = handler(publicAddress.check, {
  handle: async ({ db, config, clock }, _caller, { params }) =>
    checkRecord(await createAddressCheck(db, params.orgId, clock()), config.publicUrl),
})

export const readCheck = handler(publicAddress.readCheck, {
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
