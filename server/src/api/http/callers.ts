import type { Role } from '@everscan/contract/schema/common.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'

/**
 * Who may call: anybody, a signed-in person whatever their roles, any living key or signed-in person, or a key or member of at least this
 * role in the organization of the path.
 */
export type Permission = 'public' | 'session' | 'anyCaller' | Role

/** Who calls. A caller acts in one organization, with one role; it is a key or a session. */
export type Caller = {
  keyId: string | undefined
  sessionId: string | undefined
  /** Whose session it is; of a key, who made it. */
  userId: string | null
  organizationId: string
  role: Role
  /** Goes with every change that the caller asks for. */
  origin: ChangeOrigin
}

/** A signed-in person, outside any organization. */
export type SessionCaller = { sessionId: string; userId: string; userName: string; origin: ChangeOrigin }

export type AnyCaller = Caller | SessionCaller

/** Whose stream it is: a key's or a session's, in an organization. */
export type StreamHolder = Pick<Caller, 'organizationId' | 'keyId' | 'sessionId'>
