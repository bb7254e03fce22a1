import type { FieldProblem } from '@everscan/contract/problems/problem.ts'
import { ImportedQrCode } from '@everscan/contract/resources/bulk-imports.ts'
import { tidyData } from '@everscan/contract/code-types/tidy-data.ts'
import { contentProblems } from './content-problems.ts'
import { problemFinder } from './problem-finder.ts'

const problemsOfBody = problemFinder(ImportedQrCode, 'body')

/**
 * Returns every problem in a body that would create a code, as the create endpoint reports them,
 * except that addresses must have their scheme, and that it may have a status. Tidies the body in
 * place.
 */
export function newCodeProblems(body: ImportedQrCode, publicUrl: string): readonly FieldProblem[] {
  tidyData(body.type, body.data, { keepsAddresses: true })
  return [...problemsOfBody(body), ...contentProblems(body.type, body.data, publicUrl)]
}
