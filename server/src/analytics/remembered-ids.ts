import type { CodeIds } from './scan-store.ts'

/** A stored list is used for this time. A store keeps it for longer, and does not sleep before. */
export const usedMsMax = 4 * 60_000

/**
 * Returns a function that hands a list of ids to a store, or returns what it did with the same list
 * before, if that is not long ago.
 */
export function rememberIds<Stored>(
  store: (codes: CodeIds) => Promise<Stored>,
): (codes: CodeIds) => Promise<Stored> {
  const known = new WeakMap<CodeIds, { ids: Promise<Stored>; untilMs: number }>()
  return (codes) => {
    const found = known.get(codes)
    if (found !== undefined && performance.now() < found.untilMs) return found.ids
    const ids = store(codes)
    known.set(codes, { ids, untilMs: performance.now() + usedMsMax })
    ids.catch(() => known.delete(codes))
    return ids
  }
}
