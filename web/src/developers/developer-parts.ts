import type { Role } from '@everscan/contract/schema/common.ts'
import { developersWords } from '../words/developers-words.ts'
import type { Part } from '../ui/parts.tsx'

/** Returns the pages for developers. Webhooks are for admins only. */
export function developerParts(role: Role): readonly Part[] {
  const keys: Part = { to: '/$orgId/developers', name: developersWords.keys, exact: true }
  const webhooks: Part = { to: '/$orgId/developers/webhooks', name: developersWords.webhooks }
  return role === 'ADMIN' ? [keys, webhooks] : [keys]
}
