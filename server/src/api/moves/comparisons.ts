import { comparisons } from '@everscan/contract/endpoints/moves/comparisons.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { type Problem } from '@everscan/contract/problems/problem.ts'
import { destinationProblem } from '@everscan/contract/code-types/destinations.ts'
import { readClaimedHosts } from '../../catalogue/domains/code-domains.ts'
import { readComparison, startComparison } from '../../catalogue/imports/comparisons.ts'
import { readImport } from '../../catalogue/imports/imports.ts'
import type { ComparisonInput } from '../../catalogue/rows/comparison-row.ts'
import type { MoveRow } from '../../catalogue/rows/import-row.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import { comparisonRecord } from '../../product/records/comparison-records.ts'
import { handler } from '../http/handler.ts'
import { notFound, validationError } from '../../request-errors.ts'

export const start = handler(comparisons.start, {
  handle: async ({ db, clock, config }, _caller, { params, body }) => {
    requireOldService(body.baseUrl, config.publicUrl)
    const key = { organizationId: params.orgId, id: params.id }
    const move = await readImport(db, key, 'move')
    if (move === undefined) throw notFound()
    await requireProof(db, move)
    const input = inputOf(move, body.baseUrl)
    return comparisonRecord(await startComparison(db, key, { input, nowMs: clock() }))
  },
})

export const read = handler(comparisons.read, {
  handle: async ({ db }, _caller, { params }) => {
    const comparison = await readComparison(db, { organizationId: params.orgId, id: params.id })
    if (comparison === undefined) throw notFound()
    return comparisonRecord(comparison)
  },
})

function inputOf({ input, progress, completedAtMs }: MoveRow, given: string | undefined): ComparisonInput {
  const { domain } = input
  const { sample = [] } = progress
  if (completedAtMs === null) throw conflict(problem('moveNotEnded'))
  if (sample.length === 0) throw conflict(problem('moveWithoutLinks'))
  const base = given ?? (domain === undefined ? undefined : `https://${domain.hostname}`)
  const links = sample.map(({ shortCode, url }) => {
    // The short URLs of the file are exact; a base that the caller names comes before them.
    const old = given === undefined && url !== undefined ? url : base && addressOn(base, shortCode)
    if (old !== undefined) return { shortCode, url: old }
    throw validationError([{ path: 'baseUrl', ...problem('oldServiceMissing') }])
  })
  const { hostname, codes } = domain ?? {}
  return {
    baseUrl: given ?? null,
    domain: hostname === undefined || codes === undefined ? null : { hostname, codes },
    links,
  }
}

/** Throws ApiError 409 while the links lead nowhere here, because they wait. */
async function requireProof(db: Database, { organizationId, input }: MoveRow): Promise<void> {
  const { hostname = '' } = input.domain ?? {}
  if (input.waits !== true || !(await readClaimedHosts(db, organizationId)).has(hostname)) return
  throw conflict(problem('linksWaitForDomain', { hostname }))
}

function requireOldService(baseUrl: string | undefined, publicUrl: string): void {
  if (baseUrl === undefined) return
  const isHere = URL.canParse(baseUrl) && new URL(baseUrl).host === new URL(publicUrl).host
  const found = destinationProblem(baseUrl) ?? (isHere ? problem('isThisInstallation') : undefined)
  if (found !== undefined) throw validationError([{ path: 'baseUrl', ...found }])
}

/** Returns the short URL of a code on a base that may have a path. */
function addressOn(base: string, shortCode: string): string {
  const url = new URL(base)
  url.search = ''
  url.hash = ''
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${shortCode}`
  return url.href
}

function conflict(found: Problem): ApiError {
  return new ApiError(409, 'CONFLICT', found)
}
