import { limits } from '../schema/limits.ts'

const classes = [
  { pattern: /\d/, characters: 10 },
  { pattern: /\p{Ll}/u, characters: 26 },
  { pattern: /\p{Lu}/u, characters: 26 },
  { pattern: /[^\d\p{Ll}\p{Lu}]/u, characters: 33 },
] as const

const guessesPerDay = limits.accessTriesPerDay + limits.accessNewTriesPerDay
/** A password that stands for longer is worth no warning: ten years. */
const daysEnough = 3_650

/**
 * Returns after how many days a password of a code is found on average by somebody who tries from
 * any number of networks, if it was chosen at random from such characters. Words and years are
 * found sooner. Undefined if it stands for more than ten years.
 */
export function daysUntilGuessed(password: string): number | undefined {
  const alphabet = classes.reduce(
    (sum, { pattern, characters }) => sum + (pattern.test(password) ? characters : 0),
    0,
  )
  const days = alphabet ** Array.from(password).length / 2 / guessesPerDay
  return days > daysEnough ? undefined : Math.max(1, Math.floor(days))
}
