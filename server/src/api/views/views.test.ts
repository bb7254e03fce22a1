import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { View, ViewPage } from '@everscan/contract/views/views.ts'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { createApiKey } from '../../catalogue/organizations/api-keys.ts'
import { someOrigin } from '../../catalogue/testing/catalogue.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { openTestApi, publicUrl, testAccountTools, type TestApi } from '../testing/api.ts'

const nowMs = Date.parse('2026-03-31T12:00:00.000Z')
const mail = { to: ['ada@example.com'], every: 'week' } as const

function callsOf(api: TestApi, key = api.keys.EDITOR) {
  const path = `/organizations/${api.orgId}/views`
  return {
    create: (payload: object) => api.call('POST', path, { key, payload }),
    put: (id: string, payload: object) => api.call('PUT', `${path}/${id}`, { key, payload }),
    read: async (id: string, reader = key) =>
      (await api.call('GET', `${path}/${id}`, { key: reader })).json<View>(),
    send: (id: string) => api.call('POST', `${path}/${id}/send-mail`, { key }),
  }
}

onEitherDatabase('views of figures', (open) => {
  const start = async (mails: 'on' | 'off' = 'on') => {
    const accounts = testAccountTools({ mailer: mails === 'on' ? async () => true : undefined })
    return openTestApi(await open(), { accounts, clock: () => nowMs })
  }

  test('201: an editor saves a view; a viewer reads it, but not the secret of its link', async () => {
    const api = await start()
    const { create, read } = callsOf(api)
    const query = { period: 'last-month', timezone: 'Europe/Berlin', country: ['!DE'] }
    const answer = await create({ name: ' Spring ', query, public: {}, mail })
    assert.equal(answer.statusCode, 201, answer.body)
    const view = answer.json<View>()
    assert.equal(answer.headers['location'], `/api/v1/organizations/${api.orgId}/views/${view.id}`)
    assert.deepEqual([view.name, view.query], ['Spring', query])
    assert.equal(view.public?.url, `${publicUrl}/app/share/${view.public?.token}`)
    assert.match(view.public?.token ?? '', /^[\w-]{43}$/)
    assert.deepEqual(await read(view.id), view)
    // The next Monday, 07:00 in Berlin, in summer time.
    assert.equal(view.mail?.nextAt, '2026-04-06T05:00:00.000Z')
    const seen = await read(view.id, api.keys.VIEWER)
    assert.deepEqual(seen, { ...view, public: { ...view.public, token: null, url: null } })
    const listed = await api.call('GET', `/organizations/${api.orgId}/views`, { key: api.keys.VIEWER })
    assert.deepEqual(listed.json<ViewPage>().data, [seen])
  })

  test('403: a key that reads figures sees no link, and a key that writes codes shares none', async () => {
    const db = await open()
    const api = await openTestApi(db, { clock: () => nowMs })
    const view = (await callsOf(api).create({ name: 'A', public: {} })).json<View>()
    const keyWith = async (scope: 'analytics:read' | 'codes:write') =>
      (
        await createApiKey(db, api.orgId, {
          origin: someOrigin,
          name: scope,
          role: 'EDITOR',
          scopes: [scope],
          nowMs,
        })
      ).value
    const reader = callsOf(api, await keyWith('analytics:read'))
    assert.equal((await reader.read(view.id)).public?.token, null)
    assert.equal((await reader.put(view.id, { public: { newLink: true } })).statusCode, 403)
    const writer = callsOf(api, await keyWith('codes:write'))
    assert.equal((await writer.create({ name: 'B', public: {} })).statusCode, 403)
  })

  test('400: what analytics would refuse, what is unknown and what does not go together, by field', async () => {
    const api = await start()
    const { create } = callsOf(api)
    const foreign = await api.call('POST', `/organizations/${api.foreignOrgId}/folders`, {
      key: api.keys.foreign,
      payload: { name: 'Theirs' },
    })
    const cases: readonly [body: object, path: string, message: RegExp][] = [
      [{ query: { colour: 'red' } }, 'query.colour', /known field/],
      [{ query: { format: 'csv' } }, 'query.format', /known field/],
      [{ query: { country: ['Germany'] } }, 'query.country[0]', /ISO 3166/],
      [{ query: { country: 'DE' } }, 'query.country', /array|list/],
      [{ query: { timezone: 'Europe/Atlantis' } }, 'query.timezone', /IANA/],
      [{ query: { startDate: '2026-02-30' } }, 'query.startDate', /calendar/],
      [{ query: { startDate: '2026-03-02', endDate: '2026-03-01' } }, 'query.startDate', /after/],
      [{ query: { period: 'last-month', endDate: '2026-03-01' } }, 'query.period', /together/],
      [{ query: { period: 'next-month' } }, 'query.period', /one of/],
      [{ query: { period: 'this-year', interval: 'hour' } }, 'query.interval', /31 days/],
      [
        { query: { startDate: '2026-01-01', endDate: '2026-03-01', interval: 'hour' } },
        'query.interval',
        /31 days/,
      ],
      [{ query: { folderId: foreign.json<{ id: string }>().id } }, 'query.folderId', /this organization/],
      [{ query: { qrCodeId: 'qr_unknown' } }, 'query.qrCodeId', /this organization/],
      [{ query: { qrCodeId: 'qr_unknown', tag: ['a'] } }, 'query.qrCodeId', /together with tag/],
      [{ query: { ids: ['qr_1,qr_2'] } }, 'query.ids', /this organization/],
      [{ public: { expiresAt: '2026-03-30' } }, 'public.expiresAt', /future/],
      [{ public: { expiresAt: '2026-04-31' } }, 'public.expiresAt', /exists/],
      [{ public: { password: 'short' } }, 'public.password', /at least 8/],
      [{ public: { newLink: true } }, 'public.newLink', /known field/],
      [{ mail: { to: [], every: 'week' } }, 'mail.to', /empty/],
      [{ mail: { to: ['nobody'], every: 'week' } }, 'mail.to[0]', /e-mail/],
      [{ mail: { to: Array.from({ length: 21 }, (_, i) => `${i}@a.b`), every: 'week' } }, 'mail.to', /20/],
      [{ mail: { to: ['a@b.c'], every: 'day' } }, 'mail.every', /one of/],
      [{ name: '' }, 'name', /empty/],
    ]
    for (const [body, path, message] of cases) {
      const answer = await create({ name: 'A', ...body })
      const title = `${JSON.stringify(body)}: ${answer.body}`
      assert.equal(answer.statusCode, 400, title)
      const problem = answer.json<ErrorBody>().details?.find((one) => one.path === path)
      assert.match(problem?.message ?? '', message, title)
    }
    for (const query of [{}, { period: 'this-month', interval: 'hour' }, { folderId: 'none' }])
      assert.equal((await create({ name: 'A', query })).statusCode, 201, JSON.stringify(query))
  })

  test('200: of a link, only the given fields change; a new link and an end replace it', async () => {
    const api = await start()
    const { create, put } = callsOf(api)
    const { id, ...made } = (
      await create({ name: 'A', public: { password: 'figures of spring', expiresAt: '2026-04-01' } })
    ).json<View>()
    assert.deepEqual([made.public?.hasPassword, made.public?.expiresAt], [true, '2026-04-02T00:00:00.000Z'])
    const change = async (link: object | null) => (await put(id, { public: link })).json<View>().public
    const never = await change({ expiresAt: null })
    assert.deepEqual([never?.hasPassword, never?.expiresAt, never?.token], [true, null, made.public?.token])
    assert.equal((await change({ password: null }))?.hasPassword, false)
    const renewed = await change({ newLink: true })
    assert.notEqual(renewed?.token, made.public?.token)
    assert.equal(await change(null), null)
    const renamed = (await put(id, { name: 'B' })).json<View>()
    assert.deepEqual([renamed.name, renamed.public], ['B', null])
  })

  test('202: the mail is sent now; 409 without a mail, and where the installation sends none', async () => {
    const api = await start()
    const { create, put, send } = callsOf(api)
    const { id } = (await create({ name: 'A' })).json<View>()
    assert.equal((await send(id)).statusCode, 409)
    await put(id, { mail })
    assert.equal((await send(id)).statusCode, 202)
    assert.equal((await send('viw_unknown')).statusCode, 404)

    const silent = callsOf(await start('off'))
    const refused = await silent.create({ name: 'A', mail })
    assert.deepEqual([refused.statusCode, refused.json<ErrorBody>().code], [409, 'CONFLICT'])
    assert.match(refused.json<ErrorBody>().message, /SMTP_URL/)
    assert.equal((await silent.create({ name: 'A', mail: null })).statusCode, 201)
  })
})
