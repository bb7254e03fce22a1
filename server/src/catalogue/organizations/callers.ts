import type { Role } from '@everscan/contract/schema/common.ts'
import type { KeyBounds } from './api-keys.ts'
import type { ChangeOrigin } from '../rows/change-origins.ts'

/** An authenticated caller: a key or a session. It acts in one organization, with one role. */
export type Caller = {
  keyId: string | undefined
  sessionId: string | undefined
  /** The limits of the key; a session has none. */
  keyBounds: KeyBounds | undefined
  /** The user of the session, or the user who created the key. */
  userId: string | null
  organizationId: string
  role: Role
  /** Recorded with every change that the caller requests. */
  origin: ChangeOrigin
}

/** A signed-in user, outside any organization. */
export type SessionCaller = {
  sessionId: string
  /** When the session last showed a second factor; null if never. */
  confirmedAtMs: number | null
  userId: string
  userName: string
  origin: ChangeOrigin
}

export type AnyCaller = Caller | SessionCaller

/**
 * The key or session that holds a stream or another place, in an organization, with its account: a
 * key counts for the account that created it.
 */
export type PlaceHolder = Pick<Caller, 'organizationId' | 'keyId' | 'sessionId' | 'userId'>
