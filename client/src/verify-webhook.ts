import type { Event } from '@everscan/contract/resources/events.ts'

/** The call is not from the service, was changed on the way, or is old: answer 400, do nothing. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
  }
}

/** The headers of a request: from `fetch`, from Node, or a plain object with lower-case names. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const toleranceSeconds = 5 * 60

/**
 * Verifies that a webhook call comes from the service, and returns its event. `body` is the raw
 * body, byte for byte, before any parser. If there are several secrets, one of them must have
 * signed. Rejects with a WebhookVerificationError, also if the timestamp is more than five minutes
 * in the past or future. Source: the Standard Webhooks specification.
 *
 * @example
 * const event = await verifyWebhook(secret, request.headers, await request.text())
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array,
): Promise<Event> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('The header webhook-timestamp must be a time in seconds.')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The call was signed more than five minutes in the past or future.')
  const encoder = new TextEncoder()
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const head = encoder.encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + bytes.length)
  signed.set(head)
  signed.set(bytes, head.length)
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret)
    for (const one of signatures.split(' ')) {
      const signature = one.startsWith('v1,') ? bytesOf(one.slice(3)) : undefined
      // `verify` takes constant time, wherever the first difference is.
      if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return JSON.parse(new TextDecoder().decode(bytes)) as Event
    }
  }
  throw new WebhookVerificationError('The call is not signed with this secret.')
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError('The secret of a webhook must be "whsec_" and base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Undefined unless the text is canonical base64, so that each signature has one spelling. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const text = atob(base64)
    return btoa(text) === base64 ? Uint8Array.from(text, (char) => char.charCodeAt(0)) : undefined
  } catch {
    return undefined
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '')
    throw new WebhookVerificationError(`The header ${name} is missing.`)
  return value
}
