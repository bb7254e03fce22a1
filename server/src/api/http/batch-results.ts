import { limits } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../../errors.ts'

/** One of a batch: named by its id, or by its place where there is no id yet. `path` is where it stands in the body. */
export type BatchItem = { name: { id: string } | { index: number }; path: string }

/** What became of each item, in the order asked for. */
export type BatchOutcome<Made> = { item: BatchItem; outcome: Made | ApiError }

/** The codes of a batch by id; one that is named twice counts once, where it stands first. */
export function itemsOfIds(ids: readonly string[]): (BatchItem & { id: string })[] {
  const places = new Map<string, number>()
  for (const [index, id] of ids.entries()) if (!places.has(id)) places.set(id, index)
  requireFits(places.size, 'ids')
  return [...places].map(([id, index]) => ({ id, name: { id }, path: `ids[${index}]` }))
}

/** Throws ApiError 400 for more items than a batch takes. */
export function requireFits(count: number, path: string): void {
  if (count <= limits.batchMax) return
  const message = `must have at most ${limits.batchMax} entries, got ${count}; send them in several calls`
  throw new ApiError(400, 'BATCH_TOO_LARGE', `${path}: ${message}`, { details: [{ path, message }] })
}

/** Throws ApiError 422 when one failed: for batches that are all or none. Names each that failed. */
export function requireAll(outcomes: readonly BatchOutcome<unknown>[]): void {
  const details = outcomes.flatMap(({ item, outcome }) =>
    outcome instanceof ApiError ? [{ path: item.path, message: outcome.message }] : [],
  )
  const [first] = details
  if (first === undefined) return
  const message = `Nothing was done, as ${details.length} of ${outcomes.length} failed. ${first.path}: ${first.message}`
  throw new ApiError(422, 'BATCH_REJECTED', message, { details })
}

/** The answer to a batch; `record` makes what the client gets of each that was done. */
export function batchResult<Made, Item>(
  outcomes: readonly BatchOutcome<Made>[],
  record: (made: Made) => Item,
) {
  const errors = outcomes.flatMap(({ item, outcome }) =>
    outcome instanceof ApiError ? [{ ...item.name, error: outcome.message, code: outcome.code }] : [],
  )
  const data = outcomes.flatMap(({ outcome }) => (outcome instanceof ApiError ? [] : [record(outcome)]))
  return {
    requested: outcomes.length,
    successCount: data.length,
    errorCount: errors.length,
    errors,
    data,
  }
}

/** What `work` gives, or the ApiError that it throws. */
export async function attempt<Made>(work: () => Promise<Made>): Promise<Made | ApiError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}
