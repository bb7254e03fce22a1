import type { ServerResponse } from 'node:http'
import { statusPhrases, type ErrorCode } from '@everscan/contract/schema/errors.ts'
import { createId } from '../ids.ts'

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

export const notNow = 'The service is starting or overloaded; try again in a moment.'
export const tooLate =
  'The service did not answer in time. A change may have been made all the same: look before you try again.'

/** Answers 503. A response whose head was already sent is aborted. */
export function sendUnavailable(response: ServerResponse, message: string): void {
  if (response.headersSent) return void response.destroy()
  const { headers, body } = frontError(503, 'UNAVAILABLE', message)
  response.writeHead(503, [...headers, 'Retry-After', '1'])
  response.end(body)
}
