import type { BatchError } from '@everscan/client/create-client.ts'
import { fillText, type Fillable } from '@everscan/contract/problems/fill-text.ts'
import { problems } from '@everscan/contract/problems/problems.ts'
import { plainProblem } from '../editor/code-drafts.ts'
import type { Told } from '../words/problems/say-problem.ts'

const english: ReadonlyMap<string, Fillable> = new Map(Object.entries(problems))

/**
 * Returns why the service refused the changes of a row. Its message begins with the place in the
 * request, which the row is here.
 */
export function refusalText({ error, ...refused }: BatchError): string {
  const told: Told = { ...refused, message: error }
  const text = told.problem === 'severalProblems' ? undefined : english.get(told.problem ?? '')
  return plainProblem({ ...told, message: text === undefined ? error : fillText(text, told.values ?? {}) })
}
