import type { ServerResponse } from 'node:http'
import { createId } from '../ids.ts'

export const notNow = 'The service is starting or overloaded; try again in a moment.'
export const tooLate =
  'The service did not answer in time. A change may have been made all the same: look before you try again.'

/** Answers 503. A response whose head was already sent is aborted. */
export function sendUnavailable(response: ServerResponse, message: string): void {
  if (response.headersSent) return void response.destroy()
  const requestId = createId('req')
  const body = Buffer.from(
    JSON.stringify({
      statusCode: 503,
      message,
      error: 'Service Unavailable',
      code: 'UNAVAILABLE',
      requestId,
    }),
  )
  response.writeHead(503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'Retry-After': '1',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  })
  response.end(body)
}
