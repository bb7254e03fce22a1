// Headers that several endpoints read or set: name → meaning, for the OpenAPI document.

export const idempotencyKey = {
  'Idempotency-Key': 'Any text; a repeat within 24 hours returns the first response.',
} as const

export const replayed = { 'Idempotent-Replayed': 'true if this repeats the first response.' } as const

export const location = { Location: 'URL of the record.' } as const

export const etag = { ETag: 'Identifies this version of the record, for If-Match.' } as const

export const ifMatch = {
  'If-Match': 'The ETag of the record as you read it; 412 if it has changed since.',
} as const
