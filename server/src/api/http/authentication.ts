import { problem } from '@everscan/contract/problems/problem.ts'
import { type Role, roleAllows, roles } from '@everscan/contract/schema/common.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findApiKey } from '../../catalogue/organizations/api-keys.ts'
import { findSession, type FoundSession } from '../../catalogue/accounts/sessions.ts'
import type { Database } from '../../db/database.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import type { ApiContext } from './api-context.ts'
import type { Permission } from '@everscan/contract/endpoints/endpoint.ts'
import type { AnyCaller, Caller, SessionCaller } from '../../catalogue/organizations/callers.ts'
import { innerCallOf } from './inner-calls.ts'
import { UnknownKeys } from '../../limits/unknown-keys.ts'
import { networkOf } from '../../limits/networks.ts'
import { originOf } from '../../product/accounts/request-sources.ts'
import { ownLimiters, type Limiters } from '../../limits/limiters.ts'
import { rateLimitHeaders, type RateLimit, type RateLimitState } from '../../limits/rate-limit.ts'
import { requireSameOrigin } from './same-origin.ts'
import { requireScope } from '../../product/accounts/scopes.ts'
import { sessionTokenOf } from './session-cookies.ts'

/** The part of an endpoint that the gate reads. */
export type Guarded = Pick<Endpoint, 'id' | 'role' | 'scope' | 'triesPerMinute'>

export type Gate = (
  endpoint: Guarded,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<AnyCaller | undefined>

/**
 * Creates the gate, which admits a request or throws. It checks, in this order: the request's
 * origin, its key or session, its rate, its organization, its role and the scope of its key.
 */
export function createGate({
  db,
  config,
  clock,
  limiters = ownLimiters,
}: Pick<ApiContext, 'db' | 'config' | 'clock'> & { limiters?: Limiters | undefined }): Gate {
  const countTries = tryCounter({ clock, limiters })
  const countRequest = requestCounter({ config, clock, limiters })
  const unknownKeys = new UnknownKeys(limiters.members)

  const admitKey = async (endpoint: Guarded, request: FastifyRequest, reply: FastifyReply) => {
    const caller = await authenticateKey(db, request, { unknownKeys, nowMs: clock() })
    await countRequest({ id: caller.keyId, tooFast: 'apiKeyTooFast' }, reply)
    permitKey(caller, endpoint, request)
    return caller
  }
  const admitSession = async (
    { role }: Guarded,
    { request, reply, token }: { request: FastifyRequest; reply: FastifyReply; token: string },
  ) => {
    requireSameOrigin(request, { publicUrl: config.publicUrl, hasCookie: true })
    const { orgId } = request.params as { orgId?: string }
    const organizationId = isRole(role) ? organizationIdOf(orgId) : undefined
    const { caller, ...membership } = await authenticateSession(db, request, {
      token,
      organizationId,
      nowMs: clock(),
    })
    await countRequest({ id: caller.userId, tooFast: 'accountTooFast' }, reply)
    if (organizationId === undefined || !isRole(role)) return caller
    return memberCaller(caller, { organizationId, ...membership, needed: role })
  }

  return async (endpoint, request, reply) => {
    const inner = innerCallOf(request)
    if (inner !== undefined) {
      permitKey(inner.caller, endpoint, request)
      return inner.caller
    }
    const token = sessionTokenOf(request.headers, config.publicUrl)
    if (endpoint.role === 'public') {
      requireSameOrigin(request, { publicUrl: config.publicUrl, hasCookie: token !== undefined })
      await countTries(endpoint, request)
      return undefined
    }
    if (token === undefined) {
      const signInFirst = endpoint.role === 'session' && request.headers['x-api-key'] === undefined
      if (signInFirst) throw new ApiError(401, 'UNAUTHORIZED', problem('notSignedIn'))
      return admitKey(endpoint, request, reply)
    }
    if (request.headers['x-api-key'] !== undefined)
      throw new ApiError(400, 'VALIDATION_ERROR', problem('apiKeyWithSession'))
    return admitSession(endpoint, { request, reply, token })
  }
}

type CountContext = Pick<ApiContext, 'clock'> & { limiters: Limiters }

/** Counts tries of endpoints that have a limit for a network. Throws 429 beyond it. */
function tryCounter({
  clock,
  limiters,
}: CountContext): (endpoint: Guarded, request: FastifyRequest) => Promise<void> {
  const tries = new Map<string, RateLimit>()
  return async ({ id, triesPerMinute }, request) => {
    if (triesPerMinute === undefined) return
    const limit = tries.get(id) ?? limiters.rate(`tries of ${id}`, triesPerMinute)
    tries.set(id, limit)
    const state = await limit(networkOf(request.ip), clock())
    if (!state.allowed) throw rateLimited('networkTooFast', state)
  }
}

/** Counts requests of keys and accounts, and says in headers how many are left. Throws 429. */
function requestCounter({
  config: { rateLimitPerMinute },
  clock,
  limiters,
}: CountContext & Pick<ApiContext, 'config'>): (
  holder: { id: string; tooFast: TooFast },
  reply: FastifyReply,
) => Promise<void> {
  const rateLimit = rateLimitPerMinute === 0 ? undefined : limiters.rate('requests', rateLimitPerMinute)
  return async (holder, reply) => {
    if (rateLimit === undefined) return
    const state = await rateLimit(holder.id, clock())
    void reply.headers(rateLimitHeaders(state))
    if (!state.allowed) throw rateLimited(holder.tooFast, state)
  }
}

export function isRole(permission: Permission): permission is Role {
  return roles.some((role) => role === permission)
}

/**
 * Empty if the text is not an id: params are not validated yet, and PostgreSQL rejects NUL in
 * texts.
 */
function organizationIdOf(orgId = ''): string {
  return /^org_[0-9a-z]{26}$/.test(orgId) ? orgId : ''
}

/**
 * Revoked and expired keys have errors of their own, so that the holder of the value knows to
 * replace it.
 */
async function authenticateKey(
  db: Database,
  request: FastifyRequest,
  { unknownKeys, nowMs }: { unknownKeys: UnknownKeys; nowMs: number },
): Promise<Caller & { keyId: string }> {
  const value = request.headers['x-api-key']
  if (typeof value !== 'string') throw new ApiError(401, 'UNAUTHORIZED', problem('apiKeyNotValid'))
  const network = networkOf(request.ip)
  unknownKeys.admit(value, network, nowMs)
  const found = await findApiKey(db, value, { nowMs, address: request.ip })
  if (found === undefined) {
    unknownKeys.noteUnknown(network, nowMs)
    throw new ApiError(401, 'UNAUTHORIZED', problem('apiKeyNotValid'))
  }
  unknownKeys.noteValid(value)
  // A use from elsewhere does not count against the rate of the key.
  if (found.state === 'OUTSIDE')
    throw new ApiError(403, 'FORBIDDEN', problem('apiKeyFromElsewhere', { address: request.ip }))
  if (found.state !== 'VALID') {
    const told = problem(found.state === 'REVOKED' ? 'apiKeyRevoked' : 'apiKeyExpired')
    throw new ApiError(403, `API_KEY_${found.state}`, told)
  }
  const { id, name, userId, organizationId, role, scopes, networks, expiresAtMs } = found.key
  const origin = originOf(request, { kind: 'api-key', id, name })
  return {
    keyId: id,
    sessionId: undefined,
    keyBounds: { scopes, networks, expiresAtMs },
    userId,
    organizationId,
    role,
    origin,
  }
}

/** The state of a session's account in the organization of the request. */
type Membership = Pick<FoundSession, 'needsTwoFactor'> & { memberRole: Role | undefined }

async function authenticateSession(
  db: Database,
  request: FastifyRequest,
  { token, ...of }: { token: string; organizationId: string | undefined; nowMs: number },
): Promise<{ caller: SessionCaller } & Membership> {
  const found = await findSession(db, token, of)
  if (found === undefined) throw new ApiError(401, 'UNAUTHORIZED', problem('sessionUnknown'))
  const { session, userName, role: memberRole, needsTwoFactor } = found
  const { id: sessionId, userId, confirmedAtMs } = session
  const origin = originOf(request, { kind: 'user', id: userId, name: userName })
  return { caller: { sessionId, confirmedAtMs, userId, userName, origin }, memberRole, needsTwoFactor }
}

/** Checks what a key may do: its organization, its role and its scopes. */
function permitKey(caller: Caller, { role, scope }: Guarded, { params }: FastifyRequest): void {
  if (isRole(role)) permit(caller, role, params as { orgId?: string })
  // `checkEndpoint` ensures that an endpoint without a scope admits no keys.
  if (scope === undefined) throw new ApiError(403, 'FORBIDDEN', problem('userRequired'))
  requireScope(caller, scope)
}

/**
 * Checks the organization first, with the same message whether or not it exists, and then the role.
 */
function permit(caller: Caller, role: Role, { orgId }: { orgId?: string }): void {
  if (orgId !== caller.organizationId)
    throw new ApiError(403, 'FORBIDDEN', problem('apiKeyOfOtherOrganization'))
  if (!roleAllows(caller.role, role))
    throw new ApiError(403, 'FORBIDDEN', problem('apiKeyRoleTooLow', { needed: role, role: caller.role }))
}

/** The same checks for a member. */
function memberCaller(
  { sessionId, userId, origin }: SessionCaller,
  of: Membership & { organizationId: string; needed: Role },
): Caller {
  const { organizationId, memberRole: role, needsTwoFactor, needed } = of
  if (role === undefined) throw new ApiError(403, 'FORBIDDEN', problem('notMember'))
  if (needsTwoFactor) throw new ApiError(403, 'FORBIDDEN', problem('twoFactorOfOrganization'))
  if (!roleAllows(role, needed)) throw new ApiError(403, 'FORBIDDEN', problem('roleTooLow', { needed, role }))
  return { keyId: undefined, sessionId, keyBounds: undefined, userId, organizationId, role, origin }
}

type TooFast = 'apiKeyTooFast' | 'accountTooFast' | 'networkTooFast'

function rateLimited(name: TooFast, { limit: max, resetSeconds: seconds }: RateLimitState): ApiError {
  const found = problem(name, { max, seconds })
  return new ApiError(429, 'RATE_LIMITED', found, { headers: { 'retry-after': String(seconds) } })
}
