import { EverscanError } from '@everscan/client/create-client.ts'
import { words } from '../words/words.ts'
import { showToast } from './toasts.ts'

/** A failure in words for the person in front of it. */
export function problemText(error: unknown): string {
  if (!(error instanceof EverscanError)) return words.failure.title
  return error.status === 0 ? words.failure.offline : error.message
}

/** Tells of a failure below the page: of what was done without a form. */
export function showProblem(error: unknown): void {
  showToast({ kind: 'problem', text: problemText(error) })
}

/** A failure that the form as a whole has to tell: undefined when all that is wrong is told at its fields. */
export function formProblem(error: unknown, fields: readonly string[]): string | undefined {
  if (error === null) return undefined
  const named = error instanceof EverscanError ? error.details : []
  const isTold = named.length > 0 && named.every(({ path }) => fields.includes(path))
  return isTold ? undefined : problemText(error)
}

/** What is wrong with one field of a form, if the service named it. */
export function fieldProblem(error: unknown, path: string): string | undefined {
  if (!(error instanceof EverscanError)) return undefined
  return error.details.find((detail) => detail.path === path)?.message
}
