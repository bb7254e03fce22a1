import type { CopyRow } from '../rows/copy-row.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A new installation has other things to do first. */
export const firstCopyMs = 10 * minuteMs
/** After the first failure in a row; each further one doubles it, up to the time between copies. */
const retryMsMin = 15 * minuteMs
/** From so many scans on, restoring a copy takes too long to do it with each. */
const scansOfEachVerified = 5_000_000
const verifiedEveryMs = 7 * dayMs
/** How old the last verified copy of a large installation may become. */
const verifiedMsMax = 14 * dayMs
const keptMax = 9_999

export type CopySchedule = {
  everyMs: number
  /** How many of the newest copies are kept. */
  keep: number
  /** When the installation was made. */
  installedAtMs: number
  /** Name of this machine: it can verify only what lies here. */
  machine: string
}

/** What is to be done now: make another copy, keeping so many, or verify one that is there. */
export type CopyTask = { doing: 'make'; keep: number } | { doing: 'verify'; copy: CopyRow }

/** `copies` are all that are known, newest first, of which none is being worked on. Undefined: nothing is due yet. */
export function dueCopyTask(
  copies: readonly CopyRow[],
  schedule: CopySchedule,
  nowMs: number,
): CopyTask | undefined {
  const { everyMs, installedAtMs, machine, keep } = schedule
  const make: CopyTask = { doing: 'make', keep: keptCopies(copies, keep) }
  const [last] = copies
  // A time further ahead than any that is waited was noted by a clock that has since been set back.
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
  // A file that is complete and could not be restored is tried again; another one is made at its time.
  return isComplete ? verify : make
}

/** Each copy of a small installation is verified, and one a week of a large one. */
function isVerificationDue(copies: readonly CopyRow[], nowMs: number): boolean {
  const [last] = copies
  const verified = copies.find(({ verifiedAtMs }) => verifiedAtMs !== null)
  return isSmall(last) || nowMs - (verified?.verifiedAtMs ?? 0) >= verifiedEveryMs
}

function isSmall(copy: CopyRow | undefined): boolean {
  return (copy?.counts?.scans ?? 0) < scansOfEachVerified
}

/** While copies cannot be verified, the last one that could is not removed in their favour. */
function keptCopies(copies: readonly CopyRow[], keep: number): number {
  const verified = copies.findIndex(({ verifiedAtMs }) => verifiedAtMs !== null)
  const since = copies.slice(0, Math.max(0, verified))
  if (!since.some(({ state, checkedAtMs }) => state === 'FAILED' && checkedAtMs !== null)) return keep
  const files = since.filter(({ checkedAtMs }) => checkedAtMs !== null).length
  // The one that is made now, those since, and the verified one.
  return Math.min(keptMax, Math.max(keep, files + 2))
}

/** The newest copy that is complete. */
export function lastCopy(copies: readonly CopyRow[]): CopyRow | undefined {
  return copies.find(({ checkedAtMs }) => checkedAtMs !== null)
}

/** The newest copy that was restored and compared. */
export function lastVerifiedCopy(copies: readonly CopyRow[]): CopyRow | undefined {
  return copies.find(({ verifiedAtMs }) => verifiedAtMs !== null)
}

/**
 * What is wrong with the copies, in a sentence; undefined: nothing. Where there are none, `sinceMs` is since when they could have been
 * made: before twice the time between copies has passed since then, that is no fault.
 */
export function copiesProblem(
  copies: readonly CopyRow[],
  { everyMs, nowMs, sinceMs }: { everyMs: number; nowMs: number; sinceMs: number },
): string | undefined {
  const [ended] = copies.filter(({ state }) => state !== 'MAKING')
  if (ended?.state === 'FAILED') return ended.problem ?? 'the last copy failed'
  const last = lastCopy(copies)
  const ageMs = nowMs - (last?.madeAtMs ?? sinceMs)
  if (ageMs > 2 * everyMs)
    return last === undefined
      ? `no copy was made for ${spanText(ageMs)}: the log of the worker says why`
      : `the last copy is ${spanText(ageMs)} old, and one is due every ${spanText(everyMs)}: the log of the worker says why`
  const verifiedMsAllowed = isSmall(last) ? 2 * everyMs : Math.max(verifiedMsMax, 2 * everyMs)
  const verified = lastVerifiedCopy(copies)
  const unverifiedMs = nowMs - (verified?.verifiedAtMs ?? copies.at(-1)?.madeAtMs ?? nowMs)
  if (unverifiedMs > verifiedMsAllowed)
    return `no copy was verified for ${spanText(unverifiedMs)}: the log of the worker says why`
  return last?.counts?.incomplete
}

function spanText(ms: number): string {
  const hours = Math.floor(ms / hourMs)
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}
