import type { Pagination } from '@everscan/contract/schema/pages.ts'

/** A page of any list. */
export type AnyPage<T> = { data: T[]; pagination: Pagination }

/** The part of a list's query that `iterate` sets. */
export type PageOf = { page: number; limit: number }

/**
 * Yields every record of a list, page by page, and requests a page only when the loop reaches it.
 * While a list grows at its beginning, a record can come twice.
 *
 * @example
 * for await (const tag of iterate((page) => everscan.tags.list(orgId, page))) console.log(tag.tag)
 */
export async function* iterate<T>(
  list: (page: PageOf) => Promise<AnyPage<T>>,
): AsyncGenerator<T, void, undefined> {
  for (let page = 1; ; page++) {
    const { data, pagination } = await list({ page, limit: 100 })
    yield* data
    if (!pagination.hasNext) return
  }
}
