import type { ErrorBody, ErrorCode, ErrorDetail } from '@everscan/contract/schema/errors.ts'

/** The machine names of the service, and of what can go wrong on the way to it. */
export type EverscanErrorCode = ErrorCode | 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNEXPECTED_ANSWER'

type ErrorOptions = {
  status: number
  code: EverscanErrorCode
  details?: readonly ErrorDetail[] | undefined
  requestId?: string | undefined
  retryAfterMs?: number | undefined
  cause?: unknown
}

/** Every error of this client. `message` is a sentence a person can act on; decide by class or by `code`. */
export class EverscanError extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** Machine name, as in the error table of the service. */
  readonly code: EverscanErrorCode
  /** What is wrong field by field; empty when the service said nothing more than `message`. */
  readonly details: readonly ErrorDetail[]
  /** Under which the log of the service has the cause; absent when there was no answer. */
  readonly requestId: string | undefined
  /** How long the service asked to wait, in milliseconds; absent when it did not. */
  readonly retryAfterMs: number | undefined

  constructor(message: string, options: ErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.status = options.status
    this.code = options.code
    this.details = options.details ?? []
    this.requestId = options.requestId
    this.retryAfterMs = options.retryAfterMs
  }
}

/** 400: what was sent is not what is expected; `details` names each field. */
export class ValidationError extends EverscanError {}
/** 401: the key is missing, malformed or unknown. */
export class AuthenticationError extends EverscanError {}
/** 403: the role is too low, the organization is not the key's, or the key was revoked or has expired. */
export class PermissionError extends EverscanError {}
/** 404: there is no such record. */
export class NotFoundError extends EverscanError {}
/** 409: the short code is taken, or the idempotency key was used with another body. */
export class ConflictError extends EverscanError {}
/** 412: the record was changed since it was read. */
export class PreconditionFailedError extends EverscanError {}
/** 413: the body or file is over its limit. */
export class PayloadTooLargeError extends EverscanError {}
/** 422: the styled picture cannot be read back; `details` has the nearest change that passes. */
export class StyleNotScannableError extends EverscanError {}
/** 422: the batch is all or none and one at least failed, so nothing was done; `details` names each. */
export class BatchRejectedError extends EverscanError {}
/** 429, after all retries: `retryAfterMs` says when to come back. */
export class RateLimitedError extends EverscanError {}
/** 503, after all retries: a part of the service is away. */
export class UnavailableError extends EverscanError {}
/** No answer, after all retries: the service could not be reached, or the connection broke. */
export class ConnectionError extends EverscanError {}
/** No whole answer within `timeoutMs`, after all retries. */
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

/** The error that an answer stands for. `text` is its body, which a proxy on the way may have written. */
export function errorOfResponse(response: Response, text: string): EverscanError {
  const { status } = response
  const requestId = response.headers.get('x-request-id') ?? undefined
  const retryAfterMs = retryAfterOf(response.headers.get('retry-after'), Date.now())
  const body = errorBodyOf(text)
  if (body === undefined) {
    const ErrorOfStatus = classesByStatus[status] ?? EverscanError
    const message = `The answer was HTTP ${status} ${response.statusText}, without an error body of the service.`
    return new ErrorOfStatus(message, { status, code: 'UNEXPECTED_ANSWER', requestId, retryAfterMs })
  }
  const { code, message, details } = body
  const ErrorOfCode = classesByCode[code] ?? classesByStatus[status] ?? EverscanError
  return new ErrorOfCode(message, {
    status,
    code,
    details,
    requestId: body.requestId ?? requestId,
    retryAfterMs,
  })
}

/** `Retry-After` in milliseconds: seconds or an HTTP date (RFC 9110, section 10.2.3). */
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
