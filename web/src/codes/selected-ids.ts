import { limits } from '@everscan/contract/schema/limits.ts'
import { keepSelection, readSelection } from '../session/kept/kept-selections.ts'

/** With more ids, a URL is longer than the 2,000 characters that every program passes on. */
const idsInUrlMax = 60

/** Search parameters that stand for a selection of codes. At most one is there. */
export type SelectionSearch = {
  /** Ids, comma-separated. */
  ids?: string | undefined
  /** Name of a selection that is too long for a URL. Only this tab knows its ids. */
  selection?: string | undefined
}

/** Reads search parameters. People type and paste URLs, so invalid values are left out. */
export function readSelectionSearch({ ids, selection }: Record<string, unknown>): SelectionSearch {
  if (typeof ids === 'string') {
    const valid = [...new Set(ids.split(',').filter((id) => /^\w{1,64}$/.test(id)))]
    if (valid.length > 0) return { ids: valid.slice(0, limits.selectedIdsMax).join() }
  }
  return typeof selection === 'string' && /^s[0-9a-z]{1,13}$/.test(selection) ? { selection } : {}
}

/** Returns the search parameters of a selection. Many ids are kept in this tab if it can. */
export function selectionSearch(ids: readonly string[]): SelectionSearch {
  const selected = ids.slice(0, limits.selectedIdsMax)
  const selection = selected.length <= idsInUrlMax ? undefined : keepSelection(selected)
  return selection === undefined ? { ids: selected.join() } : { selection }
}

/** Returns the ids of a selection. Undefined if this tab does not know them. */
export function selectedIds({ ids, selection }: SelectionSearch): readonly string[] | undefined {
  if (ids !== undefined) return ids.split(',')
  return selection === undefined ? undefined : readSelection(selection)
}
