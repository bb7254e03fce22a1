import { createHmac, timingSafeEqual } from 'crypto'

const toleranceSeconds = 5 * 60

/** The parts of a call that its signature covers. Names of headers are in lower case. */
export type SignedCall = {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body byte for byte, before any parser. */
  body: Buffer | string
}

/**
 * Whether a call is signed with a secret (`whsec_` and base64), at most five minutes ago. Source:
 * the Standard Webhooks specification.
 */
export function isSigned({ headers, body }: SignedCall, secret: string, nowMs = Date.now()): boolean {
  const id = String(headers['webhook-id'] ?? '')
  const timestamp = String(headers['webhook-timestamp'] ?? '')
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (key.length === 0) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => Buffer.from(one.slice(3), 'base64'))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected))
}
