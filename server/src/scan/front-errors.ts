import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { statusPhrases, type ErrorCode } from '@everscan/contract/schema/errors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { createId } from '../ids.ts'
import { prepareHead } from './internals/prepared-head.ts'
import type { SiteHeaders } from './site-headers.ts'

/** Methods that the API may accept. The front refuses all others: no path has them. */
export const forwardedMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])
export const allowedMethods = [...forwardedMethods].join(', ')

/** Errors of the head of a request, by status. */
const refusals = {
  400: ['VALIDATION_ERROR', problem('requestNotHttp')],
  405: ['METHOD_NOT_ALLOWED', problem('methodNotServed', { allowed: allowedMethods })],
  408: [
    'REQUEST_TIMEOUT',
    problem('requestTooSlow', {
      seconds: limits.bodySecondsMax,
      rate: limits.uploadBytesPerSecondMin / 1024,
    }),
  ],
  417: ['EXPECTATION_FAILED', problem('expectationNotMet')],
  431: ['HEADERS_TOO_LARGE', problem('headTooLarge', { max: limits.headBytesMax / 1024 })],
} as const satisfies Record<number, readonly [ErrorCode, Problem]>

/** A refusal by its status. Without a problem or methods it has those of the status. */
export type FrontRefusal = {
  status: keyof typeof refusals
  found?: Problem
  /** For 405: the methods that the path accepts. */
  methods?: string
}

/**
 * Returns the head and body of an error that the front itself finds, in the form of the API's
 * errors.
 */
export function frontError(
  statusCode: number,
  code: ErrorCode,
  { message, problem: name, values }: Problem,
): { headers: string[]; body: Buffer } {
  const requestId = createId('req')
  const error = statusPhrases[statusCode] ?? 'Error'
  const body = Buffer.from(
    JSON.stringify({ statusCode, message, error, code, problem: name, values, requestId }),
  )
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  }
  return { headers: Object.entries(headers).flat(), body }
}

/** Refuses a request and closes its connection, which may hold the rest of the request. */
export function refuse(response: ServerResponse, refusal: FrontRefusal, siteHeaders: SiteHeaders): void {
  const { headers, body } = refusalParts(refusal, siteHeaders)
  response.writeHead(refusal.status, headers)
  response.end(body)
}

/** Refuses a request that has no response yet, and ends its connection. */
export function refuseSocket(socket: Duplex, refusal: FrontRefusal, siteHeaders: SiteHeaders): void {
  const { headers, body } = refusalParts(refusal, siteHeaders)
  const head = prepareHead(refusal.status, headers)
  socket.end(Buffer.concat([Buffer.from(`${head}\r\n`), body]))
}

/**
 * Answers a request that Node's parser refused with the parser's reason, then closes the
 * connection.
 */
export function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  siteHeaders: SiteHeaders,
): void {
  // After a failed handshake there is nothing to write to.
  const isHandshake = /^ERR_(?:SSL|TLS)_/.test(error.code ?? '')
  if (!socket.writable || isHandshake || error.code === 'ECONNRESET') return void socket.destroy()
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400
  refuseSocket(socket, { status }, siteHeaders)
}

function refusalParts({ status, found, methods = allowedMethods }: FrontRefusal, siteHeaders: SiteHeaders) {
  const [code, usual] = refusals[status]
  const { headers, body } = frontError(status, code, found ?? usual)
  const allow = status === 405 ? ['Allow', methods] : []
  return { headers: ['Connection', 'close', ...allow, ...headers, ...siteHeaders], body }
}

export const notNow = problem('serviceNotReady')
export const tooLate = problem('answerTooLate')

/** Answers 503. A response whose head was already sent is aborted. */
export function sendUnavailable(response: ServerResponse, found: Problem, retryAfterSeconds = 1): void {
  if (response.headersSent) return void response.destroy()
  const { headers, body } = frontError(503, 'UNAVAILABLE', found)
  response.writeHead(503, [...headers, 'Retry-After', String(retryAfterSeconds)])
  response.end(body)
}
