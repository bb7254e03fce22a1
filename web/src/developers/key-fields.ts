import type { CreateApiKey } from '@everscan/client/create-client.ts'
import { keyScopes, type KeyScope } from '@everscan/contract/resources/api-keys.ts'
import type { Role } from '@everscan/contract/schema/common.ts'

const dayMs = 86_400_000
const lifetimeDays = { days30: 30, days90: 90, days365: 365 } as const

export const lifetimes = ['never', 'days30', 'days90', 'days365', 'date'] as const
type Lifetime = (typeof lifetimes)[number]

/** The form of a new key. */
export type KeyFields = {
  name: string
  role: Role
  /** Whether the key may do everything that its role may. */
  access: 'all' | 'some'
  scopes: readonly KeyScope[]
  lifetime: Lifetime
  /** `YYYY-MM-DD`, for the lifetime `date`. */
  lastDay: string
  /** One network per line. */
  networks: string
}

export const blankKey: KeyFields = {
  name: '',
  role: 'EDITOR',
  access: 'all',
  scopes: [],
  lifetime: 'never',
  lastDay: '',
  networks: '',
}

/** The scopes with which a key of this role can do what their hints say. */
export function offeredScopes(role: Role): readonly KeyScope[] {
  if (role === 'VIEWER') return ['codes:read', 'analytics:read']
  return keyScopes.filter((scope) => scope !== 'admin' || role === 'ADMIN')
}

/** The chosen scopes that the form offers for its role. */
export function chosenScopes({ role, scopes }: KeyFields): KeyScope[] {
  return offeredScopes(role).filter((scope) => scopes.includes(scope))
}

/** The lines of the form that name a network, with their places in the text. */
export function networkLines({ networks }: KeyFields): { text: string; line: number }[] {
  return networks
    .split('\n')
    .map((text, index) => ({ text: text.trim(), line: index + 1 }))
    .filter(({ text }) => text !== '')
}

export function newKeyOf(fields: KeyFields, nowMs = Date.now()): CreateApiKey {
  const { name, role, access, lifetime, lastDay } = fields
  const networks = networkLines(fields).map(({ text }) => text)
  return {
    name,
    role,
    ...(access === 'some' && { scopes: chosenScopes(fields) }),
    ...(lifetime === 'date' && { expiresAt: lastDay }),
    ...(lifetime !== 'date' &&
      lifetime !== 'never' && {
        expiresAt: new Date(nowMs + lifetimeDays[lifetime] * dayMs).toISOString(),
      }),
    ...(networks.length > 0 && { networks }),
  }
}
