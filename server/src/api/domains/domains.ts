import { domains } from '@everscan/contract/endpoints/domains/domains.ts'
import { problem, withGot, type Problem } from '@everscan/contract/problems/problem.ts'
import { destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import type { Domain, UpdateDomain } from '@everscan/contract/domains/domains.ts'
import { paginationOf } from '@everscan/contract/schema/pages.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import {
  createDomain,
  deleteDomain,
  listDomains,
  readDomain,
  updateDomain,
} from '../../catalogue/domains/domains.ts'
import { countFormerCodes } from '../../catalogue/domains/former-codes.ts'
import { deleteWaitingCodes } from '../../catalogue/waiting/waiting-codes.ts'
import { inTransaction } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import type { DomainRow } from '../../catalogue/rows/domain-row.ts'
import { domainRecord, type DomainPlace } from '../../product/records/domain-records.ts'
import { newHostnameProblem } from '../../product/validation/host-name-problems.ts'
import type { ApiContext } from '../http/api-context.ts'
import { timestamp } from '../../product/records/timestamps.ts'
import { Answer, handler } from '../http/handler.ts'
import { pageOf } from '../http/pages.ts'
import { notFound, validationError } from '../../request-errors.ts'
import { archiveCodesOn } from '../../product/domains/archive-codes.ts'

export const create = handler(domains.create, {
  handle: async ({ db, clock, config }, { origin }, { params, body }) => {
    const { hostname: written, ...fields } = body
    const hostname = acceptHostname(written, config)
    acceptAddresses(fields, hostname)
    const row = await createDomain(db, params.orgId, { hostname, fields, origin, nowMs: clock() })
    const location = `/api/v1/organizations/${row.organizationId}/domains/${row.id}`
    return new Answer(domainRecord(row, config), { location })
  },
})

export const list = handler(domains.list, {
  handle: async ({ db, config }, _caller, { params, query }) => {
    const page = pageOf(query)
    const { rows, total } = await listDomains(db, params.orgId, page)
    const data = rows.map((row) => domainRecord(row, config))
    return { data, pagination: paginationOf(total, page) }
  },
})

export const read = handler(domains.read, {
  handle: async (context, _caller, { params }) =>
    recordAlone(context, await readDomain(context.db, { organizationId: params.orgId, id: params.id })),
})

export const update = handler(domains.update, {
  handle: async ({ db, clock, config }, { origin }, { params, body }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const before = await readDomain(db, key)
    if (before === undefined) throw notFound()
    acceptAddresses(body, before.hostname)
    const row = await updateDomain(db, key, { fields: body, origin, nowMs: clock() })
    return recordOf(row, config)
  },
})

export const check = handler(domains.check, {
  handle: async ({ db, clock, config, lookAtDns }, _caller, { params }) => {
    const key = { organizationId: params.orgId, id: params.id }
    const before = await readDomain(db, key)
    if (before === undefined) throw notFound()
    const look = await lookAtDns(before.hostname)
    await applyLook(db, before.hostname, { look, nowMs: clock() })
    return recordOf(await readDomain(db, key), config)
  },
})

export const remove = handler(domains.remove, {
  handle: async ({ db, clock }, { origin }, { params, query }) => {
    const key = { organizationId: params.orgId, id: params.id }
    if ((await readDomain(db, key)) === undefined) throw notFound()
    const nowMs = clock()
    if (query.codes === 'archive') await archiveCodesOn(db, key, { origin, nowMs })
    return inTransaction(db, async (tx) => {
      const row = await deleteDomain(tx, key, { origin, nowMs })
      if (row === undefined) throw notFound()
      const { organizationId, hostname } = row
      const waiting = await deleteWaitingCodes(tx, { organizationId, hostname })
      if (waiting > 0 && query.codes !== 'archive')
        throw new ApiError(409, 'CONFLICT', problem('codesWaitForDomain', { count: waiting }))
      return { id: row.id, deleted: true as const }
    })
  },
})

/** Returns a host name as it is stored. Throws ApiError 400 for one that cannot be a domain. */
function acceptHostname(written: string, config: { publicUrl: string; privateDomains: boolean }): string {
  const hostname = normalHostname(written)
  const found = newHostnameProblem(hostname, config)
  if (found === undefined && hostname !== undefined) return hostname
  throw validationError([{ path: 'hostname', ...withGot(found ?? problem('notHostname'), written) }])
}

const addressFields = ['rootUrl', 'notFoundUrl', 'goneUrl'] as const

/**
 * Throws ApiError 400 for addresses that nobody may be sent to, or that lead to the domain itself:
 * a browser would never arrive.
 */
function acceptAddresses(fields: UpdateDomain, hostname: string): void {
  const problems = addressFields.flatMap((path) => {
    const url = fields[path]
    if (url == null) return []
    const found = destinationProblem(url) ?? leadsBack(url, hostname)
    return found === undefined ? [] : [{ path, ...found }]
  })
  if (problems.length > 0) throw validationError(problems)
}

function leadsBack(url: string, hostname: string): Problem | undefined {
  const leadsTo = normalHostname(new URL(url).hostname)
  return leadsTo === hostname ? problem('leadsBackToDomain') : undefined
}

/** Returns a domain as it is shown where it is read alone. */
export async function recordAlone(
  { db, config, clock }: Pick<ApiContext, 'db' | 'config' | 'clock'>,
  row: DomainRow | undefined,
): Promise<Domain> {
  const record = recordOf(row, config)
  if (row === undefined || row.status === 'PENDING') return record
  const { formerCodes, formerEndsAtMs } = await countFormerCodes(db, row, clock())
  return {
    ...record,
    formerCodes,
    formerEndsAt: formerEndsAtMs === null ? null : timestamp(formerEndsAtMs),
  }
}

function recordOf(row: DomainRow | undefined, place: DomainPlace): Domain {
  if (row === undefined) throw notFound()
  return domainRecord(row, place)
}
