import type { TSchema } from 'typebox'
import type { ProblemDetail } from '../../errors.ts'
import { notFound, queryError, validationError } from './request-errors.ts'
import { problemFinder, type RequestPart } from '../../validation/problem-finder.ts'

/**
 * Returns a function that throws ApiError 400 with every problem of a value, or 404 for params: a
 * malformed id is an unknown id. It coerces query values and applies defaults, in place.
 */
export function validatorOf(schema: TSchema, part: RequestPart): (value: unknown) => void {
  const problems = problemFinder(schema, part)
  return (value) => {
    const found = problems(value)
    if (found.length === 0) return
    if (part === 'params') throw notFound()
    if (part === 'body') throw validationError(found)
    throw queryError(found.map((problem) => withRepeatMessage(problem, value)))
  }
}

/** An array in a query means that the parameter was sent more than once. */
function withRepeatMessage(problem: ProblemDetail, query: unknown): ProblemDetail {
  const twice = problem.message.endsWith(', got an array')
  return twice && Array.isArray((query as Record<string, unknown>)[problem.path])
    ? { path: problem.path, message: 'must be given once' }
    : problem
}
