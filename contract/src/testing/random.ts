/** Random numbers from 0 to 1. */
export type Random = () => number

/** The seed of this run, which it prints: run a random failure again with `SEED=…`. */
export function testSeed(): number {
  const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  process.stderr.write(`SEED=${seed}\n`)
  return seed
}

/** A generator that returns the same numbers for the same seed (Mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A generator with the seed of this run. */
export function seededRandom(): Random {
  return randomFrom(testSeed())
}

export function pick<Value>(random: Random, values: readonly Value[]): Value {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new RangeError('nothing to pick from')
  return value
}
