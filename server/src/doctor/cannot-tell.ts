/** What a check needs is not there. */
export class CannotTell extends Error {
  readonly mend: string

  constructor(why: string, mend: string, cause?: unknown) {
    super(why, cause === undefined ? undefined : { cause })
    this.mend = mend
  }
}
