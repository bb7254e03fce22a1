import type { Generated } from 'kysely'

/** The tables of certificates by ACME: see catalogue/certificates/certificates.ts. */
export type CertificateTables = {
  certificates: CertificatesTable
  acme_accounts: AcmeAccountsTable
  acme_challenges: AcmeChallengesTable
}

/** Host names that have a certificate, or wait for one. */
type CertificatesTable = {
  /** Punycode in lower case. */
  hostname: string
  /** PEM: the certificate, then those of its issuers. Null: none yet. */
  chain: string | null
  /** Sealed PEM. */
  private_key: string | null
  valid_from_ms: number | null
  expires_at_ms: number | null
  /** Failed orders since the last that succeeded. */
  attempts: number
  next_order_at_ms: number
  /** Until then, one worker orders. */
  leased_until_ms: number | null
  problem: string | null
  /** The fewest days before its end of which was told that it is not renewed. */
  told_days: Generated<number | null>
}

type AcmeAccountsTable = {
  directory_url: string
  account_url: string
  /** Sealed PEM. */
  private_key: string
  /** Until then, the authority takes no orders. */
  paused_until_ms: number
}

type AcmeChallengesTable = {
  token: string
  /** The authority expects it at the path of the token. */
  answer: string
  created_at_ms: number
}
