/** A problem of one field of a request: `path` is a dotted path such as `data.url`, `message` says what was expected. */
export type ProblemDetail = { path: string; message: string }

/**
 * An error that is an answer. `message` is read by the client, `cause` goes to the log only.
 * Exceptions are for what the caller cannot decide; "not there" is `undefined` until the API turns it into 404.
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

/** A restart does not help: a person has to change something, and the message says what. */
export class FatalError extends Error {}

/** The text of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
