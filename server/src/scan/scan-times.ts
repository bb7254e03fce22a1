/** The upper bounds of the buckets in milliseconds; the last bucket has none. */
const boundsMs = [0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 10_000]
const buckets = boundsMs.length + 1
const classes = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

export type ScanTime = { value: number; labels: Record<string, string | number>; metricName: string }

/**
 * The number of answered short URLs, by class of status and duration. The histogram is in plain
 * arrays: it costs a redirect two clock readings and two additions, while prom-client's own looks
 * up its labels for each.
 */
export class ScanTimes {
  readonly #counts = new Float64Array(classes.length * buckets)
  readonly #sumsMs = new Float64Array(classes.length)

  observe(status: number, tookMs: number): void {
    const row = ((status / 100) | 0) - 1
    let bucket = 0
    while (bucket < boundsMs.length && tookMs > (boundsMs[bucket] as number)) bucket++
    this.#counts[row * buckets + bucket] = (this.#counts[row * buckets + bucket] as number) + 1
    this.#sumsMs[row] = (this.#sumsMs[row] as number) + tookMs
  }

  /**
   * Returns the histogram in the form of Prometheus: cumulative buckets, in seconds, for each class
   * that short URLs are answered with.
   */
  read(name: string): ScanTime[] {
    return classes.flatMap((status, row) => (status === '1xx' ? [] : this.#readClass(name, status, row)))
  }

  #readClass(name: string, status: string, row: number): ScanTime[] {
    let count = 0
    const upTo = Array.from(this.#counts.subarray(row * buckets, (row + 1) * buckets), (value, bucket) => {
      count += value
      const boundMs = boundsMs[bucket]
      const le = boundMs === undefined ? '+Inf' : boundMs / 1000
      return { value: count, labels: { le, status }, metricName: `${name}_bucket` }
    })
    const sum = (this.#sumsMs[row] ?? 0) / 1000
    return [
      ...upTo,
      { value: sum, labels: { status }, metricName: `${name}_sum` },
      { value: count, labels: { status }, metricName: `${name}_count` },
    ]
  }
}
