import type { CertificateProof, DomainStatus } from '@everscan/contract/domains/domains.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import type { Generated } from 'kysely'
import type { Reach } from '../dns-looks.ts'

/** The tables of own domains: see catalogue/domains/domains.ts. */
export type DomainTables = {
  domains: DomainsTable
  domain_hosts: DomainHostsTable
}

/** Claims of host names. Several organizations may claim one; at most one of them has proved it. */
type DomainsTable = {
  organization_id: string
  id: string
  /** Punycode in lower case. */
  hostname: string
  status: DomainStatus
  /** The value of the TXT record that proves it. */
  proof: string
  root_url: string | null
  not_found_url: string | null
  gone_url: string | null
  /** 1 for at most one domain of an organization: new codes are on it. */
  is_default: 0 | 1
  /** When the proof was last seen. */
  proved_at_ms: number | null
  /** When the DNS was last asked. */
  checked_at_ms: number | null
  /** JSON of string[]: the values that were found last. */
  dns_found: Generated<string>
  dns_problem: string | null
  /** JSON of the `Problem` that this sentence tells. */
  dns_named_problem: Generated<string | null>
  /** Whether scans arrived at the last look: see `Reach`. Null: not known. */
  reach: Reach | null
  /** How short codes on it are compared. */
  codes: Generated<CodeForm>
  /** How its certificate is proved. */
  certificate_proof: Generated<CertificateProof>
  /** When the organization that has the host name now gave notice to this one; null: it did not. */
  notice_at_ms: Generated<number | null>
  /** When codes of this organization on the host name end. */
  notice_ends_at_ms: Generated<number | null>
  /** When the mail about the notice, or about its withdrawal, is due; null: none is. */
  notice_mail_due_at_ms: Generated<number | null>
  /** JSON of string[]: the addresses that the mail has yet to reach; null: all. */
  notice_mail_left: Generated<string | null>
  notice_mail_attempts: Generated<number>
  /** Of the worker that sends the mail: see lease.ts. */
  notice_mail_lease_number: Generated<number>
  notice_mail_lease_until_ms: Generated<number | null>
  created_at_ms: number
  updated_at_ms: number
}

/**
 * Host names that are or were a domain. A front answers none of them with codes of PUBLIC_URL. A
 * name that was ever proved stays, because codes with it are printed.
 */
type DomainHostsTable = {
  hostname: string
  /** When it was first proved; null: never. */
  proved_at_ms: number | null
  /** How its short codes are compared, which cannot change; null: none was created yet. */
  codes: Generated<CodeForm | null>
}
