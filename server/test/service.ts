import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A whole service as a user starts it, in a data directory of its own. */
export type Service = {
  baseUrl: string
  port: number
  apiKey: string
  dataDir: string
  /** What it has printed so far. */
  output: () => string
  /** Process ids of `front`, `api`, `worker`, `engine`, by title. */
  pids: (role: string) => number[]
  waitUntilReady: () => Promise<void>
  /** SIGTERM and wait; gives the exit code. */
  stop: () => Promise<number | null>
  kill: () => Promise<void>
  /** The same data directory and settings again. */
  restart: () => Promise<void>
  /** Stops if need be, and removes the data directory. */
  remove: () => Promise<void>
}

const root = join(import.meta.dirname, '..', '..')
const readyMsMax = 60_000

export async function startService(env: Readonly<Record<string, string>> = {}): Promise<Service> {
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

  const launch = (): void => {
    child = spawn(process.execPath, [join(root, 'server', 'src', 'main.ts')], {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-4_000_000)
      })
    exited = new Promise((resolve) => child.once('exit', resolve))
  }

  const waitUntilReady = async (): Promise<void> => {
    const untilMs = Date.now() + readyMsMax
    while (Date.now() < untilMs) {
      if (child.exitCode !== null)
        throw new Error(`the service ended with ${child.exitCode}:\n${output.slice(-4000)}`)
      const status = await fetch(`${baseUrl}/readyz`).then(
        (response) => response.status,
        () => 0,
      )
      if (status === 200) return
      await sleep(50)
    }
    throw new Error(`not ready after ${readyMsMax} ms:\n${output.slice(-4000)}`)
  }

  const stop = async (): Promise<number | null> => {
    child.kill('SIGTERM')
    return exited
  }
  const kill = async (): Promise<void> => {
    const all = [child.pid ?? 0, ...childrenOf(child.pid ?? 0).map((one) => one.pid)]
    for (const pid of all) killQuietly(pid)
    await exited
  }
  const service: Service = {
    baseUrl,
    port,
    apiKey,
    dataDir,
    output: () => output,
    pids: (role) =>
      childrenOf(child.pid ?? 0)
        .filter(({ title }) => title === `everscan ${role}`)
        .map(({ pid }) => pid),
    waitUntilReady,
    stop,
    kill,
    restart: async () => {
      if (child.exitCode === null && child.signalCode === null) await stop()
      launch()
      await waitUntilReady()
    },
    remove: async () => {
      if (child.exitCode === null && child.signalCode === null) await stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  launch()
  try {
    await waitUntilReady()
  } catch (error) {
    await kill()
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  }
  return service
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

/** Waits until something is true, asking every 20 ms; throws after the limit. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  limitMs = 10_000,
): Promise<void> {
  const untilMs = Date.now() + limitMs
  while (!(await isTrue())) {
    if (Date.now() > untilMs) throw new Error(`${what}: not within ${limitMs} ms`)
    await sleep(20)
  }
}

/** The children of a process with their titles, from /proc. */
export function childrenOf(parent: number): { pid: number; title: string }[] {
  return globSync('/proc/[0-9]*/stat').flatMap((path) => {
    try {
      const stat = readFileSync(path, 'utf8')
      if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) !== parent) return []
      const pid = Number(path.split('/')[2])
      return [{ pid, title: readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ').trim() }]
    } catch {
      // It ended while we looked.
      return []
    }
  })
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
