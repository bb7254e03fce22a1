import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { Server as NetServer, type ListenOptions, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorMessage, FatalError } from '../errors.ts'

/** Requests under way get this long when the service stops. */
const drainMsDefault = 10_000

/** Unix sockets have room for 107 bytes on Linux, 103 on macOS. */
const socketPathBytesMax = 100

/** Where a part of this service listens: under DATA_DIR, or in the system's folder for such things when that path is too long. */
export function socketPath(dataDir: string, name: string): string {
  const path = join(dataDir, 'run', `${name}.sock`)
  if (Buffer.byteLength(path) <= socketPathBytesMax) return path
  const dir = join(tmpdir(), `everscan-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return join(dir, `${name}.sock`)
}

/** The open connections of servers on the public port. */
const connectionsOf = new WeakMap<Server, ReadonlySet<Socket>>()

/** Listens on the public port; throws a `FatalError` that says what to change when that cannot be. */
export async function listenPublicly(server: Server, options: ListenOptions): Promise<void> {
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
      `PORT, HOST: cannot listen on ${host}:${port} (${errorMessage(error)}). Stop what uses it, or set others.`,
      { cause: error },
    )
  }
}

export async function listenOnSocket(server: Server, path: string): Promise<void> {
  // What a killed process left; no other can be using it, as the data directory is locked.
  rmSync(path, { force: true })
  server.listen(path)
  await once(server, 'listening')
}

/** Connections on which nothing is asked are closed after this long. */
const lingerMs = 300
const acceptTurnsMax = 1_000
/** The turn in which a stop comes may have done its polling before: only one that was whole says that nobody waits. */
const quietTurnsNeeded = 2

/**
 * Stops accepting and lets what is under way finish. A client that goes on asking gets its next answer with
 * `Connection: close`: closing a connection while its next request is on the way would drop that one. Measured with 64 busy
 * connections: 46 requests dropped without this, none with it.
 */
export async function closeServer(server: Server, drainMs = drainMsDefault): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false
  })
  await acceptWaiting(server)
  // `close` of an HTTP server would close the idle connections as well, which is done below in its time.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve))
  const closeIdle = (): void => {
    server.closeIdleConnections()
    // Browsers open some in advance; to Node these are about to ask, for as long as a request may take.
    for (const socket of connectionsOf.get(server) ?? []) if (socket.bytesRead === 0) socket.destroy()
  }
  // Right after the event loop has read what there is, so that a connection with a request on it does not look idle.
  const linger = setInterval(() => setImmediate(closeIdle), lingerMs)
  const force = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearInterval(linger)
  clearTimeout(force)
}

/** The system has connections that clients see as open and that would be reset: they are taken, one in each turn of the loop. */
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
