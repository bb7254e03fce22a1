import { problem } from '@everscan/contract/problems/problem.ts'
import { Worker } from 'node:worker_threads'
import { PictureError } from '@everscan/qr/picture.ts'
import { ApiError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { StyleJobName } from './style-work.ts'
import type { RunTimedStyleJob } from './style-queue.ts'
import type { StyleJobAnswer } from './style-thread-main.ts'

/** A thread holds memory of its own, so it ends when it is not used for this long. */
const idleMs = 5 * 60_000
/** A job takes tens of milliseconds of a processor. One that takes this much is ended. */
const jobMsMax = 15_000
/** So is one that takes longer because the processors are full: its client does not wait longer. */
const jobWallMsMax = 60_000
const lookMs = 1_000
const heapMbMax = 256

/**
 * Runs one job at a time on a thread, so that the process goes on answering meanwhile. The thread
 * starts with the first job, ends after a rest, and is replaced after a failure.
 */
export class StyleThread {
  readonly #log: Log
  #thread: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(log: Log) {
    this.#log = log
  }

  /** Throws `PictureError`, or ApiError 503 if the thread ended or did not answer in time. */
  readonly run: RunTimedStyleJob = (name, input, spend) => this.#ask(name, input, spend) as never

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }

  async #ask(name: StyleJobName, input: unknown, spend: (processorMs: number) => void): Promise<unknown> {
    clearTimeout(this.#idle)
    const thread = (this.#thread ??= this.#start())
    const spent = measureWork()
    const fromMs = performance.now()
    const looks = setInterval(() => {
      if (spent() > jobMsMax || performance.now() - fromMs > jobWallMsMax) void thread.terminate()
    }, lookMs)
    thread.ref()
    try {
      return resultOf(await answerOf(thread, { name, input }))
    } finally {
      clearInterval(looks)
      spend(spent())
      thread.unref()
      this.#idle = setTimeout(() => void this.close(), idleMs).unref()
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL('./style-thread-main.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    })
    thread.unref()
    // A thread that ran out of memory ends with this event, and `exit` follows.
    thread.on('error', (error) => {
      this.#log.error({ err: error }, 'the thread that checks styles ended; the next job starts another')
    })
    thread.once('exit', () => {
      if (this.#thread === thread) this.#thread = undefined
    })
    return thread
  }
}

/**
 * Returns the processor time since the call, in milliseconds, that a job may have taken. Most of a
 * job runs on threads of libvips and of Node's pool, and none of these can be asked, so this is the
 * time of the whole process without its event loop. It is never more than the clock says: others
 * use that pool, too.
 */
function measureWork(): () => number {
  const fromMs = performance.now()
  const ofProcess = process.cpuUsage()
  const ofLoop = process.threadCpuUsage()
  return () => {
    const all = process.cpuUsage(ofProcess)
    const loop = process.threadCpuUsage(ofLoop)
    const workMs = (all.user + all.system - loop.user - loop.system) / 1000
    return Math.min(Math.max(workMs, 0), performance.now() - fromMs)
  }
}

function answerOf(thread: Worker, job: { name: StyleJobName; input: unknown }): Promise<StyleJobAnswer> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(unfinished())
    thread.once('exit', ended)
    thread.once('message', (answer: StyleJobAnswer) => {
      thread.off('exit', ended)
      resolve(answer)
    })
    thread.postMessage(job)
  })
}

function resultOf(answer: StyleJobAnswer): unknown {
  if (answer.ok) return answer.result
  if (answer.told !== undefined) throw new PictureError(answer.told)
  throw Object.assign(new Error(answer.message), { stack: answer.stack })
}

function unfinished(): ApiError {
  return new ApiError(503, 'UNAVAILABLE', problem('styleNotChecked'), { headers: { 'retry-after': '5' } })
}
