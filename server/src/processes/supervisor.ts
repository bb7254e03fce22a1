import { fork, type ChildProcess } from 'node:child_process'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import type { Log } from '../log.ts'
import type { Part } from '../problems/parts.ts'
import {
  fatalExitCode,
  labelledMetrics,
  roles,
  upgradePart,
  waitingWord,
  type ProcessReport,
  type Report,
  type Role,
  type ToChild,
  type ToMain,
} from './messages.ts'
import { CodePasswordTurns } from '../turns/code-password-turns.ts'
import { turnFigures } from '../turns/turn-figures.ts'
import { killedText, smallMemory } from './memory-limits.ts'
import { RestartCounts } from './restart-counts.ts'
import { CatchUpRounds } from './rounds/catch-up-rounds.ts'
import { readProcessorUse, Watchdog, type EndReason } from './watchdog.ts'

/**
 * Uploads and imports make much garbage at once. With the default young generation of Node (up to
 * three times 16 MB, which never shrinks again), the hostile files of the import suite grew `api`
 * by 120 MB; with this limit, by 75 MB. `front` keeps the default: its garbage is small, and a
 * collection delays requests.
 */
export const levelMemory = ['--max-semi-space-size=8']
/** Ingest takes no longer with a smaller one. */
export const memoryOf: Readonly<Record<Role, readonly string[]>> = {
  front: [],
  api: levelMemory,
  worker: ['--max-semi-space-size=2'],
  engine: ['--max-semi-space-size=2'],
}

export type ChildSpec = {
  role: Role
  index: number
  /** Further words of its command line. */
  words?: readonly string[]
}
/**
 * The state of a process that may sleep. `starting`: it will soon be ready, unless something is
 * wrong.
 */
export type SleeperState = 'awake' | 'asleep' | 'starting' | 'down'
type Options = {
  /** The entry file of a child, which gets role and index as arguments. */
  entry: string
  /** Returns the environment for a child of a role. */
  envOf: (role: Role) => NodeJS.ProcessEnv
  log: Log
  /** Called when the start is complete, with the processes that are not ready then. */
  onStarted: (missing: readonly string[]) => void
  /** Called when a child ends with `fatalExitCode`. */
  onFatal: () => void
  /** Told by `main` itself. */
  parts?: readonly Part[]
}

type Slot = ChildSpec & {
  child?: ChildProcess
  ready: boolean
  readySinceMs: number
  failures: number
  restart?: NodeJS.Timeout
  spawnedAtMs: number
  /** Whether it ended, or is about to, because nobody needs it; or was started after that. */
  rest?: 'asleep' | 'waking'
  /** Called when it is ready, or has ended. */
  wakers: ((state: SleeperState) => void)[]
}

const restartMsMin = 50
const restartMsMax = 2_000
/** If a child was ready this long before it died, its failure count starts again. */
const steadyMs = 2_000
/**
 * Time for stopping all processes. Docker sends SIGKILL 10 s after SIGTERM, and then it would reach
 * `main` first.
 */
const stopMs = 9_000
const reportMs = 1_500
/** A process that takes longer to wake up counts as one that does not start. */
const wakingMs = 15_000
/** The start is complete without the worker and the scan store after this time. */
const startMs = 45_000
/** A machine is of use with these: redirects, and the API that says what is wrong. */
const needed: ReadonlySet<Role> = new Set(['front', 'api'])

/**
 * Keeps the child processes alive: restarts a child that dies, with backoff, kills a child that
 * hangs, and stops all children in order.
 */
export class Supervisor {
  readonly #options: Options
  readonly #slots: Slot[] = []
  readonly #asked = new Map<number, (report: Report) => void>()
  readonly #restarts = new RestartCounts()
  readonly #watchdog = new Watchdog({
    onSilent: (process, reason, silentMs) => this.#end(process, reason, silentMs),
    onStarved: (process, silentMs) =>
      this.#options.log.warn(
        { process, silentMs: Math.round(silentMs) },
        'a process gets no processor: the machine is too busy for it',
      ),
    useOf: (process) => readProcessorUse(this.#childOf(process)?.pid ?? 0),
  })
  /** Fronts check passwords of codes in turn: no process of them knows the others. */
  readonly #turns = new CodePasswordTurns()
  /** A change is answered when every front knows it. */
  readonly #rounds = new CatchUpRounds<Slot>(({ child }, id) => send(child, { type: 'catchUp', id }))
  #lastId = 0
  #expected = 0
  #startedAtMs = 0
  #started = false
  /** How far an upgrade of the catalogue is, for which fronts wait. */
  #upgrade: Problem | undefined
  #stopping = false

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Sets the number of children: the start is complete once all are ready together. If the worker
   * or the engine take longer than 45 s, it is complete without them: codes redirect.
   */
  expect(count: number): void {
    this.#expected = count
  }

  start(specs: readonly ChildSpec[]): void {
    this.#watchdog.start()
    this.#startedAtMs = performance.now()
    setTimeout(() => this.#completeStart(), startMs).unref()
    for (const spec of specs) {
      const slot = { ...spec, ready: false, readySinceMs: 0, failures: 0, spawnedAtMs: 0, wakers: [] }
      this.#slots.push(slot)
      this.#spawn(slot)
    }
  }

  /** Says how far the upgrade of the catalogue is. Fronts that are started meanwhile wait. */
  tellUpgrade(told: Problem): void {
    this.#upgrade = told
    for (const { child } of this.#slots) send(child, { type: 'upgrade', told })
  }

  /** Ends the wait of fronts for an upgrade. */
  endUpgrade(): void {
    if (this.#upgrade === undefined) return
    this.#upgrade = undefined
    for (const { child } of this.#slots) send(child, { type: 'prepared' })
  }

  /** Stops one role after the other, so that each role can still send to the next. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#watchdog.stop()
    const untilMs = performance.now() + stopMs
    for (const role of roles) {
      const slots = this.#slots.filter((slot) => slot.role === role)
      await Promise.all(slots.map((slot) => this.#stopSlot(slot, untilMs)))
    }
  }

  /** Returns the state of a process of which there is one, and which may sleep. */
  stateOf(role: Role): SleeperState {
    const slot = this.#slots.find((one) => one.role === role)
    if (slot?.rest === 'asleep') return 'asleep'
    if (slot?.ready === true) return 'awake'
    return slot?.child !== undefined && isSoonReady(slot) ? 'starting' : 'down'
  }

  /**
   * Starts a process that sleeps. Resolves when it was ready, however soon it sleeps again, or has
   * ended.
   */
  async wake(role: Role): Promise<SleeperState> {
    const slot = this.#slots.find((one) => one.role === role)
    const state = this.stateOf(role)
    if (slot === undefined || this.#stopping || (state !== 'asleep' && state !== 'starting')) return state
    const settled = new Promise<SleeperState>((resolve) => slot.wakers.push(resolve))
    if (slot.child === undefined) this.#spawn(slot)
    return await settled
  }

  kill(): void {
    this.#stopping = true
    for (const { child } of this.#slots) child?.kill('SIGKILL')
  }

  #spawn(slot: Slot): void {
    const { entry, envOf, log } = this.#options
    const words = [...(slot.words ?? []), ...(this.#upgrade === undefined ? [] : [waitingWord])]
    const small = smallMemory()
    slot.spawnedAtMs = performance.now()
    if (slot.rest === 'asleep') slot.rest = 'waking'
    const child = fork(entry, [slot.role, String(slot.index), ...words], {
      env: { ...small.environment, ...envOf(slot.role) },
      execArgv: [...process.execArgv, ...memoryOf[slot.role], ...small.words],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    slot.child = child
    if (this.#upgrade !== undefined) send(child, { type: 'upgrade', told: this.#upgrade })
    this.#watchdog.began(nameOf(slot))
    child.on('message', (message: ToMain) => this.#receive(slot, message))
    child.on('error', (error) => log.error({ err: error, process: nameOf(slot) }, 'child process'))
    child.once('exit', (code, signal) => this.#exited(slot, code, signal))
  }

  /** Uses SIGKILL: no other signal ends a stopped process, or one with a blocked event loop. */
  #end(process: string, reason: EndReason, silentMs: number): void {
    const what = reason === 'hung' ? 'process hung, ending it' : 'the start of a process stalled, ending it'
    this.#options.log.error({ process, reason, silentMs: Math.round(silentMs) }, what)
    this.#childOf(process)?.kill('SIGKILL')
  }

  #childOf(process: string): ChildProcess | undefined {
    return this.#slots.find((slot) => nameOf(slot) === process)?.child
  }

  #exited(slot: Slot, code: number | null, signal: NodeJS.Signals | null): void {
    const wasSteady = slot.ready && performance.now() - slot.readySinceMs >= steadyMs
    this.#turns.forget(slot.child)
    delete slot.child
    slot.ready = false
    this.#rounds.leave(slot)
    const { reason = signal === 'SIGKILL' ? 'killed' : 'died', pauseMs } = this.#watchdog.ended(nameOf(slot))
    const { log, onFatal } = this.#options
    if (slot.rest === 'asleep' && !this.#stopping) {
      slot.failures = 0
      log.debug({ process: nameOf(slot) }, 'process sleeps')
      if (slot.wakers.length > 0) this.#spawn(slot)
      return
    }
    delete slot.rest
    tellWakers(slot, 'down')
    if (this.#stopping) return
    if (code === fatalExitCode) {
      log.error(
        { process: nameOf(slot) },
        'cannot run until the operator fixes a problem; see the message before',
      )
      return onFatal()
    }
    slot.failures = wasSteady ? 0 : slot.failures + 1
    const inMs = Math.max(pauseMs, Math.min(restartMsMax, restartMsMin * 2 ** slot.failures))
    this.#restarts.add(slot.role, reason)
    log.error(
      { process: nameOf(slot), code, signal, reason, restartInMs: inMs },
      reason === 'killed' ? `process ${killedText()}; it is restarted` : 'process ended, restarting it',
    )
    slot.restart = setTimeout(() => this.#spawn(slot), inMs)
  }

  #receive(slot: Slot, message: ToMain): void {
    switch (message.type) {
      case 'ready':
        slot.ready = true
        slot.readySinceMs = performance.now()
        delete slot.rest
        tellWakers(slot, 'awake')
        this.#watchdog.ready(nameOf(slot))
        this.#options.log.debug({ process: nameOf(slot) }, 'process is ready')
        return this.#sendStarted(slot)
      case 'sleeps':
        slot.rest = 'asleep'
        slot.ready = false
        return
      case 'alive':
      case 'progress':
        return this.#watchdog.heard(nameOf(slot), message.type)
      case 'report':
        this.#asked.get(message.id)?.(message.report)
        return
      case 'beginTurn':
        return void this.#answerTurn(slot, message)
      case 'endTurn':
        return this.#turns.end({ owner: slot.child, id: message.id }, message.outcome)
      case 'follows':
        return this.#rounds.join(slot)
      case 'catchUpOthers':
        return this.#rounds.begin(slot, () => send(slot.child, { type: 'othersCaughtUp', id: message.id }))
      case 'caughtUp':
        return this.#rounds.caughtUp(slot, message.id)
      case 'allReports':
        void this.collect().then((reports) =>
          send(slot.child, { type: 'allReports', id: message.id, reports, started: this.#started }),
        )
    }
  }

  /** Its owner is the process and not its place, which the next process takes with its own ids. */
  async #answerTurn(slot: Slot, { id, question }: Extract<ToMain, { type: 'beginTurn' }>): Promise<void> {
    const { child } = slot
    const answer = await this.#turns.begin(question, { owner: child, id })
    if (slot.child === child) send(child, { type: 'turn', id, answer })
    else this.#turns.forget(child)
  }

  /** Announces to children that the start is complete: when they need to know, `main` may hang. */
  #sendStarted(slot: Slot): void {
    if (this.#started) return send(slot.child, { type: 'started' })
    this.#completeStart()
  }

  #completeStart(): void {
    const isOverdue = performance.now() - this.#startedAtMs >= startMs
    const waited = this.#slots.filter(({ role }) => !isOverdue || needed.has(role))
    const isWhole = this.#slots.length === this.#expected && waited.every(({ ready }) => ready)
    if (this.#started || !isWhole) return
    this.#started = true
    for (const other of this.#slots) send(other.child, { type: 'started' })
    this.#options.onStarted(this.#slots.filter(({ ready }) => !ready).map(nameOf))
  }

  /** Returns the reports of all processes. */
  async collect(): Promise<ProcessReport[]> {
    const turns = labelledMetrics(turnFigures([this.#turns.turns]), { process: 'main' })
    const metrics = [this.#restarts.metric(), ...turns]
    const { parts: own = [] } = this.#options
    const parts = this.#upgrade === undefined ? own : [...own, upgradePart(this.#upgrade)]
    const mainReport = { process: 'main', report: { parts, metrics } }
    return [mainReport, ...(await Promise.all(this.#slots.map((slot) => this.#collectOne(slot))))]
  }

  async #collectOne(slot: Slot): Promise<ProcessReport> {
    const process = nameOf(slot)
    const isAsked = slot.ready
    const report = isAsked ? await this.#reportOf(slot) : undefined
    if (report !== undefined) return { process, report }
    // It may have fallen asleep before it could answer.
    if (slot.rest === 'asleep' || (slot.rest === 'waking' && isSoonReady(slot)))
      return { process, report: { parts: [{ name: process, ok: true, detail: slot.rest }], metrics: [] } }
    return { process, report, isReady: isAsked, silentMs: this.#watchdog.silentMs(process) }
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
      send(slot.child, { type: 'report', id })
    })
  }

  async #stopSlot(slot: Slot, untilMs: number): Promise<void> {
    clearTimeout(slot.restart)
    const { child } = slot
    if (child === undefined) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => {
        this.#options.log.error({ process: nameOf(slot) }, 'did not stop in time, killing it')
        child.kill('SIGKILL')
      }, untilMs - performance.now())
      child.once('exit', () => {
        clearTimeout(timer)
        resolve()
      })
      send(child, { type: 'stop' })
    })
  }
}

/** Whether a process that is not ready has been starting for a short time only. */
function isSoonReady({ spawnedAtMs }: Slot): boolean {
  return performance.now() - spawnedAtMs < wakingMs
}

function tellWakers(slot: Slot, state: SleeperState): void {
  for (const tell of slot.wakers.splice(0)) tell(state)
}

function nameOf(slot: ChildSpec): string {
  return `${slot.role}-${slot.index}`
}

function send(child: ChildProcess | undefined, message: ToChild): void {
  if (child?.connected === true) child.send(message, () => undefined)
}
