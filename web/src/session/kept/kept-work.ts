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
  for (const key of keysFrom(prefix)) if (readKept(key) === undefined) localStorage.removeItem(key)
  return readKept(keyOf(place))
}

/** Returns what is kept under a key, unless it is too old or nothing that this version can read. */
function readKept(key: string): KeptWork | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null') as KeptWork | null
    return kept !== null && Date.now() - kept.atMs < keptMsMax ? kept : undefined
  } catch {
    return undefined
  }
}

export function dropWork(place: WorkPlace): void {
  try {
    localStorage.removeItem(keyOf(place))
  } catch {
    // A browser that keeps nothing.
  }
}

/** Returns whether any work of a user is kept here. */
export const hasKeptWork = (userId: string) => keysFrom(`${prefix}:${userId}`).length > 0

/** Deletes all work of a user: the next person at this computer must not find it. */
export function dropAllWork(userId: string): void {
  for (const key of keysFrom(`${prefix}:${userId}`)) localStorage.removeItem(key)
}

function keysFrom(start: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`${start}:`))
  } catch {
    return []
  }
}
