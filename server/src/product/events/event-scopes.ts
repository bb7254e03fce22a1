import type { KeyScope } from '@everscan/contract/resources/api-keys.ts'
import { eventNames, type EventName } from '@everscan/contract/resources/events.ts'
import type { Caller } from '../../catalogue/organizations/callers.ts'
import { hasScope, requireScope } from '../accounts/scopes.ts'

/** The scope that an API key needs for each event: that of the endpoint with the same records. */
const eventScopes: Readonly<Record<EventName, KeyScope>> = {
  'qr.created': 'codes:read',
  'qr.updated': 'codes:read',
  'qr.deleted': 'codes:read',
  'qr.archived': 'codes:read',
  'qr.restored': 'codes:read',
  'qr.opened': 'codes:read',
  'qr.ended': 'codes:read',
  'qr.full': 'codes:read',
  'qr.scanned': 'analytics:read',
  'import.completed': 'imports',
  'import.failed': 'imports',
  'move.completed': 'imports',
  'move.failed': 'imports',
  'member.joined': 'admin',
  'member.left': 'admin',
  'member.role_changed': 'admin',
  'copy.failed': 'admin',
  'domain.certificate_failing': 'admin',
  'webhook.ping': 'admin',
}

/**
 * Returns the events that a stream contains, or undefined for all: those asked for, or those that
 * the key of the caller may see. Throws ApiError 403 if it asks for one that it may not see.
 */
export function streamedEvents(
  caller: Caller,
  asked: readonly EventName[] | undefined,
): readonly EventName[] | undefined {
  if (asked === undefined)
    return caller.keyBounds?.scopes == null
      ? undefined
      : eventNames.filter((name) => hasScope(caller, eventScopes[name]))
  for (const name of asked) requireScope(caller, eventScopes[name], name)
  return asked
}
