import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client, type ClientSettings } from '@everscan/client/create-client.ts'
import { sendSignal } from '../../src/processes/testing/signals.ts'
import { startStoreServer } from './scan-store-server.ts'

/** A complete service as a user starts it, in its own data directory. */
export type Service = {
  baseUrl: string
  port: number
  apiKey: string
  dataDir: string
  /** The output so far. */
  output: () => string
  /**
   * Process ids of `main`, `front`, `api`, `worker`, `engine`, including those of a starting
   * process.
   */
  pids: (role: string) => number[]
  /** The services of several machines behind one address; absent for one. */
  machines?: readonly Service[]
  /** Sends a signal to every process of these roles. */
  signal: (roles: readonly string[], signal: NodeJS.Signals) => void
  /** A client with the ADMIN key of the service. */
  client: (settings?: Partial<ClientSettings>) => Client
  /** The state from `/readyz`, which may be a second old like `/metrics`: see `statusRefresh`. */
  readiness: () => Promise<Readiness>
  /** A figure of `/metrics`, summed over its processes. */
  metric: (name: string) => Promise<number>
  waitUntilReady: () => Promise<void>
  /** Starts the service again with the same data directory and settings, without waiting. */
  launch: () => void
  /** Sends SIGTERM, or another signal, to `main`, waits for its end and returns the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
  /** Waits until `main` ends by itself; returns the exit code. */
  ended: () => Promise<number | null>
  /** Sends SIGKILL to all processes. */
  kill: () => Promise<void>
  /**
   * Sends SIGKILL only to `main`, whose children then end by themselves. Returns their process ids.
   */
  killMain: () => Promise<number[]>
  /** Starts the service again with the same data directory and settings. */
  restart: () => Promise<void>
  /** Stops the service if necessary, and removes the data directory. */
  remove: () => Promise<void>
}

export type Readiness = {
  status: string
  parts: Record<string, { ok: boolean; detail?: string; problem?: string; values?: object }>
}

const root = join(import.meta.dirname, '..', '..', '..')
/** A wait that takes longer hangs. Tests wait for events, whose speed the machine decides. */
export const hangMs = 120_000
/** The service caches `/readyz` and `/metrics` for a second. */
const cachedMs = 1_000

/** The outputs of the services of this process, for those who wait in vain. */
const running = new Map<Service, () => string>()

/** The warnings of services, the last ones of each. */
function warnings(): string {
  return [...running.values()]
    .map((output) =>
      output()
        .split('\n')
        .filter((line) => !line.includes('"level":"info"'))
        .slice(-15)
        .join('\n'),
    )
    .join('\n')
}

/** Waits until the next response of `/readyz` and `/metrics` is newer than this call. */
export function statusRefresh(): Promise<void> {
  return sleep(cachedMs + 100)
}

export async function startService(
  env: Readonly<Record<string, string>> = {},
  {
    wait = true,
    words = [],
    node = [process.execPath],
    installation = root,
  }: {
    /** `false`: it is given back while it starts. */
    wait?: boolean
    /** The words of the command line, such as `start`; also used by later starts. */
    words?: readonly string[]
    /** The program that runs the entry, and its options. */
    node?: readonly [program: string, ...options: string[]]
    /** The folder with `server` and its packages. */
    installation?: string
  } = {},
): Promise<Service> {
  const dataDir = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'everscan-'))
  const port = Number(env['PORT'] ?? (await freePort()))
  const apiKey = env['BOOTSTRAP_API_KEY'] ?? `evs_${randomBytes(24).toString('hex')}`
  const settings = {
    LOG_LEVEL: 'info',
    ...(await ownServer(env, dataDir)),
    ...env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: apiKey,
  }
  const baseUrl = `http://127.0.0.1:${port}`
  let child: ChildProcess
  let output = ''
  let exited: Promise<number | null>
  const watch = removeWhenGone(dataDir)

  const launch = (): void => {
    const [program, ...options] = node
    child = spawn(program, [...options, join(installation, 'server', 'src', 'main.mjs'), ...words], {
      cwd: installation,
      env: { ...inherited(), ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-4_000_000)
      })
    exited = new Promise((resolve) => child.once('exit', resolve))
    watch.started(child.pid ?? 0)
  }
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null

  const waitUntilReady = async (): Promise<void> => {
    const untilMs = Date.now() + hangMs
    while (Date.now() < untilMs) {
      if (!isRunning()) throw new Error(`the service ended with ${child.exitCode}:\n${output.slice(-4000)}`)
      const status = await fetch(`${baseUrl}/readyz`).then(
        (response) => response.status,
        () => 0,
      )
      if (status === 200) return
      await sleep(50)
    }
    throw new Error(`not ready after ${hangMs} ms:\n${output.slice(-4000)}`)
  }

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal)
    return exited
  }
  const kill = async (): Promise<void> => {
    // Stopped first, so that it cannot start other processes while these are killed.
    child.kill('SIGSTOP')
    for (const { pid } of childrenOf(child.pid ?? 0)) signalQuietly(pid, 'SIGKILL')
    child.kill('SIGKILL')
    await exited
  }
  const pids = (role: string): number[] =>
    role === 'main'
      ? [child.pid ?? 0]
      : childrenOf(child.pid ?? 0)
          .filter(({ title }) => title === `everscan ${role}` || title.includes(`main.mjs ${role} `))
          .map(({ pid }) => pid)

  const service: Service = {
    baseUrl,
    port,
    apiKey,
    dataDir,
    output: () => output,
    pids,
    signal: (roles, signal) => {
      for (const pid of roles.flatMap(pids)) signalQuietly(pid, signal)
    },
    client: (more) => createClient({ baseUrl, apiKey, ...more }),
    readiness: async () => (await (await fetch(`${baseUrl}/readyz`)).json()) as Readiness,
    metric: async (name) => {
      const text = await (await fetch(`${baseUrl}/metrics`)).text()
      const lines = text.split('\n').filter((line) => line.startsWith(`everscan_${name}{`))
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    },
    waitUntilReady,
    launch,
    stop,
    ended: () => exited,
    kill,
    killMain: async () => {
      const children = childrenOf(child.pid ?? 0)
      child.kill('SIGKILL')
      await exited
      return children.map(({ pid }) => pid)
    },
    restart: async () => {
      if (isRunning()) await stop()
      launch()
      await waitUntilReady()
    },
    remove: async () => {
      running.delete(service)
      if (isRunning()) await stop()
      rmSync(dataDir, { recursive: true, force: true })
      await servers.get(dataDir)?.stop()
      servers.delete(dataDir)
      watch.end()
    },
  }
  running.set(service, () => output)
  launch()
  try {
    if (wait) await waitUntilReady()
  } catch (error) {
    await kill()
    await service.remove()
    throw error
  }
  return service
}

/** The scan stores on servers, by data directory. */
const servers = new Map<string, Awaited<ReturnType<typeof startStoreServer>>>()

/** `EVERSCAN_TEST_SCAN_STORE=server` gives every service a ClickHouse of its own. */
async function ownServer(
  env: Readonly<Record<string, string>>,
  dataDir: string,
): Promise<Record<string, string>> {
  if (process.env['EVERSCAN_TEST_SCAN_STORE'] !== 'server' || 'CLICKHOUSE_URL' in env) return {}
  const server = servers.get(dataDir) ?? (await startStoreServer())
  servers.set(dataDir, server)
  return { CLICKHOUSE_URL: server.url }
}

/** The environment of a command: what it inherits, the server of its service, and settings. */
export function commandEnvironment(
  settings: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const url = servers.get(settings['DATA_DIR'] ?? '')?.url
  return { ...inherited(), ...(url !== undefined && { CLICKHOUSE_URL: url }), ...settings }
}

/**
 * The part of our environment that a started process inherits. The cache spares each process of a
 * service compiling its sources again.
 */
export function inherited(): Record<string, string | undefined> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  return { PATH, HOME, NODE_COMPILE_CACHE }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/**
 * Waits until something is true, checking every 20 ms, and less often the longer it takes: the
 * check often competes with the work that it waits for. Throws after the limit. Returns the
 * duration in milliseconds.
 */
export async function until(
  what: string | (() => string),
  isTrue: () => boolean | Promise<boolean>,
  limitMs = hangMs,
): Promise<number> {
  const fromMs = performance.now()
  while (!(await isTrue())) {
    const waitedMs = performance.now() - fromMs
    if (waitedMs > limitMs)
      throw new Error(`${typeof what === 'string' ? what : what()}: not within ${limitMs} ms\n${warnings()}`)
    await sleep(Math.min(100, Math.max(20, waitedMs / 20)))
  }
  return performance.now() - fromMs
}

/** The children of a process with their titles, from /proc. */
export function childrenOf(parent: number): { pid: number; title: string }[] {
  return globSync('/proc/[0-9]*/stat').flatMap((path) => {
    try {
      const stat = readFileSync(path, 'utf8')
      const [state, parentOf] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (Number(parentOf) !== parent || state === 'Z') return []
      const pid = Number(path.split('/')[2])
      return [{ pid, title: readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim() }]
    } catch {
      // The process ended meanwhile.
      return []
    }
  })
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    sendSignal(pid, signal)
  } catch {
    // The process is already gone.
  }
}

/**
 * A shell that waits for the end of its standard input, which closes with this process, even after
 * kill -9. The shell then stops the last started service and removes its data directory.
 */
function removeWhenGone(dataDir: string): { started: (pid: number) => void; end: () => void } {
  const script = `while read -r line; do [ "$line" = end ] && exit; pid=$line; done
    kill -TERM "$pid" 2>/dev/null
    for _ in $(seq 300); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    umount "$0/journal" "$0" 2>/dev/null
    rm -rf "$0"`
  const watch = spawn('sh', ['-c', script, dataDir], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watch.unref()
  const { stdin } = watch
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  stdin.on('error', () => undefined)
  return { started: (pid) => void stdin.write(`${pid}\n`), end: () => void stdin.end('end\n') }
}
