import type { Readiness } from '@everscan/contract/health.ts'
import type { ServerResponse } from 'node:http'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Child } from './child.ts'
import type { Metrics, Part, ProcessReport } from './messages.ts'

/** What `/readyz` says. A process that is down or does not answer is a part that is down. */
export function readinessOf(reports: readonly ProcessReport[], started: boolean): Readiness {
  const parts: Readiness['parts'] = {}
  for (const { process, report } of reports) {
    add(parts, { name: process, ok: report !== undefined })
    for (const part of report?.parts ?? []) add(parts, part)
  }
  const allUp = Object.values(parts).every((part) => part.ok)
  return { status: !started ? 'starting' : allUp ? 'ready' : 'degraded', parts }
}

/** A part that two processes see is up when both say so. */
function add(parts: Readiness['parts'], { name, ...state }: Part): void {
  if (parts[name]?.ok !== false) parts[name] = state
}

/**
 * The answers of the front's own paths. Ready is 200 also while degraded: a load balancer that took the machine away
 * then would stop redirects that work (see docs/adr). Only before the first time that all parts are up it is 503.
 */
export function healthPaths(
  child: Pick<Child, 'allReports'>,
): Record<string, (response: ServerResponse) => Promise<void>> {
  return {
    '/healthz': async (response) => sendJson(response, 200, { status: 'ok' }),
    '/readyz': async (response) => {
      try {
        const { reports, started } = await child.allReports()
        const readiness = readinessOf(reports, started)
        sendJson(response, readiness.status === 'starting' ? 503 : 200, readiness)
      } catch {
        sendJson(response, 503, { status: 'starting', parts: { main: { ok: false } } })
      }
    },
    '/metrics': async (response) => {
      const reports = await child.allReports().then(
        (all) => all.reports,
        () => [],
      )
      const metrics = reports.flatMap(({ report }) => (report === undefined ? [] : [report.metrics]))
      send(response, 200, 'text/plain; version=0.0.4; charset=utf-8', await metricsText(metrics))
    },
  }
}

/** One text of the metrics of all processes, each with its own `process` label. */
export async function metricsText(metrics: readonly Metrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...metrics]).metrics()
}

export type OwnMetrics = {
  /** Figures that are read when they are asked for, by name: help and reader. Names end in `_total` when they only grow. */
  figures: (figures: Readonly<Record<string, readonly [help: string, read: () => number]>>) => void
  /** Takes the answers of the API as a histogram by method, route and status. */
  requestDurations: () => (answer: { method: string; route: string; status: number; seconds: number }) => void
  collect: () => Promise<Metrics>
}

/** The metrics of this process: Node's own and what is added. */
export function createMetrics(processName: string): OwnMetrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process: processName })
  collectDefaultMetrics({ register: registry, prefix: 'everscan_' })
  return {
    figures: (figures) => {
      for (const [name, [help, read]] of Object.entries(figures)) {
        const settings = { name: `everscan_${name}`, help, registers: [registry] }
        if (name.endsWith('_total'))
          void new Counter({
            ...settings,
            collect() {
              this.reset()
              this.inc(read())
            },
          })
        else
          void new Gauge({
            ...settings,
            collect() {
              this.set(read())
            },
          })
      }
    },
    requestDurations: () => {
      const histogram = new Histogram({
        name: 'everscan_api_request_seconds',
        help: 'Time to answer a request of the REST interface',
        labelNames: ['method', 'route', 'status'],
        buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
        registers: [registry],
      })
      return ({ method, route, status, seconds }) => histogram.observe({ method, route, status }, seconds)
    },
    collect: () => registry.getMetricsAsJSON(),
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value))
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  const body = Buffer.from(text)
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(body)
}
