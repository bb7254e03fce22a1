import type { FieldProblem, Problem } from '@everscan/contract/problems/problem.ts'

/**
 * An error that becomes an HTTP response. The client sees `message`; `cause` goes to the log only.
 * Throw it only for what the caller cannot decide: functions return `undefined` for an absent row,
 * and the API turns that into 404.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The problem, for programs and for people. */
  readonly told: Problem
  readonly details: readonly FieldProblem[] | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, code: string, told: Problem, options: ApiErrorOptions = {}) {
    super(told.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.told = told
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.details = options.details
    this.headers = options.headers ?? {}
  }
}

export type ApiErrorOptions = {
  cause?: unknown
  details?: readonly FieldProblem[]
  headers?: Readonly<Record<string, string>>
}

/** A problem that a restart cannot fix: the message says what the operator has to change. */
export class FatalError extends Error {
  /** The part that `./everscan adopt` takes over, if the operator means it. */
  readonly adopts: 'data-dir' | 'scan-store' | 'secret' | undefined
  /** The problem by name, if `/readyz` may tell it. */
  readonly found: Problem | undefined

  constructor(
    told: string | Problem,
    { adopts, ...options }: ErrorOptions & Partial<Pick<FatalError, 'adopts'>> = {},
  ) {
    super(typeof told === 'string' ? told : told.message, options)
    this.adopts = adopts
    this.found = typeof told === 'string' ? undefined : told
  }
}

/** Returns the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
