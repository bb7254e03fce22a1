import type { Role } from '@everscan/contract/schema/common.ts'

export type MemberRow = { id: string; email: string; name: string; role: Role; joinedAtMs: number }
