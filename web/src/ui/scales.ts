/**
 * Returns the lines of a chart: 0 and evenly spaced round numbers above it. The last is `highest`
 * or more.
 */
export function stepsUpTo(highest: number): readonly number[] {
  const linesMax = 4
  const least = Math.max(highest / linesMax, 1)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((round) => round * power).find((one) => one >= least) ?? least
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, at) => at * step)
}
