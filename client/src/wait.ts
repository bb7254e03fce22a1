import type { CallOptions } from './send.ts'
import { sleep } from './sleep.ts'

export type WaitOptionsOf<Job> = CallOptions & {
  /** The polling interval in milliseconds. Default: 500. */
  pollMs?: number | undefined
  /** Called with the state of the job after each poll. */
  onProgress?: ((job: Job) => void) | undefined
}

/** Reads a job until it has ended. */
export async function ended<Job extends { completedAt: string | null }>(
  read: (options: CallOptions) => Promise<Job>,
  { pollMs = 500, onProgress, ...options }: WaitOptionsOf<Job> = {},
): Promise<Job> {
  for (;;) {
    const job = await read(options)
    onProgress?.(job)
    if (job.completedAt !== null) return job
    await sleep(pollMs, options.signal)
  }
}
