// The figures of a bench, with an aim or without.

export type Figure = {
  what: string
  /** The place in the result of the bench: names separated by dots. */
  path: string
  unit: Unit
  /** If absent, the figure has no aim and only describes the run. */
  aim?: { atLeast: number } | { atMost: number }
}

export type Aim = {
  /** The name for `npm run bench`. */
  bench: string
  work: string
  baseline: string
  figures: readonly Figure[]
  /** The obstacle, shown on the page while the bench misses an aim. */
  unmet?: string
}

type Unit = '×' | 'µs' | 'ms' | 's' | 'MB' | 'per second' | ''

export const least = (what: string, path: string, atLeast: number, unit: Unit = '×') => {
  return { what, path, unit, aim: { atLeast } }
}
export const most = (what: string, path: string, atMost: number, unit: Unit = '×') => {
  return { what, path, unit, aim: { atMost } }
}
export const shown = (what: string, path: string, unit: Unit = '') => ({ what, path, unit })
export const noErrors = most('errors', 'errors', 0, '')
