import { challengeLabel, type Domain } from '@everscan/contract/domains/domains.ts'
import type { DomainRow } from '../../catalogue/rows/domain-row.ts'
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
  const { status, isOrdered, certificateExpiresAtMs: expiresAtMs, certificateProblem: problem } = row
  // Of several organizations with the host, only the one that proved it has the certificate.
  if (status === 'PENDING' || !isOrdered || !isOurs)
    return { status: 'NONE', expiresAt: null, problem: null, record: null }
  const { hostname, certificateDnsValue: value } = row
  return {
    status: problem !== null ? 'FAILING' : expiresAtMs === null ? 'PENDING' : 'ISSUED',
    expiresAt: expiresAtMs === null ? null : timestamp(expiresAtMs),
    problem,
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
      problem: row.problem ?? leadsNowhere(row, host) ?? reachProblem(row, { host, isOurs }),
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

/** The problem of a host whose scans do not arrive, or not as they should. */
function reachProblem(
  { hostname, reach }: DomainRow,
  { host: [record], isOurs }: { host: ReturnType<typeof hostRecords>; isOurs: boolean },
): string | null {
  const set = record === undefined ? '' : ` Set a ${record.type} record ${record.name} with ${record.value}.`
  const problems: Readonly<Record<Reach, string | null>> = {
    HERE: null,
    RENAMED: `Requests for ${hostname} arrive under another host name. The proxy must pass on the header Host, or send X-Forwarded-Host and be in TRUST_PROXY.`,
    ELSEWHERE: `Another server answers for ${hostname}, so scans do not arrive.${set}`,
    SILENT: `Nothing answers at ${hostname}, so scans do not arrive.${set}`,
    // Without a proxy, the certificate says this itself.
    PLAIN: isOurs
      ? null
      : `Scans of ${hostname} arrive over http, but not over https. The proxy needs a certificate for it.`,
  }
  return reach === null ? null : problems[reach]
}

/** The problem of a host that is proved but has no address. */
function leadsNowhere(
  { hostname, checkedAtMs, found }: DomainRow,
  [record]: ReturnType<typeof hostRecords>,
): string | null {
  if (checkedAtMs === null || found.some(({ name }) => name === hostname)) return null
  const set = record === undefined ? '' : ` Set a ${record.type} record ${record.name} with ${record.value}.`
  return `${hostname} has no address, so scans do not arrive.${set}`
}
