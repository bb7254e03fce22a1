import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { until } from '../support/service.ts'
import { assertProblem, rejection, urlCode, useInstallation, type Installation } from './installation.ts'

const perMinute = 50

/** The settings of a service that `rateRules` need. */
export const limitSettings = { RATE_LIMIT_PER_MINUTE: String(perMinute) }

/** Rules about a low limit of requests. */
export function rateRules(of: Installation): void {
  test('decisions 3: rate limit per key as configured; decisions 2: 429 RATE_LIMITED with Retry-After and RateLimit', async () => {
    const org = await of.organization()
    // If the minute ends in between, the count restarts.
    let answer = await org.send('GET', '/tags')
    for (let sent = 1; answer.status === 200 && sent <= 2 * perMinute; sent++)
      answer = await org.send('GET', '/tags')
    assertProblem(answer, [429, 'RATE_LIMITED', new RegExp(`${perMinute} requests per minute`)])
    const { headers } = answer
    assert.equal(headers.get('ratelimit-limit'), String(perMinute))
    assert.equal(headers.get('ratelimit-remaining'), '0')
    const retryAfter = Number(headers.get('retry-after'))
    assert.ok(retryAfter >= 1 && retryAfter <= 60)
    const error = await rejection(org.client.tags.list(org.orgId), 429, 'RATE_LIMITED')
    assert.equal(error.constructor.name, 'RateLimitedError')
    assert.ok((error.retryAfterMs ?? 0) >= 1000)
    // Another key has its own count.
    await (await of.organization()).client.organizations.listMine()
  })

  test('decisions 3: redirects have no rate limit', async () => {
    const org = await of.organization()
    const { shortCode } = await org.client.qrCodes.create(org.orgId, urlCode('A'))
    for (let sent = 0; sent < 3 * perMinute; sent++)
      assert.equal((await of.scan(shortCode, { 'x-api-key': org.key })).status, 302)
  })
}

/** Rules that need a low limit or a missing part: sections 2 and 3 of the decisions. */
export function limitRules(env: () => Promise<Record<string, string>>): void {
  describe('limits', () => {
    const of = useInstallation(async () => ({
      ...(await env()),
      ...limitSettings,
      WEBHOOK_ALLOW_PRIVATE: 'false',
    }))
    rateRules(of)

    test('decisions 9: private, loopback and link-local addresses are rejected on registration', async () => {
      const { client, orgId } = await of.organization()
      for (const url of ['https://127.0.0.1/', 'https://[fe80::1]/', 'https://10.1/', 'https://localhost/']) {
        const call = client.webhooks.create(orgId, { url, events: ['*'] })
        await rejection(call, 400, 'VALIDATION_ERROR', /^url: must (lead to a public|name a host)/)
      }
      const plain = client.webhooks.create(orgId, { url: 'http://example.com/', events: ['*'] })
      await rejection(plain, 400, 'VALIDATION_ERROR', /^url: must begin with https/)
    })

    test('decisions 9: and on connection', async () => {
      const { client, orgId } = await of.organization()
      let calls = 0
      const canary = createServer(() => calls++)
      canary.listen(0, '127.0.0.1')
      await once(canary, 'listening')
      try {
        const { id } = await client.webhooks.create(orgId, { url: 'https://example.com/', events: ['*'] })
        // As if it had been registered while the installation allowed it.
        const { port } = canary.address() as AddressInfo
        const url = `http://127.0.0.1:${port}/`
        await of.db().kysely.updateTable('webhooks').set({ url }).where('id', '=', id).execute()
        await client.webhooks.ping(orgId, id)
        const first = async () => (await client.webhooks.deliveries(orgId, id)).data[0]
        await until('it was attempted', async () => (await first())?.attempts === 1)
        assert.match((await first())?.error ?? '', /does not lead to a public address/)
        assert.equal(calls, 0)
      } finally {
        canary.close()
      }
    })

    test('decisions 2: 503 UNAVAILABLE without the cause; the log has it under requestId', async () => {
      const org = await of.organization()
      const { shortCode } = await org.client.qrCodes.create(org.orgId, urlCode('A'))
      const ask = () => org.send('GET', '/qr-codes/analytics')
      // An engine that sleeps is not there to be killed, and is started by the first question.
      let answer = await ask()
      await until('a question finds no engine', async () => {
        of.service().signal(['engine'], 'SIGKILL')
        answer = await ask()
        return answer.status !== 200
      })
      const { message, requestId } = assertProblem(answer, [503, 'UNAVAILABLE', /Try again/])
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
      assert.doesNotMatch(message, /ECONN|socket|clickhouse|engine|\//i)
      const logged = () =>
        of
          .service()
          .output()
          .split('\n')
          .filter((line) => line.includes(requestId) && line.includes('"err":{'))
      await until('the log has the cause', () => logged().length > 0)
      assert.equal((await of.scan(shortCode)).status, 302)
    })
  })
}
