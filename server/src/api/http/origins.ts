import type { IncomingHttpHeaders } from 'node:http'
import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { AuditOrigin } from '@everscan/contract/resources/audit-log.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'

type Asked = { headers: IncomingHttpHeaders; id: string }

/** Who asks for a change, and from where. */
export function originOf(request: Asked, actor: Actor): ChangeOrigin {
  return { actor, ...requestSource(request, actor.kind === 'user' ? 'dashboard' : 'api') }
}

/** Where a request comes from as far as it is kept: never the address. */
export function requestSource({ headers, id }: Asked, via: AuditOrigin): Omit<ChangeOrigin, 'actor'> {
  const userAgent = headers['user-agent']?.slice(0, limits.userAgentCharsMax) ?? ''
  return {
    via,
    // The geography is the worker's, which has it in memory for scans.
    country: 'XX',
    userAgent: userAgent === '' ? null : userAgent,
    requestId: id,
  }
}
