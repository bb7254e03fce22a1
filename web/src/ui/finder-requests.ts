/** The finder opens with its search field, or with the camera and pictures. */
export type FinderMode = 'search' | 'picture'

const listeners = new Set<(mode: FinderMode) => void>()

/** Opens the finder, which the shell holds, from any page. */
export function askFinder(mode: FinderMode): void {
  for (const listener of listeners) listener(mode)
}

/** Calls `listener` for every request. Returns a function that ends that. */
export function watchFinder(listener: (mode: FinderMode) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
