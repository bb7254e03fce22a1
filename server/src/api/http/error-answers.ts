import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { type ErrorBody, type ErrorCode, statusPhrases } from '@everscan/contract/schema/errors.ts'
import { CatalogueUnavailable } from '../../db/errors.ts'
import { ScanStoreUnavailable } from '../../analytics/scan-store.ts'
import { ApiError } from '../../errors.ts'
import { ClientGone, clientGoneStatus } from '../../turns/client-gone.ts'

/** How long a client should wait before it retries while a part is down, in seconds. */
const retryAfterSeconds = '5'

/** Errors of Fastify that a request can cause: its code → our status, code and problem. */
const frameworkErrors: Readonly<Record<string, readonly [number, ErrorCode, Problem]>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'PAYLOAD_TOO_LARGE', problem('bodyTooLarge')],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'UNSUPPORTED_MEDIA_TYPE', problem('contentTypeNotJson')],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: [415, 'UNSUPPORTED_MEDIA_TYPE', problem('contentTypeMissing')],
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'VALIDATION_ERROR', problem('bodyNotJson')],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'VALIDATION_ERROR', problem('bodyEmpty')],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [400, 'VALIDATION_ERROR', problem('bodyOfOtherLength')],
  FST_ERR_BAD_URL: [400, 'VALIDATION_ERROR', problem('urlEncodingNotValid')],
  FST_ERR_INVALID_URL: [400, 'VALIDATION_ERROR', problem('urlNotValid')],
  FST_ERR_MAX_PARAM_LENGTH: [404, 'NOT_FOUND', problem('nothingHere')],
  FST_ERR_HANDLER_TIMEOUT: [503, 'UNAVAILABLE', problem('requestTookTooLong')],
}

/**
 * Converts any thrown value to an error response. An unknown error becomes a 500 without details.
 */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof ClientGone)
    return new ApiError(clientGoneStatus, 'UNAVAILABLE', problem('clientGone'), { cause: thrown })
  if (thrown instanceof ScanStoreUnavailable) return unavailable('scanStoreUnavailable', thrown)
  if (thrown instanceof CatalogueUnavailable) return unavailable('catalogueUnavailable', thrown)

  const known = frameworkErrors[(thrown as { code?: string } | null)?.code ?? '']
  if (known !== undefined) return new ApiError(...known, { cause: thrown })
  // secure-json-parse throws bare SyntaxErrors with a status for `__proto__` and similar keys.
  if (thrown instanceof SyntaxError && (thrown as { statusCode?: number }).statusCode === 400)
    return new ApiError(400, 'VALIDATION_ERROR', problem('bodyNotJson'), { cause: thrown })
  return new ApiError(500, 'INTERNAL_ERROR', problem('internalError'), { cause: thrown })
}

export function errorBody(error: ApiError, requestId: string): ErrorBody {
  return {
    statusCode: error.status,
    message: error.message,
    error: statusPhrases[error.status] ?? 'Error',
    code: error.code as ErrorCode,
    problem: error.told.problem,
    values: { ...error.told.values },
    ...(error.details === undefined ? {} : { details: [...error.details] }),
    requestId,
  }
}

function unavailable(name: 'scanStoreUnavailable' | 'catalogueUnavailable', cause: Error): ApiError {
  return new ApiError(503, 'UNAVAILABLE', problem(name), {
    cause,
    headers: { 'retry-after': retryAfterSeconds },
  })
}
