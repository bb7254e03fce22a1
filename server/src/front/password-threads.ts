import type { PasswordQuestion } from './password-thread-main.ts'
import { Threads } from './threads.ts'

/**
 * Checks passwords on threads of a lower priority. On the threads that Node shares, a check takes
 * the place of writes of the journal, and the processors from redirects.
 */
export class PasswordThreads {
  readonly #threads: Threads

  constructor(threadsMax: number) {
    const module = new URL('./password-thread-main.ts', import.meta.url)
    this.#threads = new Threads({ module, work: 'checks passwords', threadsMax })
  }

  /** Whether a password matches a PHC string. Rejects if the thread ended. */
  async verify(password: string, hash: string): Promise<boolean> {
    const question: PasswordQuestion = { password, hash }
    return (await this.#threads.ask(question)) === true
  }

  close(): Promise<void> {
    return this.#threads.close()
  }
}
