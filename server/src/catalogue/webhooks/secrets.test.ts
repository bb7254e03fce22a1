import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook, WebhookVerificationError } from '@everscan/client/create-client.ts'
import { Webhook } from 'standardwebhooks'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { createWebhookSecret, signatureHeaders } from './secrets.ts'

const body = JSON.stringify({ id: 'evt_1', event: 'qr.created', data: { name: 'Müller 👍🏽' } })
const sign = (secrets: readonly string[], nowMs = Date.now()) =>
  signatureHeaders(secrets, { id: 'evt_1', body, nowMs })

test('our signatures are accepted by the verifier of the Standard Webhooks package and by our client', async () => {
  for (let count = 0; count < 100; count++) {
    const secrets = [createWebhookSecret(), createWebhookSecret()]
    const headers = sign(secrets)
    for (const secret of secrets) {
      assert.deepEqual(new Webhook(secret).verify(body, headers), JSON.parse(body))
      assert.deepEqual(await verifyWebhook(secret, headers, body), JSON.parse(body))
    }
    assert.deepEqual(await verifyWebhook(secrets, new Headers(headers), Buffer.from(body)), JSON.parse(body))
    const [secret = ''] = secrets
    // Uses the second in `headers`, because the clock may have moved on.
    const signedAt = new Date(Number(headers['webhook-timestamp']) * 1000)
    const theirs = new Webhook(secret).sign('evt_1', signedAt, body)
    await verifyWebhook(secret, { ...headers, 'webhook-signature': theirs }, body)
  }
})

test('both verifiers reject 10,000 mutations of a call', async () => {
  const random = seededRandom()
  const below = (count: number): number => Math.floor(random() * count)
  const secret = createWebhookSecret()
  const headers = sign([secret])
  const standard = new Webhook(secret)
  const assertRejected = async (
    changed: Record<string, string>,
    text: string,
    what: string,
  ): Promise<void> => {
    await assert.rejects(verifyWebhook(secret, changed, text), WebhookVerificationError, what)
    assert.throws(() => standard.verify(text, changed), what)
  }
  for (let count = 0; count < 10_000; count++) {
    const changed: Record<string, string> = { ...headers }
    let text = body
    const place = ['body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'][count % 4] ?? ''
    const before = place === 'body' ? body : (changed[place] ?? '')
    let after = before
    while (after === before || isEquivalent(before, after)) after = mutated(before, below)
    if (place === 'body') text = after
    else changed[place] = after
    await assertRejected(changed, text, `${place}: ${after}`)
  }
  await assertRejected(sign([createWebhookSecret()]), body, 'another secret')
  for (const ageSeconds of [-301, 301, 86_400])
    await assertRejected(sign([secret], Date.now() - ageSeconds * 1000), body, `signed ${ageSeconds} s ago`)
  for (const name of Object.keys(headers)) {
    const { [name]: _, ...rest } = headers as Record<string, string>
    await assertRejected(rest, body, `without ${name}`)
  }
})

/**
 * Whether the package accepts a mutation by design: a time with text around its digits, or a
 * signature with another beside it.
 */
function isEquivalent(before: string, after: string): boolean {
  return after.split(' ').includes(before) || Number.parseInt(after, 10) === Number(before)
}

/** Adds, removes or replaces one character. */
function mutated(text: string, below: (count: number) => number): string {
  const chars = Array.from(text)
  const at = below(chars.length)
  const other = 'abcXYZ0189+/=,v {}"'.charAt(below(19))
  const kind = below(3)
  chars.splice(at, kind === 1 ? 0 : 1, ...(kind === 0 ? [] : [other]))
  return chars.join('')
}
