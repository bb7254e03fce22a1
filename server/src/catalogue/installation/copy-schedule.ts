import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { CopyFacts } from '../../problems/facts.ts'
import type { CopyRow } from '../rows/copy-row.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A new installation has more urgent work at first. */
export const firstCopyMs = 10 * minuteMs
/**
 * The delay after the first failure in a row. Each further failure doubles it, up to the copy
 * interval.
 */
const retryMsMin = 15 * minuteMs
/** With this many scans or more, restoring takes too long to verify every copy. */
const scansOfWeeklyVerification = 5_000_000
const verifiedEveryMs = 7 * dayMs
/** The maximum age of the last verified copy of a large installation. */
const verifiedMsMax = 14 * dayMs
const keptMax = 9_999

export type CopySchedule = {
  everyMs: number
  /** How many of the newest copies to keep. */
  keep: number
  /** When the installation was created. */
  installedAtMs: number
  /** The name of this machine, which can verify only its own files. */
  machine: string
}

/** The next action: create a copy and keep this many, or verify an existing copy. */
export type CopyTask = { doing: 'make'; keep: number } | { doing: 'verify'; copy: CopyRow }

/**
 * Returns the due task, or undefined if nothing is due yet. `copies` are all known copies, newest
 * first; no worker holds any of them.
 */
export function dueCopyTask(
  copies: readonly CopyRow[],
  schedule: CopySchedule,
  nowMs: number,
): CopyTask | undefined {
  const { everyMs, installedAtMs, machine, keep } = schedule
  const make: CopyTask = { doing: 'make', keep: keptCopies(copies, keep) }
  const [last] = copies
  // A time further ahead than any possible delay came from a clock that has since been set back.
  const isDue = (atMs: number): boolean => atMs <= nowMs || atMs > nowMs + everyMs + firstCopyMs
  if (last === undefined) return isDue(installedAtMs + firstCopyMs) ? make : undefined

  const isComplete = last.checkedAtMs !== null
  const regularMs = last.madeAtMs + everyMs
  if (isComplete && isDue(regularMs)) return make
  const verify: CopyTask | undefined =
    isComplete && last.machine === machine ? { doing: 'verify', copy: last } : undefined
  if (last.state === 'CHECKED') return isVerificationDue(copies, nowMs) ? verify : undefined
  if (last.state !== 'FAILED') return undefined
  const retryMs = Math.min(retryMsMin * 2 ** Math.min(last.failures - 1, 20), everyMs)
  if (!isDue((last.endedAtMs ?? last.madeAtMs) + retryMs)) return undefined
  // A complete file that failed verification is verified again. The next copy starts at its regular
  // time.
  return isComplete ? verify : make
}

/** Every copy of a small installation is verified, and one a week of a large one. */
function isVerificationDue(copies: readonly CopyRow[], nowMs: number): boolean {
  const [last] = copies
  const verified = copies.find(({ verifiedAtMs }) => verifiedAtMs !== null)
  return isSmall(last) || nowMs - (verified?.verifiedAtMs ?? 0) >= verifiedEveryMs
}

function isSmall(copy: CopyRow | undefined): boolean {
  return (copy?.counts?.scans ?? 0) < scansOfWeeklyVerification
}

/** While verifications fail, newer copies do not displace the last verified copy. */
function keptCopies(copies: readonly CopyRow[], keep: number): number {
  const verified = copies.findIndex(({ verifiedAtMs }) => verifiedAtMs !== null)
  const since = copies.slice(0, Math.max(0, verified))
  if (!since.some(({ state, checkedAtMs }) => state === 'FAILED' && checkedAtMs !== null)) return keep
  const files = since.filter(({ checkedAtMs }) => checkedAtMs !== null).length
  // The copy that starts now, those since the verified one, and the verified one.
  return Math.min(keptMax, Math.max(keep, files + 2))
}

/** Returns the newest complete copy. A file that lacks scans is none. */
export function lastCopy(copies: readonly CopyRow[]): CopyRow | undefined {
  return copies.find(({ checkedAtMs, state }) => checkedAtMs !== null && state !== 'PARTIAL')
}

/** Returns the newest copy that was restored and compared. */
export function lastVerifiedCopy(copies: readonly CopyRow[]): CopyRow | undefined {
  return copies.find(({ verifiedAtMs }) => verifiedAtMs !== null)
}

/**
 * Returns what is known of the copies. `sinceMs` is when the first copy could have started.
 */
export function copyFacts(
  copies: readonly CopyRow[],
  { everyMs, nowMs, sinceMs }: { everyMs: number; nowMs: number; sinceMs: number },
): Omit<CopyFacts, 'isScheduled' | 'told'> {
  const [ended] = copies.filter(({ state }) => state !== 'MAKING')
  const hasFailed = ended?.state === 'FAILED' || ended?.state === 'PARTIAL'
  const last = lastCopy(copies)
  const verified = lastVerifiedCopy(copies)
  return {
    failed: hasFailed ? (ended.found ?? unnamedProblem(ended)) : undefined,
    hasCopy: last !== undefined,
    ageMs: nowMs - (last?.madeAtMs ?? sinceMs),
    everyMs,
    unverifiedMs: nowMs - (verified?.verifiedAtMs ?? copies.at(-1)?.madeAtMs ?? nowMs),
    unverifiedMsMax: isSmall(last) ? 2 * everyMs : Math.max(verifiedMsMax, 2 * everyMs),
    fewer: last?.counts?.fewerHits,
  }
}

/** The sentence of an earlier release, which named no problems. */
function unnamedProblem({ problem: reason }: CopyRow): Problem {
  return reason === null ? problem('copyFailed') : problem('copyCommandFailed', { reason })
}
