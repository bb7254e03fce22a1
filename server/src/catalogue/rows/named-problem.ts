import type { Problem, Values } from '@everscan/contract/problems/problem.ts'
import type { NamedDetail } from '@everscan/contract/schema/named-problems.ts'

/** The name and the values of a sentence; null if it has none, or if it is not there. */
export type NamedProblem = { problem: string | null; values: Values | null }

export const unnamed: NamedProblem = { problem: null, values: null }

/** Returns what is stored beside the sentence of a problem. */
export function storedProblem(found: Problem | null): string | null {
  return found === null ? null : JSON.stringify(found)
}

/** Returns the name and the values of a stored sentence. */
export function namedProblem(sentence: string | null, stored: string | null): NamedProblem {
  const found = readProblem(sentence, stored)
  return found === undefined ? unnamed : { problem: found.problem, values: found.values }
}

/** Returns the same as a list, for rows in which the sentence itself is called `problem`. */
export function storedDetails(sentence: string | null, stored: string | null): NamedDetail[] {
  const found = readProblem(sentence, stored)
  return found === undefined ? [] : [wholeDetail(found)]
}

/** A problem of a whole record or part. */
export function wholeDetail(found: Problem): NamedDetail {
  return { path: '', ...found }
}

/** A release that writes only sentences leaves the problem of an earlier sentence in place. */
export function readProblem(sentence: string | null, stored: string | null): Problem | undefined {
  const found = stored === null ? undefined : (JSON.parse(stored) as Problem)
  return found?.message === sentence ? found : undefined
}
