import { type Role, roleAllows } from '@everscan/contract/common.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findApiKey } from '../catalogue/api-keys.ts'
import type { Database } from '../db/database.ts'
import { ApiError } from '../errors.ts'
import type { ApiContext, Caller, Endpoint } from './endpoint.ts'
import { originOf } from './origins.ts'
import { createRateLimit, rateLimitHeaders, type RateLimit, type RateLimitState } from './rate-limit.ts'

export type Gate = (
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<Caller | undefined>

/** Lets a request in or throws, in this order: the key, its rate, its organization, its role. */
export function createGate({ db, config, clock }: ApiContext): Gate {
  const tries = new Map<string, RateLimit>()
  const rateLimit = config.rateLimitPerMinute === 0 ? undefined : createRateLimit(config.rateLimitPerMinute)
  return async (endpoint, request, reply) => {
    if (endpoint.role === 'public') {
      const { id, triesPerMinute } = endpoint
      if (triesPerMinute === undefined || rateLimit === undefined) return undefined
      const limit = tries.get(id) ?? createRateLimit(triesPerMinute)
      tries.set(id, limit)
      const state = limit(networkOf(request.ip), clock())
      if (!state.allowed) throw rateLimited('Your network', state)
      return undefined
    }
    const caller = await authenticate(db, request, clock())
    if (rateLimit !== undefined) {
      const state = rateLimit(caller.keyId, clock())
      void reply.headers(rateLimitHeaders(state))
      if (!state.allowed) throw rateLimited('This API key', state)
    }
    if (endpoint.role !== 'anyKey') permit(caller, endpoint.role, request.params as { orgId?: string })
    return caller
  }
}

const unauthorized = 'The API key is missing or invalid. Send it in the header X-API-Key.'

/** Revoked and expired keys are told apart from unknown ones: whoever holds the value should know to replace it. */
async function authenticate(db: Database, request: FastifyRequest, nowMs: number): Promise<Caller> {
  const value = request.headers['x-api-key']
  const found = typeof value === 'string' ? await findApiKey(db, value, { nowMs }) : undefined
  if (found === undefined) throw new ApiError(401, 'UNAUTHORIZED', unauthorized)
  if (found.state !== 'VALID') {
    const what = found.state === 'REVOKED' ? 'been revoked' : 'expired'
    throw new ApiError(403, `API_KEY_${found.state}`, `This API key has ${what}. Use another one.`)
  }
  const { id, name, userId, organizationId, role } = found.key
  const origin = originOf(request, { kind: 'api-key', id, name })
  return { keyId: id, userId, organizationId, role, origin }
}

/** Containment first, and with the same words whether or not that organization exists; only then the role. */
export function permit(caller: Caller, role: Role, { orgId }: { orgId?: string }): void {
  if (orgId !== caller.organizationId)
    throw new ApiError(403, 'FORBIDDEN', 'This API key does not belong to the organization of this address.')
  if (!roleAllows(caller.role, role))
    throw new ApiError(403, 'FORBIDDEN', `This needs the role ${role}; the API key has ${caller.role}.`)
}

/** Only to count by, in memory: the /48 of an IPv6 address, which one person may have, or an IPv4 address. */
function networkOf(address: string): string {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  return address.split(':').slice(0, 3).join(':')
}

function rateLimited(who: string, { limit, resetSeconds }: RateLimitState): ApiError {
  const message = `${who} may make ${limit} requests a minute. Try again in ${resetSeconds} s.`
  return new ApiError(429, 'RATE_LIMITED', message, { headers: { 'retry-after': String(resetSeconds) } })
}
