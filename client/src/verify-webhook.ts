import type { Event } from '@everscan/contract/resources/events.ts'

/** A call that is not the service's, was changed on its way, or is old: answer it with 400 and do nothing. */
export class WebhookVerificationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WebhookVerificationError'
  }
}

/** The headers of a request: of `fetch`, of Node, or a plain object with names in lower case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const toleranceSeconds = 5 * 60

/**
 * Checks that a call of a webhook is the service's own, and gives its event. `body` is what came, byte for byte, before any parser; with several
 * secrets one of them must have signed. Rejects with a WebhookVerificationError, also when the call was signed more than five
 * minutes ago or ahead. Source: the Standard Webhooks specification.
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
    throw new WebhookVerificationError('The header webhook-timestamp is no time.')
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookVerificationError('The call was signed more than five minutes ago, or ahead.')
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
      // `verify` takes the same time wherever the first difference is.
      if (signature !== undefined && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return JSON.parse(new TextDecoder().decode(bytes)) as Event
    }
  }
  throw new WebhookVerificationError('The call is not signed with this secret.')
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (bytes === undefined || bytes.length === 0)
    throw new TypeError('The secret of a webhook is "whsec_" and base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Undefined: no base64 as the service writes it. Written back, so that one signature has one spelling. */
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
