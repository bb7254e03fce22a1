import { Type, type Static } from 'typebox'
import { limits } from './limits.ts'

/** The headers of the interface, in lower case as in Node. */
export const headerNames = {
  apiKey: 'x-api-key',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
  idempotentReplayed: 'idempotent-replayed',
  ifMatch: 'if-match',
} as const

/**
 * `Idempotency-Key` of a POST that creates records: a repeat within 24 hours returns the first
 * response.
 */
export const IdempotencyKey = Type.String({
  description:
    'Any text, 1 to 255 visible ASCII characters. A repeat within 24 hours returns the first response.',
  minLength: 1,
  maxLength: limits.idempotencyKeyCharsMax,
  pattern: '^[\\x21-\\x7e]+$',
})
export type IdempotencyKey = Static<typeof IdempotencyKey>

/** How long the response to a POST with an `Idempotency-Key` is stored. */
export const idempotencyHours = 24
