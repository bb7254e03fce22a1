import type { Problem } from '@everscan/contract/problems/problem.ts'
import type { Part } from '../problems/parts.ts'
import type { TryOutcome } from '../turns/code-brake.ts'
import type { PasswordQuestion, TurnAnswer } from '../turns/code-password-turns.ts'

/** The kinds of child processes, in the order in which `main` stops them. */
export const roles = ['front', 'api', 'worker', 'engine'] as const
export type Role = (typeof roles)[number]

/** A word on the command line of a front that starts during an upgrade of the catalogue. */
export const waitingWord = 'waiting'
/** A word on the command line of an engine that may end when nobody needs it. */
export const sleepingWord = 'sleeping'

/** Has `engine` open the embedded store of releases up to 0.2. */
export const embeddedWord = 'embedded'
/** The part of `/readyz` that says how far an upgrade of the catalogue is. */
export const upgradePartName = 'catalogueUpgrade'
/** Without the table of problems, which `main` does not load, to stay small. */
export const upgradePart = ({ problem, values, message: detail }: Problem): Part => ({
  name: upgradePartName,
  ok: false,
  detail,
  problem,
  values,
})

/** A metric in the format of prom-client registries. */
export type Metric = {
  /** The name of the metric; the `metricName` of each value of a histogram begins with it. */
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  aggregator: 'sum'
  values: { value: number; labels: Readonly<Record<string, string | number>>; metricName?: string }[]
}
export type Metrics = Metric[]
/** The report of a process about itself. */
export type Report = { parts: readonly Part[]; metrics: Metrics }
/**
 * The report of a process; undefined if it is not ready or did not answer in time. `silentMs` is
 * since its last sign of life.
 */
export type ProcessReport =
  | { process: string; report: Report }
  | { process: string; report: undefined; isReady: boolean; silentMs: number }

export type ToChild =
  | { type: 'stop' }
  /** All processes were ready once, so the start is complete. */
  | { type: 'started' }
  | { type: 'report'; id: number }
  /** How far the upgrade of the catalogue is, for which a front waits. */
  | { type: 'upgrade'; told: Problem }
  /** The catalogue is ready: fronts that wait go on. */
  | { type: 'prepared' }
  /** Whether a front may check a password. */
  | { type: 'turn'; id: number; answer: TurnAnswer }
  | { type: 'allReports'; id: number; reports: ProcessReport[]; started: boolean }
  /** A front must read the changes, and say so. */
  | { type: 'catchUp'; id: number }
  /** The other fronts have caught up. */
  | { type: 'othersCaughtUp'; id: number }
export type ToMain =
  | { type: 'ready' }
  /** The process ends because nobody needs it, and is started again when somebody does. */
  | { type: 'sleeps' }
  /** Sent every second while the event loop turns. */
  | { type: 'alive' }
  /** The start or a migration made progress. `upgrade`: how far an existing catalogue is. */
  | { type: 'progress'; upgrade?: Problem }
  | { type: 'report'; id: number; report: Report }
  | { type: 'allReports'; id: number }
  /** A front wants to check a password, or has: the limits are those of the machine. */
  | { type: 'beginTurn'; id: number; question: PasswordQuestion }
  | { type: 'endTurn'; id: number; outcome: TryOutcome }
  /** A front is about to answer scans: from now on others wait until it has caught up. */
  | { type: 'follows' }
  /** A front passes on the answer to a change, which the other fronts must know before. */
  | { type: 'catchUpOthers'; id: number }
  | { type: 'caughtUp'; id: number }

/** Exit code of a child that must not be restarted: its message says what to fix. */
export const fatalExitCode = 78

/** Values of a figure with their labels. */
export type LabelledValues = readonly (readonly [
  labels: Readonly<Record<string, string>>,
  value: number | undefined,
])[]

/** Figures with labels by name. Names of figures that only grow end in `_total`. */
export type LabelledFigures = Readonly<Record<string, readonly [help: string, read: () => LabelledValues]>>

/**
 * Returns the metrics of figures with labels, in the format of prom-client, which `main` does not
 * load, to stay small. An undefined value is left out.
 */
export function labelledMetrics(figures: LabelledFigures, common: Record<string, string> = {}): Metric[] {
  return Object.entries(figures).map(([name, [help, read]]) => ({
    name: `everscan_${name}`,
    help,
    type: name.endsWith('_total') ? 'counter' : 'gauge',
    aggregator: 'sum',
    values: read().flatMap(([labels, value]) =>
      value === undefined ? [] : [{ labels: { ...labels, ...common }, value }],
    ),
  }))
}
