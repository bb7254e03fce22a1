import { ApiError, type ProblemDetail } from '../../errors.ts'

/** An id that is unknown and an id of another organization must give the same bytes: one message for all, without the id. */
export function notFound(): ApiError {
  return new ApiError(404, 'NOT_FOUND', 'There is nothing with this id in this organization.')
}

/** A 400 that lists every problem of a body. */
export function validationError(details: readonly ProblemDetail[]): ApiError {
  return problemList(details, ({ path, message }) =>
    path === '' ? `The body ${message}` : `${path}: ${message}`,
  )
}

/** The same for the parameters of a query. */
export function queryError(details: readonly ProblemDetail[]): ApiError {
  return problemList(
    details,
    ({ path, message }) => `"${path}" ${message.replace('known field', 'known parameter')}`,
  )
}

/** The message is for a person, so it stops after a few problems; `details` has them all. */
function problemList(details: readonly ProblemDetail[], say: (problem: ProblemDetail) => string): ApiError {
  const rest = details.length - 5
  const message = details.slice(0, 5).map(say).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
  return new ApiError(400, 'VALIDATION_ERROR', message, { details })
}
