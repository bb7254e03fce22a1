import type { TSchema } from 'typebox'
import type { ProblemDetail } from '../../errors.ts'
import { notFound, queryError, validationError } from './request-errors.ts'
import { problemFinder, type RequestPart } from '../../validation/problem-finder.ts'

/**
 * A function that throws ApiError 400 with every problem of a value, or 404 for params: an id that is not even in the
 * form of an id is an unknown id. Query values are coerced and defaults filled in, in place.
 */
export function validatorOf(schema: TSchema, part: RequestPart): (value: unknown) => void {
  const problems = problemFinder(schema, part)
  return (value) => {
    const found = problems(value)
    if (found.length === 0) return
    if (part === 'params') throw notFound()
    if (part === 'body') throw validationError(found)
    throw queryError(found.map((problem) => onceOnly(problem, value)))
  }
}

/** In a query, a value that came as an array is a parameter that was given twice. */
function onceOnly(problem: ProblemDetail, query: unknown): ProblemDetail {
  const twice = problem.message.endsWith(', got an array')
  return twice && Array.isArray((query as Record<string, unknown>)[problem.path])
    ? { path: problem.path, message: 'must be given once' }
    : problem
}
