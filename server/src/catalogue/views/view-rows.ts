import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import { namedProblem, type NamedProblem } from '../rows/named-problem.ts'
import type { MailInterval, ViewQuery } from '@everscan/contract/views/views.ts'

/** A saved view as stored. */
export type ViewRow = {
  organizationId: string
  id: string
  name: string
  query: ViewQuery
  share: ViewShare | null
  mail: ViewMailRow | null
  createdAtMs: number
  updatedAtMs: number
}

/** The public link of a view. */
export type ViewShare = {
  /** Sealed: see `openShareToken`. */
  sealedToken: string
  /** A PHC string; null if readers need no password. */
  passwordHash: string | null
  expiresAtMs: number | null
  createdAtMs: number
}

/** The problem is that of `lastError`. */
export type ViewMailRow = NamedProblem & {
  to: string[]
  every: MailInterval
  setUpBy: string
  /** The account or the key of that name; null if it is unknown. */
  senderId: string | null
  /** Of readers without an account: that of the person who set the mail up. Null: unknown. */
  language: DashboardLanguage | null
  nextAtMs: number
  lastSentAtMs: number | null
  lastError: string | null
}

export const viewColumns = [
  'organization_id as organizationId',
  'id',
  'name',
  'query',
  'share_token as sealedToken',
  'share_password as passwordHash',
  'share_expires_at_ms as expiresAtMs',
  'share_created_at_ms as shareCreatedAtMs',
  'mail_to as to',
  'mail_every as every',
  'mail_by as setUpBy',
  'mail_sender_id as senderId',
  'mail_language as language',
  'mail_next_at_ms as nextAtMs',
  'mail_last_sent_at_ms as lastSentAtMs',
  'mail_last_error as lastError',
  'mail_last_problem as lastProblem',
  'created_at_ms as createdAtMs',
  'updated_at_ms as updatedAtMs',
] as const

type Stored = Pick<ViewRow, 'organizationId' | 'id' | 'name' | 'createdAtMs' | 'updatedAtMs'> & {
  query: string
  sealedToken: string | null
  passwordHash: string | null
  expiresAtMs: number | null
  shareCreatedAtMs: number | null
  to: string | null
  every: MailInterval | null
  setUpBy: string | null
  senderId: string | null
  language: DashboardLanguage | null
  nextAtMs: number | null
  lastSentAtMs: number | null
  lastError: string | null
  lastProblem: string | null
}

/** Returns a view from its columns. */
export function viewRow(stored: Stored): ViewRow {
  const { organizationId, id, name, createdAtMs, updatedAtMs, sealedToken, to, every } = stored
  return {
    organizationId,
    id,
    name,
    query: JSON.parse(stored.query),
    share:
      sealedToken === null
        ? null
        : {
            sealedToken,
            passwordHash: stored.passwordHash,
            expiresAtMs: stored.expiresAtMs,
            createdAtMs: stored.shareCreatedAtMs ?? createdAtMs,
          },
    mail:
      to === null || every === null
        ? null
        : {
            to: JSON.parse(to),
            every,
            setUpBy: stored.setUpBy ?? '',
            senderId: stored.senderId,
            language: stored.language,
            nextAtMs: stored.nextAtMs ?? 0,
            lastSentAtMs: stored.lastSentAtMs,
            lastError: stored.lastError,
            ...namedProblem(stored.lastError, stored.lastProblem),
          },
    createdAtMs,
    updatedAtMs,
  }
}
