import type { NeededScope } from '@everscan/contract/endpoints/endpoint.ts'
import { scopesAllow } from '@everscan/contract/resources/api-keys.ts'
import { problem } from '@everscan/contract/problems/problem.ts'
import { ApiError } from '../../errors.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'

/** Whether the scopes of the caller's key, if it has any, include this one. */
export function hasScope({ keyBounds }: Pick<Caller, 'keyBounds'>, needed: NeededScope): boolean {
  return needed === 'anyScope' || scopesAllow(keyBounds?.scopes ?? null, needed)
}

/** Throws ApiError 403 that names the scope, and the event that requires it, if one does. */
export function requireScope(caller: Pick<Caller, 'keyBounds'>, needed: NeededScope, event?: string): void {
  if (hasScope(caller, needed)) return
  const missing = { scope: needed, scopes: caller.keyBounds?.scopes?.join(', ') ?? '' }
  const found =
    event === undefined
      ? problem('scopeMissing', missing)
      : problem('scopeOfEventMissing', { ...missing, event })
  throw new ApiError(403, 'FORBIDDEN', found)
}
