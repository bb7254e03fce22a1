/** Reads the page of a list from the URL. Undefined: the first page, also for invalid values. */
export function readPage(search: Record<string, unknown>): number | undefined {
  const page = Number(search['page'])
  return Number.isSafeInteger(page) && page > 1 ? page : undefined
}

/** Returns a search parameter if it is one of `words`. */
export function readWord<T extends string>(value: unknown, words: readonly T[]): T | undefined {
  return words.find((word) => word === value)
}
