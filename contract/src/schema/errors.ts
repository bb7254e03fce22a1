import { Type, type Static } from 'typebox'
import { oneOf, strictObject } from './common.ts'
import { ProblemField, ValuesField } from './named-problems.ts'
import { keysOf } from './records.ts'

/** Every error code with its HTTP status. Source: section 2 of the decisions. */
export const errorCodes = {
  /** The body, query or CSV header is not valid. */
  VALIDATION_ERROR: 400,
  TOO_MANY_ROWS: 400,
  BATCH_TOO_LARGE: 400,
  /** The domain of a new code is not proved yet. */
  DOMAIN_NOT_PROVED: 400,
  /**
   * The key or session is missing, malformed or unknown, or the e-mail address or password is
   * wrong.
   */
  UNAUTHORIZED: 401,
  /** The password is correct, but the account also requires a second factor: see `details`. */
  TWO_FACTOR_REQUIRED: 401,
  /** The shared view has a password, which this browser has not sent lately. */
  PASSWORD_REQUIRED: 401,
  /**
   * The role is too low, or the key belongs to another organization. The response is the same
   * whether or not that organization exists.
   */
  FORBIDDEN: 403,
  /** The session was not confirmed with a second factor lately: see `details`. */
  CONFIRMATION_REQUIRED: 403,
  API_KEY_REVOKED: 403,
  API_KEY_EXPIRED: 403,
  /** Unknown id, id of another organization, or unknown route. */
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  /** The client did not send its whole request in time. */
  REQUEST_TIMEOUT: 408,
  /** The short code is taken, or the Idempotency-Key was used with another body. */
  CONFLICT: 409,
  /** The code is on a domain whose owner gave notice: it can only be archived or deleted. */
  DOMAIN_ON_NOTICE: 409,
  /** `If-Match` does not match. */
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The header `Expect` asks for something else than `100-continue`. */
  EXPECTATION_FAILED: 417,
  /** The styled picture cannot be decoded. `details` has the nearest change that can. */
  STYLE_NOT_SCANNABLE: 422,
  /** `atomic=true` and at least one item failed, so no item was processed. */
  BATCH_REJECTED: 422,
  /** The head of the request is too large. */
  HEADERS_TOO_LARGE: 431,
  /** Sent with `Retry-After` and the `RateLimit` headers. */
  RATE_LIMITED: 429,
  /** The body does not state the cause; the log has it under `requestId`. */
  INTERNAL_ERROR: 500,
  /** Sent with `Retry-After`. */
  UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorCodes

/** The title-case phrase of each status that the service sends. */
export const statusPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  417: 'Expectation Failed',
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** One problem in a request. */
export const ErrorDetail = strictObject({
  path: Type.String({
    description: 'The field, as a path with dots and indexes; empty for the body as a whole.',
    examples: ['data.links[0].url'],
  }),
  message: Type.String({ description: 'What was expected and what was sent.' }),
  problem: ProblemField,
  values: ValuesField,
  suggestion: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Only with STYLE_NOT_SCANNABLE: style fields, with values, that would be accepted.',
      examples: [{ foregroundColor: '#333333' }],
    }),
  ),
  options: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description:
        'Only with TWO_FACTOR_REQUIRED and CONFIRMATION_REQUIRED, for the field `passkey`: the options for `navigator.credentials.get`, in their JSON form.',
      examples: [{ challenge: 'djEuWkc5bElIUm9aU0JqYUdGc2JHVnVaMlU', rpId: 'qr.example.com' }],
    }),
  ),
})
export type ErrorDetail = Static<typeof ErrorDetail>

/** The body of every error response. */
export const ErrorBody = strictObject(
  {
    statusCode: Type.Integer({ description: 'The HTTP status.', minimum: 400, maximum: 599 }),
    message: Type.String({ description: 'One sentence that says what to do.' }),
    error: Type.String({ description: 'The title-case phrase of the status.' }),
    code: oneOf(keysOf(errorCodes), { description: 'The error code.' }),
    problem: ProblemField,
    values: ValuesField,
    details: Type.Optional(Type.Array(ErrorDetail, { description: 'Every problem, by field.' })),
    requestId: Type.String({ description: 'Quote it in support requests: the log has the cause under it.' }),
  },
  {
    examples: [
      {
        statusCode: 400,
        message: 'name: must not be empty',
        error: 'Bad Request',
        code: 'VALIDATION_ERROR',
        problem: 'empty',
        values: {},
        details: [{ path: 'name', message: 'must not be empty', problem: 'empty', values: {} }],
        requestId: '01jqzv4x8m3c5t7w9y2b4d6f8h',
      },
    ],
  },
)
export type ErrorBody = Static<typeof ErrorBody>
