import type { MoveMapping, MoveSource } from '@everscan/contract/moves/move-sources.ts'
import type { Comparison, StartComparison } from '@everscan/contract/moves/comparisons.ts'
import type { ListMovesQuery, Move, MovePage } from '@everscan/contract/moves/moves.ts'
import { pathOf, readJson, type CallOptions, type Send } from './send.ts'
import type { StartImportOptions, WaitOptions } from './imports.ts'
import { sleep } from './sleep.ts'

/** Moves of links from other products. */
export type Moves = ReturnType<typeof moveCalls>

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

/** With `onProgress`, which is called with the state of the move after each poll. */
export type WaitForMoveOptions = Omit<WaitOptions, 'onProgress'> & {
  onProgress?: ((move: Move) => void) | undefined
}

const pollMsDefault = 500

export function moveCalls(send: Send) {
  async function read(orgId: string, id: string, options?: CallOptions): Promise<Move> {
    const path = pathOf`/organizations/${orgId}/moves/${id}`
    return readJson(await send({ method: 'GET', path, idempotent: true, options }))
  }

  return {
    /**
     * Uploads an export. Its links become codes in the background (`waitFor`). Rejects with a
     * `ValidationError` if the file cannot be read, or if a column that each link needs is
     * missing. An `idempotencyKey` makes retries safe.
     */
    async start(
      orgId: string,
      {
        source,
        file,
        fileName = 'links.csv',
        visits,
        visitsFileName = 'visits.csv',
        domainId,
        mapping,
        resolve = false,
        dryRun = false,
      }: StartMove,
      options?: StartImportOptions,
    ): Promise<Move> {
      const form = new FormData()
      form.append('source', source)
      form.append('dryRun', String(dryRun))
      form.append('resolve', String(resolve))
      if (domainId !== undefined) form.append('domainId', domainId)
      if (mapping !== undefined) form.append('mapping', JSON.stringify(mapping))
      form.append('file', new Blob([file], { type: 'text/csv' }), fileName)
      if (visits !== undefined)
        form.append('visits', new Blob([visits], { type: 'text/csv' }), visitsFileName)
      const key = options?.idempotencyKey
      const path = pathOf`/organizations/${orgId}/moves`
      const headers = { 'idempotency-key': key }
      return readJson(
        await send({ method: 'POST', path, form, headers, idempotent: key !== undefined, options }),
      )
    },

    /** Returns a move: its columns, its progress, and the first links that could not be taken. */
    read,

    /** Returns a page of moves, newest first. */
    async list(orgId: string, query: ListMovesQuery = {}, options?: CallOptions): Promise<MovePage> {
      const path = pathOf`/organizations/${orgId}/moves`
      return readJson(await send({ method: 'GET', path, query, idempotent: true, options }))
    },

    /**
     * Waits until a move is COMPLETED (possibly without some of its links) or FAILED. `signal` ends
     * the wait.
     */
    async waitFor(
      orgId: string,
      id: string,
      { pollMs = pollMsDefault, onProgress, ...options }: WaitForMoveOptions = {},
    ): Promise<Move> {
      for (;;) {
        const move = await read(orgId, id, options)
        onProgress?.(move)
        if (move.completedAt !== null) return move
        await sleep(pollMs, options.signal)
      }
    },

    /**
     * Cancels a move. Codes created so far remain. Rejects with a `ConflictError` if it has already
     * ended.
     */
    async cancel(orgId: string, id: string, options?: CallOptions): Promise<Move> {
      const path = pathOf`/organizations/${orgId}/moves/${id}/cancel`
      return readJson(await send({ method: 'POST', path, idempotent: true, options }))
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
      const path = pathOf`/organizations/${orgId}/moves/${id}/compare`
      return readJson(await send({ method: 'POST', path, body, idempotent: false, options }))
    },

    /** Returns the last comparison of a move. Rejects with a `NotFoundError` if there was none. */
    async readComparison(orgId: string, id: string, options?: CallOptions): Promise<Comparison> {
      const path = pathOf`/organizations/${orgId}/moves/${id}/compare`
      return readJson(await send({ method: 'GET', path, idempotent: true, options }))
    },

    /** Returns all links that could not be taken, with the reasons, as CSV. */
    async errorsCsv(orgId: string, id: string, options?: CallOptions): Promise<string> {
      const path = pathOf`/organizations/${orgId}/moves/${id}/errors.csv`
      const { bytes } = await send({ method: 'GET', path, idempotent: true, options })
      return new TextDecoder().decode(bytes)
    },
  }
}
