import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import {
  errorCodes,
  statusPhrases,
  type ErrorBody,
  type ErrorCode,
} from '@everscan/contract/schema/errors.ts'

/** A problem, and the field that it is about if it is about one. */
type Example = Problem & { path?: string; suggestion?: Record<string, unknown> }

/** When each error occurs, with an example of its problem, for the OpenAPI document. */
export const errorDescriptions: Readonly<Record<ErrorCode, { when: string; example: Example }>> = {
  VALIDATION_ERROR: {
    when: 'The path, the query, a header or the body is not valid.',
    example: { path: 'name', ...problem('empty') },
  },
  TOO_MANY_ROWS: {
    when: 'An imported file has more than 10,000 rows.',
    example: { path: 'file', ...problem('tooManyRows', { max: limits.importRowsMax }) },
  },
  BATCH_TOO_LARGE: {
    when: 'A batch has more than 1,000 items.',
    example: { path: 'ids', ...problem('tooManyEntries', { max: limits.batchMax, got: 1001 }) },
  },
  DOMAIN_NOT_PROVED: {
    when: 'The domain of a new code is claimed, and its proof was not found yet.',
    example: { path: 'domainId', ...problem('domainNotProved', { hostname: 'go.example.com' }) },
  },
  UNAUTHORIZED: {
    when: 'The API key is missing, malformed or unknown, the session has ended, or the credentials of a sign-in are wrong.',
    example: problem('apiKeyNotValid'),
  },
  TWO_FACTOR_REQUIRED: {
    when: 'The password is correct, but the account also requires a second factor. `details` has the fields that can carry one, and the options for a passkey.',
    example: problem('secondFactorMissing', { fields: '"passkey" or "recoveryCode"' }),
  },
  PASSWORD_REQUIRED: {
    when: 'The shared view has a password, which this browser has not sent lately.',
    example: problem('viewLocked'),
  },
  FORBIDDEN: {
    when: "The caller's role is too low, its API key lacks a scope or is not accepted from its network, the organization in the path is not the caller's, a change with a session came from another site, or an API key was used where a signed-in user is required.",
    example: problem('apiKeyRoleTooLow', { needed: 'EDITOR', role: 'VIEWER' }),
  },
  CONFIRMATION_REQUIRED: {
    when: 'The request changes what signs in to an account with a second factor, and the session was not confirmed with one lately. Confirm it (`POST /users/me/confirmation`) and repeat the request. `details` has the fields that can carry a second factor there, and the options for a passkey.',
    example: problem('confirmationRequired', { fields: 'passkey, recoveryCode' }),
  },
  API_KEY_REVOKED: {
    when: 'The key was revoked.',
    example: problem('apiKeyRevoked'),
  },
  API_KEY_EXPIRED: { when: 'The key has expired.', example: problem('apiKeyExpired') },
  NOT_FOUND: {
    when: 'The organization has no record with this id, or there is nothing at this URL.',
    example: problem('noSuchRecord'),
  },
  METHOD_NOT_ALLOWED: {
    when: 'The endpoint accepts only the methods in the header Allow.',
    example: problem('methodNotAllowed', { allowed: 'GET, HEAD', method: 'PUT' }),
  },
  NOT_ACCEPTABLE: {
    when: 'The header Accept refuses what is available.',
    example: problem('formatsRefused', { formats: 'image/png, image/svg+xml' }),
  },
  REQUEST_TIMEOUT: {
    when: `The body did not arrive completely within ${limits.bodySecondsMax} s. A file may take longer while it comes at ${limits.uploadBytesPerSecondMin / 1024} KiB/s or more, and is at most ${limits.uploadPauseSecondsMax} s behind.`,
    example: problem('requestTooSlow', {
      seconds: limits.bodySecondsMax,
      rate: limits.uploadBytesPerSecondMin / 1024,
    }),
  },
  CONFLICT: {
    when: 'The short code is taken, or the Idempotency-Key was used for another request.',
    example: { path: 'shortCode', ...problem('shortCodeTaken', { shortCode: 'SUMMER-2026' }) },
  },
  DOMAIN_ON_NOTICE: {
    when: 'Another organization has the host name of the code now, and gave notice: the code can only be archived or deleted.',
    example: problem('domainOnNotice', { hostname: 'go.example.com', day: '2026-05-01' }),
  },
  PRECONDITION_FAILED: {
    when: 'The record has changed since the version in If-Match.',
    example: problem('codeChangedSince'),
  },
  PAYLOAD_TOO_LARGE: {
    when: 'The body or the file is larger than the endpoint accepts.',
    example: problem('bodyTooLarge'),
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The endpoint does not accept this type of body.',
    example: problem('contentTypeNotJson'),
  },
  EXPECTATION_FAILED: {
    when: 'The header Expect asks for something else than 100-continue.',
    example: problem('expectationNotMet'),
  },
  STYLE_NOT_SCANNABLE: {
    when: 'A picture in this style could not be decoded; `details` has the nearest change that can.',
    example: {
      path: 'style.foregroundColor',
      ...problem('styleContrastTooLow'),
      suggestion: { foregroundColor: '#333333' },
    },
  },
  BATCH_REJECTED: {
    when: 'With atomic=true: at least one item failed, so none was processed.',
    example: problem('batchRejected', { failed: 1, count: 2 }),
  },
  HEADERS_TOO_LARGE: {
    when: `The head of the request is larger than ${limits.headBytesMax / 1024} KiB.`,
    example: problem('headTooLarge', { max: limits.headBytesMax / 1024 }),
  },
  RATE_LIMITED: {
    when: 'The key or session (on public endpoints: the network) exceeded its requests per minute; Retry-After states how long to wait.',
    example: problem('apiKeyTooFast', { max: 6000, seconds: 12 }),
  },
  INTERNAL_ERROR: {
    when: 'An internal error; the log has the cause under `requestId`.',
    example: problem('internalError'),
  },
  UNAVAILABLE: {
    when: 'A part of the service is unavailable; Retry-After states how long to wait.',
    example: problem('catalogueUnavailable'),
  },
}

/** The error codes of a status. */
export function codesOf(status: number): ErrorCode[] {
  return (Object.keys(errorCodes) as ErrorCode[]).filter((code) => errorCodes[code] === status)
}

export function errorExample(code: ErrorCode): ErrorBody {
  const statusCode = errorCodes[code]
  const { path, suggestion, message, ...named } = errorDescriptions[code].example
  const detail =
    path === undefined ? undefined : { path, ...named, message, ...(suggestion && { suggestion }) }
  return {
    statusCode,
    message: path === undefined ? message : `${path}: ${message}`,
    error: statusPhrases[statusCode] ?? 'Error',
    code,
    ...named,
    ...(detail && { details: [detail] }),
    requestId: '01jqzv4x8m3c5t7w9y2b4d6f8h',
  }
}
