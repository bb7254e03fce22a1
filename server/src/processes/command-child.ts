import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { killedText } from './memory-limits.ts'

/** The outcome of an operator's command that ran with `--json`. */
export type CommandRun = {
  succeeded: boolean
  /** The JSON that the command printed; undefined if it printed none. */
  json: unknown
  /** The last line on standard error; if there is none, how the command ended. */
  lastLine: string
}

export type CommandChildOptions = {
  /** The entry file of every process. */
  entry: string
  environment: NodeJS.ProcessEnv
  /** Sends SIGTERM when it aborts, and SIGKILL after `endMs`. */
  signal: AbortSignal
  endMs?: number
}

/** The same limits as in `./everscan`. */
export const commandMemory = ['--max-semi-space-size=2', '--max-old-space-size=96']
const outputCharsMax = 4 * 1024 * 1024
const errorCharsMax = 16 * 1024
const closeMs = 1_000

/**
 * Runs a command in a separate process, at the lowest priority of the machine; its memory is freed
 * when it ends. The command stops by itself when this process ends.
 */
export async function runCommandChild(
  words: readonly string[],
  { entry, environment, signal, endMs = 10_000 }: CommandChildOptions,
): Promise<CommandRun> {
  if (signal.aborted) return { succeeded: false, json: undefined, lastLine: 'not begun' }
  const child = fork(entry, words, {
    env: environment,
    execArgv: commandMemory,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Ctrl-C in a terminal goes to the whole group; this process must stop only on request.
    detached: true,
  })
  const output = collect(child, 'stdout', outputCharsMax)
  const errors = collect(child, 'stderr', errorCharsMax)
  const exited = once(child, 'exit')
  const closed = once(child, 'close')
  closed.catch(() => undefined)
  // Before the process starts threads: on Linux, each thread has its own priority.
  if (child.pid !== undefined) lowerPriority(child.pid)
  const stopping = new AbortController()
  let isStopping = false
  const stop = (): void => {
    isStopping = true
    child.kill('SIGTERM')
    sleep(endMs, undefined, { signal: stopping.signal, ref: false }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    )
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [code, killedBy] = (await exited) as [number | null, NodeJS.Signals | null]
    // A process that the command started may still hold its output open.
    await Promise.race([closed, sleep(closeMs, undefined, { ref: false })])
    const lines = errors().trimEnd().split('\n')
    const lastLine = lines.at(-1)?.trim() ?? ''
    const isKilled = killedBy === 'SIGKILL' && !isStopping
    const ending = killedBy === null ? `exit status ${code}` : `ended by ${killedBy}`
    return {
      succeeded: code === 0,
      json: parsed(output()),
      lastLine: isKilled ? killedText() : lastLine === '' ? ending : lastLine,
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stopping.abort()
  }
}

/** Collects the last characters of an output stream. */
function collect(child: ChildProcess, name: 'stdout' | 'stderr', charsMax: number): () => string {
  let text = ''
  child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-charsMax)
  })
  return () => text
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has already ended.
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
