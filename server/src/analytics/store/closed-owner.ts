const ending = '-closed'

/**
 * Returns the owner of the hits of people on closed codes of an organization. These hits are in the
 * table of scans, so each is counted exactly once like a scan. Another owner keeps them out of
 * every figure, list and export without a condition in any of them (record 59).
 */
export function closedOwnerOf(organizationId: string): string {
  return `${organizationId}${ending}`
}

export function isClosedOwner(organizationId: string): boolean {
  return organizationId.endsWith(ending)
}

/** Condition for the scans of organizations themselves. */
export const ofOrganizations = `not endsWith(organization_id, '${ending}')`
