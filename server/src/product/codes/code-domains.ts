import {
  readDefaultDomain,
  requireProvedDomain,
  type CodeDomain,
} from '../../catalogue/domains/code-domains.ts'
import type { Database } from '../../db/database.ts'

/**
 * Returns the domain of a new code by what its body says: an id, null for PUBLIC_URL, or undefined
 * for the default. The result is undefined for PUBLIC_URL. Throws ApiError 400 for a domain that
 * the organization does not have or did not prove.
 */
export type DomainLookup = (domainId: string | null | undefined) => Promise<CodeDomain | undefined>

/** Codes below PUBLIC_URL only. */
export const noDomains: DomainLookup = async () => undefined

/** Creates a lookup that asks the catalogue once for each domain. */
export function domainLookup(db: Database, organizationId: string): DomainLookup {
  const known = new Map<string | undefined, Promise<CodeDomain | undefined>>()
  return async (domainId) => {
    if (domainId === null) return undefined
    let found = known.get(domainId)
    if (found === undefined) {
      found =
        domainId === undefined
          ? readDefaultDomain(db, organizationId)
          : requireProvedDomain(db, organizationId, domainId)
      known.set(domainId, found)
    }
    return found
  }
}
