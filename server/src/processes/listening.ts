import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { Server as NetServer, type ListenOptions, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorMessage, FatalError } from '../errors.ts'
import type { Config } from '../settings/settings.ts'

/** Open requests get this much time when the service stops: see `stopMs` of the supervisor. */
const drainMsDefault = 6_000

/** Paths of Unix sockets may have 107 bytes on Linux, 103 on macOS. */
const socketPathBytesMax = 100

/**
 * Returns the socket path of a part of this service: below DATA_DIR, or in the folder for temporary
 * files if that path is too long.
 */
export function socketPath(dataDir: string, name: string): string {
  const path = join(dataDir, 'run', `${name}.sock`)
  if (Buffer.byteLength(path) <= socketPathBytesMax) return path
  const dir = join(tmpdir(), `everscan-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return join(dir, `${name}.sock`)
}

/** Returns the path of the socket of the scan store of a data directory. */
export function engineSocket({ dataDir }: { dataDir: string }): string {
  return socketPath(dataDir, 'engine')
}

/** The open connections of servers on the public port. */
const connectionsOf = new WeakMap<Server, ReadonlySet<Socket>>()

/**
 * Listens on a public port, which comes from `setting`. Throws a `FatalError` that names what to
 * change.
 */
export async function listenPublicly(
  server: Server,
  options: ListenOptions,
  setting = 'PORT',
): Promise<void> {
  const connections = new Set<Socket>()
  connectionsOf.set(server, connections)
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.listen(options)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { port, host } = options
    throw new FatalError(
      `${setting}, HOST: cannot listen on ${host}:${port} (${errorMessage(error)}). Stop the program that uses the port, or set another ${setting} or HOST.`,
      { cause: error },
    )
  }
}

/** Has a front listen for plain http. The kernel spreads connections over several fronts. */
export async function listenOnPort(
  server: Server,
  { httpPort: port, httpsPort, host, frontProcesses }: Config,
): Promise<void> {
  const setting = httpsPort === undefined ? 'PORT' : 'HTTP_PORT'
  await listenPublicly(server, { port, host, backlog: 4096, reusePort: frontProcesses > 1 }, setting)
}

export async function listenOnSocket(server: Server, path: string): Promise<void> {
  // A killed process leaves its socket. No running process uses it, because the data directory is
  // locked.
  rmSync(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
}

/** Connections without a request are closed after this time. */
const lingerMs = 300
const acceptTurnsMax = 1_000
/**
 * The turn in which the stop comes may have polled before it: only a complete turn without a
 * connection proves that none waits.
 */
const quietTurnsNeeded = 2

type Closing = {
  /** Open requests get this time. */
  drainMs?: number
  /** Whether a connection has no request, not even the beginning of one. */
  isUnused?: (socket: Socket) => boolean
  /** Connections without a request stay open for this time. */
  unusedMs?: number
}

const hasReadNothing = ({ bytesRead }: Socket): boolean => bytesRead === 0

/**
 * Stops accepting connections, and lets open requests finish. A client that sends further requests
 * gets its next answer with `Connection: close`: closing the connection at once would drop a
 * request that is already on its way. Measured with 64 busy connections: 46 requests dropped
 * without this, none with it.
 */
export async function closeServer(
  server: Server,
  { drainMs = drainMsDefault, isUnused = hasReadNothing, unusedMs = 0 }: Closing = {},
): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  await acceptWaiting(server)
  const fromMs = performance.now()
  // `close` of an HTTP server also closes idle connections at once; the timer below closes them
  // later.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
  const closeIdle = (): void => {
    server.closeIdleConnections()
    // Browsers open connections in advance; Node does not count them as idle until a request times
    // out.
    if (performance.now() - fromMs < unusedMs) return
    for (const socket of connectionsOf.get(server) ?? []) if (isUnused(socket)) socket.destroy()
  }
  // Runs right after the event loop has read all input, so that a connection with a request does
  // not look idle.
  const linger = setInterval(() => setImmediate(closeIdle), lingerMs)
  const force = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearInterval(linger)
  clearTimeout(force)
}

/**
 * Accepts the connections in the backlog of the system, one in each turn of the loop: clients see
 * them as open, and a close would reset them.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0
  const count = (): void => {
    accepted++
  }
  server.on('connection', count)
  let quietTurns = 0
  for (let turn = 0; turn < acceptTurnsMax && quietTurns < quietTurnsNeeded; turn++) {
    const before = accepted
    await nextTurn()
    quietTurns = accepted === before ? quietTurns + 1 : 0
  }
  server.off('connection', count)
}
