import {
  awaitedHosts,
  claimWaitingCodes,
  startWaitingJobs,
  type AwaitedHost,
} from '../../catalogue/waiting/claim-waiting-codes.ts'
import { findWaitingCodes } from '../../catalogue/waiting/waiting-codes.ts'
import {
  idsWithoutCode,
  readWaitingHits,
  takeWaitingHits,
  type WaitingHits,
} from '../../catalogue/waiting/waiting-hits.ts'
import { systemOrigin, type ChangeOrigin } from '../../catalogue/rows/change-origins.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { LeaseLost } from '../../db/lease.ts'
import { advanceJob, endJob, holdJob, type Claim } from '../queue.ts'
import type { Chore, JobKind } from '../start-jobs.ts'
import type { HitStore } from './archive-job.ts'
import { awayMs, waitWith } from './commit-chunk.ts'

/** Starts the jobs of host names that were just proved. */
export const waitingChore: Chore = {
  name: 'startWaitingJobs',
  takesTurns: true,
  everyMs: 2_000,
  run: startWaitingJobs,
}

const codesAtOnce = 500
const stuckMs = 60_000

/** Hits that are in the scan store: the number of the last one. */
type Progress = { hits: number }

// The import that brought the codes is the entry of the audit log.
const origin: ChangeOrigin = { ...systemOrigin, via: 'import' }

/**
 * Returns the job kind that makes codes of those that waited for the proof of a host name: first
 * all codes, then their hits. Each step can be repeated, and a worker may be killed at any time. A
 * job never fails: it waits, and tries again.
 */
export function waitingJobs({ hits, clock = Date.now }: { hits: HitStore; clock?: () => number }): JobKind {
  async function step(db: Database, claim: Claim): Promise<void> {
    const { organizationId } = claim
    const progress: Progress = JSON.parse(claim.progress)
    for (const host of await awaitedHosts(db, organizationId)) {
      if ((await claimCodes(db, claim, { host, progress, nowMs: clock() })) > 0) return
      const waiting = await readWaitingHits(db, organizationId, host)
      if (waiting !== undefined) return storeHits(db, claim, { waiting, progress })
    }
    if (progress.hits > 0 && !(await hits.countUniques(db))) return wait(db, claim, progress, awayMs)
    await inTransaction(db, async (tx) =>
      endJob(tx, claim, { status: 'COMPLETED', progress, nowMs: clock() }),
    )
  }

  async function storeHits(
    db: Database,
    claim: Claim,
    { waiting, progress }: { waiting: WaitingHits; progress: Progress },
  ): Promise<void> {
    const { organizationId } = claim
    // Codes that were lost or deleted have no hits.
    const ids = waiting.lines.map(hits.codeOf)
    const lost = await findWaitingCodes(db, organizationId, ids)
    const gone = await idsWithoutCode(db, organizationId, ids)
    const lines = waiting.lines.filter((line) => !lost.has(hits.codeOf(line)) && !gone.has(hits.codeOf(line)))
    const commit = async (count: (tx: Database) => Promise<boolean>): Promise<void> =>
      inTransaction(db, async (tx) => {
        await holdJob(tx, claim)
        if (!(await takeWaitingHits(tx, organizationId, waiting))) throw new LeaseLost('hits are gone')
        if (!(await count(tx))) throw new LeaseLost('another worker has counted these hits')
        const stored: Progress = { hits: progress.hits + lines.length }
        await advanceJob(tx, claim, { progress: stored, nowMs: clock() })
      })
    if (lines.length === 0) return commit(async () => true)
    const { hostname: domain } = waiting
    const batch = { organizationId, writer: claim.id, firstSequence: progress.hits + 1, lines, domain }
    if (!(await hits.store(db, batch, commit))) await wait(db, claim, progress, awayMs)
  }

  async function wait(db: Database, claim: Claim, progress: Progress, ms: number): Promise<void> {
    await waitWith(db, claim, { progress, nowMs: clock(), ms })
  }

  return {
    step,
    giveUp: async (db, claim) => wait(db, claim, JSON.parse(claim.progress), stuckMs),
  }
}

/** Makes codes of some that waited for a host name. Returns how many. */
async function claimCodes(
  db: Database,
  claim: Claim,
  { host, progress, nowMs }: { host: AwaitedHost; progress: Progress; nowMs: number },
): Promise<number> {
  return inTransaction(db, async (tx) => {
    await holdJob(tx, claim)
    const bounds = { origin, nowMs, limit: codesAtOnce }
    const claimed = await claimWaitingCodes(tx, claim.organizationId, host, bounds)
    if (claimed > 0) await advanceJob(tx, claim, { progress, nowMs })
    return claimed
  })
}
