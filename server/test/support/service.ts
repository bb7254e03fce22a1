import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client, type ClientSettings } from '@everscan/client/create-client.ts'

/** A whole service as a user starts it, in a data directory of its own. */
export type Service = {
  baseUrl: string
  port: number
  apiKey: string
  dataDir: string
  /** What it has printed so far. */
  output: () => string
  /** Process ids of `main`, `front`, `api`, `worker`, `engine`, also of one that is starting. */
  pids: (role: string) => number[]
  /** Sends a signal to every process of these roles. */
  signal: (roles: readonly string[], signal: NodeJS.Signals) => void
  /** A client with the service's ADMIN key. */
  client: (settings?: Partial<ClientSettings>) => Client
  /** What `/readyz` and `/metrics` say, which may be a second old: see `saidAnew`. */
  readiness: () => Promise<Readiness>
  /** A figure of `/metrics`, summed over its processes. */
  metric: (name: string) => Promise<number>
  waitUntilReady: () => Promise<void>
  /** Starts it again with the same data directory and settings, without waiting. */
  launch: () => void
  /** SIGTERM, or another signal, to `main`, and wait; gives the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>
  /** Waits until `main` ends by itself; gives the exit code. */
  ended: () => Promise<number | null>
  /** SIGKILL to all processes. */
  kill: () => Promise<void>
  /** SIGKILL to `main` alone: its children end by themselves. Gives the process ids they have. */
  killMain: () => Promise<number[]>
  /** The same data directory and settings again. */
  restart: () => Promise<void>
  /** Stops if need be, and removes the data directory. */
  remove: () => Promise<void>
}

export type Readiness = { status: string; parts: Record<string, { ok: boolean; detail?: string }> }

const root = join(import.meta.dirname, '..', '..', '..')
const readyMsMax = 60_000
/** Answers of `/readyz` and `/metrics` are kept for a second. */
const keptMs = 1_000

/** Waits until what `/readyz` and `/metrics` say next was collected after now. */
export function saidAnew(): Promise<void> {
  return sleep(keptMs + 100)
}

export async function startService(
  env: Readonly<Record<string, string>> = {},
  { wait = true }: { /** `false`: it is given back while it starts. */ wait?: boolean } = {},
): Promise<Service> {
  const dataDir = env['DATA_DIR'] ?? mkdtempSync(join(tmpdir(), 'everscan-'))
  const port = Number(env['PORT'] ?? (await freePort()))
  const apiKey = env['BOOTSTRAP_API_KEY'] ?? `evs_${randomBytes(24).toString('hex')}`
  const settings = {
    LOG_LEVEL: 'info',
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
    child = spawn(process.execPath, [join(root, 'server', 'src', 'main.mjs')], {
      cwd: root,
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
    const untilMs = Date.now() + readyMsMax
    while (Date.now() < untilMs) {
      if (!isRunning()) throw new Error(`the service ended with ${child.exitCode}:\n${output.slice(-4000)}`)
      const status = await fetch(`${baseUrl}/readyz`).then(
        (response) => response.status,
        () => 0,
      )
      if (status === 200) return
      await sleep(50)
    }
    throw new Error(`not ready after ${readyMsMax} ms:\n${output.slice(-4000)}`)
  }

  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal)
    return exited
  }
  const kill = async (): Promise<void> => {
    // Stopped first, so that it starts no other while these are killed.
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
      if (isRunning()) await stop()
      rmSync(dataDir, { recursive: true, force: true })
      watch.end()
    },
  }
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

/** What a started process has of our environment; the cache spares each of a service's processes compiling its sources again. */
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
 * Waits until something is true, asking every 20 ms, and less often the longer it takes: what is asked is often work that what is
 * waited for has to wait for. Throws after the limit. Gives how long it took, in milliseconds.
 */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  limitMs = 10_000,
): Promise<number> {
  const fromMs = performance.now()
  while (!(await isTrue())) {
    const waitedMs = performance.now() - fromMs
    if (waitedMs > limitMs) throw new Error(`${what}: not within ${limitMs} ms`)
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
      // It ended while we looked.
      return []
    }
  })
}

/** Whether a process runs; one that ended and that nobody asked about yet does not. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3))
  } catch {
    return false
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // Already gone.
  }
}

/**
 * A shell that waits for the end of its standard input, which comes with the end of this process, also by kill -9: it then
 * stops the service that was last started and removes its data directory.
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
