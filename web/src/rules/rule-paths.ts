/** Problems and events of the fields of a form, by path. */
export type RulePaths = {
  /** Returns the problem of a field, once the user has been there. */
  problemAt: (path: string) => string | undefined
  /** Returns whether any field below a path shows a problem. */
  hasProblemIn: (path: string) => boolean
  /** Called when the user leaves a field. */
  onLeave: (path: string) => void
}
