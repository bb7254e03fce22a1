import { fork, type ChildProcess } from 'node:child_process'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLog } from '../../log.ts'
import { runEngine } from '../engine/engine.ts'

/** An engine in a child process, for tests: the real one, started and killed as `main` does it. */
export type TestEngine = {
  readonly dir: string
  readonly socketPath: string
  readonly pid: number
  /** Sends SIGKILL: nothing is flushed or closed. */
  kill(): Promise<void>
  /** Sends SIGTERM: the engine drains and closes. */
  stop(): Promise<void>
  /** Starts the engine again on the same directory. */
  start(): Promise<void>
  /** Stops the engine and removes its directory. */
  remove(): Promise<void>
}

/** Starts an engine on an empty directory, or on a copy of one. */
export async function startTestEngine({ from }: { from?: string } = {}): Promise<TestEngine> {
  const root = await mkdtemp(join(tmpdir(), 'everscan-engine-'))
  const dir = join(root, 'engine')
  if (from !== undefined) copyEngine(from, dir)
  const socketPath = join(root, 'engine.sock')
  let child = await forkEngine(dir, socketPath)

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await exited
  }
  return {
    dir,
    socketPath,
    get pid() {
      return child.pid ?? 0
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    async start() {
      child = await forkEngine(dir, socketPath)
    },
    async remove() {
      await end('SIGTERM')
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** Copies the directory of an engine that does not run. Links in it are relative to their place. */
export function copyEngine(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true })
}

async function forkEngine(dir: string, socketPath: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(import.meta.url), [dir, socketPath], { execArgv: [] })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('exit', (code) => reject(new Error(`the engine ended with ${code}`)))
  })
  return child
}

if (import.meta.main) {
  const [dir = '', socketPath = ''] = process.argv.slice(2)
  const log = createLog({ level: 'error', role: 'engine' })
  const engine = await runEngine({ dir, socketPath, log, packagesIn: `${dir}-packages` })
  const close = () => {
    void engine.close().then(() => process.exit(0))
  }
  process.once('SIGTERM', close)
  process.once('disconnect', close)
  process.send?.('ready')
}
