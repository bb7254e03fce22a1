import { createHmac, randomBytes } from 'node:crypto'

const secretPrefix = 'whsec_'
const secretBytesMin = 24
const secretBytesMax = 64

/** A secret of our own making: 32 random bytes. */
export function createWebhookSecret(): string {
  return secretPrefix + randomBytes(32).toString('base64')
}

/** Why a text is no secret, beyond what its pattern says; undefined when it is one. */
export function webhookSecretProblem(secret: string): string | undefined {
  const text = secret.slice(secretPrefix.length)
  const bytes = Buffer.from(text, 'base64')
  // Written back, so that no other reader of base64 can make other bytes of it.
  if (bytes.toString('base64') !== text) return 'must be "whsec_" and base64 with its padding'
  const { length } = bytes
  return length >= secretBytesMin && length <= secretBytesMax
    ? undefined
    : `must have ${secretBytesMin} to ${secretBytesMax} bytes, got ${length}`
}

/** The headers that sign a call, once with each secret: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
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
