import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytesMin = 24
const secretBytesMax = 64

/** Returns a new secret of 32 random bytes. */
export function createWebhookSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/** Returns why a text is not a valid secret beyond its pattern, or undefined if it is valid. */
export function webhookSecretProblem(secret: string): Problem | undefined {
  const text = secret.slice(secretPrefix.length)
  const bytes = Buffer.from(text, 'base64')
  // Compares the round trip, so that no other base64 decoder can get different bytes.
  if (bytes.toString('base64') !== text) return problem('webhookSecretNotBase64')
  const { length } = bytes
  return length >= secretBytesMin && length <= secretBytesMax
    ? undefined
    : problem('webhookSecretLength', { min: secretBytesMin, max: secretBytesMax, got: length })
}

/**
 * Returns the headers that sign a call, with one signature per secret:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, body, nowMs }: { id: string; body: string; nowMs: number },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
