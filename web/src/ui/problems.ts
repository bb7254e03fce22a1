import { EverscanError } from '@everscan/client/create-client.ts'
import { commonWords } from '../words/common-words.ts'
import { confirmationWords } from '../words/sign-in-words.ts'
import { currentLanguage } from '../words/chosen-language.ts'
import { sayProblem, wordsOf } from '../words/problems/say-problem.ts'
import { sayProblems } from '../words/problems/say-problems.ts'
import { serviceWords } from '../words/service-words.ts'
import { showToast } from './toasts.ts'

/** Returns a failure in words for the user. */
export function problemText(error: unknown): string {
  if (!(error instanceof EverscanError)) return commonWords.failure.title
  // The user was asked for a second factor, and cancelled.
  if (error.code === 'CONFIRMATION_REQUIRED') return confirmationWords.cancelled
  return error.status === 0 ? commonWords.failure.offline : failureText(error)
}

/** Failures that have one cause only, whatever the service says of it. */
const byCode: Readonly<Record<string, string>> = {
  RATE_LIMITED: serviceWords.tooManyRequests,
  INTERNAL_ERROR: serviceWords.unexpected,
  UNAVAILABLE: serviceWords.unavailable,
}

/** Problems of a request that are listed. */
const listedMax = 5

function failureText(error: EverscanError): string {
  const { code, message, details } = error
  // The message of the service is for programs.
  if (code === 'REQUEST_TIMEOUT') return serviceWords.tooSlow
  if (currentLanguage() === 'en') return message
  // The service tells them in its message, too, each after the name of its field.
  if (code === 'VALIDATION_ERROR' && details.length > 0)
    return sayProblems({ message, details: details.slice(0, listedMax) })
  return wordsOf(error) ?? byCode[code] ?? message
}

/** Reports a failure of an action without a form, below the page. */
export function showProblem(error: unknown): void {
  showToast({ kind: 'problem', text: problemText(error) })
}

/**
 * Returns the failure that a form as a whole must report. Undefined if its fields report every
 * problem; the field of a list reports those of its items.
 */
export function formProblem(error: unknown, fields: readonly string[]): string | undefined {
  if (error === null) return undefined
  const named = error instanceof EverscanError ? error.details : []
  const isTold = named.length > 0 && named.every(({ path }) => fields.includes(path.replace(/\[\d+\]$/, '')))
  return isTold ? undefined : problemText(error)
}

/** Returns the problem of one field of a form, if the service named it. */
export function fieldProblem(error: unknown, path: string): string | undefined {
  if (!(error instanceof EverscanError)) return undefined
  const detail = error.details.find((one) => one.path === path)
  return detail === undefined ? undefined : sayProblem(detail)
}
