import { EverscanError } from '@everscan/client/create-client.ts'
import { commonWords } from '../words/common-words.ts'
import { confirmationWords } from '../words/sign-in-words.ts'
import { failureInWords, inWords } from '../words/service-messages.ts'
import { showToast } from './toasts.ts'

/** Returns a failure in words for the user. */
export function problemText(error: unknown): string {
  if (!(error instanceof EverscanError)) return commonWords.failure.title
  // The user was asked for a second factor, and cancelled.
  if (error.code === 'CONFIRMATION_REQUIRED') return confirmationWords.cancelled
  return error.status === 0 ? commonWords.failure.offline : failureInWords(error)
}

/** Reports a failure of an action without a form, below the page. */
export function showProblem(error: unknown): void {
  showToast({ kind: 'problem', text: problemText(error) })
}

/**
 * Returns the failure that a form as a whole must report. Undefined if its fields report every
 * problem.
 */
export function formProblem(error: unknown, fields: readonly string[]): string | undefined {
  if (error === null) return undefined
  const named = error instanceof EverscanError ? error.details : []
  const isTold = named.length > 0 && named.every(({ path }) => fields.includes(path))
  return isTold ? undefined : problemText(error)
}

/** Returns the problem of one field of a form, if the service named it. */
export function fieldProblem(error: unknown, path: string): string | undefined {
  if (!(error instanceof EverscanError)) return undefined
  const message = error.details.find((detail) => detail.path === path)?.message
  return message === undefined ? undefined : inWords(message)
}
