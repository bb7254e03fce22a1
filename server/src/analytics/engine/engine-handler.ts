import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorMessage } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Lane, LaneResult } from './engine-lane.ts'
import { readEngineRequest, type EngineRequest } from './engine-request.ts'

const bodyBytesMax = 64 * 1024 * 1024

/** HTTP statuses of ClickHouse's error codes, as its own server maps them; 500 for all others. */
const statuses: readonly (readonly [status: number, codes: readonly number[]])[] = [
  [400, [6, 26, 27, 36, 38, 41, 43, 53, 62, 72, 158, 161, 307, 396, 456, 457]],
  [404, [44, 46, 47, 50, 60, 81, 115]],
  [408, [159]],
  [413, [223]],
  [501, [48]],
]

/** Serves ClickHouse's HTTP interface with the results of the engine's lanes. */
export class EngineHandler {
  readonly #parts: { bound: Lane; plain: Lane; log: Log }
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #queryIds = new Set<string>()
  #isDraining = false

  constructor(parts: { bound: Lane; plain: Lane; log: Log }) {
    this.#parts = parts
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    // A request is done when the last byte of the response has been sent or the client has
    // disconnected.
    const closed = new Promise((resolve) => response.once('close', resolve))
    const work = this.#answer(request, response)
      .catch((error: unknown) => {
        // The client disconnected while it was sending.
        this.#parts.log.debug({ err: error }, 'scan store: request not finished')
        response.destroy()
      })
      .then(() => closed)
    this.#underWay.add(work)
    void work.finally(() => this.#underWay.delete(work))
  }

  /** Refuses new queries from now on. Resolves when all earlier requests are answered. */
  async drained(): Promise<void> {
    this.#isDraining = true
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://engine')
    if (url.pathname === '/ping') return send(response, 200, 'Ok.\n')
    let queryId: string | undefined
    try {
      const body = await readBody(request)
      const query = readEngineRequest(url, request.headers['content-type'], body)
      // Like a ClickHouse server, the engine runs one query per id at a time. A client can thereby
      // make sure that an insert it lost contact with has ended.
      if (query.queryId !== undefined && this.#queryIds.has(query.queryId))
        throw alreadyRunning(query.queryId)
      queryId = query.queryId
      if (queryId !== undefined) this.#queryIds.add(queryId)
      const result = await this.#run(query, () => !gone(response))
      if (result !== undefined) sendResult(response, query, result)
    } catch (error) {
      this.#sendError(response, error)
    } finally {
      if (queryId !== undefined) this.#queryIds.delete(queryId)
    }
  }

  #run(query: EngineRequest, wanted: () => boolean): Promise<LaneResult | undefined> {
    if (this.#isDraining) throw new Error('Code: 236. DB::Exception: The scan store is stopping. (ABORTED)')
    const { bound, plain } = this.#parts
    return (Object.keys(query.params).length > 0 ? bound : plain).run(query, wanted)
  }

  #sendError(response: ServerResponse, error: unknown): void {
    const message = errorMessage(error)
    const code = Number(/^Code: (\d+)/.exec(message)?.[1] ?? 1002)
    if (!gone(response)) {
      const status = statuses.find(([, codes]) => codes.includes(code))?.[0] ?? 500
      // The client receives the error and decides. Only an error without a ClickHouse code is ours
      // to investigate.
      if (code === 1002) this.#parts.log.error({ err: error }, 'scan store: request failed')
      response.setHeader('x-clickhouse-exception-code', code)
      send(response, status, code === 1002 ? unknown(message) : message)
    }
    if (/shutting down due to a fatal error/i.test(message) && !this.#isDraining) {
      this.#parts.log.fatal({ err: error }, 'scan store: the engine has stopped itself')
      // This process cannot recover. It exits and is restarted.
      setImmediate(() => {
        throw new Error('the engine has stopped itself', { cause: error })
      })
    }
  }
}

/** Whether the client has disconnected. Its requests are then neither started nor answered. */
function gone(response: ServerResponse): boolean {
  return response.socket === null || response.socket.destroyed
}

/** Reads the whole body or throws. An incomplete statement or insert is never run. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined)
    throw new Error(`Code: 48. DB::Exception: Content-Encoding ${encoding}: send it plain. (NOT_IMPLEMENTED)`)
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bodyBytesMax)
      throw new Error(
        `Code: 223. DB::Exception: The body is over ${bodyBytesMax} bytes. (QUERY_IS_TOO_LARGE)`,
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}

function sendResult(response: ServerResponse, query: EngineRequest, result: LaneResult): void {
  if (gone(response)) return
  if (query.queryId !== undefined) response.setHeader('x-clickhouse-query-id', query.queryId)
  response.setHeader('x-clickhouse-timezone', 'UTC')
  response.setHeader(
    'x-clickhouse-summary',
    JSON.stringify({
      read_rows: String(result.rowsRead),
      written_rows: String(result.rowsWritten),
      elapsed_ns: String(Math.round(result.elapsedSeconds * 1e9)),
    }),
  )
  send(response, 200, result.bytes)
}

function send(response: ServerResponse, status: number, body: string | Uint8Array): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function alreadyRunning(queryId: string): Error {
  return new Error(
    `Code: 216. DB::Exception: Query with id = ${queryId} is already running. (QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING)`,
  )
}

function unknown(message: string): string {
  return `Code: 1002. DB::Exception: ${message}. (UNKNOWN_EXCEPTION)`
}
