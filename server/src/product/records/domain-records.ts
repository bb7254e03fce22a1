import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { challengeLabel, type DnsRecord, type Domain } from '@everscan/contract/domains/domains.ts'
import type { DomainRow } from '../../catalogue/rows/domain-row.ts'
import { wholeDetail } from '../../catalogue/rows/named-problem.ts'
import { hostRecords, proofName, type Reach } from '../../dns-looks.ts'
import { timestamp } from './timestamps.ts'

/** The settings that a domain depends on. */
export type DomainPlace = {
  publicUrl: string
  /** Set if the service has https of its own. */
  httpsPort?: number | undefined
  /** Set if its certificate is in files. */
  tlsCert?: string | undefined
}

function certificateOf(row: DomainRow, isOurs: boolean): Domain['certificate'] {
  const { status, isOrdered, certificateExpiresAtMs: expiresAtMs, certificateProblem: failure } = row
  // Of several organizations with the host, only the one that proved it has the certificate.
  if (status === 'PENDING' || !isOrdered || !isOurs)
    return { status: 'NONE', expiresAt: null, problem: null, details: [], record: null }
  const { hostname, certificateDnsValue: value } = row
  return {
    status: failure !== null ? 'FAILING' : expiresAtMs === null ? 'PENDING' : 'ISSUED',
    expiresAt: expiresAtMs === null ? null : timestamp(expiresAtMs),
    problem: failure,
    details: [...(row.certificateDetails ?? [])],
    record: value === null ? null : { type: 'TXT', name: `${challengeLabel}.${hostname}`, value },
  }
}

/** Returns a domain as the API and the archive of an organization show it. */
export function domainRecord(row: DomainRow, place: DomainPlace): Domain {
  const { publicUrl, httpsPort, tlsCert } = place
  // Orders of an earlier time say nothing about what a proxy, or a file, has today.
  const isOurs = httpsPort !== undefined && tlsCert === undefined
  const { id, hostname, status, proof, rootUrl, notFoundUrl, goneUrl, isDefault, found, checkedAtMs } = row
  const verification = { name: proofName(hostname), value: proof }
  const host = hostRecords(hostname, publicUrl)
  return {
    id,
    hostname,
    status,
    verification,
    dns: {
      expected: [{ type: 'TXT', ...verification }, ...host],
      found: [...found],
      ...dnsProblem(row, leadsNowhere(row, host) ?? reachProblem(row, { host, isOurs })),
      reachesUs: row.reach === null ? null : row.reach === 'HERE' || row.reach === 'PLAIN',
      checkedAt: checkedAtMs === null ? null : timestamp(checkedAtMs),
    },
    certificate: certificateOf(row, isOurs),
    rootUrl,
    notFoundUrl,
    goneUrl,
    isDefault,
    codes: row.codes,
    certificateProof: row.certificateProof,
    noticeEndsAt: row.noticeEndsAtMs === null ? null : timestamp(row.noticeEndsAtMs),
    createdAt: timestamp(row.createdAtMs),
    updatedAt: timestamp(row.updatedAtMs),
  }
}

/** The problem of the last look at the DNS, or else what the host lacks to be reached. */
function dnsProblem(row: DomainRow, other: Problem | null): Pick<Domain['dns'], 'problem' | 'details'> {
  if (row.problem !== null) return { problem: row.problem, details: [...(row.details ?? [])] }
  return other === null
    ? { problem: null, details: [] }
    : { problem: other.message, details: [wholeDetail(other)] }
}

/** The problem of a host whose scans do not arrive, or not as they should. */
function reachProblem(
  { hostname, reach }: DomainRow,
  { host: [record], isOurs }: { host: ReturnType<typeof hostRecords>; isOurs: boolean },
): Problem | null {
  const problems: Readonly<Record<Reach, () => Problem | null>> = {
    HERE: () => null,
    RENAMED: () => problem('hostRenamed', { hostname }),
    ELSEWHERE: () => problem('hostElsewhere', leadOf(hostname, record)),
    SILENT: () => problem('hostSilent', leadOf(hostname, record)),
    // Without a proxy, the certificate says this itself.
    PLAIN: () => (isOurs ? null : problem('hostWithoutHttps', { hostname })),
  }
  return reach === null ? null : problems[reach]()
}

/** The problem of a host that is proved but has no address. */
function leadsNowhere(
  { hostname, checkedAtMs, found }: DomainRow,
  [record]: ReturnType<typeof hostRecords>,
): Problem | null {
  if (checkedAtMs === null || found.some(({ name }) => name === hostname)) return null
  return problem('hostWithoutAddress', leadOf(hostname, record))
}

/** The record that leads a host here, as values of a problem. */
function leadOf(hostname: string, { type, value }: Partial<DnsRecord> = {}) {
  return { hostname, type: type ?? '', target: value ?? '' }
}
