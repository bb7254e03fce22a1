import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { inTransaction, tag, type Database } from '../../db/database.ts'
import { changeOfHost, recordChanges } from '../../db/feeds/changes.ts'
import { noNotice } from './domain-notices.ts'
import { recordAudit } from '../ledger/audit-log.ts'
import { systemOrigin } from '../rows/change-origins.ts'
import { storedProblem } from '../rows/named-problem.ts'
import { proofName, type DnsLook } from '../../dns-looks.ts'
import { lockHost } from '../../db/scans/host-forms.ts'

/** After this time without its proof a domain is FAILING. */
const failingAfterMs = 7 * 86_400_000

type Claim = {
  organizationId: string
  id: string
  status: 'PENDING' | 'ACTIVE' | 'FAILING'
  proof: string
  provedAtMs: number | null
  codes: CodeForm
}

/** A claim with its new status. */
export type ChangedClaim = Pick<Claim, 'organizationId' | 'status'> & { hostname: string }

/** The next state of a claim. */
export type Verdict = Pick<Claim, 'status' | 'provedAtMs'> & { problem: Problem | null }

/**
 * Decides about all claims of a host name, oldest first, by what was found. Its owner keeps it
 * while its own proof is there. Without it, another organization whose proof is there gets it.
 */
export function judgeClaims(
  claims: readonly Claim[],
  { hostname, look, nowMs }: { hostname: string; look: DnsLook; nowMs: number },
): Verdict[] {
  const name = proofName(hostname)
  const values = look.found
    .filter((record) => record.type === 'TXT' && record.name === name)
    .map(({ value }) => value.trim())
  const isProved = (claim: Claim) => values.includes(claim.proof)
  const before = claims.find(({ status }) => status !== 'PENDING')
  const owner = before !== undefined && isProved(before) ? before : (claims.find(isProved) ?? before)
  return claims.map((claim) => {
    const found = problemOf(claim, { name, values, look })
    if (claim !== owner) {
      const taken = problem('domainProvedElsewhere')
      const status = 'PENDING' as const
      const { provedAtMs } = claim
      return { status, provedAtMs, problem: isProved(claim) ? taken : found }
    }
    if (isProved(claim)) return { status: 'ACTIVE', provedAtMs: nowMs, problem: null }
    const isLate = nowMs - (claim.provedAtMs ?? nowMs) > failingAfterMs
    return { status: isLate ? 'FAILING' : claim.status, provedAtMs: claim.provedAtMs, problem: found }
  })
}

function problemOf(
  claim: Claim,
  { name, values, look }: { name: string; values: readonly string[]; look: DnsLook },
): Problem {
  const record = { name, value: claim.proof }
  if (look.failure !== undefined) return problem('dnsSilent', { code: look.failure, ...record })
  return problem(values.length === 0 ? 'txtRecordMissing' : 'txtRecordDiffers', record)
}

/**
 * Applies a look at the DNS to all claims of a host name, of every organization, in one
 * transaction. Returns the claims whose status changed.
 */
export async function applyLook(
  db: Database,
  hostname: string,
  { look, nowMs }: { look: DnsLook; nowMs: number },
): Promise<ChangedClaim[]> {
  return inTransaction(db, async (tx) => {
    await lockHost(tx, hostname)
    const claims = await claimsOf(tx, hostname)
    const host = await tx.kysely
      .selectFrom('domain_hosts')
      .select('codes')
      .where('hostname', '=', hostname)
      .executeTakeFirst()
    const verdicts = judgeClaims(claims, { hostname, look, nowMs })
    const judged = claims.map((claim, index): Judged => ({ claim, verdict: verdicts[index] as Verdict }))
    // Whoever loses the host name comes first: it has one owner at any time.
    judged.sort(
      (one, other) => Number(one.verdict.status !== 'PENDING') - Number(other.verdict.status !== 'PENDING'),
    )
    for (const one of judged) await saveVerdict(tx, one, { look, nowMs, hostCodes: host?.codes })
    const changed = judged.filter(({ claim, verdict }) => claim.status !== verdict.status)
    if (changed.length === 0) return []
    await recordStatusChanges(tx, hostname, { claims: changed.map(({ claim }) => claim), nowMs })
    return changed.map(({ claim: { organizationId }, verdict: { status } }) => ({
      organizationId,
      hostname,
      status,
    }))
  })
}

type Judged = { claim: Claim; verdict: Verdict }

async function claimsOf(tx: Database, hostname: string): Promise<Claim[]> {
  return tx.kysely
    .selectFrom('domains')
    .select(['organization_id as organizationId', 'id', 'status', 'proof', 'proved_at_ms as provedAtMs'])
    .select('codes')
    .where('hostname', '=', hostname)
    .orderBy('created_at_ms')
    .orderBy('id')
    .modifyEnd(tag('catalogue.claimsOfHost'))
    .execute()
}

/** Saves a verdict. `hostCodes` is the form of the codes that the host name has. */
async function saveVerdict(
  tx: Database,
  { claim, verdict }: Judged,
  { look, nowMs, hostCodes }: { look: DnsLook; nowMs: number; hostCodes: CodeForm | null | undefined },
): Promise<void> {
  await tx.kysely
    .updateTable('domains')
    .set({
      status: verdict.status,
      // Codes on the host name may be those of an earlier owner.
      codes: verdict.status === 'PENDING' ? claim.codes : (hostCodes ?? claim.codes),
      proved_at_ms: verdict.provedAtMs,
      // An owner that comes back is nobody's former owner.
      ...(verdict.status !== 'PENDING' && noNotice),
      checked_at_ms: nowMs,
      dns_found: JSON.stringify(look.found),
      dns_problem: verdict.problem?.message ?? null,
      dns_named_problem: storedProblem(verdict.problem),
      reach: look.reach ?? null,
    })
    .where('organization_id', '=', claim.organizationId)
    .where('id', '=', claim.id)
    .modifyEnd(tag('catalogue.judgeClaim'))
    .execute()
}

async function recordStatusChanges(
  tx: Database,
  hostname: string,
  { claims, nowMs }: { claims: readonly Claim[]; nowMs: number },
): Promise<void> {
  await tx.kysely
    .updateTable('domain_hosts')
    .set({ proved_at_ms: nowMs })
    .where('hostname', '=', hostname)
    .where('proved_at_ms', 'is', null)
    .execute()
  await recordChanges(tx, [changeOfHost(hostname)])
  // The DNS changes them, whoever asked it.
  for (const { organizationId, id } of claims)
    await recordAudit(tx, organizationId, [
      {
        action: 'domain.update',
        target: { id, name: hostname },
        fields: ['status'],
        origin: systemOrigin,
        nowMs,
      },
    ])
}

/** Returns host names that were not looked at since a time, those that wait longest first. */
export async function hostsToLookAt(db: Database, sinceMs: number, limit: number): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom('domains')
    .select('hostname')
    .where((where) => where.or([where('checked_at_ms', 'is', null), where('checked_at_ms', '<', sinceMs)]))
    .groupBy('hostname')
    .orderBy((order) => order.fn.coalesce(order.fn.min('checked_at_ms'), order.lit(0)))
    .limit(limit)
    .modifyEnd(tag('catalogue.hostsToLookAt'))
    .execute()
  return rows.map(({ hostname }) => hostname)
}
