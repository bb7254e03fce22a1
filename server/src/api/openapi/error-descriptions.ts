import {
  errorCodes,
  statusPhrases,
  type ErrorBody,
  type ErrorCode,
} from '@everscan/contract/schema/errors.ts'

/** When each error comes, and what it says then: for the document. */
export const errorDescriptions: Readonly<Record<ErrorCode, { when: string; message: string }>> = {
  VALIDATION_ERROR: {
    when: 'The path, the query, a header or the body is not as described.',
    message: 'name: must not be empty',
  },
  TOO_MANY_ROWS: {
    when: 'An imported file has more than 10,000 rows.',
    message: 'The file has more than 10,000 rows. Split it and import one part after another.',
  },
  BATCH_TOO_LARGE: {
    when: 'A batch names more than 1,000 items.',
    message: 'ids: must have at most 1,000 entries',
  },
  UNAUTHORIZED: {
    when: 'The API key is missing, malformed or unknown; the session has ended; what was given to sign in is wrong.',
    message: 'The API key is missing or invalid. Send it in the header X-API-Key.',
  },
  TWO_FACTOR_REQUIRED: {
    when: 'The password is right, and the account also asks for a code.',
    message: 'Send "code", or "recoveryCode", too: this account signs in with two factors.',
  },
  FORBIDDEN: {
    when: "The caller's role is too low, or the organization of the path is not the caller's; a change with a session came from another site; a key asked for what only a person may do.",
    message: 'This needs the role EDITOR; the API key has VIEWER.',
  },
  API_KEY_REVOKED: {
    when: 'The key was revoked.',
    message: 'This API key has been revoked. Use another one.',
  },
  API_KEY_EXPIRED: { when: 'The key has expired.', message: 'This API key has expired. Use another one.' },
  NOT_FOUND: {
    when: 'The organization has nothing with this id, or there is nothing at the address.',
    message: 'There is nothing with this id in this organization.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The address takes other methods, which the header Allow names.',
    message: 'This address takes GET, HEAD, not PUT.',
  },
  NOT_ACCEPTABLE: {
    when: 'The header Accept names nothing that can be had.',
    message: 'The picture can be had as image/png or image/svg+xml, not as what Accept names.',
  },
  REQUEST_TIMEOUT: {
    when: 'The request did not arrive whole in time.',
    message: 'The request took too long to arrive.',
  },
  CONFLICT: {
    when: 'The short code is taken, or the Idempotency-Key was used for another request.',
    message: 'shortCode: "SUMMER-2026" is taken, choose another',
  },
  PRECONDITION_FAILED: {
    when: 'The record was changed since the version that If-Match names.',
    message: 'The QR code was changed since the version that If-Match names. Read it again.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body or the file is larger than this address takes.',
    message: 'The body is larger than this endpoint takes.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is of another type than this address takes.',
    message: 'The body must be JSON, with the header Content-Type: application/json.',
  },
  STYLE_NOT_SCANNABLE: {
    when: 'A picture in this style could not be read; `details` has the nearest change that can.',
    message: 'style.foregroundColor: has too little contrast to the background to be scanned',
  },
  BATCH_REJECTED: {
    when: 'With atomic=true: an item failed, so none was done.',
    message: 'Nothing was done: 1 of 2 items failed.',
  },
  RATE_LIMITED: {
    when: 'The key (where none is needed, the network) made more requests than it may in a minute; Retry-After says how long to wait.',
    message: 'This API key may make 6000 requests a minute. Try again in 12 s.',
  },
  INTERNAL_ERROR: {
    when: 'A mistake of ours; the log has the cause under `requestId`.',
    message: 'Something went wrong on our side. The log has it under this request id.',
  },
  UNAVAILABLE: {
    when: 'A part of the service cannot be reached; Retry-After says how long to wait.',
    message: 'The catalogue cannot be reached right now. Try again in a moment.',
  },
}

/** The codes that a status comes with. */
export function codesOf(status: number): ErrorCode[] {
  return (Object.keys(errorCodes) as ErrorCode[]).filter((code) => errorCodes[code] === status)
}

export function errorExample(code: ErrorCode): ErrorBody {
  const statusCode = errorCodes[code]
  const { message } = errorDescriptions[code]
  return {
    statusCode,
    message,
    error: statusPhrases[statusCode] ?? 'Error',
    code,
    ...detailsOf(code, message),
    requestId: '01jqzv4x8m3c5t7w9y2b4d6f8h',
  }
}

function detailsOf(code: ErrorCode, text: string): Pick<ErrorBody, 'details'> {
  const [, path, message] = /^([a-z][\w.]*): (.*)$/i.exec(text) ?? []
  if (path === undefined || message === undefined) return {}
  const suggestion = code === 'STYLE_NOT_SCANNABLE' ? { suggestion: { foregroundColor: '#333333' } } : {}
  return { details: [{ path, message, ...suggestion }] }
}
