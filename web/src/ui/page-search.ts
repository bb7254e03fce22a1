/** The page of a list that an address names; undefined: the first, also for what is no page. */
export function readPage(search: Record<string, unknown>): number | undefined {
  const page = Number(search['page'])
  return Number.isSafeInteger(page) && page > 1 ? page : undefined
}

/** A word of an address, if it is one of these. */
export function readWord<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === value)
}
