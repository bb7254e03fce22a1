import { Type, type Static, type TSchema } from 'typebox'
import { Count, strictObject } from './common.ts'
import { limits } from './limits.ts'

/** The query parameters of every paged list, to spread into that list's query. */
export const pageParameters = {
  page: Type.Optional(
    Type.Integer({
      description: 'Page number, from 1. A page past the end is empty, not an error.',
      minimum: 1,
      maximum: limits.pageMax,
      default: limits.pageDefault,
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      description: `Items per page, 1 to ${limits.pageLimitMax}.`,
      minimum: 1,
      maximum: limits.pageLimitMax,
      default: limits.pageLimitDefault,
    }),
  ),
}

/** The query of a list that has no other parameters. */
export const PageQuery = strictObject(pageParameters)
export type PageQuery = Static<typeof PageQuery>

/** The place of a page in its list. */
export const Pagination = strictObject(
  {
    page: Type.Integer({ description: 'Page number, from 1.', minimum: 1 }),
    limit: Type.Integer({ description: 'Items per page.', minimum: 1, maximum: limits.pageLimitMax }),
    total: Count('Items on all pages.'),
    totalPages: Count('Number of pages; 0 for an empty list.'),
    hasNext: Type.Boolean(),
    hasPrev: Type.Boolean(),
  },
  { examples: [{ page: 1, limit: 20, total: 137, totalPages: 7, hasNext: true, hasPrev: false }] },
)
export type Pagination = Static<typeof Pagination>

/** A page of a list. */
export function Page<S extends TSchema>(item: S) {
  return strictObject({ data: Type.Array(item), pagination: Pagination })
}
export type Page<T> = { data: T[]; pagination: Pagination }

/** Describes page `page` of `limit` items in a list of `total` items. */
export function paginationOf(total: number, { page, limit }: { page: number; limit: number }): Pagination {
  const totalPages = Math.ceil(total / limit)
  return { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 && total > 0 }
}
