import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AuditLogPage } from '@everscan/contract/resources/audit-log.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { Webhook, WebhookPage, WebhookWithSecret } from '@everscan/contract/resources/webhooks.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, testConfig } from '../testing/api.ts'

const url = 'https://hooks.example.com/in?token=hidden'
const bytes = (count: number): string => `whsec_${Buffer.alloc(count, 7).toString('base64')}`
const body = { url, events: ['qr.created', 'qr.scanned'] }

onEitherDatabase('webhooks', (open) => {
  test('are created, read, listed, updated and deleted; the secret is shown only once and sealed at rest', async () => {
    const db = await open()
    const { call, orgId, keys } = await openTestApi(db)
    const path = `/organizations/${orgId}/webhooks`
    const key = keys.ADMIN
    const made = await call('POST', path, { key, payload: { ...body, description: 'Shop', batch: true } })
    assert.equal(made.statusCode, 201)
    const { secret, ...webhook } = made.json<WebhookWithSecret>()
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(made.headers['location'], `/api/v1${path}/${webhook.id}`)
    assert.deepEqual(
      { ...webhook, id: '', createdAt: '', updatedAt: '' },
      {
        ...body,
        id: '',
        description: 'Shop',
        batch: true,
        status: 'ENABLED',
        disabledReason: null,
        problem: null,
        values: null,
        failuresInARow: 0,
        lastDeliveryAt: null,
        createdAt: '',
        updatedAt: '',
      },
    )
    assert.deepEqual((await call('GET', `${path}/${webhook.id}`, { key })).json(), webhook)
    assert.deepEqual((await call('GET', path, { key })).json<WebhookPage>().data, [webhook])

    const rotated = await call('POST', `${path}/${webhook.id}/rotate-secret`, { key })
    const { secret: newSecret } = rotated.json<WebhookWithSecret>()
    assert.notEqual(newSecret, secret)
    const stored = JSON.stringify(await db.kysely.selectFrom('webhooks').selectAll().execute())
    for (const one of [secret, newSecret])
      for (const form of [one, one.slice(6), Buffer.from(one.slice(6), 'base64').toString('hex')])
        assert.ok(!stored.includes(form))

    const changes = {
      url: 'https://other.example.com/',
      events: ['*', '*'],
      status: 'DISABLED',
      batch: false,
    }
    const changed = (await call('PUT', `${path}/${webhook.id}`, { key, payload: changes })).json<Webhook>()
    assert.deepEqual(
      [changed.url, changed.events, changed.status, changed.disabledReason, changed.batch],
      ['https://other.example.com/', ['*'], 'DISABLED', 'It was disabled by hand.', false],
    )
    for (const method of ['ping', 'rotate-secret'] as const) {
      const { statusCode } = await call('POST', `${path}/${webhook.id}/${method}`, { key })
      assert.equal(statusCode, method === 'ping' ? 409 : 200)
    }
    const enabled = await call('PUT', `${path}/${webhook.id}`, { key, payload: { status: 'ENABLED' } })
    assert.deepEqual(
      [enabled.json<Webhook>().status, enabled.json<Webhook>().disabledReason],
      ['ENABLED', null],
    )
    assert.deepEqual((await call('DELETE', `${path}/${webhook.id}`, { key })).json(), {
      id: webhook.id,
      deleted: true,
    })
    assert.equal((await call('GET', `${path}/${webhook.id}`, { key })).statusCode, 404)

    const log = await call('GET', `/organizations/${orgId}/audit-log?targetId=${webhook.id}`, { key })
    assert.deepEqual(
      log.json<AuditLogPage>().data.map(({ action, fields, target }) => [action, fields.join(), target.name]),
      [
        ['webhook.delete', '', 'https://other.example.com/'],
        ['webhook.update', 'status', 'https://other.example.com/'],
        ['webhook.rotate-secret', '', 'https://other.example.com/'],
        ['webhook.update', 'url,events,batch,status', 'https://other.example.com/'],
        ['webhook.rotate-secret', '', 'https://hooks.example.com/in'],
        ['webhook.create', '', 'https://hooks.example.com/in'],
      ],
    )
  })

  test('400 names the field: URL, events, secret', async () => {
    const api = await openTestApi(await open())
    const path = `/organizations/${api.orgId}/webhooks`
    const key = api.keys.ADMIN
    const wrong: [object, RegExp][] = [
      [{ ...body, url: 'http://hooks.example.com/' }, /^url: must begin with https:\/\//],
      [
        { ...body, url: 'https://127.0.0.1/' },
        /^url: must lead to a public address, and "127\.0\.0\.1" is private/,
      ],
      [{ ...body, url: 'https://a:b@example.com/' }, /^url: must not contain a user name/],
      [{ ...body, events: [] }, /^events: /],
      [{ ...body, events: ['qr.nothing'] }, /^events\[0\]: /],
      [{ url }, /^events: is required/],
      [{ ...body, secret: 'secret' }, /^secret: must be "whsec_"/],
      [{ ...body, secret: bytes(23) }, /^secret: /],
      [{ ...body, secret: bytes(65) }, /^secret: /],
      [{ ...body, secret: bytes(24).replace(/.$/, '=') }, /^secret: /],
      [
        { ...body, secret: bytes(25).replace(/=+$/, '') },
        /^secret: must be "whsec_" and base64 with its padding/,
      ],
      [{ ...body, status: 'ENABLED' }, /^status: /],
      [{ ...body, description: 'a'.repeat(501) }, /^description: /],
    ]
    for (const [payload, message] of wrong) {
      const answer = await api.call('POST', path, { key, payload })
      assert.equal(answer.statusCode, 400, answer.body)
      assert.match(answer.json<ErrorBody>().message, message)
    }
    for (const secret of [bytes(24), bytes(25), bytes(64)]) {
      const answer = await api.call('POST', path, { key, payload: { ...body, secret } })
      assert.equal(answer.json<WebhookWithSecret>().secret, secret)
    }
    const { data } = (await api.call('GET', path, { key })).json<WebhookPage>()
    const put = { key, payload: { url: 'https://[::1]/' } }
    assert.equal((await api.call('PUT', `${path}/${data[0]?.id}`, put)).statusCode, 400)
  })

  test('http and private addresses are accepted if the installation allows them', async () => {
    const config = { ...testConfig, webhookAllowPrivate: true }
    const { call, orgId, keys } = await openTestApi(await open(), { config })
    const payload = { ...body, url: 'http://127.0.0.1:8080/' }
    const { statusCode } = await call('POST', `/organizations/${orgId}/webhooks`, {
      key: keys.ADMIN,
      payload,
    })
    assert.equal(statusCode, 201)
  })

  test(`409: more than ${limits.webhooksMax}`, async () => {
    const { call, orgId, keys } = await openTestApi(await open())
    const path = `/organizations/${orgId}/webhooks`
    const answers = await Promise.all(
      Array.from({ length: limits.webhooksMax + 3 }, () =>
        call('POST', path, { key: keys.ADMIN, payload: body }),
      ),
    )
    const statuses = answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b)
    assert.deepEqual(statuses.slice(-4), [201, 409, 409, 409])
  })
})
