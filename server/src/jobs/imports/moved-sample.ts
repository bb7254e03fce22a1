import { randomInt } from 'node:crypto'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { MovedRow } from '../../catalogue/imports/import-chunks.ts'
import type { MovedSample, MoveInput } from '../../catalogue/rows/import-row.ts'

const urlCharsMax = 500

/**
 * Adds links to a sample in which each link of a move is with the same chance (reservoir sampling).
 * `earlier` is the number of links before these.
 */
export function addToSample(
  sample: readonly MovedSample[],
  { earlier, made }: { earlier: number; made: readonly MovedSample[] },
  random: (below: number) => number = randomInt,
): MovedSample[] {
  const chosen = [...sample]
  for (const [index, link] of made.entries()) {
    if (chosen.length < limits.comparedLinksMax) {
      chosen.push(link)
      continue
    }
    const place = random(earlier + index + 1)
    if (place < limits.comparedLinksMax) chosen[place] = link
  }
  return chosen
}

/** Returns the short URL that a row has in the columns of its short code, if it has one. */
export function shortUrlIn({ cells }: MovedRow, { header, mapping }: MoveInput): { url?: string } {
  const url = mapping.shortCode
    .map((name) => cells[header.indexOf(name)]?.trim() ?? '')
    .find((cell) => /^https?:\/\/[^/]+\/./i.test(cell))
  return url === undefined || url.length > urlCharsMax || !URL.canParse(url) ? {} : { url }
}
