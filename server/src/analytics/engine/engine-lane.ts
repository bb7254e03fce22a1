import { rm, writeFile } from 'node:fs/promises'
import type { ChdbResult, Session } from 'chdb'
import type { EngineRequest, NativeInsert } from './engine-request.ts'

/**
 * One connection of the engine and the queries that wait for it, run one after the other: those with the least
 * `priority` first, and in order otherwise.
 */
export type Lane = {
  /** Runs a request in its turn; `wanted` is asked then, and `undefined` comes back when nobody waits any more. */
  run(request: EngineRequest, wanted: () => boolean): Promise<LaneResult | undefined>
}

export type LaneResult = { bytes: Uint8Array; rowsRead: number; rowsWritten: number; elapsedSeconds: number }

/** `spoolPath` is for a file that the lane makes and removes. */
export function createLane(session: Session, spoolPath: string): Lane {
  const waiting: { priority: number; start: () => Promise<unknown> }[] = []
  let running = false
  const apply = createSettings(session)

  async function runAll(): Promise<void> {
    running = true
    for (;;) {
      const least = Math.min(...waiting.map(({ priority }) => priority))
      const [next] = waiting.splice(
        waiting.findIndex(({ priority }) => priority === least),
        1,
      )
      if (next === undefined) break
      await next.start()
    }
    running = false
  }

  async function turn(request: EngineRequest, wanted: () => boolean): Promise<LaneResult | undefined> {
    if (!wanted()) return undefined
    await apply(request)
    // Every exit of this function is after the engine is done with the query: it cannot be interrupted, and the next
    // one on this connection must not be begun before.
    return request.insert === undefined ? await query(request) : await insert(request.insert)
  }

  async function query({ sql, params, format }: EngineRequest): Promise<LaneResult> {
    const answer: ChdbResult =
      Object.keys(params).length > 0
        ? await session.queryBindAsync(sql, params, { format })
        : await session.queryAsync(sql, { format })
    const { rowsRead, elapsed } = answer
    return { bytes: answer.bytes(), rowsRead, rowsWritten: 0, elapsedSeconds: elapsed }
  }

  async function insert(given: NonNullable<EngineRequest['insert']>): Promise<LaneResult> {
    const { rowsWritten, elapsed } =
      given.format === 'Native' ? await insertFromFile(given) : await session.insert(given)
    return { bytes: new Uint8Array(), rowsRead: 0, rowsWritten, elapsedSeconds: elapsed }
  }

  async function insertFromFile({ table, columns, values }: NativeInsert) {
    try {
      await writeFile(spoolPath, values, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOSPC'
          ? new Error(`Code: 243. DB::Exception: ${error.message}. (NOT_ENOUGH_SPACE)`, { cause: error })
          : error
      })
      const { rowsRead, elapsed } = await session.queryAsync(
        `insert into ${table.split('.').map(identifier).join('.')} (${columns.map(identifier).join(', ')})
         select * from file(${literal(spoolPath)}, 'Native')`,
      )
      return { rowsWritten: rowsRead, elapsed }
    } finally {
      await rm(spoolPath, { force: true })
    }
  }

  return {
    run(request, wanted) {
      return new Promise((resolve, reject) => {
        const start = () => turn(request, wanted).then(resolve, reject)
        waiting.push({ priority: request.priority, start })
        if (!running) void runAll()
      })
    },
  }
}

/**
 * Settings and database belong to a request over HTTP, but to the connection in the engine: what the last request set
 * and this one does not is put back to its default.
 */
function createSettings(session: Session) {
  let database: string | undefined
  let applied = new Map<string, string>()

  return async function apply(request: EngineRequest): Promise<void> {
    if (request.database !== database) {
      await session.queryAsync(`use ${identifier(request.database)}`)
      database = request.database
    }
    const changes: string[] = []
    for (const [name, value] of request.settings)
      if (applied.get(name) !== value) changes.push(`${setting(name)} = ${literal(value)}`)
    for (const name of applied.keys())
      if (!request.settings.has(name)) changes.push(`${setting(name)} = default`)
    if (changes.length === 0) return
    try {
      await session.queryAsync(`set ${changes.join(', ')}`)
      applied = new Map(request.settings)
    } catch (error) {
      // Which of them were taken is not known: all go back, each by itself, as an unknown name fails again.
      for (const name of new Set([...applied.keys(), ...request.settings.keys()]))
        await session.queryAsync(`set ${setting(name)} = default`).catch(() => {})
      applied = new Map()
      throw error
    }
  }
}

function setting(name: string): string {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
    throw new Error(`Code: 115. DB::Exception: Unknown setting ${JSON.stringify(name)}. (UNKNOWN_SETTING)`)
  return name
}

function identifier(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

function literal(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
