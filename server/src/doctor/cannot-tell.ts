/** Thrown by a check that lacks something it needs; `mend` says how to provide it. */
export class CannotTell extends Error {
  readonly mend: string

  constructor(why: string, mend: string, cause?: unknown) {
    super(why, cause === undefined ? undefined : { cause })
    this.mend = mend
  }
}
