import { Worker } from 'node:worker_threads'

/** A thread holds memory of its own. */
const idleMs = 60_000
const heapMbMax = 64

export type Asked = { number: number; question: unknown }
export type Answered = { number: number } & ({ answer: unknown } | { error: string })

export type ThreadsOptions = {
  /** A module that calls `answerQuestions`. */
  module: URL
  /** For errors: the thread that … ended. */
  work: string
  threadsMax: number
  workerData?: unknown
  /** Default: true. */
  endsIdle?: boolean
}

type Waiting = { thread: Thread; resolve: (answer: unknown) => void; reject: (error: Error) => void }
type Thread = { worker: Worker; waiting: number }

/**
 * Threads that answer questions beside the event loop. They start with the first question, end
 * after a minute without one if they may, and are replaced when they fail.
 */
export class Threads {
  readonly #options: ThreadsOptions
  readonly #threads = new Set<Thread>()
  readonly #asked = new Map<number, Waiting>()
  #number = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: ThreadsOptions) {
    this.#options = options
  }

  /** Returns the answer. Rejects with the error of the thread, or if the thread ended. */
  ask(question: unknown): Promise<unknown> {
    clearTimeout(this.#idle)
    const thread = this.#freest()
    const asked: Asked = { number: this.#number++, question }
    thread.waiting++
    thread.worker.ref()
    return new Promise((resolve, reject) => {
      this.#asked.set(asked.number, { thread, resolve, reject })
      thread.worker.postMessage(asked)
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
    const { threadsMax } = this.#options
    if (freest !== undefined && (freest.waiting === 0 || this.#threads.size >= threadsMax)) return freest
    return this.#start()
  }

  #start(): Thread {
    const { module, work, workerData } = this.#options
    const worker = new Worker(module, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    })
    const thread: Thread = { worker, waiting: 0 }
    this.#threads.add(thread)
    worker.on('message', (answered: Answered) => {
      const waiting = this.#end(answered.number)
      if ('error' in answered) waiting?.reject(new Error(answered.error))
      else waiting?.resolve(answered.answer)
    })
    const failed = (error: Error): void => {
      this.#threads.delete(thread)
      for (const [number, waiting] of this.#asked)
        if (waiting.thread === thread) this.#end(number)?.reject(error)
    }
    worker.once('error', failed)
    worker.once('exit', () => failed(new Error(`the thread that ${work} ended`)))
    return thread
  }

  #end(number: number): Waiting | undefined {
    const waiting = this.#asked.get(number)
    if (waiting === undefined) return undefined
    this.#asked.delete(number)
    if (--waiting.thread.waiting === 0) waiting.thread.worker.unref()
    if (this.#asked.size === 0 && this.#options.endsIdle !== false)
      this.#idle = setTimeout(() => void this.close(), idleMs).unref()
    return waiting
  }
}
