import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import type { MailInterval } from '@everscan/contract/views/views.ts'
import type { Generated } from 'kysely'

/** Saved views of figures: see catalogue/views. */
export type ViewTables = {
  views: ViewsTable
  view_mail_days: ViewMailDaysTable
}

type ViewsTable = {
  organization_id: string
  id: string
  name: string
  /** JSON of ViewQuery. */
  query: string
  /** SHA-256 of the token of the public link, hex; null if the view is not shared. */
  share_hash: string | null
  /** The token, sealed: see secret-box.ts. */
  share_token: string | null
  /** A PHC string; null if readers need no password. */
  share_password: string | null
  share_expires_at_ms: number | null
  share_created_at_ms: number | null
  /** JSON: string[]; null if no mail is sent. */
  mail_to: string | null
  mail_every: MailInterval | null
  /** The name of the actor who set the mail up. */
  mail_by: string | null
  /** The account or the key of that actor; null if it is unknown. */
  mail_sender_id: string | null
  /** Of readers without an account: that of the actor. Null: unknown. */
  mail_language: DashboardLanguage | null
  /** When the next regular mail is due. */
  mail_next_at_ms: number | null
  /** When a worker has to look at the mail: at the next regular one, or earlier. */
  mail_due_at_ms: number | null
  /** JSON: the addresses that the mail in progress has yet to reach; null if none is. */
  mail_left: string | null
  /** How often a worker began to send the mail in progress. */
  mail_attempts: Generated<number>
  mail_last_sent_at_ms: number | null
  mail_last_error: string | null
  /** JSON of the `Problem` that the error tells. */
  mail_last_problem: Generated<string | null>
  /** Of the worker that sends the mail: see lease.ts. It ends with each change of the mail, too. */
  mail_lease_number: Generated<number>
  mail_lease_until_ms: number | null
  created_at_ms: number
  updated_at_ms: number
}

/** The mails of views that an organization has sent on the last day on which it sent any. */
type ViewMailDaysTable = {
  organization_id: string
  /** Days since 1970, in UTC. */
  day: number
  mails: number
}
