/** The calendar month (UTC) of the rows of a batch. */
export class OneMonth {
  #month: number | undefined
  #fromMs = 0
  #untilMs = 0

  /** The month, such as 202603. Undefined before the first row. */
  get month(): number | undefined {
    return this.#month
  }

  /** Whether a row is of the month of the first row. */
  has({ timeMs }: { timeMs: number }): boolean {
    return this.#month === undefined || (timeMs >= this.#fromMs && timeMs < this.#untilMs)
  }

  /** Sets the month from the first row. */
  add({ timeMs }: { timeMs: number }): void {
    if (this.#month !== undefined) return
    const date = new Date(timeMs)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    this.#month = monthOf(timeMs)
    this.#fromMs = Date.UTC(year, month)
    this.#untilMs = Date.UTC(year, month + 1)
  }
}

/** Returns the calendar month (UTC) of a time, such as 202603. */
export function monthOf(timeMs: number): number {
  const date = new Date(timeMs)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}
