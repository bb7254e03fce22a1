import type { Role } from '@everscan/contract/schema/common.ts'

/** The tables of people: their accounts, how they sign in, and where they are members. */
export type AccountTables = {
  users: UsersTable
  sessions: SessionsTable
  two_factors: TwoFactorsTable
  recovery_codes: RecoveryCodesTable
  password_resets: PasswordResetsTable
  members: MembersTable
  invitations: InvitationsTable
}

type UsersTable = {
  id: string
  /** Lower case, unique. */
  email: string
  name: string
  /** PHC string of Argon2id. */
  password_hash: string | null
  created_at_ms: number
}

type SessionsTable = {
  id: string
  user_id: string
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  token_hash: string
  user_agent: string | null
  created_at_ms: number
  last_used_at_ms: number
  expires_at_ms: number
}

type TwoFactorsTable = {
  user_id: string
  /** Sealed: see secret-box.ts. */
  secret: string
  /** Number of the last time step whose code was used: no code is good twice. */
  last_step: number
  created_at_ms: number
  /** Null until the first code: it is not asked for yet. */
  confirmed_at_ms: number | null
}

type RecoveryCodesTable = {
  user_id: string
  /** SHA-256 of the code, hex. Rows are deleted when they are used. */
  code_hash: string
}

type PasswordResetsTable = {
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  token_hash: string
  user_id: string
  /** The ADMIN who made it for the member; null: the person themselves by mail, or the operator. */
  made_by: string | null
  created_at_ms: number
  expires_at_ms: number
}

type MembersTable = {
  organization_id: string
  user_id: string
  role: Role
  created_at_ms: number
}

type InvitationsTable = {
  organization_id: string
  id: string
  /** As it is compared: lower case. */
  email: string
  role: Role
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  token_hash: string
  /** JSON of Actor. */
  invited_by: string
  created_at_ms: number
  expires_at_ms: number
  accepted_at_ms: number | null
}
