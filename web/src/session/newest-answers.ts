import type { QueryClient } from '@tanstack/react-query'

/**
 * Has what a change answered stay in the cache: a read that is under way meanwhile may have begun
 * before the change, so its answer is dropped.
 */
export function keepNewestAnswers(queries: QueryClient): void {
  queries.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success' && event.action.manual === true)
      void event.query.cancel({ revert: true })
  })
}
