import { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { ProblemDetail } from '../errors.ts'
import { contentProblems } from './content-problems.ts'
import { problemFinder } from './problem-finder.ts'

const problemsOfBody = problemFinder(CreateQrCode, 'body')

/** Everything that is wrong with the body that would create a code, as creating it would say. */
export function newCodeProblems(body: CreateQrCode, publicUrl: string): readonly ProblemDetail[] {
  return [...problemsOfBody(body), ...contentProblems(body.type, body.data, publicUrl)]
}
