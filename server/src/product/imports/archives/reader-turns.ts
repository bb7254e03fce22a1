import { limits } from '@everscan/contract/schema/limits.ts'
import { ClientGone } from '../../../turns/client-gone.ts'

type Waiting = { holder: string; begin: () => void }

/** The turns of archives to be read: few at once, and one of each organization or account. */
export class ReaderTurns {
  readonly #holders = new Set<string>()
  #waiting: Waiting[] = []

  /** Waits for a turn, and returns the function that ends it. Throws ClientGone with the signal. */
  async take(holder: string, signal: AbortSignal): Promise<() => void> {
    await new Promise<void>((resolve, reject) => {
      const gone = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        reject(new ClientGone('The client left before its archive was read.'))
      }
      const begin = () => {
        signal.removeEventListener('abort', gone)
        resolve()
      }
      const waiting = { holder, begin }
      if (signal.aborted) return gone()
      signal.addEventListener('abort', gone)
      this.#waiting.push(waiting)
      this.#begin()
    })
    return () => {
      this.#holders.delete(holder)
      this.#begin()
    }
  }

  #begin(): void {
    while (this.#holders.size < limits.archiveReadersMax) {
      const next = this.#waiting.find(({ holder }) => !this.#holders.has(holder))
      if (next === undefined) return
      this.#waiting = this.#waiting.filter((one) => one !== next)
      this.#holders.add(next.holder)
      next.begin()
    }
  }
}
