import { contentProblems } from './content-problems.ts'
import { fieldProblems } from './field-problems.ts'
import { fileProblems } from './file-problems.ts'
import { organizationProblems } from './organization-problems.ts'

/**
 * Every refusal and warning by name, in English. A text has its values in braces. Add a problem
 * here, and its words in the languages of the dashboard (`web/src/words`): without them nothing
 * compiles. A name never gets another meaning, since clients tell problems by it.
 */
export const problems = {
  ...fieldProblems,
  ...contentProblems,
  ...fileProblems,
  ...organizationProblems,
} as const
