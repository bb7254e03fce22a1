import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A proxy between a service and PostgreSQL that behaves like a pooler in transaction mode. */
export type TestPooler = {
  /** Returns the address of a database of the server, through the pooler. */
  through: (databaseUrl: string) => string
  /** How many transactions ended in the pooler. */
  transactions: () => number
  /** State that a transaction left in a session, where other clients of a pooler would find it. */
  leftovers: () => string[]
  close: () => Promise<void>
}

/** The parameters that PgBouncer accepts. Others are refused, or ignored if so configured. */
const startupParameters = new Set([
  'user',
  'database',
  'client_encoding',
  'application_name',
  'datestyle',
  'timezone',
  'standard_conforming_strings',
])

/** Initial settings of a client are no leftovers: a pooler tracks them. */
const leftoversSql = `
  select 'setting ' || name from pg_settings
    where source = 'session' and name not in ('application_name', 'client_encoding')
  union all select 'statement ' || name from pg_prepared_statements
  union all select 'lock' from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`

/**
 * Starts a worst-case pooler: each transaction runs in a new session, without names, settings,
 * locks and tables of the previous ones (`discard all`). The protocol:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export async function startTestPooler(
  serverUrl: string,
  { refusesParameters = true }: { refusesParameters?: boolean } = {},
): Promise<TestPooler> {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let transactions = 0
  const leftovers = new Set<string>()
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) })
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
        sockets.delete(socket)
      })
    }
    pool(client, upstream, {
      refusesParameters,
      onTransaction: () => transactions++,
      onLeftover: (what) => leftovers.add(what),
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    through: (databaseUrl) => {
      const url = new URL(databaseUrl)
      url.port = String((server.address() as AddressInfo).port)
      return url.href
    },
    transactions: () => transactions,
    leftovers: () => [...leftovers],
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

type PoolOptions = {
  refusesParameters: boolean
  onTransaction: () => void
  onLeftover: (what: string) => void
}

function pool(
  client: Socket,
  upstream: Socket,
  { refusesParameters, onTransaction, onLeftover }: PoolOptions,
): void {
  let started = false
  let fromClient = Buffer.alloc(0)
  let fromServer = Buffer.alloc(0)
  /** The end of a transaction, withheld from the client until its session is reset. */
  let held: Buffer | undefined
  /** Queries to the server in the meantime. */
  const queries: string[] = []

  client.on('data', (chunk) => {
    if (started) {
      upstream.write(chunk)
      return
    }
    fromClient = Buffer.concat([fromClient, chunk])
    if (fromClient.length < 4 || fromClient.length < fromClient.readInt32BE(0)) return
    const length = fromClient.readInt32BE(0)
    const given = startupOf(fromClient.subarray(0, length))
    const refused = given.find(([name]) => !startupParameters.has(name.toLowerCase()))
    if (refused !== undefined && refusesParameters) {
      client.end(errorResponse(`unsupported startup parameter: ${refused[0]}`))
      return
    }
    started = true
    upstream.write(startupMessage(given.filter(([name]) => startupParameters.has(name.toLowerCase()))))
    upstream.write(fromClient.subarray(length))
  })

  upstream.on('data', (chunk) => {
    fromServer = Buffer.concat([fromServer, chunk])
    for (;;) {
      if (fromServer.length < 5) return
      const end = 1 + fromServer.readInt32BE(1)
      if (fromServer.length < end) return
      take(Buffer.from(fromServer.subarray(0, end)))
      fromServer = fromServer.subarray(end)
    }
  })

  function take(message: Buffer): void {
    const type = String.fromCharCode(message[0] ?? 0)
    const isIdle = type === 'Z' && message[5] === 'I'.charCodeAt(0)
    if (held !== undefined) {
      // One column: the number of columns, its length, its text.
      if (type === 'D') onLeftover(message.subarray(11).toString())
      if (!isIdle) return
      const next = queries.shift()
      if (next !== undefined) {
        upstream.write(queryMessage(next))
        return
      }
      client.write(held)
      held = undefined
      client.resume()
    } else if (isIdle) {
      onTransaction()
      held = message
      client.pause()
      queries.push('discard all')
      upstream.write(queryMessage(leftoversSql))
    } else {
      // A process number of the pooler's own, because cancel requests go to the pooler.
      if (type === 'K') message.writeInt32BE(0x7000_0000 + (message.readInt32BE(5) % 1000), 5)
      client.write(message)
    }
  }
}

function startupOf(message: Buffer): [name: string, value: string][] {
  const texts = message.subarray(8).toString().split('\0')
  const pairs: [string, string][] = []
  for (let i = 0; i + 1 < texts.length && texts[i] !== ''; i += 2)
    pairs.push([texts[i] ?? '', texts[i + 1] ?? ''])
  return pairs
}

function startupMessage(pairs: readonly [string, string][]): Buffer {
  const text = Buffer.from(`${pairs.map(([name, value]) => `${name}\0${value}\0`).join('')}\0`)
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + text.length, 0)
  head.writeInt32BE(3 << 16, 4)
  return Buffer.concat([head, text])
}

function queryMessage(sql: string): Buffer {
  return tagged('Q', `${sql}\0`)
}

function errorResponse(text: string): Buffer {
  return tagged('E', `SFATAL\0VFATAL\0C08P01\0M${text}\0\0`)
}

function tagged(type: string, text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(5)
  head.write(type)
  head.writeInt32BE(4 + body.length, 1)
  return Buffer.concat([head, body])
}
