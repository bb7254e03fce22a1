// The thread on which `StyleThread` runs jobs, one after the other.
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import { PictureError } from '@everscan/qr/picture.ts'
import { errorMessage } from '../../errors.ts'
import type { StyleJobName } from './style-work.ts'
import { runStyleJob } from './style-jobs.ts'

export type StyleJobMessage = { name: StyleJobName; input: never }

/** Errors lose their class between threads, and only that of a `PictureError` matters. */
export type StyleJobAnswer =
  | { ok: true; result: unknown }
  | {
      ok: false
      /** The problem of a `PictureError`. */
      told: Problem | string | undefined
      message: string
      stack?: string | undefined
    }

/** How much later than its process this thread gets a processor. Other requests come first. */
const laterNice = 5
const nicest = 19

// Elsewhere a priority belongs to the whole process.
if (process.platform === 'linux') setPriority(Math.min(nicest, getPriority() + laterNice))

parentPort?.on('message', (message: StyleJobMessage) => {
  void answer(message).then((one) => parentPort?.postMessage(one))
})

async function answer({ name, input }: StyleJobMessage): Promise<StyleJobAnswer> {
  try {
    return { ok: true, result: await runStyleJob(name, input) }
  } catch (error) {
    return {
      ok: false,
      told: error instanceof PictureError ? (error.found ?? error.message) : undefined,
      message: errorMessage(error),
      stack: error instanceof Error ? error.stack : undefined,
    }
  }
}
