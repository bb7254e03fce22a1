import { problem, type FieldProblem } from '@everscan/contract/problems/problem.ts'
import type { TSchema } from 'typebox'
import { notFound, queryError, validationError } from '../../request-errors.ts'
import { problemFinder, type RequestPart } from './problem-finder.ts'

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
    throw queryError(found.map((one) => withHint(one, value as Record<string, unknown>)))
  }
}

/** A time zone whose plus sign was not encoded, so that it arrived as a space. */
const spacedZone = /T[\d:.,]+ \d{2}:?\d{2}$/

/**
 * Explains what programs get wrong: an array means that the parameter was sent more than once, and
 * a plus sign in a URL is a space.
 */
function withHint(found: FieldProblem, query: Record<string, unknown>): FieldProblem {
  const { path } = found
  const value = query[path]
  if (found.problem === 'wrongType' && Array.isArray(value)) return { path, ...problem('givenTwice') }
  const isSpaced = typeof value === 'string' && spacedZone.test(value)
  return isSpaced ? { ...found, message: `${found.message}; write the + of the time zone as %2B` } : found
}
