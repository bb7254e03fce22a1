import { Worker } from 'node:worker_threads'
import type { PasswordAnswer, PasswordQuestion } from './password-thread-main.ts'

/** A thread holds memory of its own, so all end when none is used for this long. */
const idleMs = 60_000
const heapMbMax = 64

type Waiting = { thread: Thread; resolve: (isRight: boolean) => void; reject: (error: Error) => void }
type Thread = { worker: Worker; waiting: number }

/**
 * Checks passwords on threads of a lower priority. On the threads that Node shares, a check takes
 * the place of writes of the journal, and the processors from redirects.
 */
export class PasswordThreads {
  readonly #threadsMax: number
  readonly #threads = new Set<Thread>()
  readonly #asked = new Map<number, Waiting>()
  #number = 0
  #idle: NodeJS.Timeout | undefined

  constructor(threadsMax: number) {
    this.#threadsMax = threadsMax
  }

  /** Whether a password matches a PHC string. Rejects if the thread ended. */
  verify(password: string, hash: string): Promise<boolean> {
    clearTimeout(this.#idle)
    const thread = this.#freest()
    const number = this.#number++
    thread.waiting++
    thread.worker.ref()
    const question: PasswordQuestion = { number, password, hash }
    return new Promise((resolve, reject) => {
      this.#asked.set(number, { thread, resolve, reject })
      thread.worker.postMessage(question)
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const threads = [...this.#threads]
    this.#threads.clear()
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  #freest(): Thread {
    const [freest] = [...this.#threads].sort((a, b) => a.waiting - b.waiting)
    if (freest !== undefined && (freest.waiting === 0 || this.#threads.size >= this.#threadsMax))
      return freest
    return this.#start()
  }

  #start(): Thread {
    const worker = new Worker(new URL('./password-thread-main.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    })
    const thread: Thread = { worker, waiting: 0 }
    this.#threads.add(thread)
    worker.on('message', ({ number, isRight }: PasswordAnswer) => this.#end(number)?.resolve(isRight))
    const failed = (error: Error): void => {
      this.#threads.delete(thread)
      for (const [number, waiting] of this.#asked)
        if (waiting.thread === thread) this.#end(number)?.reject(error)
    }
    worker.once('error', failed)
    worker.once('exit', () => failed(new Error('the thread that checks passwords ended')))
    return thread
  }

  #end(number: number): Waiting | undefined {
    const waiting = this.#asked.get(number)
    if (waiting === undefined) return undefined
    this.#asked.delete(number)
    if (--waiting.thread.waiting === 0) waiting.thread.worker.unref()
    if (this.#asked.size === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref()
    return waiting
  }
}
