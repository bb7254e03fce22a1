import { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { ProblemDetail } from '../errors.ts'
import { contentProblems } from './content-problems.ts'
import { problemFinder } from './problem-finder.ts'

const problemsOfBody = problemFinder(CreateQrCode, 'body')

/**
 * Returns every problem in a body that would create a code, as the create endpoint reports them.
 */
export function newCodeProblems(body: CreateQrCode, publicUrl: string): readonly ProblemDetail[] {
  return [...problemsOfBody(body), ...contentProblems(body.type, body.data, publicUrl)]
}
