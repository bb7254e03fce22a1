import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import type { NamedDetail } from '@everscan/contract/schema/named-problems.ts'
import type { CertificateProof, DnsRecord, DomainStatus } from '@everscan/contract/domains/domains.ts'
import type { Reach } from '../../dns-looks.ts'

export type DomainRow = {
  organizationId: string
  id: string
  /** As `normalHostname` returns it. */
  hostname: string
  status: DomainStatus
  /** The value of the TXT record that proves it. */
  proof: string
  rootUrl: string | null
  notFoundUrl: string | null
  goneUrl: string | null
  isDefault: boolean
  /** How short codes on it are compared. */
  codes: CodeForm
  provedAtMs: number | null
  /** When its codes end, as the present owner of the host name gave notice; null: it did not. */
  noticeEndsAtMs: number | null
  checkedAtMs: number | null
  /** The records that the last look at the DNS found. */
  found: readonly DnsRecord[]
  problem: string | null
  /** That problem with its name. Absent in events of earlier releases. */
  details?: readonly NamedDetail[]
  /** Whether its scans arrived here at the last look; null: that could not be found out. */
  reach: Reach | null
  createdAtMs: number
  updatedAtMs: number
  /** Whether a certificate is or was ordered for the host name. */
  isOrdered: boolean
  /** When its certificate in use expires; null: there is none. */
  certificateExpiresAtMs: number | null
  /** Why the last order failed. */
  certificateProblem: string | null
  /** That problem with its name. Absent in events of earlier releases. */
  certificateDetails?: readonly NamedDetail[]
  /** How its certificate is proved. */
  certificateProof: CertificateProof
  /** The value of the TXT record that an order waits for. */
  certificateDnsValue: string | null
}
