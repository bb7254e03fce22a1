import { limits } from '@everscan/contract/schema/limits.ts'
import type { PageQuery } from '@everscan/contract/schema/pages.ts'

/** The page that a query asks for. Validation has filled the defaults in; the types do not know. */
export function pageOf({ page = limits.pageDefault, limit = limits.pageLimitDefault }: PageQuery): {
  page: number
  limit: number
} {
  return { page, limit }
}
