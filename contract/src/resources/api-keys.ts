import { Type, type Static } from 'typebox'
import { Id, Line, Role, Timestamp, nullable, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'
import { Actor } from './actors.ts'

/** The prefix of every key. 32 characters of base 62 and a checksum of 6 follow. */
export const apiKeyPrefix = 'evs_'

/** The form of a key's value, by which scanners for leaked secrets can find it. */
export const apiKeyPattern = /^evs_[0-9A-Za-z]{38}$/

const apiKeyFields = {
  id: Id('key'),
  name: Type.String({ description: 'Purpose of the key.' }),
  prefix: Type.String({
    description: 'The first characters of the value, to tell keys apart.',
    examples: ['evs_4kQ9'],
  }),
  role: Role,
  createdAt: Timestamp('When the key was created.'),
  madeBy: Actor,
  lastUsedAt: nullable(Timestamp('When the key was last used, to the minute; null if never.')),
  expiresAt: nullable(Timestamp('When the key expires; null if never.')),
  revokedAt: nullable(Timestamp('When the key was revoked; null if it is not revoked.')),
}

/** An API key without its value, which is not stored. */
export const ApiKey = strictObject(apiKeyFields)
export type ApiKey = Static<typeof ApiKey>

/** A new API key with its value, which only this response contains. */
export const CreatedApiKey = strictObject({
  ...apiKeyFields,
  key: Type.String({
    description: 'The value for the X-API-Key header. Store it now: it is shown only once.',
  }),
})
export type CreatedApiKey = Static<typeof CreatedApiKey>

/** The body that creates an API key. */
export const CreateApiKey = strictObject(
  {
    name: Line(limits.nameCharsMax, 'Purpose of the key.'),
    role: Type.Optional(Role),
    expiresAt: Type.Optional(
      nullable(
        Timestamp(
          'When the key expires, in the future. If a key creates it, at the latest when that one does, which is also the default; otherwise by default never.',
        ),
      ),
    ),
  },
  { examples: [{ name: 'Print shop', role: 'EDITOR' }] },
)
export type CreateApiKey = Static<typeof CreateApiKey>

export const ApiKeyPage = Page(ApiKey)
export type ApiKeyPage = Static<typeof ApiKeyPage>
