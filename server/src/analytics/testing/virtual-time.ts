type TimedEvent = { atMs: number; order: number; run: () => void }

/** A clock that jumps from event to event, so that hours of a model pass in milliseconds. */
export class VirtualTime {
  #nowMs: number
  #order = 0
  readonly #events: TimedEvent[] = []

  constructor(nowMs: number) {
    this.#nowMs = nowMs
  }

  get nowMs(): number {
    return this.#nowMs
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) =>
      this.#push({ atMs: this.#nowMs + ms, order: this.#order++, run: resolve }),
    )
  }

  /** Rejects work that takes longer. The work itself goes on. */
  async within<Result>(ms: number, work: Promise<Result>): Promise<Result> {
    work.catch(() => undefined)
    const late = this.sleep(ms).then(() => Promise.reject(new Error(`no answer within ${ms} ms`)))
    late.catch(() => undefined)
    return await Promise.race([work, late])
  }

  /** Lets time pass until `isDone`, or no event is left, or the time is over. */
  async run(isDone: () => boolean, untilMs: number): Promise<void> {
    await settledTurn()
    while (!isDone()) {
      const next = this.#pop()
      if (next === undefined || next.atMs > untilMs) return
      this.#nowMs = Math.max(this.#nowMs, next.atMs)
      next.run()
      await settledTurn()
    }
  }

  #push(event: TimedEvent): void {
    const events = this.#events
    let at = events.push(event) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(event, events[parent] as typeof event)) break
      events[at] = events[parent] as typeof event
      at = parent
    }
    events[at] = event
  }

  #pop(): TimedEvent | undefined {
    const events = this.#events
    const [first] = events
    const last = events.pop()
    if (first === undefined || last === undefined || events.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= events.length) break
      const right = events[child + 1]
      if (right !== undefined && isBefore(right, events[child] as typeof right)) child++
      if (!isBefore(events[child] as typeof last, last)) break
      events[at] = events[child] as typeof last
      at = child
    }
    events[at] = last
    return first
  }
}

function isBefore(a: { atMs: number; order: number }, b: { atMs: number; order: number }): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order)
}

/** Waits until all promises that can settle now have settled. */
function settledTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
