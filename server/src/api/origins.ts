import type { Actor } from '@everscan/contract/actors.ts'
import { limits } from '@everscan/contract/limits.ts'
import type { FastifyRequest } from 'fastify'
import type { ChangeOrigin } from '../catalogue/change-origins.ts'

/** Who asks for a change, and from where as far as it is kept: never the address. */
export function originOf(request: FastifyRequest, actor: Actor): ChangeOrigin {
  const userAgent = request.headers['user-agent']?.slice(0, limits.userAgentCharsMax) ?? ''
  return {
    actor,
    via: actor.kind === 'user' ? 'dashboard' : 'api',
    // The geography is the worker's, which has it in memory for scans.
    country: 'XX',
    userAgent: userAgent === '' ? null : userAgent,
    requestId: request.id,
  }
}
