/** Returns the median, the upper of two middle values. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Returns the value below which this share of the values lies, 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Rounds to three decimals, more than the precision of any of our figures. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
