import type { Problem } from '@everscan/contract/problems/problem.ts'
import type { Log } from '../log.ts'
import type { TryOutcome } from '../turns/code-brake.ts'
import type { PasswordQuestion, TurnAnswer } from '../turns/code-password-turns.ts'
import type { ProcessReport, Report, Role, ToChild, ToMain } from './messages.ts'
import { roundMsMax } from './rounds/catch-up-rounds.ts'
import { sharedRounds } from './rounds/shared-rounds.ts'

export type ChildParts = {
  /** Returns the report of this process; must answer within a second. */
  report: () => Promise<Report>
  /** Stops the process in order: drops no accepted request, and flushes everything. */
  stop: () => Promise<void>
  /**
   * Fronts only: reads every change that was committed so far. When it has ended, no scan is
   * answered from before, even if it failed.
   */
  catchUp?: () => Promise<void>
}

export type Child = {
  /** Tells `main` that this process is ready. */
  ready: () => void
  /** Ends this process, in order, until `main` is asked for it. */
  sleep: () => void
  /** Tells `main` that the start made progress: after 5 min without, `main` kills it. */
  progress: () => void
  /**
   * Whether `main` has announced that the start is complete; false once `main` is gone, because
   * this process then ends, too.
   */
  isStarted: () => boolean
  /** Asks `main` for the reports of all processes, and whether all of them were ready once. */
  allReports: () => Promise<AllReports>
  /** Asks `main` whether a password may be checked. After `go`, `end` must be called. */
  beginTurn: (question: PasswordQuestion) => Promise<TurnAnswer & { end: (outcome: TryOutcome) => void }>
  /** Has the other fronts of this machine catch up. Resolves in bounded time. */
  catchUpOthers: () => Promise<void>
}

const askTimeoutMs = 1_900
const aliveMs = 1_000
/** `main` waits for checks of the same network, for a new network and for a turn, 2 s each. */
const turnTimeoutMs = 7_000
/** Longer than `main` waits for the other fronts. */
const catchUpTimeoutMs = roundMsMax + 200

/** Connects this process to `main`: sets its title, and stops on request or without `main`. */
export function joinMain(role: Role, log: Log, parts: ChildParts): Child {
  process.title = `everscan ${role}`
  const questions = new Questions()
  const stop = stopOnce(log, parts)
  let started = false

  // A terminal sends SIGINT to the whole group, but `main` decides the order of stopping.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('disconnect', () => stop('main is gone'))
  // `main` may have ended while this process was starting, before the listener was added.
  setImmediate(() => {
    if (isOrphan()) stop('main is gone')
  })
  process.on('message', (message: ToChild) => {
    switch (message.type) {
      case 'stop':
        return stop('main stops')
      case 'started':
        started = true
        return
      case 'report':
        return sendReport(message.id, log, parts)
      case 'catchUp':
        return void parts.catchUp?.().finally(() => send({ type: 'caughtUp', id: message.id }))
      case 'allReports':
      case 'turn':
      case 'othersCaughtUp':
        return questions.take(message)
      case 'upgrade':
      case 'prepared':
      // For fronts that wait: see waiting-front.ts.
    }
  })

  reportAlive()
  if (parts.catchUp !== undefined) send({ type: 'follows' })
  return {
    beginTurn: (question) => questions.beginTurn(question),
    catchUpOthers: sharedRounds(() => questions.beginRound()),
    ready: () => send({ type: 'ready' }),
    sleep: () => {
      send({ type: 'sleeps' })
      stop('nobody needs this process')
    },
    progress: reportProgress,
    isStarted: () => started && process.connected,
    allReports: () => questions.allReports(),
  }
}

/** Returns a function that stops the parts of this process, once, and then ends it. */
function stopOnce(log: Log, parts: ChildParts): (why: string) => void {
  let stopping = false
  return (why) => {
    if (stopping) return
    stopping = true
    log.info({ why }, 'stopping')
    parts.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }
}

function sendReport(id: number, log: Log, parts: ChildParts): void {
  parts.report().then(
    (report) => send({ type: 'report', id, report }),
    (error: unknown) => log.warn({ err: error }, 'no report'),
  )
}

type AllReports = { reports: ProcessReport[]; started: boolean }
type Answer = Extract<ToChild, { type: 'allReports' | 'turn' | 'othersCaughtUp' }>

/** The questions to `main` that wait for an answer, by their number. */
class Questions {
  readonly #reports = new Map<number, (answer: AllReports) => void>()
  readonly #turns = new Map<number, (answer: TurnAnswer) => void>()
  readonly #rounds = new Map<number, () => void>()
  #lastId = 0

  take(message: Answer): void {
    switch (message.type) {
      case 'allReports':
        this.#reports.get(message.id)?.(message)
        this.#reports.delete(message.id)
        return
      case 'turn':
        this.#turns.get(message.id)?.(message.answer)
        this.#turns.delete(message.id)
        return
      case 'othersCaughtUp':
        this.#rounds.get(message.id)?.()
    }
  }

  beginTurn(question: PasswordQuestion): ReturnType<Child['beginTurn']> {
    return new Promise((resolve) => {
      const id = ++this.#lastId
      const end = (outcome: TryOutcome) => send({ type: 'endTurn', id, outcome })
      const timer = setTimeout(() => resolve({ kind: 'busy', end }), turnTimeoutMs)
      this.#turns.set(id, (answer) => {
        // A turn that comes too late has no other end.
        if (performance.now() - fromMs >= turnTimeoutMs && answer.kind === 'go') end('unchecked')
        clearTimeout(timer)
        resolve({ ...answer, end })
      })
      const fromMs = performance.now()
      send({ type: 'beginTurn', id, question })
    })
  }

  beginRound(): Promise<void> {
    return new Promise((resolve) => {
      if (!process.connected) return resolve()
      const id = ++this.#lastId
      const end = (): void => {
        clearTimeout(timer)
        this.#rounds.delete(id)
        resolve()
      }
      const timer = setTimeout(end, catchUpTimeoutMs)
      this.#rounds.set(id, end)
      send({ type: 'catchUpOthers', id })
    })
  }

  allReports(): Promise<AllReports> {
    return new Promise((resolve, reject) => {
      if (!process.connected) return reject(new Error('main is gone'))
      const id = ++this.#lastId
      const timer = setTimeout(() => {
        this.#reports.delete(id)
        reject(new Error('main did not answer'))
      }, askTimeoutMs)
      this.#reports.set(id, (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      send({ type: 'allReports', id })
    })
  }
}

/**
 * Reports from the event loop, so that a process with a blocked loop is silent. Sends one message
 * at a time, because a `main` that hangs reads none.
 */
function reportAlive(): void {
  let isUnderWay = false
  setInterval(() => {
    if (isUnderWay || !process.connected) return
    isUnderWay = true
    process.send?.({ type: 'alive' } satisfies ToMain, undefined, undefined, () => {
      isUnderWay = false
    })
  }, aliveMs).unref()
}

/**
 * Tells `main` that a start or a migration made progress. Works within synchronous work, too: the
 * message leaves at once. `upgrade` says how far the upgrade of an existing catalogue is.
 */
export function reportProgress(upgrade?: Problem): void {
  send({ type: 'progress', ...(upgrade !== undefined && { upgrade }) })
}

/** Whether the parent is gone; always false for a process that was started by hand. */
export function isOrphan(): boolean {
  return process.send !== undefined && !process.connected
}

function send(message: ToMain): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}
