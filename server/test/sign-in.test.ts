// Signing in to a started service, as the dashboard does: raw headers, cookies, a restart.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startService, type Service } from './service.ts'

const email = 'ada@example.com'
const password = 'correct horse battery'

describe('the account of the settings', () => {
  let service: Service
  before(async () => {
    service = await startService({ BOOTSTRAP_EMAIL: email, BOOTSTRAP_PASSWORD: password })
  })
  after(() => service.remove())

  const send = (method: string, path: string, { cookie, body }: { cookie?: string; body?: object } = {}) =>
    fetch(`${service.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        origin: service.baseUrl,
        ...(cookie === undefined ? {} : { cookie }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const signIn = async (): Promise<string> => {
    const answer = await send('POST', '/auth/sign-in', { body: { email, password } })
    assert.equal(answer.status, 200)
    return answer.headers.get('set-cookie') ?? ''
  }

  test('signs in; on plain http the cookie has no prefix and is not Secure', async () => {
    const [pair = '', ...attributes] = (await signIn()).split('; ')
    assert.match(pair, /^everscan_session=[\w-]{43}$/)
    assert.deepEqual(attributes.sort(), ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax'])
  })

  test('makes codes in its organization, also after a restart, and not after it signed out', async () => {
    const [cookie = ''] = (await signIn()).split(';')
    const mine = await send('GET', '/users/me/organizations', { cookie })
    const { organizations } = (await mine.json()) as { organizations: { id: string; role: string }[] }
    assert.equal(organizations[0]?.role, 'ADMIN')
    await service.restart()
    const body = { type: 'URL', name: 'Menu', data: { url: 'https://example.com/' } }
    const made = await send('POST', `/organizations/${organizations[0]?.id}/qr-codes`, { cookie, body })
    assert.equal(made.status, 201)
    const { shortCode } = (await made.json()) as { shortCode: string }
    const scan = await fetch(`${service.baseUrl}/${shortCode}`, { redirect: 'manual' })
    assert.equal(scan.headers.get('location'), 'https://example.com/')
    const out = await send('POST', '/auth/sign-out', { cookie })
    assert.match(out.headers.get('set-cookie') ?? '', /^everscan_session=; Max-Age=0; /)
    assert.equal((await send('GET', '/users/me', { cookie })).status, 401)
  })

  test('another site cannot use its session, and a key beside it is refused', async () => {
    const [cookie = ''] = (await signIn()).split(';')
    const url = `${service.baseUrl}/api/v1/users/me/sessions`
    const foreign = await fetch(url, {
      method: 'DELETE',
      headers: { cookie, origin: 'https://evil.example' },
    })
    assert.equal(foreign.status, 403)
    const both = await fetch(url, { headers: { cookie, 'x-api-key': service.apiKey } })
    assert.equal(both.status, 400)
    assert.equal((await fetch(url, { headers: { cookie } })).status, 200)
  })

  test('neither its password nor a session is in the log', async () => {
    const [pair = ''] = (await signIn()).split(';')
    await send('POST', '/auth/sign-in', { body: { email, password: 'wrong wrong wrong' } })
    const log = service.output().slice(service.output().lastIndexOf('Everscan is starting.'))
    for (const secret of [password, 'wrong wrong wrong', pair.split('=')[1] ?? ''])
      assert.ok(!log.includes(secret), secret)
  })
})
