import type { ErrorBody, ErrorCode, ErrorDetail } from '@everscan/contract/schema/errors.ts'

/** The error codes of the service, and of failures on the way to it. */
export type EverscanErrorCode = ErrorCode | 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNEXPECTED_ANSWER'

type ErrorOptions = {
  status: number
  code: EverscanErrorCode
  problem?: string | undefined
  values?: ErrorBody['values'] | undefined
  details?: readonly ErrorDetail[] | undefined
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/**
 * Base class of all errors of this client. `message` is a sentence for users. Programs should check
 * the class or `code`.
 */
export class EverscanError extends Error {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  /** The error code, as in the error table of the service. */
  readonly code: EverscanErrorCode
  /** The name of the problem, which never changes its meaning. Not every error has one. */
  readonly problem: string | undefined
  /** Numbers and short texts that the problem is about. */
  readonly values: Readonly<Record<string, string | number>>
  /** The problems by field. Empty if the service sent only `message`. */
  readonly details: readonly ErrorDetail[]
  /** The id of the cause in the service's log. Absent if there was no response. */
  readonly requestId: string | undefined
  /** The wait that the service requested, in milliseconds. Absent if it requested none. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: ErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.status = options.status
    this.code = options.code
    this.problem = options.problem
    this.values = options.values ?? {}
    this.details = options.details ?? []
    this.requestId = options.requestId
    this.retryAfterMs = options.retryAfterMs
  }
}

/** 400: the request is invalid; `details` lists the problems by field. */
export class ValidationError extends EverscanError {}
/** 401: the key is missing, malformed or unknown. */
export class AuthenticationError extends EverscanError {}
/** 403: the role is too low, or the key is revoked, expired or of another organization. */
export class PermissionError extends EverscanError {}
/** 404: the record doesn't exist. */
export class NotFoundError extends EverscanError {}
/** 409: the short code is taken, or the idempotency key was used with another body. */
export class ConflictError extends EverscanError {}
/** 412: the record has changed since the client read it. */
export class PreconditionFailedError extends EverscanError {}
/** 413: the body or file exceeds its limit. */
export class PayloadTooLargeError extends EverscanError {}
/** 422: the styled picture cannot be read back; `details` has the smallest change that passes. */
export class StyleNotScannableError extends EverscanError {}
/** 422: the batch is atomic and an item failed, so nothing was done; `details` lists all errors. */
export class BatchRejectedError extends EverscanError {}
/** 429, after all retries. `retryAfterMs` is the time to wait. */
export class RateLimitedError extends EverscanError {}
/** 503, after all retries: a part of the service is unavailable. */
export class UnavailableError extends EverscanError {}
/** No response after all retries: the service is unreachable, or the connection broke. */
export class ConnectionError extends EverscanError {}
/** No complete response within `timeoutMs`, after all retries. */
export class TimeoutError extends EverscanError {}

type ErrorClass = typeof EverscanError

const classesByCode: { readonly [C in ErrorCode]?: ErrorClass } = {
  STYLE_NOT_SCANNABLE: StyleNotScannableError,
  BATCH_REJECTED: BatchRejectedError,
}

const classesByStatus: Readonly<Record<number, ErrorClass>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  429: RateLimitedError,
  503: UnavailableError,
}

/** Returns the error for a response. `text` is its body, which may come from a proxy. */
export function errorOfResponse(response: Response, text: string): EverscanError {
  const { status } = response
  const requestId = response.headers.get('x-request-id') ?? undefined
  const retryAfterMs = retryAfterOf(response.headers.get('retry-after'), Date.now())
  const body = errorBodyOf(text)
  if (body === undefined) {
    const ErrorOfStatus = classesByStatus[status] ?? EverscanError
    const message = `The response was HTTP ${status} ${response.statusText}, without an error body of the service.`
    return new ErrorOfStatus(message, { status, code: 'UNEXPECTED_ANSWER', requestId, retryAfterMs })
  }
  const { code, message, problem, values, details } = body
  const ErrorOfCode = classesByCode[code] ?? classesByStatus[status] ?? EverscanError
  return new ErrorOfCode(message, {
    status,
    code,
    problem,
    values,
    details,
    requestId: body.requestId ?? requestId,
    retryAfterMs,
  })
}

/** Returns `Retry-After` in milliseconds, from seconds or an HTTP date (RFC 9110, 10.2.3). */
export function retryAfterOf(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const atMs = Date.parse(header)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

function errorBodyOf(text: string): ErrorBody | undefined {
  const body = parseJson(text)
  return isErrorBody(body) ? body : undefined
}

function isErrorBody(value: unknown): value is ErrorBody {
  if (typeof value !== 'object' || value === null) return false
  return (
    'code' in value &&
    typeof value.code === 'string' &&
    'message' in value &&
    typeof value.message === 'string'
  )
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
