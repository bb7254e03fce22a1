/** The kinds of process, in the order in which they are stopped. */
export const roles = ['front', 'api', 'worker', 'engine'] as const
export type Role = (typeof roles)[number]

/** A part of the service as one process sees it, shown by `/readyz`. */
export type Part = { name: string; ok: boolean; detail?: string }
/** A metric as prom-client's registries give and take it. */
export type Metric = {
  /** Of the whole: values of a histogram have `metricName`s that begin with it. */
  name: string
  help: string
  type: 'counter' | 'gauge' | 'histogram'
  aggregator: 'sum'
  values: { value: number; labels: Readonly<Record<string, string | number>>; metricName?: string }[]
}
export type Metrics = Metric[]
/** What a process says of itself when asked. */
export type Report = { parts: Part[]; metrics: Metrics }
/** The report of each process, or none from one that is down or did not answer in time, and what is known of that. */
export type ProcessReport = { process: string; report: Report | undefined; problem?: string }

export type ToChild =
  | { type: 'stop' }
  /** All processes were ready once: this start is complete. */
  | { type: 'started' }
  | { type: 'report'; id: number }
  | { type: 'allReports'; id: number; reports: ProcessReport[]; started: boolean }
export type ToMain =
  | { type: 'ready' }
  /** The event loop turns: sent every second. */
  | { type: 'alive' }
  /** The start, or a migration, got a step further. */
  | { type: 'progress' }
  | { type: 'report'; id: number; report: Report }
  | { type: 'allReports'; id: number }

/** A child that ends with this code must not be started again: its message says what a person has to mend. */
export const fatalExitCode = 78
