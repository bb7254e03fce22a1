import { Errors } from 'typebox/value'
import type { Fields } from '../schema/fields.ts'
import type { FieldProblem } from '../problems/problem.ts'
import { problemsOf } from '../schema/problems.ts'
import { isRecord } from '../schema/records.ts'
import type { Destination } from './code-type.ts'
import { codeType, type QrCodeType } from './code-types.ts'
import { destinationProblem } from './destinations.ts'

/**
 * Returns all problems with the content of a code of `type`. Empty means that it may be stored.
 * Checks the schema, the rules between fields, and every destination. The API, imports and the
 * dashboard all call this, so they report the same problems. `prefix` is the path of the content in
 * the request. The server itself checks for its own host (see `destinationsOf`).
 *
 * @example qrCodeDataProblems('URL', { url: 'ftp://x' }, 'data')
 * // [{ path: 'data.url', problem: 'notHttp', values: {}, message: 'must begin with …' }]
 */
export function qrCodeDataProblems(type: QrCodeType, data: unknown, prefix = ''): FieldProblem[] {
  const problems = problemsOf(Errors(codeType(type).schema, data), data, prefix)
  if (problems.length > 0 || !isRecord(data)) return problems
  const destinations = destinationsOf(type, data, prefix).flatMap(({ path, url }) => {
    const found = destinationProblem(url)
    return found === undefined ? [] : [{ path, ...found }]
  })
  return [...(codeType(type).problems?.(data, prefix) ?? []), ...destinations]
}

/**
 * Returns every address in the content of a code, with its path. Values that are not texts are left
 * out.
 */
export function destinationsOf(type: QrCodeType, data: Fields, prefix = ''): Destination[] {
  return codeType(type)
    .destinations(data, prefix)
    .filter((found): found is Destination => typeof found.url === 'string')
}
