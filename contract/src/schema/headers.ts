import { Type, type Static } from 'typebox'
import { limits } from './limits.ts'

/** The headers of the interface, in lower case as Node has them. */
export const headerNames = {
  apiKey: 'x-api-key',
  requestId: 'x-request-id',
  idempotencyKey: 'idempotency-key',
  idempotentReplayed: 'idempotent-replayed',
  ifMatch: 'if-match',
} as const

/** `Idempotency-Key` of a POST that creates: a repeat within 24 hours gets the first answer again. */
export const IdempotencyKey = Type.String({
  description:
    'Any text of your own, 1 to 255 visible characters. A repeat within 24 hours gets the first answer again.',
  minLength: 1,
  maxLength: limits.idempotencyKeyCharsMax,
  pattern: '^[\\x21-\\x7e]+$',
})
export type IdempotencyKey = Static<typeof IdempotencyKey>

/** How long a POST with an `Idempotency-Key` is remembered. */
export const idempotencyHours = 24
