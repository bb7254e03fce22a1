import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** What came of an operator's command that was run with `--json`. */
export type CommandRun = {
  succeeded: boolean
  /** What it printed; undefined: nothing that is JSON. */
  json: unknown
  /** The last line that it wrote on standard error, else how it ended. */
  lastLine: string
}

export type CommandChildOptions = {
  /** The file that every process runs. */
  entry: string
  environment: NodeJS.ProcessEnv
  /** Ends it in order; after `endMs` at once. */
  signal: AbortSignal
  endMs?: number
}

/** As `./everscan` has it. */
export const commandMemory = ['--max-semi-space-size=2', '--max-old-space-size=96']
const outputCharsMax = 4 * 1024 * 1024
const errorCharsMax = 16 * 1024
const closeMs = 1_000

/**
 * Runs a command in a process of its own, behind all others of the machine: its memory goes with it. It ends by itself when this
 * process does.
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
    // Ctrl-C of a terminal goes to the whole group: this one ends when it is told to.
    detached: true,
  })
  const output = collect(child, 'stdout', outputCharsMax)
  const errors = collect(child, 'stderr', errorCharsMax)
  const exited = once(child, 'exit')
  const closed = once(child, 'close')
  closed.catch(() => undefined)
  // Before it has threads, as on Linux each of them has a priority of its own.
  if (child.pid !== undefined) lowerPriority(child.pid)
  const stopping = new AbortController()
  const stop = (): void => {
    child.kill('SIGTERM')
    sleep(endMs, undefined, { signal: stopping.signal, ref: false }).then(
      () => child.kill('SIGKILL'),
      () => undefined,
    )
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [code, killedBy] = (await exited) as [number | null, NodeJS.Signals | null]
    // A process that it started may still hold its output.
    await Promise.race([closed, sleep(closeMs, undefined, { ref: false })])
    const lines = errors().trimEnd().split('\n')
    const lastLine = lines.at(-1)?.trim() ?? ''
    const ending = killedBy === null ? `exit status ${code}` : `ended by ${killedBy}`
    return {
      succeeded: code === 0,
      json: parsed(output()),
      lastLine: lastLine === '' ? ending : lastLine,
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stopping.abort()
  }
}

/** The end of what it writes. */
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
    // It is gone already.
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
