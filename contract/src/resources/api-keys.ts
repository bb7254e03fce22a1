import { Type, type Static } from 'typebox'
import { Id, Line, Role, Timestamp, nullable, oneOf, newObject, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { Page } from '../schema/pages.ts'
import { patterns } from '../schema/patterns.ts'
import { keysOf } from '../schema/records.ts'
import { Actor } from './actors.ts'

/** The prefix of every key. 32 characters of base 62 and a checksum of 6 follow. */
export const apiKeyPrefix = 'evs_'

/** The form of a key's value, by which scanners for leaked secrets can find it. */
export const apiKeyPattern = /^evs_[0-9A-Za-z]{38}$/

/** The permissions of each scope, as far as the role of the key allows them. */
export const scopeDescriptions = {
  'codes:read':
    'Read codes with their numbers of scans, pictures, label sheets, history, folders, tags and styles.',
  'codes:write': 'Create, change and delete codes, folders and styles; includes `codes:read`.',
  'analytics:read': 'Read analytics, scans and exports of scans.',
  imports: 'Start, follow and cancel imports, which create codes and folders.',
  admin:
    'Manage the organization: settings, members, keys, webhooks, saved views, audit log, archive. Its holder can obtain everything else, for example by a webhook or an invitation.',
} as const

export const keyScopes = keysOf(scopeDescriptions)

/** A part of the API to which a key can be limited. */
export const KeyScope = oneOf(keyScopes, { description: 'A part of the API to which a key is limited.' })
export type KeyScope = Static<typeof KeyScope>

/** Whether a key with these scopes, or null for all, may do what requires `needed`. */
export function scopesAllow(scopes: readonly KeyScope[] | null, needed: KeyScope): boolean {
  if (scopes === null || scopes.includes(needed)) return true
  return needed === 'codes:read' && scopes.includes('codes:write')
}

const listOfScopes = keyScopes.map((scope) => `\`${scope}\`: ${scopeDescriptions[scope]}`).join(' ')

const apiKeyFields = {
  id: Id('key'),
  name: Type.String({ description: 'Purpose of the key.' }),
  prefix: Type.String({
    description: 'The first characters of the value, to tell keys apart.',
    examples: ['evs_4kQ9'],
  }),
  role: Role,
  scopes: nullable(Type.Array(KeyScope), {
    description: 'The parts of the API to which the key is limited; null for all that its role allows.',
    examples: [['codes:read', 'analytics:read']],
  }),
  networks: nullable(Type.Array(Type.String()), {
    description: 'The networks from which the key is accepted, in CIDR notation; null for everywhere.',
    examples: [['203.0.113.0/24', '2001:db8::/48']],
  }),
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
export const CreateApiKey = newObject(
  {
    name: Line(limits.nameCharsMax, 'Purpose of the key.'),
    role: Type.Optional(Role),
    scopes: Type.Optional(
      nullable(
        Type.Array(KeyScope, {
          description: `The parts of the API to which the key is limited; its role must allow them, too. ${listOfScopes} By default all that the role allows. A key that creates a key gives only scopes of its own, and by default all of them.`,
          minItems: 1,
          uniqueItems: true,
          examples: [['codes:read', 'analytics:read']],
        }),
      ),
    ),
    expiresAt: Type.Optional(
      nullable(
        Type.String({
          description:
            'When the key expires, in the future: a time, or a date, which means the end of that day in UTC. If a key creates it, at the latest when that one does, which is also the default; otherwise by default never.',
          pattern: patterns.expiry,
          examples: ['2027-12-31', '2027-12-31T18:00:00.000Z'],
        }),
      ),
    ),
    networks: Type.Optional(
      nullable(
        Type.Array(Type.String({ maxLength: limits.networkCharsMax }), {
          description:
            'The networks from which the key is accepted: IPv4 and IPv6 in CIDR notation, or single addresses. By default everywhere. A key that creates a key gives only networks within one of its own, and by default all of them.',
          minItems: 1,
          maxItems: limits.keyNetworksMax,
          examples: [['203.0.113.0/24', '2001:db8::/48']],
        }),
      ),
    ),
  },
  { examples: [{ name: 'Print shop', role: 'EDITOR', scopes: ['codes:read'] }] },
)
export type CreateApiKey = Static<typeof CreateApiKey>

export const ApiKeyPage = Page(ApiKey)
export type ApiKeyPage = Static<typeof ApiKeyPage>
