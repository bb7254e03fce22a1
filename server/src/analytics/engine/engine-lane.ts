import { rm, writeFile } from 'node:fs/promises'
import type { ChdbResult, Session } from 'chdb'
import { ConnectionSettings } from './connection-settings.ts'
import type { EngineRequest, NativeInsert } from './engine-request.ts'
import { identifier, literal } from './quoting.ts'

export type LaneResult = { bytes: Uint8Array; rowsRead: number; rowsWritten: number; elapsedSeconds: number }

type Waiting = { priority: number; start: () => Promise<unknown> }

/**
 * One connection of the engine and the queries that wait for it. The lane runs one query at a time:
 * the lowest `priority` first, and equal priorities in order of arrival.
 */
export class Lane {
  readonly #session: Session
  readonly #spoolPath: string
  readonly #settings: ConnectionSettings
  readonly #waiting: Waiting[] = []
  #isRunning = false

  /** Uses `spoolPath` for a file that the lane creates and removes. */
  constructor(session: Session, spoolPath: string) {
    this.#session = session
    this.#spoolPath = spoolPath
    this.#settings = new ConnectionSettings(session)
  }

  /**
   * Runs a request in its turn. Returns undefined if `wanted` is false then: the client has left.
   */
  run(request: EngineRequest, wanted: () => boolean): Promise<LaneResult | undefined> {
    return new Promise((resolve, reject) => {
      const start = () => this.#turn(request, wanted).then(resolve, reject)
      this.#waiting.push({ priority: request.priority, start })
      if (!this.#isRunning) void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) await next.start()
    this.#isRunning = false
  }

  #takeNext(): Waiting | undefined {
    const least = Math.min(...this.#waiting.map(({ priority }) => priority))
    const index = this.#waiting.findIndex(({ priority }) => priority === least)
    return this.#waiting.splice(index, 1)[0]
  }

  async #turn(request: EngineRequest, wanted: () => boolean): Promise<LaneResult | undefined> {
    if (!wanted()) return undefined
    await this.#settings.apply(request)
    // This function returns only after the engine is done with the query. The query cannot be
    // interrupted, and the next one on this connection must not start before that.
    return request.insert === undefined ? await this.#query(request) : await this.#insert(request.insert)
  }

  async #query({ sql, params, format }: EngineRequest): Promise<LaneResult> {
    const answer: ChdbResult =
      Object.keys(params).length > 0
        ? await this.#session.queryBindAsync(sql, params, { format })
        : await this.#session.queryAsync(sql, { format })
    const { rowsRead, elapsed } = answer
    return { bytes: answer.bytes(), rowsRead, rowsWritten: 0, elapsedSeconds: elapsed }
  }

  async #insert(given: NonNullable<EngineRequest['insert']>): Promise<LaneResult> {
    const { rowsWritten, elapsed } =
      given.format === 'Native' ? await this.#insertFromFile(given) : await this.#session.insert(given)
    return { bytes: new Uint8Array(), rowsRead: 0, rowsWritten, elapsedSeconds: elapsed }
  }

  async #insertFromFile({ table, columns, values }: NativeInsert) {
    const path = this.#spoolPath
    try {
      await writeFile(path, values, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOSPC'
          ? new Error(`Code: 243. DB::Exception: ${error.message}. (NOT_ENOUGH_SPACE)`, { cause: error })
          : error
      })
      const { rowsRead, elapsed } = await this.#session.queryAsync(
        `insert into ${table.split('.').map(identifier).join('.')} (${columns.map(identifier).join(', ')})
         select * from file(${literal(path)}, 'Native')`,
      )
      return { rowsWritten: rowsRead, elapsed }
    } finally {
      await rm(path, { force: true })
    }
  }
}
