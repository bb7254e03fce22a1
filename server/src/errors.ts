import type { Values } from '@everscan/contract/problems/problem.ts'

/** A problem with one field of a request. */
export type ProblemDetail = { path: string; message: string; problem?: string; values?: Values }

/** A message with the name of the problem and its values. */
export type Told = Omit<ProblemDetail, 'path'>

/**
 * An error that becomes an HTTP response. The client sees `message`; `cause` goes to the log only.
 * Throw it only for what the caller cannot decide: functions return `undefined` for an absent row,
 * and the API turns that into 404.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The name of the problem, and its values. */
  readonly problem: string | undefined
  readonly values: Values | undefined
  readonly details: readonly ProblemDetail[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, told: string | Told, options: ApiErrorOptions = {}) {
    const { message, problem, values }: Told = typeof told === 'string' ? { message: told } : told
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.problem = problem
    this.values = values
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
  }

  /** The message with the name and the values of the problem, for another error about it. */
  get told(): Told {
    const { message, problem, values } = this
    return problem === undefined ? { message } : { message, problem, values: values ?? {} }
  }
}

export type ApiErrorOptions = {
  cause?: unknown
  details?: readonly ProblemDetail[]
  headers?: Readonly<Record<string, string>>
}

/** A problem that a restart cannot fix: the message says what the operator has to change. */
export class FatalError extends Error {}

/** Returns the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
