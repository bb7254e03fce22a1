import type { MovedVisit } from '@everscan/contract/moves/moved-visits.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import type { VisitChunk } from '../../catalogue/imports/import-chunks.ts'
import { readMovedCodes } from '../../catalogue/imports/moved-codes.ts'
import { readImportStatus } from '../../catalogue/imports/imports.ts'
import type { MoveInput, MoveProgress } from '../../catalogue/rows/import-row.ts'
import { saveWaitingHits } from '../../catalogue/waiting/waiting-hits.ts'
import { inTransaction, type Database } from '../../db/database.ts'
import { LeaseLost } from '../../db/lease.ts'
import { addLateVisits, noVisits, takeFromScansBefore, type MovedHits } from '../../db/scans/moved-hits.ts'
import { advanceJob, type Claim } from '../queue.ts'
import type { HitStore } from './archive-job.ts'
import { awayMs, commitChunk, waitWith } from './commit-chunk.ts'

export type VisitMeans = {
  hits: HitStore
  /** Returns a visit of a code as a line of an archive, and whether it is a scan. */
  lineOf: (visit: Omit<MovedVisit, 'code'> & { qrCodeId: string; shortCode: string }) => {
    line: unknown[]
    isScan: boolean
  }
}

type VisitStep = { chunk: number; visits: VisitChunk['visits']; input: MoveInput; before: MoveProgress }

/**
 * Puts visits of one month into the scan store, on the way that hits of archives go. The removal of
 * their chunk, the counters, the clicks before and the progress are committed together. Visits of
 * links that did not come with this move are skipped: those of an earlier move have theirs already.
 */
export async function moveVisits(
  db: Database,
  claim: Claim,
  { step, means, clock }: { step: VisitStep; means: VisitMeans; clock: () => number },
): Promise<void> {
  const { chunk, visits, input, before } = step
  const { organizationId } = claim
  const domain = input.domain?.hostname ?? ''
  const taken = await visitsOfCodes(db, claim, step)
  const moved = taken.map((visit) => means.lineOf(visit))
  const lines = moved.map(({ line }) => line)
  const progress = progressAfter(before, { given: visits.length, moved })
  const hits = hitsOf(
    organizationId,
    taken.map(({ qrCodeId }, index) => ({ qrCodeId, isScan: moved[index]?.isScan === true })),
  )
  const commit: Commit = async (count) => {
    const write = async (tx: Database): Promise<void> => {
      if (!(await count(tx))) throw new LeaseLost('another worker has counted these visits')
      await advanceJob(tx, claim, { progress, nowMs: clock() })
    }
    await commitChunk(db, claim, { chunk, write })
  }
  if (input.dryRun || lines.length === 0) return commit(async () => true)
  if (input.waits === true)
    return commit(async (tx) => {
      await saveWaitingHits(tx, claim, { number: chunk, byHost: new Map([[domain, lines]]) })
      await takeFromScansBefore(tx, hits, 'waiting_qr_codes')
      return true
    })
  const { scans, bots } = before.visits ?? noVisits
  const batch = { organizationId, writer: claim.id, firstSequence: scans + bots + 1, lines, domain }
  const isStored = await means.hits.store(db, batch, async (count) =>
    commitStored(db, claim, { hits, count, commit }),
  )
  if (!isStored) await waitWith(db, claim, { progress: before, nowMs: clock(), ms: awayMs })
}

/** Counts hits in a transaction. Returns false if another worker has counted them. */
type Count = (tx: Database) => Promise<boolean>
type Commit = (count: Count) => Promise<void>

/** Commits visits that are in the scan store. */
async function commitStored(
  db: Database,
  claim: Claim,
  { hits, count, commit }: { hits: readonly MovedHits[]; count: Count; commit: Commit },
): Promise<void> {
  try {
    await commit(async (tx) => {
      if (!(await count(tx))) return false
      await takeFromScansBefore(tx, hits)
      return true
    })
  } catch (error) {
    if (!(error instanceof LeaseLost)) throw error
    // Nobody else counts them if the move was cancelled meanwhile.
    await inTransaction(db, async (tx) => {
      if ((await readImportStatus(tx, claim, 'move')) !== 'CANCELLED') throw error
      if (await count(tx)) await addLateVisits(tx, claim.id, hits)
    })
  }
}

function progressAfter(
  before: MoveProgress,
  { given, moved }: { given: number; moved: readonly { isScan: boolean }[] },
): MoveProgress {
  const { processed, scans, bots, skipped } = before.visits ?? noVisits
  const newScans = moved.filter(({ isScan }) => isScan).length
  return {
    ...before,
    visits: {
      processed: processed + given,
      scans: scans + newScans,
      bots: bots + moved.length - newScans,
      skipped: skipped + given - moved.length,
    },
  }
}

/** Returns the visits of codes that this move made, each with its code. */
async function visitsOfCodes(db: Database, claim: Claim, { visits, input }: VisitStep) {
  const { hostname: domain = '', codes } = input.domain ?? {}
  const keyed = visits.map(({ code, ...visit }) => ({
    visit,
    key: codeKey({ shortCode: code, domain, codes }),
  }))
  const made = await readMovedCodes(db, claim, [...new Set(keyed.map(({ key }) => key))])
  return keyed.flatMap(({ visit, key }) => {
    const qrCodeId = made.get(key)
    if (qrCodeId === undefined) return []
    return [{ ...visit, qrCodeId, shortCode: domain === '' ? key : key.slice(domain.length + 1) }]
  })
}

function hitsOf(
  organizationId: string,
  visits: readonly { qrCodeId: string; isScan: boolean }[],
): MovedHits[] {
  return [...Map.groupBy(visits, ({ qrCodeId }) => qrCodeId)].map(([qrCodeId, ofCode]) => ({
    organizationId,
    qrCodeId,
    hits: ofCode.length,
    scans: ofCode.filter(({ isScan }) => isScan).length,
  }))
}
