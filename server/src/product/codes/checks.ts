import { withGot } from '@everscan/contract/problems/problem.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { shortCodeProblem } from '@everscan/contract/resources/short-codes.ts'
import { tidyData } from '@everscan/contract/code-types/tidy-data.ts'
import { contentProblems } from '../validation/content-problems.ts'
import { validationError } from '../../request-errors.ts'

/**
 * Writes a code's content as its schema spells it, in place. Throws ApiError 400 with every problem
 * of it.
 */
export function acceptData(type: QrCodeType, data: Record<string, unknown>, publicUrl: string): void {
  tidyData(type, data)
  const problems = contentProblems(type, data, publicUrl)
  if (problems.length > 0) throw validationError(problems)
}

/** Throws ApiError 400 for a chosen short code that the host name does not take. */
export function checkShortCode(shortCode: string | undefined, codes: CodeForm): void {
  if (shortCode === undefined) return
  const found = shortCodeProblem(shortCode, codes)
  if (found !== undefined) throw validationError([{ path: 'shortCode', ...withGot(found, shortCode) }])
}
