import type { Log } from '../log.ts'
import type { ProcessReport, Report, Role, ToChild, ToMain } from './messages.ts'

export type ChildParts = {
  /** What this process says of itself; must answer within a second. */
  report: () => Promise<Report>
  /** Ends everything in order: nothing accepted is dropped, everything is flushed. */
  stop: () => Promise<void>
}

export type Child = {
  /** Tells `main` that this process does its work now. */
  ready: () => void
  /** Tells `main` that the start got a step further: without that for 5 min it is ended. */
  progress: () => void
  /** Whether this process was told that the service's start is complete; never once `main` is gone, as this process then ends too. */
  isStarted: () => boolean
  /** The reports of all processes, through `main`; `started` once all of them were ready. */
  allReports: () => Promise<{ reports: ProcessReport[]; started: boolean }>
}

const askTimeoutMs = 1_900
const aliveMs = 1_000

/** Joins this process to `main`: title, stop messages, and its own end when its parent is gone. */
export function joinMain(role: Role, log: Log, parts: ChildParts): Child {
  process.title = `everscan ${role}`
  const asked = new Map<number, (answer: { reports: ProcessReport[]; started: boolean }) => void>()
  let lastId = 0
  let stopping = false
  let started = false

  const stop = (why: string): void => {
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

  // A terminal sends SIGINT to the whole group; the order of stopping is the parent's.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('disconnect', () => stop('main is gone'))
  // It may have gone while this process was starting: that event came before anybody listened.
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
        return void parts.report().then(
          (report) => send({ type: 'report', id: message.id, report }),
          (error: unknown) => log.warn({ err: error }, 'no report'),
        )
      case 'allReports':
        asked.get(message.id)?.(message)
        asked.delete(message.id)
    }
  })

  reportAlive()

  return {
    ready: () => send({ type: 'ready' }),
    progress: reportProgress,
    isStarted: () => started && process.connected,
    allReports: () =>
      new Promise((resolve, reject) => {
        if (!process.connected) return reject(new Error('main is gone'))
        const id = ++lastId
        const timer = setTimeout(() => {
          asked.delete(id)
          reject(new Error('main did not answer'))
        }, askTimeoutMs)
        asked.set(id, (answer) => {
          clearTimeout(timer)
          resolve(answer)
        })
        send({ type: 'allReports', id })
      }),
  }
}

/** From the event loop, so that a process whose loop does not turn is silent. One at a time: a `main` that hangs takes none of them. */
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

/** Tells `main` that a start, or a migration, got a step further. Also out of synchronous work: the message leaves at once. */
export function reportProgress(): void {
  send({ type: 'progress' })
}

/** Whether the parent is gone; never true of a process that was started by hand. */
export function isOrphan(): boolean {
  return process.send !== undefined && !process.connected
}

function send(message: ToMain): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}
