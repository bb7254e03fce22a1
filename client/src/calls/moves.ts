// `npm run generate` writes this file from the table of endpoints.
import type { ListMovesQuery, Move, MovePage, MoveSummary } from '@everscan/contract/moves/moves.ts'
import type { Comparison, StartComparison } from '@everscan/contract/moves/comparisons.ts'
import { readText, type Service } from '../calling.ts'
import { iterate } from '../iterate.ts'
import { pathOf, readJson, type CallOptions } from '../send.ts'

export function movesOf({ send }: Service) {
  const calls = {
    /** List the moves from other products, newest first. */
    async list(orgId: string, query: ListMovesQuery = {}, options?: CallOptions): Promise<MovePage> {
      const path = pathOf`/organizations/${orgId}/moves`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Yields every record of the list, page by page. If records are deleted meanwhile, it may skip
     * others: collect them first, then delete.
     */
    iterate(
      orgId: string,
      query: Omit<ListMovesQuery, 'page'> = {},
      options?: CallOptions,
    ): AsyncGenerator<MoveSummary, void, undefined> {
      return iterate(({ page, limit }) => calls.list(orgId, { limit, ...query, page }, options))
    },

    /** Read a move: its columns, its progress and the links that could not be taken. */
    async read(orgId: string, id: string, options?: CallOptions): Promise<Move> {
      const path = pathOf`/organizations/${orgId}/moves/${id}`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Cancel a move. Codes that it has created stay. Cancelling a cancelled move changes nothing;
     * 409 if it has ended otherwise.
     */
    async cancel(orgId: string, id: string, options?: CallOptions): Promise<Move> {
      const path = pathOf`/organizations/${orgId}/moves/${id}/cancel`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
    },

    /**
     * Download the links that a move could not take, with the reasons, as CSV. The rows have the
     * columns of the file. Correct them and move them with another move.
     */
    async errorsCsv(orgId: string, id: string, options?: CallOptions): Promise<string> {
      const path = pathOf`/organizations/${orgId}/moves/${id}/errors.csv`
      return readText(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /**
     * Compare links of a move with the old service. Asks the old service for at most 200 random
     * links of the move, one after the other, and compares where they lead with where they lead
     * here. Start it while the host name still leads to the old service. Only public addresses are
     * asked. The old service may count these requests as clicks. 409 if nothing moved, if the links
     * wait for the proof of their domain, or if a comparison is running.
     */
    async compare(
      orgId: string,
      id: string,
      body: StartComparison,
      options?: CallOptions,
    ): Promise<Comparison> {
      const path = pathOf`/organizations/${orgId}/moves/${id}/compare`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** Read the last comparison of a move with the old service. */
    async readComparison(orgId: string, id: string, options?: CallOptions): Promise<Comparison> {
      const path = pathOf`/organizations/${orgId}/moves/${id}/compare`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },
  }
  return calls
}
