import type { AccountAction } from '@everscan/contract/resources/account-log.ts'
import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import type { Role } from '@everscan/contract/schema/common.ts'

/** The tables of accounts, their sign-in and their memberships. */
export type AccountTables = {
  users: UsersTable
  sessions: SessionsTable
  two_factors: TwoFactorsTable
  recovery_codes: RecoveryCodesTable
  passkeys: PasskeysTable
  used_challenges: UsedChallengesTable
  password_resets: PasswordResetsTable
  account_log: AccountLogTable
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
  /** When somebody proved that mails to the address reach them. Null: nobody did. */
  email_confirmed_at_ms: number | null
  /** Of mails to the account. Null until its user opens the dashboard. */
  language: DashboardLanguage | null
}

type SessionsTable = {
  id: string
  user_id: string
  /** SHA-256 of the token, hex. The token itself is not stored. */
  token_hash: string
  user_agent: string | null
  created_at_ms: number
  last_used_at_ms: number
  expires_at_ms: number
  /** When the session last showed a second factor; null if never. */
  confirmed_at_ms: number | null
}

type TwoFactorsTable = {
  user_id: string
  /** Sealed: see secret-box.ts. */
  secret: string
  /** The last time step whose code was used: no code is valid twice. */
  last_step: number
  created_at_ms: number
  /** Null until the first code confirms the secret: sign-in does not require a code until then. */
  confirmed_at_ms: number | null
}

type RecoveryCodesTable = {
  user_id: string
  /** SHA-256 of the code, hex. A used code's row is deleted. */
  code_hash: string
}

type PasskeysTable = {
  id: string
  user_id: string
  /** In base64url. Unique in the installation, as Web Authentication requires. */
  credential_id: string
  /** COSE key (RFC 9052), in base64url. */
  public_key: string
  /** The highest signature counter seen. 0: the authenticator does not count. */
  counter: number
  /** JSON of an array: how a browser reaches the authenticator. */
  transports: string
  /** 1 if a copy existed outside of the device at the last use. */
  backed_up: 0 | 1
  name: string
  created_at_ms: number
  last_used_at_ms: number | null
}

/** Challenges whose passkey was accepted, until they expire: none is accepted twice. */
type UsedChallengesTable = {
  id: string
  expires_at_ms: number
}

type PasswordResetsTable = {
  /** SHA-256 of the token, hex. The token itself is not stored. */
  token_hash: string
  user_id: string
  /**
   * The ADMIN who created the reset for a member. Null for a request by mail or by the operator.
   */
  made_by: string | null
  /** 1 if the link was mailed to the account's address and shown to nobody else. */
  mailed: 0 | 1
  created_at_ms: number
  expires_at_ms: number
}

type AccountLogTable = {
  user_id: string
  id: string
  action: AccountAction
  /** Failures of one hour from one network are one row, and so are passkeys removed at once. */
  times: number
  /** JSON of Actor; null for the owner of the account and for people who are not signed in. */
  actor: string | null
  /** /24 or /48, never an address: `203.0.113.0/24`. */
  network: string | null
  user_agent: string | null
  /** The first and the last time. */
  created_at_ms: number
  last_at_ms: number
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
  /** Normalized: lower case. */
  email: string
  role: Role
  /** SHA-256 of the token, hex. The token itself is not stored. */
  token_hash: string
  /**
   * The same of the token that is only in the mail to the address. Null for invitations of earlier
   * releases.
   */
  mail_token_hash: string | null
  /** JSON of Actor. */
  invited_by: string
  created_at_ms: number
  expires_at_ms: number
  accepted_at_ms: number | null
}
