import { limits } from '@everscan/contract/schema/limits.ts'
import {
  errorCodes,
  statusPhrases,
  type ErrorBody,
  type ErrorCode,
} from '@everscan/contract/schema/errors.ts'

/** When each error occurs, with an example of its message, for the OpenAPI document. */
export const errorDescriptions: Readonly<Record<ErrorCode, { when: string; message: string }>> = {
  VALIDATION_ERROR: {
    when: 'The path, the query, a header or the body is not valid.',
    message: 'name: must not be empty',
  },
  TOO_MANY_ROWS: {
    when: 'An imported file has more than 10,000 rows.',
    message: 'The file has more than 10,000 rows. Split it and import one part after another.',
  },
  BATCH_TOO_LARGE: {
    when: 'A batch has more than 1,000 items.',
    message: 'ids: must have at most 1,000 entries',
  },
  DOMAIN_NOT_PROVED: {
    when: 'The domain of a new code is claimed, and its proof was not found yet.',
    message: 'domainId: "go.example.com" is not proved yet. Set its TXT record first.',
  },
  UNAUTHORIZED: {
    when: 'The API key is missing, malformed or unknown, the session has ended, or the credentials of a sign-in are wrong.',
    message: 'The API key is missing or invalid. Send it in the header X-API-Key.',
  },
  TWO_FACTOR_REQUIRED: {
    when: 'The password is correct, but the account also requires a second factor. `details` has the fields that can carry one, and the options for a passkey.',
    message: 'This account uses two-factor sign-in: send "passkey" or "recoveryCode" too.',
  },
  PASSWORD_REQUIRED: {
    when: 'The shared view has a password, which this browser has not sent lately.',
    message: 'This view has a password. Send it to "unlock" first.',
  },
  FORBIDDEN: {
    when: "The caller's role is too low, its API key lacks a scope or is not accepted from its network, the organization in the path is not the caller's, a change with a session came from another site, or an API key was used where a signed-in user is required.",
    message: 'This requires the role EDITOR; the API key has VIEWER.',
  },
  CONFIRMATION_REQUIRED: {
    when: 'The request changes what signs in to an account with a second factor, and the session was not confirmed with one lately. Confirm it (`POST /users/me/confirmation`) and repeat the request. `details` has the fields that can carry a second factor there, and the options for a passkey.',
    message: 'Confirm this session with a second factor first: send "passkey" or "recoveryCode".',
  },
  API_KEY_REVOKED: {
    when: 'The key was revoked.',
    message: 'This API key has been revoked. Use another one.',
  },
  API_KEY_EXPIRED: { when: 'The key has expired.', message: 'This API key has expired. Use another one.' },
  NOT_FOUND: {
    when: 'The organization has no record with this id, or there is nothing at this URL.',
    message: 'No record with this id exists in this organization.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The endpoint accepts only the methods in the header Allow.',
    message: 'This endpoint accepts GET, HEAD, not PUT.',
  },
  NOT_ACCEPTABLE: {
    when: 'The header Accept refuses what is available.',
    message: 'Accept refuses image/png. Name another format, of image/png, image/svg+xml.',
  },
  REQUEST_TIMEOUT: {
    when: `The body did not arrive completely within ${limits.bodySecondsMax} s. A file may take longer while it comes at ${limits.uploadBytesPerSecondMin / 1024} KiB/s or more, and is at most ${limits.uploadPauseSecondsMax} s behind.`,
    message: 'The request took too long to arrive.',
  },
  CONFLICT: {
    when: 'The short code is taken, or the Idempotency-Key was used for another request.',
    message: 'shortCode: "SUMMER-2026" is taken, choose another',
  },
  DOMAIN_ON_NOTICE: {
    when: 'Another organization has the host name of the code now, and gave notice: the code can only be archived or deleted.',
    message:
      '"go.example.com" belongs to another organization now, which gave notice: codes on it end on 2026-05-01, and can only be archived or deleted.',
  },
  PRECONDITION_FAILED: {
    when: 'The record has changed since the version in If-Match.',
    message: 'The QR code has changed since the version in If-Match. Read it again.',
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body or the file is larger than the endpoint accepts.',
    message: 'The body is larger than this endpoint accepts.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The endpoint does not accept this type of body.',
    message: 'The body must be JSON, with the header Content-Type: application/json.',
  },
  EXPECTATION_FAILED: {
    when: 'The header Expect asks for something else than 100-continue.',
    message: 'The service meets no expectation of the header Expect but 100-continue.',
  },
  STYLE_NOT_SCANNABLE: {
    when: 'A picture in this style could not be decoded; `details` has the nearest change that can.',
    message: 'style.foregroundColor: has too little contrast to the background to be scanned',
  },
  BATCH_REJECTED: {
    when: 'With atomic=true: at least one item failed, so none was processed.',
    message: 'No item was processed: 1 of 2 failed.',
  },
  HEADERS_TOO_LARGE: {
    when: `The head of the request is larger than ${limits.headBytesMax / 1024} KiB.`,
    message: `The head of the request must have at most ${limits.headBytesMax / 1024} KiB.`,
  },
  RATE_LIMITED: {
    when: 'The key or session (on public endpoints: the network) exceeded its requests per minute; Retry-After states how long to wait.',
    message: 'This API key may make at most 6000 requests per minute. Try again in 12 s.',
  },
  INTERNAL_ERROR: {
    when: 'An internal error; the log has the cause under `requestId`.',
    message: 'An internal error occurred. The log has its cause under this request id.',
  },
  UNAVAILABLE: {
    when: 'A part of the service is unavailable; Retry-After states how long to wait.',
    message: 'The catalogue is unavailable right now. Try again in a moment.',
  },
}

/** The error codes of a status. */
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
