import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { AuditOrigin } from '@everscan/contract/resources/audit-log.ts'

/** Who changes something, and from where. Every function of the catalogue that changes something takes one; it never has an IP address. */
export type ChangeOrigin = {
  actor: Actor
  via: AuditOrigin
  /** ISO 3166-1 code; XX when unknown. */
  country: string
  /** At most `limits.userAgentCharsMax` characters. */
  userAgent: string | null
  /** The request, as in the log. */
  requestId: string | null
}

/** The service itself, and whoever changed what an older release did not write down. */
export const systemActor: Actor = { kind: 'system', id: null, name: 'Everscan' }

export const systemOrigin: ChangeOrigin = {
  actor: systemActor,
  via: 'system',
  country: 'XX',
  userAgent: null,
  requestId: null,
}

/** Whoever runs the installation, with a command on the machine. */
export const commandOrigin: ChangeOrigin = {
  ...systemOrigin,
  actor: { kind: 'system', id: null, name: 'Operator' },
  via: 'command',
}
