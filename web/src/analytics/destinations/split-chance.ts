import type { QrCodeVersion } from '@everscan/contract/resources/qr-code-history.ts'

/** An arm of a split, and the visitors that it got. */
export type CountedArm = { name: string; weight: number; uniqueScans: number }

/**
 * `fits`: differences of this size are what chance does. `differs`: chance alone does this in less
 * than 1 of 100 splits.
 */
export type Chance = 'fits' | 'differs'

/** The upper 1 % of the χ² distribution, from 1 degree of freedom: a split has 2 to 10 arms. */
const chiSquareBounds = [6.635, 9.21, 11.345, 13.277, 15.086, 16.812, 18.475, 20.09, 21.666]

/** With fewer visitors expected in an arm, the test says little (Cochran, 1954). */
const expectedMin = 5

/**
 * Compares the visitors of arms with their weights by a χ² test. Counts unique scans, because
 * each is another visitor: repeated scans of one visitor always lead to the same arm. Returns
 * undefined if there are too few to say anything.
 */
export function chanceOf(arms: readonly CountedArm[]): Chance | undefined {
  const visitors = arms.reduce((sum, { uniqueScans }) => sum + uniqueScans, 0)
  const weights = arms.reduce((sum, { weight }) => sum + weight, 0)
  const bound = chiSquareBounds[arms.length - 2]
  const expected = arms.map(({ weight }) => (visitors * weight) / weights)
  if (bound === undefined || expected.some((count) => count < expectedMin)) return undefined
  const distance = arms.reduce(
    (sum, { uniqueScans }, at) => sum + (uniqueScans - (expected[at] ?? 0)) ** 2 / (expected[at] ?? 1),
    0,
  )
  return distance > bound ? 'differs' : 'fits'
}

type Version = Pick<QrCodeVersion, 'version' | 'changedAt' | 'rules'>

/**
 * Returns the weights of a rule's arms, if they were the same during a whole period. `versions` are
 * those of a code, newest first; older ones may be missing.
 */
export function weightsDuring(
  versions: readonly Version[],
  ruleId: string,
  { start, end }: { start: string; end: string },
): ReadonlyMap<string, number> | undefined {
  // Version N ends when N + 1 begins.
  const first = versions.findIndex(({ changedAt }) => changedAt <= start)
  const isKnown = first >= 0 || versions.at(-1)?.version === 1
  if (!isKnown) return undefined
  const inPeriod = versions
    .slice(0, first < 0 ? versions.length : first + 1)
    .filter(({ changedAt }) => changedAt <= end)
  const splits = inPeriod.flatMap(({ rules }) => rules.find(({ id }) => id === ruleId) ?? [])
  const weights = splits.map(({ split = [] }) => split.map(({ name, weight }) => [name, weight] as const))
  const different = new Set(weights.map((arms) => JSON.stringify(arms.toSorted(byName))))
  return different.size === 1 ? new Map(weights[0]) : undefined
}

function byName([a]: readonly [string, number], [b]: readonly [string, number]): number {
  return a < b ? -1 : Number(a > b)
}
