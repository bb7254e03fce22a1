import { roleAllows, type Role } from '@everscan/contract/schema/common.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { organizationsQuery } from './session.ts'

/** Returns whether the signed-in user may do what requires this role in an organization. */
export function useMay(orgId: string, needed: Role): boolean {
  const { data } = useSuspenseQuery(organizationsQuery)
  const role = data.find(({ id }) => id === orgId)?.role
  return role !== undefined && roleAllows(role, needed)
}
