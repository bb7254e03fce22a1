import type { ErrorCode } from '@everscan/contract/schema/errors.ts'
import type { Readiness } from '@everscan/contract/resources/health.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createId } from '../ids.ts'
import type { Child } from './child.ts'
import { mayReadDetails, type DetailsAccess } from './details-access.ts'
import { judgePart, presentProblems, type Part } from '../problems/parts.ts'
import { labelledMetrics, type Metric, type ProcessReport } from './messages.ts'
import { metricsText } from './metrics.ts'
import { probeHeader, type Probe } from './probe.ts'

type Parts = NonNullable<Readiness['parts']>
/** The reports of all processes, and whether the start of the service is complete. */
type Collected = { reports: readonly ProcessReport[]; started: boolean }
type PathHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** The processes are asked at most once in this time, for any number of requests. */
const cacheMs = 1_000

/** Returns the content of `/readyz`. A process that does not answer is a part that is down. */
export function readinessOf(
  reports: readonly ProcessReport[],
  started: boolean,
): Required<Pick<Readiness, 'status' | 'parts'>> {
  const parts: Parts = {}
  for (const one of reports) {
    add(parts, processPart(one))
    for (const part of one.report?.parts ?? []) add(parts, part)
  }
  const allUp = Object.values(parts).every((part) => part.ok)
  return { status: !started ? 'starting' : allUp ? 'ready' : 'degraded', parts }
}

function processPart(one: ProcessReport): Part {
  const { process: name } = one
  if (one.report !== undefined) return { name, ok: true }
  const { isReady, silentMs } = one
  return judgePart('process', { isReady, answers: false, silentMs }, { name })
}

/** Adds a part. If two processes report it, it is up only if both say so. */
function add(parts: Parts, { name, ...state }: Part): void {
  if (parts[name]?.ok !== false) parts[name] = state
}

type ReportSources = {
  child: Pick<Child, 'allReports' | 'isStarted'>
  /** Returns the report of this process, which is the only one available while `main` hangs. */
  ownReport: () => Promise<ProcessReport>
}

/** Asks `main` for the reports of all processes. While it hangs, that is a problem of its own. */
export async function collectReports({ child, ownReport }: ReportSources): Promise<Collected> {
  try {
    return await child.allReports()
  } catch {
    const main = { process: 'main', report: undefined, isReady: true, silentMs: 0 }
    return { reports: [main, await ownReport()], started: child.isStarted() }
  }
}

type HealthOptions = ReportSources & {
  access: DetailsAccess
  probe: Pick<Probe, 'answer'>
}

/**
 * Returns the handlers of the front's own paths. `/readyz` is 503 only until all parts were up
 * once. Afterwards it is 200, even while degraded or while `main` hangs: if a load balancer removed
 * the machine then, redirects that work would stop (see docs/adr).
 */
export function healthPaths({ child, ownReport, access, probe }: HealthOptions): Record<string, PathHandler> {
  const collect = cacheBriefly(() => collectReports({ child, ownReport }))
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
      const text = await metricsText([...metrics, partsMetrics(readinessOf(reports, started))])
      send(response, 200, text, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
    },
  }
}

/**
 * Returns the handlers that say under every host name whether the service is up, without any
 * details: a domain is asked by strangers.
 */
export function statusPaths(options: Omit<HealthOptions, 'access'>): Record<string, PathHandler> {
  const all = healthPaths({ ...options, access: { token: undefined, requireToken: true } })
  return Object.fromEntries(['/healthz', '/readyz'].flatMap((path) => [[path, all[path] as PathHandler]]))
}

/**
 * Shares one collection between concurrent requests and those of the next second. During a start,
 * nothing is cached.
 */
function cacheBriefly(collect: () => Promise<Collected>): () => Promise<Collected> {
  let cached: { value: Collected; untilMs: number } | undefined
  let underWay: Promise<Collected> | undefined
  const collectOnce = async (): Promise<Collected> => {
    try {
      const value = await collect()
      cached = value.started ? { value, untilMs: performance.now() + cacheMs } : undefined
      return value
    } finally {
      underWay = undefined
    }
  }
  return async () => {
    if (cached !== undefined && performance.now() < cached.untilMs) return cached.value
    underWay ??= collectOnce()
    return underWay
  }
}

function partsMetrics({ parts }: ReturnType<typeof readinessOf>): Metric[] {
  return labelledMetrics({
    part_up: [
      'Whether a part of the service is up, as in /readyz',
      () => Object.entries(parts).map(([part, { ok }]) => [{ part }, ok ? 1 : 0]),
    ],
    problem: [
      'Problems of parts, by the names that they have in /readyz: always 1',
      () => presentProblems(parts).map(({ part, severity, problem: name }) => [{ name, part, severity }, 1]),
    ],
  })
}

/** The answers to a client that may not read the metrics: 401 if a token is set, 403 if none is. */
const needsToken = {
  statusCode: 401,
  message: 'Metrics need the METRICS_TOKEN of this installation: Authorization: Bearer <token>.',
  error: 'Unauthorized',
  code: 'UNAUTHORIZED' satisfies ErrorCode,
}
const notNear = {
  statusCode: 403,
  message:
    'Metrics are for loopback and private addresses that come through no proxy. Set METRICS_TOKEN to read them from others.',
  error: 'Forbidden',
  code: 'FORBIDDEN' satisfies ErrorCode,
}

function refuse(response: ServerResponse, { token }: DetailsAccess): void {
  const refusal = token === undefined ? notNear : needsToken
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
