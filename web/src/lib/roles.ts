import { roleAllows } from '@everscan/contract/common.ts'
import { useQuery } from '@tanstack/react-query'
import { organizationsQuery } from './session.ts'

/** Whether the person may change codes, folders and imports in an organization: all but VIEWERs. */
export function useMayEdit(orgId: string): boolean {
  const { data } = useQuery(organizationsQuery)
  const role = data?.find(({ id }) => id === orgId)?.role
  return role !== undefined && roleAllows(role, 'EDITOR')
}
