import type { NeededScope } from '@everscan/contract/endpoints/endpoint.ts'
import { scopesAllow } from '@everscan/contract/resources/api-keys.ts'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'

/** Whether the scopes of the caller's key, if it has any, include this one. */
export function hasScope({ keyBounds }: Pick<Caller, 'keyBounds'>, needed: NeededScope): boolean {
  return needed === 'anyScope' || scopesAllow(keyBounds?.scopes ?? null, needed)
}

/** Throws ApiError 403 that names the scope. `subject` is what requires it. */
export function requireScope(caller: Pick<Caller, 'keyBounds'>, needed: NeededScope, subject = 'This'): void {
  if (hasScope(caller, needed)) return
  const has = caller.keyBounds?.scopes?.join(', ') ?? ''
  throw new ApiError(403, 'FORBIDDEN', `${subject} requires the scope ${needed}; the API key has ${has}.`)
}
