import { Type, type Static } from 'typebox'
import { Id, Line, Role, Timestamp, nullable, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'

/** What every key begins with; 32 characters of base 62 and a checksum of 6 follow. */
export const apiKeyPrefix = 'evs_'

/** The form of a key's value: whoever scans for leaked secrets can find it by this. */
export const apiKeyPattern = /^evs_[0-9A-Za-z]{38}$/

const apiKeyFields = {
  id: Id('key'),
  name: Type.String({ description: 'What it is for.' }),
  prefix: Type.String({
    description: 'The first characters of the value, to tell keys apart.',
    examples: ['evs_4kQ9'],
  }),
  role: Role,
  createdAt: Timestamp('When it was made.'),
  lastUsedAt: nullable(Timestamp('When it was last used, to the minute; null when never.')),
  expiresAt: nullable(Timestamp('When it ends; null when never.')),
  revokedAt: nullable(Timestamp('When it was revoked; null when it was not.')),
}

/** A key, without its value, which is not stored. */
export const ApiKey = strictObject(apiKeyFields)
export type ApiKey = Static<typeof ApiKey>

/** A key just made, with its value, shown this once. */
export const CreatedApiKey = strictObject({
  ...apiKeyFields,
  key: Type.String({
    description: 'The value for the X-API-Key header. Store it now: it is shown this once.',
  }),
})
export type CreatedApiKey = Static<typeof CreatedApiKey>

/** The body that makes a key. */
export const CreateApiKey = strictObject(
  {
    name: Line(limits.nameCharsMax, 'What it is for.'),
    role: Type.Optional(Role),
    expiresAt: Type.Optional(nullable(Timestamp('When it ends, in the future; never unless given.'))),
  },
  { examples: [{ name: 'Print shop', role: 'EDITOR' }] },
)
export type CreateApiKey = Static<typeof CreateApiKey>

export const ApiKeyPage = Page(ApiKey)
export type ApiKeyPage = Static<typeof ApiKeyPage>
