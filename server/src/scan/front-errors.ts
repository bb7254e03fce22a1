import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { statusPhrases, type ErrorCode } from '@everscan/contract/schema/errors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { createId } from '../ids.ts'
import { prepareHead } from './prepared-head.ts'
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
  400: ['VALIDATION_ERROR', 'The request is not valid HTTP.'],
  405: ['METHOD_NOT_ALLOWED', `The service accepts ${allowedMethods} and no other method.`],
  408: [
    'REQUEST_TIMEOUT',
    `The request took too long to arrive. A body has ${limits.bodySecondsMax} s; a file has longer while it comes at ${limits.uploadBytesPerSecondMin / 1024} KiB/s or more.`,
  ],
  417: ['EXPECTATION_FAILED', 'The service meets no expectation of the header Expect but 100-continue.'],
  431: ['HEADERS_TOO_LARGE', `The head of the request must have at most ${limits.headBytesMax / 1024} KiB.`],
} as const satisfies Record<number, readonly [ErrorCode, string]>

/** A refusal by its status. Without a message or methods it has those of the status. */
export type FrontRefusal = {
  status: keyof typeof refusals
  message?: string
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
  message: string,
): { headers: string[]; body: Buffer } {
  const requestId = createId('req')
  const error = statusPhrases[statusCode] ?? 'Error'
  const body = Buffer.from(JSON.stringify({ statusCode, message, error, code, requestId }))
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

function refusalParts({ status, message, methods = allowedMethods }: FrontRefusal, siteHeaders: SiteHeaders) {
  const [code, usual] = refusals[status]
  const { headers, body } = frontError(status, code, message ?? usual)
  const allow = status === 405 ? ['Allow', methods] : []
  return { headers: ['Connection', 'close', ...allow, ...headers, ...siteHeaders], body }
}

export const notNow = 'The service is starting or overloaded; try again in a moment.'
export const tooLate =
  'The service did not answer in time. A change may have been made all the same: look before you try again.'

/** Answers 503. A response whose head was already sent is aborted. */
export function sendUnavailable(response: ServerResponse, message: string, retryAfterSeconds = 1): void {
  if (response.headersSent) return void response.destroy()
  const { headers, body } = frontError(503, 'UNAVAILABLE', message)
  response.writeHead(503, [...headers, 'Retry-After', String(retryAfterSeconds)])
  response.end(body)
}
