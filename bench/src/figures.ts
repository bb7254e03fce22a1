/** The middle value, the upper one of two. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which this share of them is, 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** With three decimals, which is more than any of our figures is sure of. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
