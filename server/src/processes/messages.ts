import type { MetricObjectWithValues, MetricValue } from 'prom-client'

/** The kinds of process, in the order in which they are stopped. */
export const roles = ['front', 'api', 'worker', 'engine'] as const
export type Role = (typeof roles)[number]

/** A part of the service as one process sees it, shown by `/readyz`. */
export type Part = { name: string; ok: boolean; detail?: string }
export type Metrics = MetricObjectWithValues<MetricValue<string>>[]
/** What a process says of itself when asked. */
export type Report = { parts: Part[]; metrics: Metrics }
/** The report of each process, or none from one that is down or did not answer in time. */
export type ProcessReport = { process: string; report: Report | undefined }

export type ToChild =
  | { type: 'stop' }
  | { type: 'report'; id: number }
  | { type: 'allReports'; id: number; reports: ProcessReport[]; started: boolean }
export type ToMain =
  | { type: 'ready' }
  | { type: 'report'; id: number; report: Report }
  | { type: 'allReports'; id: number }

/** A child that ends with this code must not be started again: its message says what a person has to mend. */
export const fatalExitCode = 78
