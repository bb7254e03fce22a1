/**
 * Which of several servers takes the calls: the first one, until it fails. All processes then use
 * the same server, so each sees what the others have stored there.
 */
export class ServerPin {
  readonly #servers: number
  #index = 0
  #holds = 0

  constructor(servers: number) {
    this.#servers = servers
  }

  get index(): number {
    return this.#index
  }

  /** Moves on to the next server, unless another call did that already or the pin is held. */
  failed(index: number): void {
    if (this.#holds === 0 && index === this.#index) this.#index = (index + 1) % this.#servers
  }

  /** Moves back to an earlier server, unless the pin is held. */
  returnTo(index: number): void {
    if (this.#holds === 0 && index < this.#index) this.#index = index
  }

  /** Runs work during which the pin stays where it is. */
  async hold<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#holds++
    try {
      return await work()
    } finally {
      this.#holds--
    }
  }
}
