const steps = 10

/** A wait: `late` resolves at its end, and `end` ends it before. */
export type AwakeWait = { late: Promise<'late'>; end: () => void }

/**
 * Waits so many milliseconds, without the time in which the event loop of this process stood still:
 * what was answered meanwhile has then not been read, or was not even asked.
 */
export function waitAwake(ms: number): AwakeWait {
  let timer: NodeJS.Timeout | undefined
  let left = steps
  const late = new Promise<'late'>((resolve) => {
    // A step that comes late counts as one, and Node reads what has arrived between two.
    timer = setInterval(() => {
      if (--left > 0) return
      clearInterval(timer)
      resolve('late')
    }, ms / steps)
  })
  return { late, end: () => clearInterval(timer) }
}

/** Returns the result of a promise, or `late` if it does not come within such a wait. */
export async function within<Result>(promise: Promise<Result>, ms: number): Promise<Result | 'late'> {
  const { late, end } = waitAwake(ms)
  try {
    return await Promise.race([promise, late])
  } finally {
    end()
  }
}
