import type { Comparison, StartComparison } from '@everscan/contract/moves/comparisons.ts'
import type { MoveMapping, MoveSource } from '@everscan/contract/moves/move-sources.ts'
import type { Move } from '@everscan/contract/moves/moves.ts'
import { composed, formOf, once, type Composed, type Service } from './calling.ts'
import { movesOf } from './calls/moves.ts'
import type { StartImportOptions } from './imports.ts'
import { pathOf, readJson, type CallOptions } from './send.ts'
import { ended, type WaitOptionsOf } from './wait.ts'

/** Moves of links from other products. */
export type Moves = Composed<typeof movesOf, typeof ownCalls>

/** The export of another product. */
export type StartMove = {
  source: MoveSource
  /**
   * The file as the product wrote it, CSV or JSON: its text, its bytes, or a `Blob`, for example
   * from `await openAsBlob(path)`. CSV at most 100 MB, JSON 10 MB.
   */
  file: string | Uint8Array<ArrayBuffer> | Blob
  /** The name that the move shows. Default: `links.csv`. */
  fileName?: string | undefined
  /** Visits one by one: those of links that come become scans. CSV or JSON, as the file. */
  visits?: string | Uint8Array<ArrayBuffer> | Blob | undefined
  /** The name of the file of visits. Default: `visits.csv`. */
  visitsFileName?: string | undefined
  /**
   * The domain of the codes; `none` is PUBLIC_URL. By default the organization's default domain, or
   * PUBLIC_URL.
   */
  domainId?: string | undefined
  /** Columns of fields that are not recognized by their names. An empty list leaves a field out. */
  mapping?: Partial<MoveMapping> | undefined
  /** Looks at each destination first: `warnings` has those without a page. Up to 10,000 links. */
  resolve?: boolean | undefined
  /** Only checks the links and writes nothing. */
  dryRun?: boolean | undefined
}

export type WaitForMoveOptions = WaitOptionsOf<Move>

export const moveCalls: (service: Service) => Moves = composed(movesOf, ownCalls)

function ownCalls(calls: ReturnType<typeof movesOf>, { send }: Service) {
  return {
    /**
     * Uploads an export. Its links become codes in the background (`waitFor`). Rejects with a
     * `ValidationError` if the file cannot be read, or if a column that each link needs is
     * missing. An `idempotencyKey` makes retries safe.
     */
    async start(
      orgId: string,
      {
        file,
        fileName = 'links.csv',
        visits,
        visitsFileName = 'visits.csv',
        resolve = false,
        dryRun = false,
        ...fields
      }: StartMove,
      options?: StartImportOptions,
    ): Promise<Move> {
      const form = formOf({ dryRun, resolve, ...fields })
      form.append('file', new Blob([file], { type: 'text/csv' }), fileName)
      if (visits !== undefined)
        form.append('visits', new Blob([visits], { type: 'text/csv' }), visitsFileName)
      const path = pathOf`/organizations/${orgId}/moves`
      return readJson(await send({ method: 'POST', path, form, ...once(options), options }))
    },

    /**
     * Waits until a move is COMPLETED (possibly without some of its links) or FAILED. `signal` ends
     * the wait.
     */
    async waitFor(orgId: string, id: string, options?: WaitForMoveOptions): Promise<Move> {
      return ended((polling) => calls.read(orgId, id, polling), options)
    },

    /**
     * Compares random links of a move with the old service, in the background (`readComparison`).
     * Rejects with a `ConflictError` while a comparison is running, or if nothing moved.
     */
    async compare(
      orgId: string,
      id: string,
      body: StartComparison = {},
      options?: CallOptions,
    ): Promise<Comparison> {
      return calls.compare(orgId, id, body, options)
    },
  }
}
