/** The part of a browser's storage that selections need. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'everscan-selection:'

/** Storage of this tab, which ends with it. Undefined in a browser that stores nothing. */
function tabStorage(): TabStorage | undefined {
  try {
    return globalThis.sessionStorage
  } catch {
    return undefined
  }
}

/**
 * Keeps a selection of codes in this tab, until the user signs out. Returns its name, which is the
 * same for the same codes. Undefined if the browser keeps nothing.
 */
export function keepSelection(ids: readonly string[], storage = tabStorage()): string | undefined {
  const joined = ids.join()
  const name = hashOf(joined)
  try {
    storage?.setItem(prefix + name, joined)
  } catch {
    // Earlier selections took all the room.
    dropSelections(storage)
    try {
      storage?.setItem(prefix + name, joined)
    } catch {
      return undefined
    }
  }
  return storage === undefined ? undefined : name
}

/** Returns the ids of a selection. Undefined if this tab does not know them. */
export function readSelection(name: string, storage = tabStorage()): readonly string[] | undefined {
  return storage?.getItem(prefix + name)?.split(',')
}

/** Deletes all selections: the next person in this tab must not find them. */
export function dropSelections(storage = tabStorage()): void {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, at) => storage?.key(at) ?? '')
  for (const key of keys) if (key.startsWith(prefix)) storage?.removeItem(key)
}

/** Returns a hash of a text (FNV-1a, 64 bits). URLs would read one without a letter as a number. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const char of text) hash = BigInt.asUintN(64, (hash ^ BigInt(char.charCodeAt(0))) * 0x100000001b3n)
  return `s${hash.toString(36)}`
}
