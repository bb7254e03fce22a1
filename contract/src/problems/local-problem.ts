import { contentProblems } from './content-problems.ts'
import { fieldProblems } from './field-problems.ts'
import { fileProblems } from './file-problems.ts'
import { told } from './fill-text.ts'
import type { Problem, ProblemArguments } from './problem.ts'

/** Problems that the contract itself finds: forms tell them before they send anything. */
const localProblems = { ...fieldProblems, ...contentProblems, ...fileProblems } as const

/**
 * Makes a problem as `problem.ts` does, of those that the contract finds. Pages load these without
 * the others, which only the service tells.
 */
export function problem<Name extends keyof typeof localProblems>(
  ...[name, values]: ProblemArguments<Name>
): Problem {
  return { problem: name, ...told(localProblems[name], values) }
}
