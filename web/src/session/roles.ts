import { roleAllows, type Role } from '@everscan/contract/schema/common.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { organizationsQuery } from './session.ts'

/** Whether who is signed in may do in an organization what asks for this role. */
export function useMay(orgId: string, needed: Role): boolean {
  const { data } = useSuspenseQuery(organizationsQuery)
  const role = data.find(({ id }) => id === orgId)?.role
  return role !== undefined && roleAllows(role, needed)
}
