/**
 * Joins calls: one at a time is under way, and all that come meanwhile share the next. The one
 * under way may have begun before what they are about.
 */
export function sharedRounds(begin: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    running = begin().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return start()
    next ??= running.then(() => {
      next = undefined
      return start()
    })
    return next
  }
}
