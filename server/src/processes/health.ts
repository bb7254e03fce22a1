import type { ErrorCode } from '@everscan/contract/schema/errors.ts'
import type { Readiness } from '@everscan/contract/resources/health.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createId } from '../ids.ts'
import type { Child } from './child.ts'
import { mayReadDetails, type DetailsAccess } from './details-access.ts'
import type { Metric, Part, ProcessReport } from './messages.ts'
import { metricsText } from './metrics.ts'
import { probeHeader, type Probe } from './probe.ts'

type Parts = NonNullable<Readiness['parts']>
/** What every process says, and whether the service's start is complete. */
type Collected = { reports: readonly ProcessReport[]; started: boolean }
type OwnPath = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** However many ask, the processes are asked once in this time. */
const keptMs = 1_000

/** What `/readyz` says. A process that is down or does not answer is a part that is down. */
export function readinessOf(
  reports: readonly ProcessReport[],
  started: boolean,
): Required<Pick<Readiness, 'status' | 'parts'>> {
  const parts: Parts = {}
  for (const { process, report, problem } of reports) {
    const detail = report === undefined ? problem : undefined
    add(parts, { name: process, ok: report !== undefined, ...(detail !== undefined && { detail }) })
    for (const part of report?.parts ?? []) add(parts, part)
  }
  const allUp = Object.values(parts).every((part) => part.ok)
  return { status: !started ? 'starting' : allUp ? 'ready' : 'degraded', parts }
}

/** A part that two processes see is up when both say so. */
function add(parts: Parts, { name, ...state }: Part): void {
  if (parts[name]?.ok !== false) parts[name] = state
}

type HealthOptions = {
  child: Pick<Child, 'allReports' | 'isStarted'>
  /** The report of this process, which needs no other: all there is while `main` hangs. */
  own: () => Promise<ProcessReport>
  access: DetailsAccess
  probe: Probe
}

/**
 * The answers of the front's own paths. Ready is 200 also while degraded, or while `main` hangs: a load balancer that took the machine away
 * then would stop redirects that work (see docs/adr). Only before the first time that all parts are up it is 503.
 */
export function healthPaths({ child, own, access, probe }: HealthOptions): Record<string, OwnPath> {
  const collect = keepBriefly(async (): Promise<Collected> => {
    try {
      return await child.allReports()
    } catch {
      const main = { process: 'main', report: undefined, problem: 'does not answer' }
      return { reports: [main, await own()], started: child.isStarted() }
    }
  })
  return {
    '/healthz': async (request, response) => {
      const answer = probe.answer(request.headers, request.socket.remoteAddress ?? '')
      sendJson(response, 200, { status: 'ok' }, answer === undefined ? {} : { [probeHeader]: answer })
    },
    '/readyz': async (request, response) => {
      const { reports, started } = await collect()
      const readiness = readinessOf(reports, started)
      const { status } = readiness
      const shown = mayReadDetails(request, access) ? readiness : { status }
      sendJson(response, status === 'starting' ? 503 : 200, shown)
    },
    '/metrics': async (request, response) => {
      if (!mayReadDetails(request, access)) return refuse(response, access)
      const { reports, started } = await collect()
      const metrics = reports.flatMap(({ report }) => (report === undefined ? [] : [report.metrics]))
      const text = await metricsText([...metrics, [partsMetric(reports, started)]])
      send(response, 200, text, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
    },
  }
}

/** Callers at the same time, and those of the next second, share what is collected; during a start nothing is kept. */
function keepBriefly(collect: () => Promise<Collected>): () => Promise<Collected> {
  let kept: { value: Collected; untilMs: number } | undefined
  let underWay: Promise<Collected> | undefined
  const collectOnce = async (): Promise<Collected> => {
    try {
      const value = await collect()
      kept = value.started ? { value, untilMs: performance.now() + keptMs } : undefined
      return value
    } finally {
      underWay = undefined
    }
  }
  return async () => {
    if (kept !== undefined && performance.now() < kept.untilMs) return kept.value
    underWay ??= collectOnce()
    return underWay
  }
}

function partsMetric(reports: readonly ProcessReport[], started: boolean): Metric {
  const { parts } = readinessOf(reports, started)
  const values = Object.entries(parts).map(([part, { ok }]) => ({ value: ok ? 1 : 0, labels: { part } }))
  const help = 'Whether a part of the service is up, as /readyz says it'
  return { name: 'everscan_part_up', help, type: 'gauge', aggregator: 'sum', values }
}

/** What a caller who may not read the metrics gets: 401 where a token would open, 403 where there is none. */
const needsToken = {
  statusCode: 401,
  message: 'Metrics need the METRICS_TOKEN of this installation: Authorization: Bearer <token>.',
  error: 'Unauthorized',
  code: 'UNAUTHORIZED' satisfies ErrorCode,
}
const isFarAway = {
  statusCode: 403,
  message:
    'Metrics are for loopback and private addresses that come through no proxy. Set METRICS_TOKEN to read them from others.',
  error: 'Forbidden',
  code: 'FORBIDDEN' satisfies ErrorCode,
}

function refuse(response: ServerResponse, { token }: DetailsAccess): void {
  const refusal = token === undefined ? isFarAway : needsToken
  const requestId = createId('req')
  sendJson(
    response,
    refusal.statusCode,
    { ...refusal, requestId },
    {
      'X-Request-Id': requestId,
      ...(refusal === needsToken && { 'WWW-Authenticate': 'Bearer' }),
    },
  )
}

function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(response, status, JSON.stringify(value), {
    'Content-Type': 'application/json; charset=utf-8',
    ...headers,
  })
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  const body = Buffer.from(text)
  response.writeHead(status, {
    ...headers,
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(body)
}
