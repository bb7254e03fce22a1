import type { Generated } from 'kysely'

/** The tables of certificates by ACME: see catalogue/certificates/certificates.ts. */
export type CertificateTables = {
  certificates: CertificatesTable
  acme_accounts: AcmeAccountsTable
  acme_challenges: AcmeChallengesTable
}

/** How an authority proves a name: RFC 8555, 8.3 and 8.4, and RFC 8737. */
export type CertificateProofKind = 'http-01' | 'tls-alpn-01' | 'dns-01'

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
  /** Of the worker that orders: see lease.ts. */
  lease_number: Generated<number>
  leased_until_ms: number | null
  problem: string | null
  /** JSON of the `Problem` that this sentence tells. */
  named_problem: Generated<string | null>
  /** The fewest days before its end of which was told that it is not renewed. */
  told_days: Generated<number | null>
  /** How the certificate in use was proved. Null: by http-01. */
  proved_by: Generated<CertificateProofKind | null>
  /** An order that waits for a TXT record. */
  dns_order_url: Generated<string | null>
  /** The value of that record. */
  dns_value: Generated<string | null>
  dns_ordered_at_ms: Generated<number | null>
  /** When the mail of the last warning is to be sent, or sent again. Null: there is none. */
  mail_due_at_ms: Generated<number | null>
  /** JSON of string[]: the addresses that it has yet to reach. Null: all. */
  mail_left: Generated<string | null>
  mail_attempts: Generated<number>
  /** Of the worker that sends the mail. */
  mail_lease_number: Generated<number>
  mail_lease_until_ms: Generated<number | null>
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
  /** For tls-alpn-01: then the answer is a sealed certificate and key. */
  hostname: Generated<string | null>
}
