import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../log.ts'
import { listenOnUnixSocket } from '../unix-socket.ts'
import { EngineHandler } from './engine-handler.ts'
import { Lane } from './engine-lane.ts'
import { loadChdb, type Chdb } from './load-chdb.ts'

export type EngineOptions = {
  /**
   * The engine's own directory, created if missing. The engine locks it for one process at a time.
   */
  dir: string
  /**
   * Path of the Unix socket that serves ClickHouse's HTTP interface; at most about 100 bytes, a
   * limit of Unix sockets.
   */
  socketPath: string
  log: Log
  /** The folder into which `withChdb` has it installed. */
  packagesIn: string
}

/** A running engine. `close` answers all earlier requests, then releases the data directory. */
export type Engine = { close(): Promise<void> }

/** Initial settings of every connection. A request can override them for itself. */
const connectionArgs = [
  `--config-file=${fileURLToPath(new URL('engine-config.xml', import.meta.url))}`,
  // An insert is answered when it is on disk, not when it is in a buffer.
  '--async_insert=0',
  '--max_memory_usage=2000000000',
  '--max_bytes_before_external_group_by=268435456',
  '--max_bytes_before_external_sort=268435456',
]

/**
 * Runs the embedded scan store of releases up to 0.2: ClickHouse inside this process (chDB), with
 * ClickHouse's HTTP interface on a Unix socket. Tests have it in place of a server. Throws if chDB
 * does not run here, or if the directory or the socket is in use.
 */
export async function runEngine({ dir, socketPath, log, packagesIn }: EngineOptions): Promise<Engine> {
  const chdb = await loadChdb(packagesIn)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const sessions = openSessions(chdb, dir)
  // Queries with parameters disturb each other when they run at once, because chDB binds parameters
  // process-wide. They have a separate lane. Inserts have no parameters and do not wait for them.
  const bound = new Lane(sessions.bound, `${socketPath}.bound-rows`)
  const plain = new Lane(sessions.plain, `${socketPath}.rows`)
  const handler = new EngineHandler({ bound, plain, log })

  const server = createServer({ maxHeaderSize: 1024 * 1024, keepAliveTimeout: 60_000 }, (request, response) =>
    handler.handle(request, response),
  )
  // Queries have their own deadlines, and a long response does not mean a slow client.
  server.requestTimeout = 0
  await listenOnUnixSocket(server, socketPath)

  let closing: Promise<void> | undefined
  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeIdleConnections()
    await handler.drained()
    server.closeAllConnections()
    await closed
    // Closing a connection under a running query takes the engine down. No query may run here.
    await chdb.drainPending()
    sessions.bound.close()
    sessions.plain.close()
    await chdb.drainPending()
  }
  return { close: () => (closing ??= close()) }
}

function openSessions({ Session }: Chdb, dir: string) {
  try {
    return { bound: new Session(dir, { connectionArgs }), plain: new Session(dir, { connectionArgs }) }
  } catch (error) {
    throw new Error(`the embedded scan store cannot open ${dir}; is another Everscan using it?`, {
      cause: error,
    })
  }
}
