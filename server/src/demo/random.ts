/** Random numbers from 0 to 1. */
export type Random = () => number

/**
 * Returns a generator that gives the same numbers for the same seed, an integer below 2^32
 * (xorshift, Marsaglia 2003, after a multiplication that spreads small seeds).
 */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}

/**
 * Returns one of the values, each as often as its weight says. Without values, throws a RangeError.
 */
export function pickWeighted<Value extends { weight: number }>(
  random: Random,
  values: readonly Value[],
): Value {
  let left = random() * values.reduce((sum, { weight }) => sum + weight, 0)
  for (const value of values) {
    left -= value.weight
    if (left < 0) return value
  }
  const last = values.at(-1)
  if (last === undefined) throw new RangeError('there is nothing to pick from')
  return last
}

/** Returns an index below `weights.length`, each as often as its weight says. */
export function pickIndex(random: Random, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  const found = weights.findIndex((weight) => (left -= weight) < 0)
  return found < 0 ? weights.length - 1 : found
}

/** The mean above which a normal distribution stands for Poisson's. */
const meanOfNormal = 30

/** Returns a number of events whose average is `mean` (Poisson). */
export function countAround(random: Random, mean: number): number {
  if (mean > meanOfNormal) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
    return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal))
  }
  const limit = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > limit; product *= random()) count++
  return count
}
