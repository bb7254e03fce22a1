import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { AuditOrigin } from '@everscan/contract/resources/audit-log.ts'

/**
 * The actor and source of a change. Every function of the catalogue that changes something takes
 * one. Never contains an IP address.
 */
export type ChangeOrigin = {
  actor: Actor
  via: AuditOrigin
  /** An ISO 3166-1 code; XX if unknown. */
  country: string
  /** At most `limits.userAgentCharsMax` characters. */
  userAgent: string | null
  /** The id of the request, as in the log. */
  requestId: string | null
}

/** The service itself, and the unknown actor of changes by an older release. */
export const systemActor: Actor = { kind: 'system', id: null, name: 'Everscan' }

export const systemOrigin: ChangeOrigin = {
  actor: systemActor,
  via: 'system',
  country: 'XX',
  userAgent: null,
  requestId: null,
}

/** The operator, through a command on the machine. */
export const commandOrigin: ChangeOrigin = {
  ...systemOrigin,
  actor: { kind: 'system', id: null, name: 'Operator' },
  via: 'command',
}
