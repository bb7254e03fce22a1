/**
 * A problem with one field of a request: a dotted `path` such as `data.url`, and a `message` that
 * says what was expected.
 */
export type ProblemDetail = { path: string; message: string }

/**
 * An error that becomes an HTTP response. The client sees `message`; `cause` goes to the log only.
 * Throw it only for what the caller cannot decide: functions return `undefined` for an absent row,
 * and the API turns that into 404.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: readonly ProblemDetail[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
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
