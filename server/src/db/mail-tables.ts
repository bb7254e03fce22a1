import type { MailKind } from '@everscan/contract/views/sent-mails.ts'

/** Mails to people who are no members, and what was sent: see catalogue/mails. */
export type MailTables = {
  mail_consents: MailConsentsTable
  mail_refusals: { address: string; refused_at_ms: number }
  mail_counts: MailCountsTable
}

type MailConsentsTable = {
  organization_id: string
  /** A keyed hash: see catalogue/mails/address-hash.ts. */
  address: string
  /**
   * ASK: the next due mail asks. ASKED: without an answer. AGREED: gets the mails of the
   * organization.
   */
  state: 'ASK' | 'ASKED' | 'AGREED'
  /** How often it was asked. */
  asks: number
  asked_at_ms: number
}

/** `unproved`: to addresses that nobody has proved, as of a sign-up. */
export type MailCountKind = MailKind | 'unproved'

/** Mails of one day. */
type MailCountsTable = {
  /** Days since 1970, in UTC. */
  day: number
  organization_id: string
  /** The account or the key that caused the mails; empty if it is unknown. */
  sender_id: string
  kind: MailCountKind
  /** Behind the @ of the addresses. */
  domain: string
  /** Handed to the mail server, or tried to. */
  mails: number
  /** Not taken by the mail server. */
  refused: number
}
