import { fork, type ChildProcess } from 'node:child_process'
import type { Log } from '../log.ts'
import {
  fatalExitCode,
  roles,
  type ProcessReport,
  type Report,
  type Role,
  type ToChild,
  type ToMain,
} from './messages.ts'

/**
 * Uploads and imports make much garbage at once. With Node's own young generation (up to three times 16 MB, each kept once grown)
 * the hostile files of the import suite took `api` up by 120 MB, with this by 75 MB. `front` keeps Node's own: what it throws away is small, and
 * a collection is a wait.
 */
export const levelMemory = ['--max-semi-space-size=8']

export type ChildSpec = { role: Role; index: number }
type Options = {
  /** The file that a child runs, with role and index as arguments. */
  entry: string
  env: NodeJS.ProcessEnv
  log: Log
  /** All processes were ready for the first time. */
  onStarted: () => void
  /** A child said that it cannot run as things are. */
  onFatal: () => void
}

type Slot = ChildSpec & {
  child?: ChildProcess
  ready: boolean
  readySinceMs: number
  failures: number
  restart?: NodeJS.Timeout
}

const restartMsMin = 50
const restartMsMax = 2_000
/** A child that was ready this long starts with a clean slate when it dies. */
const steadyMs = 2_000
const stopMs = 15_000
const reportMs = 1_500

/** Keeps the child processes alive: restarts one that dies, with growing pauses while it keeps dying, and stops them in order. */
export class Supervisor {
  readonly #options: Options
  readonly #slots: Slot[] = []
  readonly #asked = new Map<number, (report: Report) => void>()
  #lastId = 0
  #expected = 0
  #started = false
  #stopping = false

  constructor(options: Options) {
    this.#options = options
  }

  /** How many children there will be in all: the service has started once that many were ready at a time. */
  expect(count: number): void {
    this.#expected = count
  }

  start(specs: readonly ChildSpec[]): void {
    for (const spec of specs) {
      const slot: Slot = { ...spec, ready: false, readySinceMs: 0, failures: 0 }
      this.#slots.push(slot)
      this.#spawn(slot)
    }
  }

  /** Stops role after role, so that what one still sends the next can still take. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const role of roles)
      await Promise.all(this.#slots.filter((slot) => slot.role === role).map((slot) => this.#stopSlot(slot)))
  }

  kill(): void {
    this.#stopping = true
    for (const { child } of this.#slots) child?.kill('SIGKILL')
  }

  #spawn(slot: Slot): void {
    const { entry, env, log } = this.#options
    const child = fork(entry, [slot.role, String(slot.index)], {
      env,
      execArgv: [...process.execArgv, ...(slot.role === 'front' ? [] : levelMemory)],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    slot.child = child
    child.on('message', (message: ToMain) => this.#receive(slot, message))
    child.on('error', (error) => log.error({ err: error, process: nameOf(slot) }, 'child process'))
    child.once('exit', (code, signal) => this.#exited(slot, code, signal))
  }

  #exited(slot: Slot, code: number | null, signal: NodeJS.Signals | null): void {
    const wasSteady = slot.ready && performance.now() - slot.readySinceMs >= steadyMs
    delete slot.child
    slot.ready = false
    if (this.#stopping) return
    const { log, onFatal } = this.#options
    if (code === fatalExitCode) {
      log.error({ process: nameOf(slot) }, 'cannot run as things are; see the message before')
      return onFatal()
    }
    slot.failures = wasSteady ? 0 : slot.failures + 1
    const inMs = Math.min(restartMsMax, restartMsMin * 2 ** slot.failures)
    log.error({ process: nameOf(slot), code, signal, restartInMs: inMs }, 'process died, restarting it')
    slot.restart = setTimeout(() => this.#spawn(slot), inMs)
  }

  #receive(slot: Slot, message: ToMain): void {
    switch (message.type) {
      case 'ready':
        slot.ready = true
        slot.readySinceMs = performance.now()
        this.#options.log.debug({ process: nameOf(slot) }, 'process is ready')
        if (!this.#started && this.#slots.filter((other) => other.ready).length === this.#expected) {
          this.#started = true
          this.#options.onStarted()
        }
        return
      case 'report':
        this.#asked.get(message.id)?.(message.report)
        return
      case 'allReports':
        void this.#collect().then((reports) =>
          tell(slot.child, { type: 'allReports', id: message.id, reports, started: this.#started }),
        )
    }
  }

  #collect(): Promise<ProcessReport[]> {
    return Promise.all(
      this.#slots.map(async (slot) => ({
        process: nameOf(slot),
        report: slot.ready ? await this.#reportOf(slot) : undefined,
      })),
    )
  }

  #reportOf(slot: Slot): Promise<Report | undefined> {
    return new Promise((resolve) => {
      const id = ++this.#lastId
      const done = (report: Report | undefined): void => {
        clearTimeout(timer)
        this.#asked.delete(id)
        resolve(report)
      }
      const timer = setTimeout(() => done(undefined), reportMs)
      this.#asked.set(id, done)
      tell(slot.child, { type: 'report', id })
    })
  }

  async #stopSlot(slot: Slot): Promise<void> {
    clearTimeout(slot.restart)
    const { child } = slot
    if (child === undefined) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#options.log.error({ process: nameOf(slot) }, 'did not stop in time, killing it')
        child.kill('SIGKILL')
      }, stopMs)
      child.once('exit', () => {
        clearTimeout(timer)
        resolve()
      })
      tell(child, { type: 'stop' })
    })
  }
}

function nameOf(slot: ChildSpec): string {
  return `${slot.role}-${slot.index}`
}

function tell(child: ChildProcess | undefined, message: ToChild): void {
  if (child?.connected === true) child.send(message, () => undefined)
}
