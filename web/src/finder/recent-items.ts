import { queries } from '../session/api.ts'

/** A code or folder that the user opened with the finder. */
export type RecentItem = { kind: 'code' | 'folder'; id: string; name: string }

const itemsMax = 6
const name = 'recent-items'
// Kept with what was read, which is forgotten when the user signs out: names must not stay in a
// browser that others use.
queries.setQueryDefaults([name], { gcTime: Infinity })

/** Returns what was opened last on this page, the latest first. */
export function readRecentItems(orgId: string): readonly RecentItem[] {
  return queries.getQueryData<readonly RecentItem[]>([name, orgId]) ?? []
}

/** Remembers an item until the page is closed or the user signs out. */
export function rememberItem(orgId: string, item: RecentItem): void {
  const others = readRecentItems(orgId).filter(({ id }) => id !== item.id)
  queries.setQueryData([name, orgId], [item, ...others].slice(0, itemsMax))
}
