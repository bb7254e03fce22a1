import type { Role } from '@everscan/contract/schema/common.ts'
import { words } from '../words/words.ts'
import type { Part } from '../ui/parts.tsx'

/** What there is for developers; webhooks are an admin's. */
export function developerParts(role: Role): readonly Part[] {
  const keys: Part = { to: '/$orgId/developers', name: words.developers.keys, exact: true }
  const webhooks: Part = { to: '/$orgId/developers/webhooks', name: words.developers.webhooks }
  return role === 'ADMIN' ? [keys, webhooks] : [keys]
}
