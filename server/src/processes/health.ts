import type { ServerResponse } from 'node:http'
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Child } from './child.ts'
import type { Metrics, Part, ProcessReport } from './messages.ts'

export type Readiness = {
  /** `starting` until all parts were up once; `degraded` while one is down and the rest goes on. */
  status: 'starting' | 'ready' | 'degraded'
  parts: Record<string, { ok: boolean; detail?: string }>
}

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
async function metricsText(metrics: readonly Metrics[]): Promise<string> {
  return AggregatorRegistry.aggregate([...metrics]).metrics()
}

export type OwnMetrics = {
  registry: Registry
  /** A figure that is read when it is asked for; names end in `_total` when it only grows. */
  gauge: (name: string, help: string, read: () => number) => void
  collect: () => Promise<Metrics>
}

/** The metrics of this process: Node's own and what is added. */
export function createMetrics(processName: string): OwnMetrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process: processName })
  collectDefaultMetrics({ register: registry, prefix: 'everscan_' })
  return {
    registry,
    gauge: (name, help, read) => {
      void new Gauge({
        name: `everscan_${name}`,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
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
