import { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { tidyData } from '@everscan/contract/code-types/tidy-data.ts'
import type { ProblemDetail } from '../errors.ts'
import { contentProblems } from './content-problems.ts'
import { problemFinder } from './problem-finder.ts'

const problemsOfBody = problemFinder(CreateQrCode, 'body')

/**
 * Returns every problem in a body that would create a code, as the create endpoint reports them,
 * except that addresses must have their scheme. Tidies the body in place.
 */
export function newCodeProblems(body: CreateQrCode, publicUrl: string): readonly ProblemDetail[] {
  tidyData(body.type, body.data, { keepsAddresses: true })
  return [...problemsOfBody(body), ...contentProblems(body.type, body.data, publicUrl)]
}
