/** Names of columns in files of an organization, by type. They stay in this browser. */
export type ColumnsPlace = { orgId: string; type: string }

const keyOf = ({ orgId, type }: ColumnsPlace) => `everscan-columns:${orgId}:${type}`

/** Keeps how columns are named. A browser may refuse, or have no room. */
export function keepColumns(place: ColumnsPlace, columns: Readonly<Record<string, string | null>>): void {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(columns))
  } catch {
    // A browser that keeps nothing.
  }
}

/** Returns what was kept, maybe by another version of this page. */
export function readColumns(place: ColumnsPlace): unknown {
  try {
    return JSON.parse(localStorage.getItem(keyOf(place)) ?? '{}')
  } catch {
    return {}
  }
}
