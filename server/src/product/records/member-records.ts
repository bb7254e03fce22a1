import type { Member } from '@everscan/contract/resources/members.ts'
import type { MemberRow } from '../../catalogue/rows/member-row.ts'
import { timestamp } from './timestamps.ts'

export function memberRecord({ joinedAtMs, ...row }: MemberRow): Member {
  return { ...row, joinedAt: timestamp(joinedAtMs) }
}
