/** The user and the organization of unfinished work. */
export type WorkPlace = { userId: string; orgId: string }

/** Unfinished work of an earlier visit, maybe to another version of this page. */
export type KeptWork = { value: unknown; atMs: number }

const prefix = 'everscan-work'
/** As long as a session lasts. Older work is deleted. */
const keptMsMax = 30 * 24 * 3_600_000

const keyOf = ({ userId, orgId }: WorkPlace) => `${prefix}:${userId}:${orgId}`

/**
 * Keeps unfinished work in this browser, until the user signs out. Returns whether it is kept: a
 * browser may refuse, or have no room.
 */
export function keepWork(place: WorkPlace, value: unknown): boolean {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify({ value, atMs: Date.now() } satisfies KeptWork))
    return true
  } catch {
    dropWork(place)
    return false
  }
}

export function readWork(place: WorkPlace): KeptWork | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null') as KeptWork | null
    if (kept === null) return undefined
    if (Date.now() - kept.atMs < keptMsMax) return kept
  } catch {
    // Nothing that this version could read.
  }
  dropWork(place)
  return undefined
}

export function dropWork(place: WorkPlace): void {
  try {
    localStorage.removeItem(keyOf(place))
  } catch {
    // A browser that keeps nothing.
  }
}

/** Returns whether any work of a user is kept here. */
export const hasKeptWork = (userId: string) => keysOf(userId).length > 0

/** Deletes all work of a user: the next person at this computer must not find it. */
export function dropAllWork(userId: string): void {
  for (const key of keysOf(userId)) localStorage.removeItem(key)
}

function keysOf(userId: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${prefix}:${userId}:`))
  } catch {
    return []
  }
}
