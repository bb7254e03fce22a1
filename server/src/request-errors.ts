import { problem, type Problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import { ApiError } from './errors.ts'

/**
 * An unknown id and an id of another organization must get identical responses: one message for
 * all, without the id.
 */
export function notFound(): ApiError {
  return new ApiError(404, 'NOT_FOUND', problem('noSuchRecord'))
}

/** A 400 that lists every problem of a body. */
export function validationError(details: readonly FieldProblem[], cause?: unknown): ApiError {
  return problemList(details, ofBody, cause)
}

function ofBody({ path, message }: FieldProblem): string {
  return path === '' ? `The body ${message}` : `${path}: ${message}`
}

/** A problem of the file of a form. */
export function fileError(found: Problem, cause?: unknown): ApiError {
  return validationError([{ path: 'file', ...found }], cause)
}

/** A 400 that lists every problem of a query. */
export function queryError(details: readonly FieldProblem[]): ApiError {
  return problemList(
    details,
    ({ path, problem: name, message }) =>
      `"${path}" ${name === 'unknownField' ? problem('unknownParameter').message : message}`,
  )
}

/** Returns the error of a part of the body, with paths from the beginning of the body. */
export function errorBelow(prefix: string, error: ApiError): ApiError {
  const { status, code, details = [], cause } = error
  const [first] = details
  if (first === undefined) return error
  const moved = details.map((detail) => ({
    ...detail,
    path: detail.path === '' ? prefix : `${prefix}.${detail.path}`,
  }))
  if (code === 'VALIDATION_ERROR') return validationError(moved)
  const told = { ...error.told, message: `${prefix}.${error.message}` }
  return new ApiError(status, code, told, { details: moved, cause })
}

/** A 409 about one field. */
export function conflictIn(path: string, found: Problem, cause?: unknown): ApiError {
  return new ApiError(409, 'CONFLICT', inField(path, found), { cause, details: [{ path, ...found }] })
}

/** A problem of one field, as the message of the whole request tells it. */
export function inField(path: string, found: Problem): Problem {
  return { ...found, message: `${path}: ${found.message}` }
}

/** The message is for people, so it lists only a few problems; `details` lists all. */
function problemList(
  details: readonly FieldProblem[],
  format: (detail: FieldProblem) => string,
  cause?: unknown,
): ApiError {
  const rest = details.length - 5
  const message = details.slice(0, 5).map(format).join('; ') + (rest > 0 ? `; and ${rest} more` : '')
  return new ApiError(400, 'VALIDATION_ERROR', { ...nameOf(details), message }, { cause, details })
}

/** Returns the name and values of the only problem, or of several. */
function nameOf(details: readonly FieldProblem[]): Pick<FieldProblem, 'problem' | 'values'> {
  const [only] = details
  if (only !== undefined && details.length === 1) return { problem: only.problem, values: only.values }
  return problem('severalProblems', { count: details.length })
}
