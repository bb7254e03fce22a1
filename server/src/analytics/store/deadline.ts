/** Time limit of a call to the store that sets none, in milliseconds. */
export const deadlineMsDefault = 20_000

/**
 * Work that is not done after this time may be waiting for a store that hangs. The store is queried
 * then, and again at this interval.
 */
const askAfterMs = 2_000

/**
 * Runs work that stops on a signal. Rejects at the deadline, even if the work does not stop.
 * Rejects earlier if the store is found not to answer, which distinguishes a store that hangs from
 * a slow query within seconds.
 */
export async function withDeadline<Result>(
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
  isAnswering: () => Promise<boolean> = async () => true,
): Promise<Result> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let asking: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const giveUp = (why: string): void => {
      reject(new Error(why))
      controller.abort()
    }
    timer = setTimeout(() => giveUp(`no answer within ${deadlineMs} ms`), deadlineMs)
    asking = setInterval(() => {
      void isAnswering().then((answers) => answers || giveUp('it hangs'))
    }, askAfterMs)
  })
  try {
    return await Promise.race([work(controller.signal), late])
  } finally {
    clearTimeout(timer)
    clearInterval(asking)
  }
}
