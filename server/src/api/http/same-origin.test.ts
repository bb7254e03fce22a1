import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from '@everscan/contract/schema/errors.ts'
import { onSqlite } from '../../db/testing/databases.ts'
import { cookieName, openTestApi, publicUrl, somePerson, testConfig } from '../testing/api.ts'

const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'nonsense']
const origins = [
  undefined,
  publicUrl,
  'https://evil.example',
  'http://qr.example.com',
  'https://qr.example.com:8443',
  'https://qr.example.com.evil.example',
  'null',
  '',
]
const contentTypes = [
  undefined,
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
]

onSqlite('changes with a session', (open) => {
  test('accepted only from pages of this site, as JSON: every method, site, content type and credential', async (t) => {
    const db = await open()
    const api = await openTestApi(db)
    const { session } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const path = `/api/v1/organizations/${api.orgId}/folders`
    const credentials = [
      ['cookie', { cookie: `other=1; ${cookieName}=${session}` }],
      ['key', { 'x-api-key': api.keys.ADMIN }],
      ['both', { cookie: `${cookieName}=${session}`, 'x-api-key': api.keys.ADMIN }],
    ] as const
    let calls = 0
    let name = 0
    for (const [credential, own] of credentials)
      for (const site of sites)
        for (const origin of origins)
          for (const type of contentTypes)
            for (const method of ['GET', 'POST', 'DELETE'] as const) {
              // A request without a body needs no content type.
              if (method !== 'POST' && type !== undefined) continue
              const url = method === 'DELETE' ? `${path}/fld_unknown` : path
              const { statusCode, body } = await api.app.inject({
                method,
                url,
                headers: {
                  host: 'qr.example.com',
                  ...own,
                  ...(site === undefined ? {} : { 'sec-fetch-site': site }),
                  ...(origin === undefined ? {} : { origin }),
                  ...(type === undefined ? {} : { 'content-type': type }),
                },
                ...(method === 'POST' ? { payload: Buffer.from(`{"name":"Folder ${name++}"}`) } : {}),
              })
              const proven = site !== undefined || origin !== undefined
              const sameOrigin =
                (site === undefined || site === 'same-origin') &&
                (origin === undefined || origin === publicUrl)
              const isLetIn = credential === 'key' || method === 'GET' || (sameOrigin && proven)
              const answered = { GET: 200, POST: type === 'application/json' ? 201 : 415, DELETE: 404 }[
                method
              ]
              const expected = credential === 'both' ? 400 : isLetIn ? answered : 403
              const title = `${method} ${credential} ${site} ${origin} ${type}: ${body}`
              assert.equal(statusCode, expected, title)
              calls++
            }
    t.diagnostic(`${calls} calls`)
  })

  test('a form with a file is rejected from other sites: the same check protects it', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { session } = await somePerson(db, 'Ada', { organizationId: api.orgId, role: 'ADMIN' })
    const payload = [
      '--b',
      'Content-Disposition: form-data; name="type"',
      '',
      'URL',
      '--b',
      'Content-Disposition: form-data; name="file"; filename="a.csv"',
      'Content-Type: text/csv',
      '',
      'name,url\nA,https://example.com/',
      '--b--',
      '',
    ].join('\r\n')
    const send = (origin: string) =>
      api.app.inject({
        method: 'POST',
        url: `/api/v1/organizations/${api.orgId}/qr-codes/bulk-import`,
        headers: {
          cookie: `${cookieName}=${session}`,
          origin,
          'content-type': 'multipart/form-data; boundary=b',
        },
        payload,
      })
    assert.equal((await send('https://evil.example')).statusCode, 403)
    assert.equal((await send(publicUrl)).statusCode, 202)
  })

  test('the requested host counts too; over plain http not if the service is on https', async () => {
    const db = await open()
    const asked = async (own: string, host: string, origin: string) => {
      const { app } = await openTestApi(db, { config: { ...testConfig, publicUrl: own } })
      const headers = { host, origin }
      return (await app.inject({ method: 'POST', url: '/api/v1/auth/sign-out', headers })).statusCode
    }
    assert.equal(await asked('https://qr.example.com', 'internal:8443', 'https://internal:8443'), 200)
    assert.equal(await asked('https://qr.example.com', 'internal:8443', 'http://internal:8443'), 403)
    assert.equal(await asked('http://localhost:3000', '192.0.2.7:3000', 'http://192.0.2.7:3000'), 200)
    assert.equal(await asked('http://localhost:3000', '192.0.2.7:3000', 'http://192.0.2.8:3000'), 403)
  })

  test('signing in from another site is rejected; a program without a browser can sign in', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { email, password } = await somePerson(db, 'Ada')
    const signIn = (headers: Record<string, string>) =>
      api.call('POST', '/auth/sign-in', { payload: { email, password }, headers })
    assert.equal((await signIn({ origin: 'https://evil.example' })).statusCode, 403)
    assert.equal((await signIn({ 'sec-fetch-site': 'cross-site' })).statusCode, 403)
    assert.equal((await signIn({ 'sec-fetch-site': 'none' })).statusCode, 403)
    assert.equal((await signIn({})).statusCode, 200)
    assert.equal((await signIn({ origin: publicUrl, 'sec-fetch-site': 'same-origin' })).statusCode, 200)
  })

  test('a cookie of another name is not a session: on https only the one that no other host can set', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { session } = await somePerson(db, 'Ada')
    const get = async (cookie: string) => {
      const answer = await api.app.inject({ url: '/api/v1/users/me', headers: { cookie } })
      return [answer.statusCode, answer.json<ErrorBody>().code]
    }
    assert.deepEqual(await get(`everscan_session=${session}`), [401, 'UNAUTHORIZED'])
    assert.deepEqual(await get(`${cookieName}=${session}`), [200, undefined])
    for (const odd of [
      cookieName,
      `${cookieName}=`,
      `=${session}`,
      '%',
      ';;;',
      `${cookieName}="${session}x"`,
    ])
      assert.equal((await get(odd))[0], 401, odd)
  })
})
