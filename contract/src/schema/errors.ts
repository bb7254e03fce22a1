import { Type, type Static } from 'typebox'
import { oneOf, strictObject } from './common.ts'
import { keysOf } from './records.ts'

/** Every machine name of an error, with its HTTP status. Source: section 2 of the decisions. */
export const errorCodes = {
  /** Body, query, CSV header: what was sent is not what is expected. */
  VALIDATION_ERROR: 400,
  TOO_MANY_ROWS: 400,
  BATCH_TOO_LARGE: 400,
  /** The key or session is missing, malformed or unknown; e-mail address or password are wrong. */
  UNAUTHORIZED: 401,
  /** The password is right, and the account also asks for a code. */
  TWO_FACTOR_REQUIRED: 401,
  /** The role is too low, or the organization is not the key's; the same answer whether or not it exists. */
  FORBIDDEN: 403,
  API_KEY_REVOKED: 403,
  API_KEY_EXPIRED: 403,
  /** Unknown id, another organization's id, unknown route. */
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  /** The client did not finish its request in time. */
  REQUEST_TIMEOUT: 408,
  /** Short code taken; the same Idempotency-Key with another body. */
  CONFLICT: 409,
  /** `If-Match` does not match. */
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The styled picture cannot be read back; the nearest change that passes is in `details`. */
  STYLE_NOT_SCANNABLE: 422,
  /** `atomic=true` and at least one item failed, so none was done. */
  BATCH_REJECTED: 422,
  /** With `Retry-After` and the `RateLimit` headers. */
  RATE_LIMITED: 429,
  /** No word of the cause in the body; the log has it under `requestId`. */
  INTERNAL_ERROR: 500,
  /** With `Retry-After`. */
  UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof errorCodes

/** The title-case status phrase of each status that we answer with. */
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
  422: 'Unprocessable Entity',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** One thing that is wrong with what was sent. */
export const ErrorDetail = strictObject({
  path: Type.String({
    description: 'The field, with dots and indexes; empty for the body as a whole.',
    examples: ['data.links[0].url'],
  }),
  message: Type.String({ description: 'What was expected, and what came.' }),
  suggestion: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Only with STYLE_NOT_SCANNABLE: the style fields, with values, that would pass.',
      examples: [{ foregroundColor: '#333333' }],
    }),
  ),
})
export type ErrorDetail = Static<typeof ErrorDetail>

/** The body of every answer that is not a success. */
export const ErrorBody = strictObject(
  {
    statusCode: Type.Integer({ description: 'The HTTP status.', minimum: 400, maximum: 599 }),
    message: Type.String({ description: 'One sentence a person can act on.' }),
    error: Type.String({ description: 'The title-case phrase of the status.' }),
    code: oneOf(keysOf(errorCodes), { description: 'The machine name.' }),
    details: Type.Optional(Type.Array(ErrorDetail, { description: 'Each thing that is wrong, by field.' })),
    requestId: Type.String({ description: 'Name it when asking for help: the log has the cause under it.' }),
  },
  {
    examples: [
      {
        statusCode: 400,
        message: 'name: must not be empty',
        error: 'Bad Request',
        code: 'VALIDATION_ERROR',
        details: [{ path: 'name', message: 'must not be empty' }],
        requestId: '01jqzv4x8m3c5t7w9y2b4d6f8h',
      },
    ],
  },
)
export type ErrorBody = Static<typeof ErrorBody>
