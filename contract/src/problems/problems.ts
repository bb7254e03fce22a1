import { accessProblems } from './access-problems.ts'
import { contentProblems } from './content-problems.ts'
import { fieldProblems } from './field-problems.ts'
import { fileProblems } from './file-problems.ts'
import { organizationProblems } from './organization-problems.ts'
import { requestProblems } from './request-problems.ts'

/**
 * Refusals by name, in English. A text has its values in braces. A name never gets another meaning,
 * since clients tell problems by it.
 */
export const problems = {
  ...fieldProblems,
  ...contentProblems,
  ...fileProblems,
  ...organizationProblems,
  ...accessProblems,
  ...requestProblems,
} as const
