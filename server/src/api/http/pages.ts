import { limits } from '@everscan/contract/schema/limits.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'

/**
 * The page that a query requests. Validation has already applied the defaults, but the types do not
 * show it.
 */
export function pageOf({ page = limits.pageDefault, limit = limits.pageLimitDefault }: PageQuery): {
  page: number
  limit: number
} {
  return { page, limit }
}
