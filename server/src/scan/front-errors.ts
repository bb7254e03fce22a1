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
