import { clockOffsets } from '../clock-offsets.ts'

const dayMs = 86_400_000
/** How far ahead the clocks of a zone are looked up. */
const aheadMs = 30 * dayMs

/**
 * The clocks of a time zone. Their offset from UTC is looked up once, and again when it changes: a
 * scan compares two numbers.
 */
export class ZoneClock {
  readonly #timeZone: string
  #fromMs = 0
  #untilMs = 0
  #offsetMs = 0

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** Returns the time that clocks show, as the milliseconds of that time in UTC. */
  shown(timeMs: number): number {
    if (timeMs < this.#fromMs || timeMs >= this.#untilMs) this.#lookUp(timeMs)
    return timeMs + this.#offsetMs
  }

  #lookUp(timeMs: number): void {
    const [current] = clockOffsets(this.#timeZone, timeMs, timeMs + aheadMs)
    if (current === undefined) throw new RangeError(`no clocks of ${this.#timeZone}`)
    this.#fromMs = timeMs
    this.#untilMs = current.untilMs
    this.#offsetMs = current.offsetMs
  }
}

const clocks = new Map<string, ZoneClock>()

/** Returns the clock of a zone, which all rules share. There are some hundred zones. */
export function zoneClock(timeZone: string): ZoneClock {
  const known = clocks.get(timeZone)
  if (known !== undefined) return known
  const clock = new ZoneClock(timeZone)
  clocks.set(timeZone, clock)
  return clock
}
