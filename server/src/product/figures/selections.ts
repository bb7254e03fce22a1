import { problem } from '@everscan/contract/problems/problem.ts'
import type { SelectionQuery } from '@everscan/contract/resources/analytics.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Selection } from '../../analytics/scan-store.ts'
import {
  isSelection,
  readSelectedQrCodes,
  type SelectedQrCodes,
} from '../../catalogue/codes/selected-codes.ts'
import type { ProductContext } from '../product-context.ts'
import { queryError } from '../../request-errors.ts'

/** The selection of a request, in the forms that the catalogue and the scan store take. */
export type RequestedSelection = {
  codes: SelectedQrCodes
  /** Absent: the selected codes are all that the organization has or had. */
  selection: Selection | undefined
}

/**
 * Splits the parameters of a selection from the others. Ids may be repeated or separated by commas.
 * Throws ApiError 400 for too many ids, or for none.
 */
export function splitSelection<Query extends SelectionQuery>({
  folderId,
  tag,
  type,
  ids,
  ...rest
}: Query): { selected: SelectionQuery; rest: Omit<Query, keyof SelectionQuery> } {
  const selected = {
    ...(folderId !== undefined && { folderId }),
    ...(tag !== undefined && { tag }),
    ...(type !== undefined && { type }),
    ...(ids !== undefined && { ids: readIds(ids) }),
  }
  return { selected, rest }
}

function readIds(given: readonly string[]): string[] {
  const ids = [...new Set(given.flatMap((text) => text.split(',')).map((id) => id.trim()))].filter(
    (id) => id !== '',
  )
  const { selectedIdsMax } = limits
  if (ids.length === 0) throw queryError([{ path: 'ids', ...problem('empty') }])
  if (ids.length > selectedIdsMax)
    throw queryError([{ path: 'ids', ...problem('tooManyIds', { max: selectedIdsMax, got: ids.length }) }])
  return ids.sort((a, b) => (a < b ? -1 : Number(a > b)))
}

/**
 * Reads the codes that a request selects. Returns undefined if it selects none in particular: its
 * figures then include the scans of deleted codes.
 */
export async function readSelection(
  db: ProductContext['db'],
  organizationId: string,
  query: SelectionQuery,
): Promise<RequestedSelection | undefined> {
  if (!isSelection(query)) return undefined
  const codes = await readSelectedQrCodes(db, organizationId, query)
  return { codes, selection: cheaperSelection(codes) }
}

/** Names the selected codes or all others, whichever are fewer. */
function cheaperSelection(codes: SelectedQrCodes): Selection | undefined {
  const { others } = codes
  if (others === undefined) return { mode: 'only', codes }
  return others.total === 0 ? undefined : { mode: 'except', codes: others }
}
