import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { ApiError } from '../../errors.ts'
import { inField } from '../../request-errors.ts'
import type { BatchError } from '@everscan/contract/resources/batches.ts'

/**
 * One item of a batch, named by its id, or by its index if it has no id yet. `path` is its place in
 * the body.
 */
export type BatchItem = {
  name: { id: string } | { index: number } | { shortCode: string }
  path: string
}

/** The result of each item, in the requested order. */
export type BatchOutcome<Made> = { item: BatchItem; outcome: Made | ApiError }

/** The codes of a batch by id; a repeated id counts once, at its first position. */
export function itemsOfIds(ids: readonly string[]): (BatchItem & { id: string })[] {
  const places = new Map<string, number>()
  for (const [index, id] of ids.entries()) if (!places.has(id)) places.set(id, index)
  requireBatchSize(places.size, 'ids')
  return [...places].map(([id, index]) => ({ id, name: { id }, path: `ids[${index}]` }))
}

/** Throws ApiError 400 if a batch has too many items. */
export function requireBatchSize(count: number, path: string): void {
  if (count <= limits.batchMax) return
  const found = problem('batchTooLarge', { max: limits.batchMax, got: count })
  throw new ApiError(400, 'BATCH_TOO_LARGE', inField(path, found), { details: [{ path, ...found }] })
}

/**
 * For batches that are all or nothing: throws ApiError 422 that names every failed item, if there
 * is one. `itemCount` counts those without an outcome too.
 */
export function requireAll(
  outcomes: readonly BatchOutcome<unknown>[],
  itemCount: number = outcomes.length,
): void {
  const failed = outcomes.filter(({ outcome }) => outcome instanceof ApiError)
  const details = failed.flatMap(({ item, outcome }) =>
    outcome instanceof ApiError ? detailsOf(item, outcome) : [],
  )
  const [first] = details
  if (first === undefined) return
  const found = problem('batchRejected', { failed: failed.length, count: itemCount })
  const message = `${found.message} ${first.path}: ${first.message}`
  throw new ApiError(422, 'BATCH_REJECTED', { ...found, message }, { details })
}

/** The details of an error, if they name their place in the body; else the place of the item. */
function detailsOf({ path }: BatchItem, { details = [], told }: ApiError): readonly FieldProblem[] {
  const isPlaced =
    details.length > 0 &&
    details.every((detail) => detail.path === path || detail.path.startsWith(`${path}.`))
  return isPlaced ? details : [{ path, ...told }]
}

/** The response to a batch; `record` converts each result to what the client receives. */
export function batchResult<Made, Item>(
  outcomes: readonly BatchOutcome<Made>[],
  record: (made: Made) => Item,
) {
  const errors = outcomes.flatMap(({ item, outcome }) =>
    outcome instanceof ApiError
      ? [{ ...item.name, error: outcome.message, code: outcome.code, ...nameOf(outcome) }]
      : [],
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

function nameOf({ told }: ApiError): Pick<BatchError, 'problem' | 'values'> {
  return { problem: told.problem, values: { ...told.values } }
}

/** Statuses of a shortage, which is no fault of the item and ends the whole request. */
const temporary: readonly number[] = [429, 503]

/**
 * Returns the result of `work`, or the ApiError that it throws. Throws an error that the client
 * should answer by trying the whole request again.
 */
export async function attempt<Made>(work: () => Promise<Made>): Promise<Made | ApiError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && !temporary.includes(error.status)) return error
    throw error
  }
}
