import type { ServerResponse } from 'node:http'
import { frontError } from './front-errors.ts'

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
