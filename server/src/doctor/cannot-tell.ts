import type { Problem } from '@everscan/contract/problems/problem.ts'

/** Thrown by a check that lacks something it needs; `mend` says how to provide it. */
export class CannotTell extends Error {
  readonly mend: string
  /** The problem of the installation, if that is why. */
  readonly found: Problem | undefined

  constructor(why: string, mend: string, { cause, found }: { cause?: unknown; found?: Problem } = {}) {
    super(why, cause === undefined ? undefined : { cause })
    this.mend = mend
    this.found = found
  }
}
