import type { IncomingHttpHeaders } from 'node:http'
import type { Actor } from '@everscan/contract/resources/actors.ts'
import type { AuditOrigin } from '@everscan/contract/resources/audit-log.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { networkPrefix } from '../../address-networks.ts'
import type { AccountSource } from '../../catalogue/accounts/account-log.ts'
import type { ChangeOrigin } from '../../catalogue/rows/change-origins.ts'

type RequestInfo = { headers: IncomingHttpHeaders; id: string }

/** The actor of a change, and the origin of the request. */
export function originOf(request: RequestInfo, actor: Actor): ChangeOrigin {
  return { actor, ...requestSource(request, actor.kind === 'user' ? 'dashboard' : 'api') }
}

/** The stored origin of a request: never its address. */
export function requestSource({ headers, id }: RequestInfo, via: AuditOrigin): Omit<ChangeOrigin, 'actor'> {
  return {
    via,
    // Only the worker has the geography in memory, for scans.
    country: 'XX',
    userAgent: userAgentOf(headers),
    requestId: id,
  }
}

/** The source of a request as the log of an account stores it: the network of its address. */
export function accountSource({ headers, ip }: { headers: IncomingHttpHeaders; ip: string }): AccountSource {
  return { network: networkPrefix(ip), userAgent: userAgentOf(headers) }
}

function userAgentOf(headers: IncomingHttpHeaders): string | null {
  const userAgent = headers['user-agent']?.slice(0, limits.userAgentCharsMax) ?? ''
  return userAgent === '' ? null : userAgent
}
